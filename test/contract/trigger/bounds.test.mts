import { describe, expect, it } from 'vitest';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import { noSuchSearch } from '../../support/texts.mts';
import { expectAnswer, MAX_READS, notify, started, submit, trigger } from './trigger.mts';

// How much of a notification is looked at: all that a service may send, and not all that anybody may.

const bench = useBench({ single: 0, bulk: 0 });

const rows = Array.from({ length: 1_000 }, (_, n) => ({ name: `Ada ${n}`, score: n }));

describe('an id is found', () => {
	it.for<[string, (id: string) => unknown]>([
		[
			'under a name of 48 letters',
			(id) => ({ asynchronous_email_address_verification_batch_id: id }),
		],
		['in the 20th entry of a list', (id) => [...rows.slice(0, 19), { id }]],
		[
			'beside lists of a thousand entries',
			(id) => ({ valid: rows, invalid: rows, unknown: rows, about: { lookup: { id } } }),
		],
	])('%s', async ([, bodyOf]) => {
		const id = await submit(bench().sandbox, 'emailVerifierBulk');
		expect(started(await notify(bench(), bodyOf(id)))).toHaveLength(2);
	});
});

describe('one read is enough where', () => {
	const FIELDS = Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`field${n}`, n]));

	it.for<[string, (id: string) => object]>([
		['the 20th field tells the kind of lookup', (id) => ({ id, ...FIELDS, phone: null })],
		['a sentence does', (id) => ({ id, message: 'This lookup has just come to its end: phone' })],
	])('%s', async ([, bodyOf]) => {
		const id = await submit(bench().sandbox, 'phoneFinderSingle');
		expect(started(await notify(bench(), bodyOf(id)))).toHaveLength(1);
		expect(bench().looks).toHaveLength(1);
	});
});

it('many unknown ids cause no more reads than one: those of the likeliest', async () => {
	const body = { id: 'a', user_id: 'b', search_id: 'likeliest', data: { event_id: 'c' } };
	const call = await notify(bench(), body);
	expectAnswer(call, 404, noSuchSearch);
	expect(bench().looks.map(({ id }) => id)).toEqual(Array(MAX_READS).fill('likeliest'));
});

describe('of a hundred thousand objects', () => {
	const COUNT = 100_000;

	it.for([
		{ place: 'entries of a list', atMost: 100, bodyOf: (all: object[]) => ({ data: all }) },
		{ place: 'fields', atMost: 3_000, bodyOf: (all: object[]) => ({ data: { ...all } }) },
	])('at most $atMost are looked into: $place', async ({ atMost, bodyOf }) => {
		let looked = 0;
		const counting = () =>
			Object.defineProperty({}, 'name', { enumerable: true, get: () => void looked++ });
		const body = bodyOf(Array.from({ length: COUNT }, counting));
		const { credentials } = bench();
		const { response } = await callWebhookInProcess({ node: trigger, credentials, body });
		expect(response?.status).toBe(400);
		expect(looked).toBeLessThanOrEqual(atMost);
	});
});
