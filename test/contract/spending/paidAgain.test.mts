import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { addresses, expectChargedOnce, idsCharged, MAIL } from './money.mts';

// n8n runs a node with Retry On Fail again whenever the first item that it gave has `json.error`,
// also when the run succeeded: what is paid for must then be known still.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
const KEPT = { includeInputFields: true };

/** What an earlier node under Continue leaves; an error of its own in the first item. */
function afterFailure(): IDataObject[] {
	const [first, ...others] = addresses(3);
	return [{ ...first, error: 'Not found' }, ...others];
}

async function verify(operation: string, items: IDataObject[], given: Given = {}) {
	const node = bench().node('emailVerifier', operation, {
		parameters: MAIL,
		options: KEPT,
		settings: RETRY_ON_FAIL,
		...given,
	});
	return await runWorkflow({ nodes: [start(items), node], credentials: bench().credentials });
}

const results = (run: WorkflowRun) => run.items(NODE).map(({ json }) => json);
const idsIn = (run: WorkflowRun) =>
	results(run).map((json) => textIn(json, (json.batch_id ?? null) === null ? 'id' : 'batch_id'));

describe('a run that succeeded is paid once under Retry On Fail', () => {
	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		"%s: when Include Input Fields brings the first item's field `error` into the output",
		async (operation) => {
			const run = await verify(operation, afterFailure());
			expect(run.status).toBe('success');
			expectChargedOnce(bench(), 3);
			expect(new Set(idsIn(run))).toEqual(new Set(idsCharged(bench())));
			// A receipt of a batch stands for many items and has no fields of theirs.
			if (operation !== 'submitBulk') expect(results(run)[0]?.error).toBe('Not found');
		},
	);

	it.for(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'in the error mode %s',
		async (onError) => {
			const settings = { ...RETRY_ON_FAIL, onError };
			const run = await verify('submitAndWait', afterFailure(), { settings });
			expectChargedOnce(bench(), 3);
			expect(results(run).map(({ found }) => found)).toEqual([true, true, true]);
		},
	);

	it('when the wait is over before the lookups are', async () => {
		bench().sandbox.configure({ single: 600_000 });
		const options = { ...KEPT, timeout: 1, onTimeout: 'output' };
		const run = await verify('submitAndWait', afterFailure(), { options });
		expectChargedOnce(bench(), 3);
		expect(idsIn(run)).toEqual(idsCharged(bench()));
	});

	it('with a second try that cannot read the lookups for a moment', async () => {
		const on = 'GET /email/verify/single';
		bench().sandbox.faults.add({ kind: 'reset', when: 'before', on, skip: 3, times: 3 });
		const run = await verify('submitAndWait', afterFailure());
		expectChargedOnce(bench(), 3);
		expect(results(run).map(({ found }) => found)).toEqual([true, true, true]);
	});

	it('at each turn of a loop, and each turn pays for its own', async () => {
		const node = bench().node('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			options: KEPT,
			settings: RETRY_ON_FAIL,
		});
		const items = addresses(2).map((item) => ({ ...item, error: 'Not found' }));
		const run = await runWorkflow({
			nodes: [start(items), loopOverItems('Loop'), node],
			edges: [
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', to: NODE, output: 1 },
				{ from: NODE, to: 'Loop' },
			],
			credentials: bench().credentials,
		});
		expect(run.tasks(NODE)).toHaveLength(2);
		expectChargedOnce(bench(), 2);
	});
});

describe('a field `error` of the service itself is no reason to pay again', () => {
	it('in a receipt', async () => {
		const body = { message: 'ok', id: 'one', error: 'Slow today' };
		const on = 'POST *';
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on, times: Infinity });
		const run = await verify('submit', addresses(1), { options: {} });
		expect(results(run)).toMatchObject([{ id: 'one', status: 'ongoing' }]);
		expect(bench().posts).toHaveLength(1);
	});

	it('in a result', async () => {
		const change = (body: object) => ({ ...body, error: 'No avatar' });
		const on = 'GET /email/verify/single';
		bench().sandbox.faults.add({ kind: 'changed', change, on, times: Infinity });
		const run = await verify('submitAndWait', addresses(1), { options: {} });
		expect(results(run)).toMatchObject([{ found: true }]);
		expectChargedOnce(bench(), 1);
	});
});
