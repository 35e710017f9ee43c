import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { addresses, expectChargedOnce, idsCharged, MAIL } from './money.mts';

// n8n runs a node with Retry On Fail again whenever the first item that it gave has `json.error`,
// also when the run succeeded: the receipts must then be there still. The memory of a day is switched off.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';

async function verify(operation: string, items: IDataObject[], given: Given = {}) {
	const node = bench().node('emailVerifier', operation, {
		parameters: MAIL,
		options: { searchAgain: true },
		settings: {
			retryOnFail: true,
			maxTries: 5,
			waitBetweenTries: 1,
			onError: 'continueRegularOutput',
		},
		...given,
	});
	return await runWorkflow({ nodes: [start(items), node], credentials: bench().credentials });
}

const results = (run: WorkflowRun) => run.items(NODE).map(({ json }) => json);
const idsIn = (run: WorkflowRun) =>
	results(run).flatMap(({ batch_id: batch, search_id: id }) => batch ?? id ?? []);

describe('a run that succeeded is paid once under Retry On Fail', () => {
	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		'%s: when the first item cannot be searched for',
		async (operation) => {
			const run = await verify(operation, [{ mail: WRONG_EMAIL }, ...addresses(2)]);
			expect(run.status).toBe('success');
			expectChargedOnce(bench(), 2);
			expect(new Set(idsIn(run))).toEqual(new Set(idsCharged(bench())));
		},
	);

	it('when the service has a field `error` in a receipt', async () => {
		const body = { message: 'ok', id: 'one', error: 'Slow today' };
		const on = 'POST *';
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on, times: Infinity });
		const run = await verify('submit', addresses(1));
		expect(results(run)).toMatchObject([{ search_id: 'one', status: 'ongoing' }]);
		expect(bench().posts).toHaveLength(1);
	});

	it('when the service has one in a result', async () => {
		const change = (body: object) => ({ ...body, error: 'No avatar' });
		const on = 'GET /email/verify/single';
		bench().sandbox.faults.add({ kind: 'changed', change, on, times: Infinity });
		const parameters = { ...MAIL, simplify: false };
		const run = await verify('submitAndWait', addresses(1), { parameters });
		expect(results(run)).toMatchObject([{ found: true, error: 'No avatar' }]);
		expectChargedOnce(bench(), 1);
	});
});

it('a field `error` of the input has n8n pay for nothing again, nor run anything', async () => {
	const items = addresses(2).map((item) => ({ ...item, error: 'of the last run' }));
	const options = { includeInputFields: true };
	const run = await verify('submitAndWait', items, { options });
	expect(results(run)).toMatchObject([{ found: true }, { found: true }]);
	expectChargedOnce(bench(), 2);
	// A second try would look at each again, as with an older n8n, which takes the column `error` for one.
	if (!isMissing('success with an error of null')) expect(bench().looks).toHaveLength(2);
});
