import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { expectChargedOnce, FIND } from './money.mts';

// What is known is read in the same wait as what is new, within the Timeout; and what another run is about
// to send is waited for beside the rest.

const bench = useBench();
useFastClock();

const OPERATIONS = ['submitAndWait', 'submitBulkAndWait'] as const;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
/** What a run may take over its Timeout: to send, and for its last looks. */
const OVER_MS = 6_000;

let executions = 0;

/** An execution of its own: what became of it, and when it was over. */
async function find(operation: string, items: IDataObject[], given: Given = {}) {
	const begunAt = Date.now();
	const run = await bench().run('emailFinder', operation, {
		parameters: FIND,
		items,
		executionId: `wait ${++executions}`,
		...given,
	});
	return { run, tookMs: Date.now() - begunAt };
}

const isFound = { found: true };
const isError = { error: expect.any(String) as string, found: null };

// Each reads the other's searches at the other's address, so one hangs and the other does not.
const READS = [
	['submitAndWait', 'submitBulkAndWait', 'GET /email/find/bulk'],
	['submitBulkAndWait', 'submitAndWait', 'GET /email/find/single'],
] as const;

describe.for(READS)('%s: the reads of what %s has paid for hang', ([operation, before, on]) => {
	it('new searches go at once and come out, and the Timeout holds', async () => {
		const known = people(3, 'known');
		await find(before, known);
		bench().sandbox.faults.add({ kind: 'hang', on, times: Infinity });
		const begunAt = Date.now();
		const items = [...known, ...people(3, 'new')];
		const given = { options: { timeout: 4 }, settings: CONTINUE };
		const { run, tookMs } = await find(operation, items, given);
		expect(tookMs).toBeLessThanOrEqual(4_000 + OVER_MS);
		const sentAt = bench()
			.sandbox.requests.filter(({ method }) => method === 'POST')
			.at(-1)?.at;
		expect((sentAt ?? 0) - begunAt).toBeLessThan(1_000);
		expect(jsonOf(run)).toMatchObject([isError, isError, isError, isFound, isFound, isFound]);
		expectChargedOnce(bench(), 6);
	});

	it('the Timeout holds where there are many of them, and nothing new', async () => {
		const known = people(60, 'known');
		await find(before, known);
		bench().sandbox.faults.add({ kind: 'hang', on, times: Infinity });
		const given = { options: { timeout: 3 }, settings: CONTINUE };
		const { run, tookMs } = await find(operation, known, given);
		expect(tookMs).toBeLessThanOrEqual(3_000 + OVER_MS);
		expect(jsonOf(run)).toMatchObject(Array(60).fill(isError));
		expectChargedOnce(bench(), 60);
	});
});

it.for(OPERATIONS)(
	'%s: a row that another run is sending, and does not come to an end with, is the only one without a result',
	async (operation) => {
		const [known = {}, theirs = {}, fresh = {}] = people(3);
		await find(operation, [known]);
		bench().sandbox.faults.add({ kind: 'delay', ms: 30_000, on: 'POST *' });
		const other = find(operation, [theirs]);
		await bench().sandbox.waitFor(() => bench().posts.length === 2);
		const given = { options: { timeout: 3 }, settings: CONTINUE };
		const { run, tookMs } = await find(operation, [known, theirs, fresh], given);
		const theirRun = (await other).run;
		expect(jsonOf(run)).toMatchObject([isFound, isError, isFound]);
		expect(tookMs).toBeLessThanOrEqual(3_000 + OVER_MS);
		expect(jsonOf(theirRun)).toMatchObject([isFound]);
		expectChargedOnce(bench(), 3);
	},
);

it('a search that a long run has not come to yet is left to it, and read', async () => {
	const { apiKey, baseUrl } = bench().sandbox;
	const credentials = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 5 } };
	const items = people(100);
	const long = find('submitAndWait', items, { credentials });
	await bench().sandbox.waitFor(() => bench().posts.length === 3);
	const last = items.slice(-1);
	const impatient = await find('submitAndWait', last, {
		credentials,
		options: { timeout: 5 },
		settings: { onError: 'continueRegularOutput' },
	});
	expect(jsonOf(impatient.run)).toMatchObject([
		{ error: expect.stringContaining('is starting the same search') as string },
	]);
	expect(bench().posts.length).toBeLessThan(70);
	const other = await find('submitAndWait', last, { credentials });
	expect(jsonOf(other.run)).toMatchObject([isFound]);
	const all = (await long).run;
	expect(jsonOf(all)).toMatchObject(Array(100).fill(isFound));
	expectChargedOnce(bench(), 100);
});
