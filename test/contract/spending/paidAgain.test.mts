import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { addresses, expectChargedOnce, idsCharged, MAIL } from './money.mts';

// n8n runs a node with Retry On Fail again whenever the first item that it gave has `json.error`,
// also when the run succeeded: what is paid for must then be known still. With Search Again nothing
// but the receipts knows it.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const OPTIONS = { includeInputFields: true, searchAgain: true };

async function verify(operation: string, items: IDataObject[], given: Given = {}) {
	const node = bench().node('emailVerifier', operation, {
		parameters: MAIL,
		options: OPTIONS,
		settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
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
			// As an earlier node under Continue leaves them.
			const [first, ...others] = addresses(3);
			const run = await verify(operation, [{ ...first, error: 'Not found' }, ...others]);
			expect(run.status).toBe('success');
			expectChargedOnce(bench(), 3);
			expect(new Set(idsIn(run))).toEqual(new Set(idsCharged(bench())));
			// A receipt of a batch stands for many items and has no fields of theirs.
			if (operation !== 'submitBulk') expect(results(run)[0]?.error).toBe('Not found');
		},
	);

	it('when the service has a field `error` in a receipt', async () => {
		const body = { message: 'ok', id: 'one', error: 'Slow today' };
		const on = 'POST *';
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on, times: Infinity });
		const run = await verify('submit', addresses(1));
		expect(results(run)).toMatchObject([{ id: 'one', status: 'ongoing' }]);
		expect(bench().posts).toHaveLength(1);
	});

	it('when the service has a field `error` in a result', async () => {
		const change = (body: object) => ({ ...body, error: 'No avatar' });
		const on = 'GET /email/verify/single';
		bench().sandbox.faults.add({ kind: 'changed', change, on, times: Infinity });
		const parameters = { ...MAIL, simplify: false };
		const run = await verify('submitAndWait', addresses(1), { parameters });
		expect(results(run)).toMatchObject([{ found: true, error: 'No avatar' }]);
		expectChargedOnce(bench(), 1);
	});
});
