import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { mayHaveBeenCharged, notAsked } from '../../support/texts.mts';
import { KEY, MB, useFlood } from './flood.mts';

// Answers larger than any honest one: they are not read to their end.

const bench = useBench({ bulk: 0 });
const flood = useFlood();
useFastClock();

/** What Node may have read from a socket before it is hung up on. */
const READ_AHEAD = MB;
const TOO_LARGE = 'the answer of the service is larger than 128 MB';
const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('an answer without end', () => {
	it('of results is read to 128 MB, and told', async () => {
		const shown = shownError(await flood.run('getBulkResult'), KEY);
		expect(shown.message).toBe(`${notAsked}: ${TOO_LARGE}`);
		expect(flood.taken).toBeGreaterThan(128 * MB);
		expect(flood.taken).toBeLessThan(128 * MB + READ_AHEAD);
	});

	it('to a submission: nobody knows whether it was charged, and what came of it is told', async () => {
		const shown = shownError(await flood.run('submit'), KEY);
		expect(shown.message).toMatch(mayHaveBeenCharged);
		expect(shown.message).toContain(`: ${TOO_LARGE}`);
		expect(shown.description).toContain('"id":"the-id"');
		expect(shown.description.length).toBeLessThan(1_000);
		expect(flood.answers).toBe(1);
	});
});

it('an answer that comes byte by byte is left at once when the execution is stopped', async () => {
	const { sandbox } = bench();
	sandbox.faults.add({ on: 'GET /email/*', kind: 'trickle', bytesPerSecond: 1, times: Infinity });
	const stop = new AbortController();
	const begin = Date.now();
	const running = bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'mustfind@acme.example' },
		signal: stop.signal,
	});
	await sandbox.waitFor(() => bench().looks.length === 1);
	stop.abort();
	await running;
	expect(Date.now() - begin).toBeLessThan(5_000);
});

describe('an honest answer', () => {
	it('is read whole, also where it has 20 MB', async () => {
		const COUNT = 500;
		bench().sandbox.faults.add({
			on: 'GET /email/find/bulk',
			kind: 'changed',
			change: ({ results, ...body }) => ({
				...body,
				results: Array.isArray(results)
					? results.map((result: IDataObject) => ({ ...result, note: 'ü'.repeat(20_000) }))
					: results,
			}),
			times: Infinity,
		});
		bench().sandbox.service.account().credits = COUNT * 50;
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: {
				...{ fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
				simplify: false,
			},
			items: people(COUNT),
			settings: CONTINUE,
		});
		const results = jsonOf(run);
		expect(results).toHaveLength(COUNT);
		expect(results.every(({ found, note }) => found === true && note === 'ü'.repeat(20_000))).toBe(
			true,
		);
	});

	it('may begin with a byte order mark, and come in pieces of a letter', async () => {
		const body =
			'\ufeff{"email":"ada@acme.example","qualification":"valid","custom":{"who":"Zoë 🚀"}}';
		const { faults } = bench().sandbox;
		const contentType = 'application/json';
		faults.add({ on: 'GET /email/*', kind: 'status', status: 200, body, contentType });
		const parameters = { lookupId: 'some-id' };
		const run = await bench().run('emailVerifier', 'getResult', { parameters });
		expect(jsonOf(run)).toMatchObject([{ found: true, custom: { who: 'Zoë 🚀' } }]);
	});
});
