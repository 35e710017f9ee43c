import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { notReadable } from '../../support/texts.mts';
import { addresses, expectChargedOnce, MAIL } from './money.mts';

// n8n runs a node with Retry On Fail again whenever the first item that it gave has `json.error`,
// also when the run succeeded: what is paid for must then be known still.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const KEPT = { includeInputFields: true };

/** What an earlier node under Continue leaves; an error of its own in the first item. */
function afterFailure(error: unknown = 'Not found'): IDataObject[] {
	const [first, ...others] = addresses(3);
	return [{ ...first, error: error as string }, ...others];
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
	results(run).map((json) => textIn(json, 'batch_id' in json ? 'batch_id' : 'id'));
const idsCharged = () => bench().sandbox.ledger.entries.map(({ id }) => id);

describe('a run that succeeded is paid once under Retry On Fail', () => {
	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		"%s: when Include Input Fields brings the first item's field `error` into the output",
		async (operation) => {
			const run = await verify(operation, afterFailure());
			expect(run.status).toBe('success');
			expectChargedOnce(bench(), 3);
			expect(new Set(idsIn(run))).toEqual(new Set(idsCharged()));
			// A receipt of a batch stands for many items and has no fields of theirs.
			if (operation !== 'submitBulk') expect(results(run)[0]?.error).toBe('Not found');
		},
	);

	it.for([{ message: 'Not found' }, '', 0, true])(
		'whatever is in that field: %j',
		async (error) => {
			const run = await verify('submitAndWait', afterFailure(error));
			expectChargedOnce(bench(), 3);
			expect(results(run)[0]).toMatchObject({ error, found: true });
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

	it('however often n8n tries', async () => {
		const settings = { ...RETRY_ON_FAIL, maxTries: 5 };
		await verify('submitBulkAndWait', afterFailure(), { settings });
		expect(bench().posts).toHaveLength(1);
		expectChargedOnce(bench(), 3);
	});

	it('when the wait is over before the lookups are', async () => {
		bench().sandbox.configure({ single: 600_000 });
		const options = { ...KEPT, timeout: 1, onTimeout: 'output' };
		const run = await verify('submitAndWait', afterFailure(), { options });
		expectChargedOnce(bench(), 3);
		expect(idsIn(run)).toEqual(idsCharged());
	});

	it('with a later item that fails', async () => {
		const settings = { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' as const };
		const items = [...afterFailure(), { mail: WRONG_EMAIL }];
		const run = await verify('submitAndWait', items, { settings });
		expectChargedOnce(bench(), 3);
		expect(results(run)[3]?.error).toMatch(new RegExp(`^'Email' ${notReadable}`));
	});

	it('where equal searches come from several items', async () => {
		const [first] = afterFailure();
		const run = await verify('submitAndWait', [first ?? {}, ...addresses(1)]);
		expectChargedOnce(bench(), 1);
		expect(results(run).map(({ found }) => found)).toEqual([true, true]);
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
		bench().sandbox.faults.add({
			kind: 'status',
			status: 200,
			body,
			on: 'POST *',
			times: Infinity,
		});
		const run = await verify('submit', addresses(1), { options: {} });
		expect(results(run)).toMatchObject([{ id: 'one', status: 'ongoing' }]);
		expect(bench().posts).toHaveLength(1);
	});

	it('in the receipt of a batch that an earlier try has made', async () => {
		const on = 'POST *';
		const body = { message: 'ok', id: 'two', error: 'Slow today' };
		bench().sandbox.faults.add({ kind: 'status', status: 418, on });
		bench().sandbox.faults.add({ kind: 'status', status: 201, body, on });
		const options = { custom: '={{ ({ of: $json.mail }) }}' };
		const settings = { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' as const };
		const run = await verify('submitBulk', addresses(2), { options, settings });
		expect(run.status).toBe('success');
		expect(bench().posts).toHaveLength(3);
		expectChargedOnce(bench(), 1);
	});

	it('in a result', async () => {
		const body = { email: 'mustfind0@acme.com', qualification: 'valid', error: 'No avatar' };
		const on = 'GET /email/verify/single';
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on, times: Infinity });
		const run = await verify('submitAndWait', addresses(1), { options: {} });
		expect(results(run)).toMatchObject([{ found: true }]);
		expectChargedOnce(bench(), 1);
	});
});

it('what n8n does not run again leaves nothing behind', async () => {
	for (const settings of [{}, RETRY_ON_FAIL]) {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			options: KEPT,
			items: settings === RETRY_ON_FAIL ? addresses(3) : afterFailure(),
			settings,
		});
		expect(run.items).toHaveLength(3);
		expect(JSON.stringify(run.contextData).length).toBeLessThan(30);
		skipTime(60_000);
	}
});
