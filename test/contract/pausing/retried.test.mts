import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { createWorkflow } from '../../support/n8nCore/environment.mts';
import {
	resumeWorkflow,
	type ParkedExecution,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { expectChargedOnce } from '../spending/money.mts';
import { receiptsOf, resultsOf, Suspended } from './suspended.mts';

// n8n's Retry of an execution that was killed behind a pause gives what the pause would have given.

const bench = useBench({ single: 600_000, bulk: 600_000 });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const OPERATIONS = ['submitAndWait', 'submitBulkAndWait'] as const;

/** n8n's Retry with the workflow as it is saved now, on what n8n has put in the place of the node's input. */
async function retryWith(
	{ workflow, node }: Suspended,
	saved: ParkedExecution,
): Promise<WorkflowRun> {
	const { data } = structuredClone(saved);
	data.waitTill = undefined;
	// Of a pause that n8n itself has ended; a callback has done this already.
	data.resultData.runData['Contact Data']?.pop();
	const now = createWorkflow([node], {}, workflow).getNode('Contact Data');
	for (const entry of data.executionData?.nodeExecutionStack ?? []) {
		if (now === null) throw new Error('No node');
		entry.node = now;
	}
	return await resumeWorkflow(workflow, { id: '8', mode: 'retry', data });
}

describe.for(OPERATIONS)('%s', (operation) => {
	it('with another Resource reads what was started as what it was', async () => {
		const items = people(2);
		const find = new Suspended(bench(), 'emailFinder', operation, { items });
		const parked = await find.park();
		const ids = receiptsOf(parked).map((receipt) => receipt.id ?? receipt.batch_id);
		bench().sandbox.service.finish();

		const call = new Suspended(bench(), 'phoneFinder', operation, {
			items: items.map(({ fullname }, n) => ({ fullname, url: `https://linkedin.com/in/p-${n}` })),
		});
		const run = await retryWith(call, parked);
		const looks = bench().looks.filter(({ id }) => ids.includes(id));
		expect(looks.filter(({ path }) => !path.startsWith('/email/find/'))).toEqual([]);
		expect(run.error?.message).toBeUndefined();
		expect(resultsOf(run)).toMatchObject([
			{ found: true, email: 'mustfind.number.0@acme.example' },
			{ found: true, email: 'mustfind.number.1@acme.example' },
		]);
		expectChargedOnce(bench(), 2);
	});

	it('gives what failed to the error output again, once a callback has brought the results', async () => {
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			items: [...people(1), { fullname: '' }],
			settings: { onError: 'continueErrorOutput' },
		});
		const parked = await execution.park();
		bench().sandbox.service.finish();
		const { resumed } = await execution.call(parked);
		if (resumed === undefined) throw new Error('Not resumed');
		const killed = await resumeWorkflow(execution.workflow, resumed);
		expect(resultsOf(killed, 1)).toMatchObject([{ error: expect.any(String) as string }]);

		const run = await retryWith(execution, resumed);
		expect(resultsOf(run)).toEqual(resultsOf(killed));
		expect(resultsOf(run, 1)).toEqual(resultsOf(killed, 1));
		expectChargedOnce(bench(), 1);
	});
});
