import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';
import type { Fault } from '../../support/sandbox/faults.mts';
import {
	expectTriedAgain,
	jsonOf,
	shownError,
	textIn,
	type Bench,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import {
	answerWithoutId,
	connectionBroke,
	lastAnswerWas,
	mayHaveBeenCharged,
	notAsked,
	notUnderstood,
} from '../../support/texts.mts';

// Answers that service-api.md does not know: broken bodies, proxies, redirects. Other statuses and their
// texts: `table.test.mts`.

const bench = useBench();
useFastClock();

const EMAIL = { email: 'mustfind@acme.com' };
const submit = async (at: Bench = bench()) =>
	await at.run('emailVerifier', 'submit', { parameters: EMAIL });

it('no more than 500 characters of what the service says are shown, and no key', async () => {
	const { apiKey } = bench().sandbox;
	const body = { message: `Key ${apiKey} ${'x'.repeat(10_000)}` };
	bench().sandbox.faults.add({ kind: 'status', on: 'POST *', status: 418, body });
	const shown = shownError(await submit(), apiKey);
	expect(shown.message).toMatch(/^Key \[API key\] x+$/);
	expect(shown.message).toHaveLength(500);
});

describe('a submission that may have been charged', () => {
	const serverError = { kind: 'status', status: 500, body: { message: 'Ouch' } } as const;
	const withoutBody = { kind: 'status', body: '', contentType: 'text/plain' } as const;
	const faults: Array<[what: string, fault: Fault, reason: string]> = [
		['500', serverError, 'Ouch'],
		['502 of a proxy', { kind: 'html' }, 'HTTP 502'],
		['503 without a body', { ...withoutBody, status: 503, accepted: true }, 'HTTP 503'],
		['408', { kind: 'status', status: 408, body: {} }, 'HTTP 408'],
		['empty answer', { kind: 'empty' }, answerWithoutId],
		['answer without an id', { kind: 'noId' }, answerWithoutId],
		['page with status 200', { kind: 'html', status: 200 }, answerWithoutId],
		['JSON cut in the middle', { kind: 'cutJson' }, answerWithoutId],
		['body cut in the middle', { kind: 'truncated' }, connectionBroke],
		['broken connection', { kind: 'reset', when: 'after' }, connectionBroke],
	];

	it.for(faults)('%s: is not sent again', async ([, fault, reason]) => {
		bench().sandbox.faults.add({ ...fault, on: 'POST *', times: Infinity });
		const shown = shownError(await submit(), bench().sandbox.apiKey);
		expect(shown).toMatchObject({ name: 'NodeOperationError' });
		expect(shown.message).toMatch(mayHaveBeenCharged);
		expect(shown.message).toContain(reason);
		expect(bench().posts).toHaveLength(1);
	});

	it('tells what came of an answer that broke off, which may hold the id', async () => {
		bench().sandbox.faults.add({ kind: 'truncated', on: 'POST *' });
		const { description } = shownError(await submit(), bench().sandbox.apiKey);
		expect(description).toContain(`"id":"${bench().sandbox.ledger.entries[0]?.id}"`);
	});
});

describe('a redirect to another host', () => {
	let elsewhere: Elsewhere;
	beforeAll(async () => {
		elsewhere = await openElsewhere();
	});
	beforeEach(() => elsewhere.forget());
	afterAll(async () => await elsewhere.close());

	it.for([301, 302, 303, 307, 308])('%i is not followed, so the key stays', async (status) => {
		for (const [resource, operation, parameters] of [
			['emailVerifier', 'submit', EMAIL],
			['emailVerifier', 'getResult', { lookupId: 'some-id' }],
			['emailVerifier', 'getBulkResult', { batchId: 'some-id' }],
			['account', 'getInfo', {}],
		] as const) {
			const on = operation === 'submit' ? 'POST *' : 'GET *';
			bench().sandbox.faults.clear();
			bench().sandbox.faults.add({ kind: 'redirect', on, to: `${elsewhere.url}?key=x`, status });
			const run = await bench().run(resource, operation, { parameters });
			const { message } = shownError(run, bench().sandbox.apiKey);
			expect(message).toContain(`(HTTP ${status}, ${elsewhere.url}`);
			expect(message).not.toContain('key=x');
			const isUnsure = operation === 'submit' && status <= 303;
			expect(mayHaveBeenCharged.test(message)).toBe(isUnsure);
		}
		expect(bench().posts).toHaveLength(1);
		expect(elsewhere.visits).toEqual([]);
	});

	it('after a submission was taken: it is not paid again', async () => {
		const headers = { location: elsewhere.url };
		const fault = { kind: 'status', status: 302, headers, accepted: true } as const;
		bench().sandbox.faults.add({ ...fault, on: 'POST *' });
		const given = { parameters: EMAIL };
		const { contextData, error } = await bench().run('emailVerifier', 'submit', given);
		expect(error).toBeDefined();
		await bench().run('emailVerifier', 'submit', { ...given, contextData });
		expect(bench().sandbox.ledger.entries).toHaveLength(1);
	});
});

describe('a read that fails', () => {
	const faults: Array<[what: string, fault: Fault, message: string]> = [
		['500', { kind: 'status', status: 500, body: { message: 'Ouch' } }, 'Ouch'],
		['502 of a proxy', { kind: 'html' }, 'HTTP 502'],
		['page with status 200', { kind: 'html', status: 200 }, notUnderstood],
		['JSON cut in the middle', { kind: 'cutJson' }, notUnderstood],
		['body cut in the middle', { kind: 'truncated' }, `${notAsked}: ${connectionBroke}`],
		['broken connection', { kind: 'reset', when: 'before' }, `${notAsked}: ${connectionBroke}`],
	];

	const readAgain = async (at: Bench, lookupId: string) =>
		await at.run('emailVerifier', 'getResult', { parameters: { lookupId } });

	it.for(faults)('%s: is tried again, then told', async ([, fault, message]) => {
		await withBench({ single: 0 }, async (at) => {
			const [receipt] = jsonOf(await submit(at));
			at.sandbox.faults.add({ ...fault, on: 'GET /email/*', times: Infinity });
			const shown = shownError(
				await readAgain(at, textIn(receipt, 'search_id')),
				at.sandbox.apiKey,
			);
			expect(shown.message).toContain(message);
			if (message === notUnderstood) expect(shown.description).toContain("'Base URL'");
			expectTriedAgain(at.looks.length);
		});
	});

	it.for(faults)('%s once: nobody notices', async ([, fault]) => {
		await withBench({ single: 0 }, async (at) => {
			const failOnce = () => at.sandbox.faults.add({ ...fault, on: 'GET /email/*', times: 1 });
			failOnce();
			const waited = await at.run('emailVerifier', 'submitAndWait', { parameters: EMAIL });
			expect(jsonOf(waited)).toMatchObject([{ found: true }]);
			failOnce();
			const id = textIn(jsonOf(waited)[0], 'search_id');
			expect(jsonOf(await readAgain(at, id))).toMatchObject([{ search_id: id, found: true }]);
			expect(at.posts).toHaveLength(1);
		});
	});

	it('until the deadline of a wait: the error has the id and the last answer', async () => {
		await withBench({}, async (at) => {
			at.sandbox.faults.add({ kind: 'html', on: 'GET /email/*', times: Infinity });
			const given = { parameters: EMAIL, options: { timeout: 1 } };
			const run = await at.run('emailVerifier', 'submitAndWait', given);
			const { message } = shownError(run, at.sandbox.apiKey);
			expect(message).toContain(String(at.sandbox.ledger.entries[0]?.id));
			expect(message).toMatch(new RegExp(`${lastAnswerWas}.*HTTP 502`));
		});
	});
});
