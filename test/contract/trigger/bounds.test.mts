import { describe, expect, it } from 'vitest';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { noSuchSearch } from '../../support/texts.mts';
import { expectAnswer, MAX_READS, notify, started, submit } from './trigger.mts';

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

it('many unknown ids cause no more reads than one: those of the likeliest', async () => {
	const body = { id: 'a', user_id: 'b', search_id: 'likeliest', data: { event_id: 'c' } };
	const call = await notify(bench(), body);
	expectAnswer(call, 404, noSuchSearch);
	expect(bench().looks.map(({ id }) => id)).toEqual(Array(MAX_READS).fill('likeliest'));
});

it('thousands of different ids cause no more', async () => {
	const ids = [...Array(5000).keys()].map((id) => ({ id, search_id: `s${id}`, data: { id: -id } }));
	expectAnswer(await notify(bench(), ids), 404, noSuchSearch);
	expect(bench().looks.length).toBeLessThanOrEqual(MAX_READS);
});
