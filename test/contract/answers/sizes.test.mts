import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { mayHaveBeenCharged, notReadToItsEnd } from '../../support/texts.mts';
import { KEY, MB, useFlood } from './flood.mts';

// Answers larger than any honest one: they are not read to their end.

const bench = useBench({ bulk: 0 });
const flood = useFlood();
useFastClock();

/** What Node may have read from a socket before it is hung up on. */
const READ_AHEAD = MB;
const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('an answer without end', () => {
	it.for([
		['getResult', 16],
		['getBulkResult', 128],
	] as const)('%s: is read to %i MB, and told', async ([operation, limit]) => {
		const shown = shownError(await flood.run(operation), KEY);
		expect(shown.message).toBe(
			`The answer of the service is larger than ${limit} MB, ${notReadToItsEnd}`,
		);
		expect(shown.description).toContain('then ask the provider');
		expect(flood.answers).toBe(1);
		expect(flood.taken).toBeGreaterThan(limit * MB);
		expect(flood.taken).toBeLessThan(limit * MB + READ_AHEAD);
	});

	it('ends a wait after a few looks', async () => {
		const options = { waitForResult: true, timeout: 120 };
		const shown = shownError(await flood.run('getResult', options), KEY);
		expect(shown.message).toMatch(/^The answer of the service is larger than 16 MB/);
		expect(flood.answers).toBeLessThanOrEqual(5);
	});

	it.for(['submit', 'submitBulk'])(
		'%s: nobody knows whether it was charged, and what came of it is told',
		async (operation) => {
			const shown = shownError(await flood.run(operation), KEY);
			expect(shown.message).toMatch(mayHaveBeenCharged);
			expect(shown.message).toMatch(/: the answer of the service is larger than 16 MB$/);
			expect(shown.description).toContain('"id":"the-id"');
			expect(shown.description.length).toBeLessThan(1_000);
			expect(flood.answers).toBe(1);
			expect(flood.taken).toBeLessThan(16 * MB + READ_AHEAD);
		},
	);

	it('of a refusal is told by its status, and charges nothing', async () => {
		flood.giving({ status: 402, start: '{"reason":"' });
		const shown = shownError(await flood.run('submit'), KEY);
		expect(shown.message).toBe('The account does not have enough credits (HTTP 402)');
		expect(flood.taken).toBeLessThan(16 * MB + READ_AHEAD);
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
