import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { addresses, expectChargedOnce, idsCharged, MAIL } from './money.mts';

// n8n runs a node with Retry On Fail again whenever the first item that it gave has `json.error`,
// also when the run succeeded: what is paid for must then be known still.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
const GOES_ON = { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' } as const;
/** Three items, of which the first cannot be searched for. */
function withBadFirst(): IDataObject[] {
	return [{ mail: WRONG_EMAIL }, ...addresses(2)];
}

async function verify(operation: string, items: IDataObject[], given: Given = {}) {
	const node = bench().node('emailVerifier', operation, {
		parameters: MAIL,
		settings: GOES_ON,
		...given,
	});
	return await runWorkflow({ nodes: [start(items), node], credentials: bench().credentials });
}

const results = (run: WorkflowRun) => run.items(NODE).map(({ json }) => json);
const idsIn = (run: WorkflowRun) =>
	results(run).flatMap(({ batch_id: batchId, id }) => batchId ?? id ?? []);

describe('a run that succeeded is paid once under Retry On Fail', () => {
	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		'%s: when the first item cannot be searched for',
		async (operation) => {
			const run = await verify(operation, withBadFirst());
			expect(run.status).toBe('success');
			expectChargedOnce(bench(), 2);
			expect(new Set(idsIn(run))).toEqual(new Set(idsCharged(bench())));
		},
	);

	it('with the error output', async () => {
		const settings = { ...RETRY_ON_FAIL, onError: 'continueErrorOutput' } as const;
		const run = await verify('submitAndWait', withBadFirst(), { settings });
		expectChargedOnce(bench(), 2);
		expect(results(run).map(({ found }) => found)).toEqual([true, true]);
	});

	it('when the wait is over before the lookups are', async () => {
		bench().sandbox.configure({ single: 600_000 });
		const options = { timeout: 1, onTimeout: 'output' };
		const run = await verify('submitAndWait', withBadFirst(), { options });
		expectChargedOnce(bench(), 2);
		expect(idsIn(run)).toEqual(idsCharged(bench()));
	});

	it('with a second try that cannot read the lookups for a moment', async () => {
		const on = 'GET /email/verify/single';
		bench().sandbox.faults.add({ kind: 'reset', when: 'before', on, skip: 2, times: 3 });
		const run = await verify('submitAndWait', withBadFirst());
		expectChargedOnce(bench(), 2);
		expect(results(run).map(({ found }) => found)).toEqual([null, true, true]);
	});

	it('at each turn of a loop, and each turn pays for its own', async () => {
		const node = bench().node('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			settings: GOES_ON,
		});
		const items = [{ mail: WRONG_EMAIL }, ...addresses(1), { mail: WRONG_EMAIL }];
		const run = await runWorkflow({
			nodes: [start(items), loopOverItems('Loop'), node],
			edges: [
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', to: NODE, output: 1 },
				{ from: NODE, to: 'Loop' },
			],
			credentials: bench().credentials,
		});
		expect(run.tasks(NODE)).toHaveLength(3);
		expectChargedOnce(bench(), 1);
	});
});

describe('a field `error` that is not of the node is no reason to run again', () => {
	it('in the input', async () => {
		const items = addresses(2).map((item) => ({ ...item, error: 'of the last run' }));
		const options = { includeInputFields: true };
		const run = await verify('submitAndWait', items, { options });
		expect(results(run)).toMatchObject([{ found: true }, { found: true }]);
		expect(bench().sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
		expect(bench().sandbox.requests.filter(({ path }) => path === '/account/info')).toHaveLength(1);
	});

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
