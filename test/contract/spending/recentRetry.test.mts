import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowOptions } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';
import { expectChargedOnce, FIND, pressRetry } from './money.mts';

// What a run has read of the last day is paid for: neither n8n's retries nor a lost answer forget it.

const bench = useBench();
useFastClock();

const HOUR_MS = 3_600_000;
const REFUSED = { kind: 'status', status: 418, body: { message: 'Not now' } } as const;
const UNREADABLE = {
	kind: 'status',
	status: 500,
	body: { message: 'Could not retrieve single search results' },
	on: 'GET /email/*',
} as const;
let executions = 0;

const find = async (operation: string, count: number, options = {}) =>
	await bench().run('emailFinder', operation, {
		parameters: FIND,
		items: people(count),
		options,
		executionId: `before ${++executions}`,
		settings: { onError: 'continueRegularOutput' },
	});

function workflow(operation: string, count: number, settings = {}): WorkflowOptions {
	const node = bench().node('emailFinder', operation, { parameters: FIND, settings });
	return { nodes: [start(people(count)), node], credentials: bench().credentials };
}

describe.for(['submitAndWait', 'submitBulkAndWait'])('%s', (operation) => {
	it('reads it again in a Retry of the next day', async () => {
		await find(operation, 3);
		skipTime(20 * HOUR_MS);
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *' });
		const options = workflow(operation, 5);
		const failed = await runWorkflow(options);
		expect(failed.status).toBe('error');
		skipTime(5 * HOUR_MS);
		const retried = await pressRetry(options, failed);
		expect(retried.error?.message).toBeUndefined();
		expect(retried.items('Contact Data').map(({ json }) => json.found)).toEqual(
			Array(5).fill(true),
		);
		expectChargedOnce(bench(), 5);
	});

	it('pays nothing where it cannot be read for a minute, and Retry On Fail tries again', async () => {
		await find(operation, 3);
		skipTime(HOUR_MS);
		bench().sandbox.faults.add({ ...UNREADABLE, times: 15 });
		await runWorkflow(
			workflow(operation, 3, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
		);
		await find(operation, 3);
		expectChargedOnce(bench(), 3);
	});

	it.for([
		['unknownIdIs404', 3],
		['unknownIdIs410', 3],
		[undefined, 2],
	] as const)(
		'the Retry button where one of two has expired, %s: %i submissions',
		async ([form, count]) => {
			await find(operation, 1);
			skipTime(HOUR_MS);
			bench().sandbox.configure({ scenarios: form && [form] });
			bench().sandbox.service.expire();
			const options = workflow(operation, 2);
			let run = await runWorkflow(options);
			for (let retries = 0; retries < 2 && run.status === 'error'; retries++) {
				expect(bench().posts).toHaveLength(2);
				expect(run.error?.description).toMatch(
					count === 3
						? /pays, anew\. .* what is lost is paid for again, and nothing else\./
						: /'Search Again' in Options, which searches, and pays, anew\./,
				);
				run = await pressRetry(options, run);
			}
			expect(bench().posts).toHaveLength(count);
			expect(run.status).toBe(count === 3 ? 'success' : 'error');
			expect(JSON.stringify(run.data)).not.toContain('as the options differ');
		},
	);

	it.for(['unknownIdIs404', 'unknownIdIs410'] as const)(
		'Retry On Fail searches nothing anew that the same execution has just believed to be lost: %s',
		async (form) => {
			await find(operation, 2);
			skipTime(HOUR_MS);
			bench().sandbox.configure({ scenarios: [form] });
			bench().sandbox.service.expire();
			const options = workflow(operation, 2, { retryOnFail: true, maxTries: 3 });
			const failed = await runWorkflow(options);
			expect(failed.status).toBe('error');
			const before = operation === 'submitAndWait' ? 2 : 1;
			expect(bench().posts).toHaveLength(before);
			// The Retry button is another execution.
			const retried = await pressRetry(options, failed);
			expect(retried.status).toBe('success');
			expect(bench().posts).toHaveLength(2 * before);
		},
	);

	it('an ID of the first try that has expired is lost at the second look of the Retry', async () => {
		bench().sandbox.faults.add({ ...UNREADABLE, times: Infinity });
		const options = workflow(operation, 1);
		const failed = await runWorkflow(options);
		expect(failed.status).toBe('error');
		skipTime(HOUR_MS);
		const before = bench().looks.length;
		const { error } = await pressRetry(options, failed);
		expect(bench().looks.length - before).toBe(2);
		expect(error?.description).toContain("run this item alone with 'Search Again' in Options");
		expectChargedOnce(bench(), 1);
	});

	it('is not hidden by a search anew whose answer was lost', async () => {
		await find(operation, 1);
		bench().sandbox.faults.add({ kind: 'status', status: 503, on: 'POST *' });
		const [unsure] = jsonOf(await find(operation, 1, { searchAgain: true }));
		expect(unsure?.error).toMatch(mayHaveBeenCharged);
		expect(jsonOf(await find(operation, 1))).toMatchObject([{ found: true, error: null }]);
	});
});

it('a lost answer for a batch offers no Retry, which would start nothing', async () => {
	await find('submitBulkAndWait', 1);
	bench().sandbox.faults.add({ kind: 'status', status: 504, on: 'POST *' });
	const run = await bench().run('emailFinder', 'submitBulkAndWait', {
		parameters: FIND,
		items: people(3),
	});
	const { description } = shownError(run, bench().sandbox.apiKey);
	expect(description).toContain('check the usage of your account');
	expect(description).not.toContain('Retry');
});
