import type { IDataObject, INodeType } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { keptRunning, notReadable } from '../../support/texts.mts';
import {
	hintsOf,
	pairsOf,
	receiptsOf,
	resultsOf,
	Suspended,
	type SuspendGiven,
} from './suspended.mts';

// Where n8n could not give the results of a parked execution, Wait Mode Pause Until Notified keeps it running, and says so.

const JOB_MS = 20_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const OPERATIONS = ['submitAndWait', 'submitBulkAndWait'] as const;
type Operation = (typeof OPERATIONS)[number];
const EMAILS = ['mustfind@a.example', 'notfound@a.example', 'mustfind@b.example'];
const emails = () => EMAILS.map((email): IDataObject => ({ email }));
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** What the user reads, by what is in the way. */
const REASONS = {
	executeOnce: "with 'Execute Once', n8n would not keep the IDs",
	noId: 'n8n gave this execution no ID',
	caller: 'the MCP client that called this workflow is waiting for its answer',
	evaluation: "n8n's evaluation waits for this execution",
	engine: "n8n's new engine cannot pause an execution",
	retry: "with 'Retry On Fail', n8n would run the node again, as the first item has an error",
	earlier:
		'some searches were started before, and the service does not notify this execution of them',
};
type Reason = keyof typeof REASONS;

const verify = (
	given: SuspendGiven,
	operation: Operation = 'submitAndWait',
	executionId?: string,
) => new Suspended(bench(), 'emailVerifier', operation, given, executionId);

const idsCharged = () => bench().sandbox.ledger.entries.map(({ id }) => id);

function expectPolled(run: WorkflowRun, reason: Reason): void {
	expect(run.status).toBe('success');
	expect(hintsOf(run)).toContain(`${keptRunning}${REASONS[reason]}.`);
}

describe('it polls', () => {
	it.for(OPERATIONS)(
		'with Execute Once: the result comes out, not the input: %s',
		async (operation) => {
			const execution = verify({ items: emails(), settings: { executeOnce: true } }, operation);
			const run = await execution.run();
			expectPolled(run, 'executeOnce');
			expect(resultsOf(run)).toMatchObject([{ found: true }]);
			expect(pairsOf(run)).toEqual([0]);
			expect(idsCharged()).toHaveLength(1);
		},
	);

	it("on n8n's opt-in engine, whose executions have UUIDs: it would hand on what is parked", async () => {
		const executionId = '019a9f5e-7c4b-7c3e-9a57-3f0f6f0c1d2e';
		const run = await verify({ items: emails() }, 'submitAndWait', executionId).run();
		expectPolled(run, 'engine');
		expect(resultsOf(run).map(({ found }) => found)).toEqual([true, false, true]);
	});

	it("in n8n's evaluation, which goes on to the next test case once one is paused", async () => {
		const run = await runWorkflow({ ...verify({ items: emails() }).workflow, mode: 'evaluation' });
		expectPolled(run, 'evaluation');
		expect(resultsOf(run).map(({ found }) => found)).toEqual([true, false, true]);
	});

	it('where the caller of its sub-workflow is no execution, as an MCP client is none', async () => {
		const { workflow } = verify({ items: emails() });
		const parentExecution = { executionId: '__UNKNOWN__', workflowId: 'mcp', shouldResume: true };
		const run = await runWorkflow({ ...workflow, parentExecution });
		expectPolled(run, 'caller');
		expect(resultsOf(run).map(({ found }) => found)).toEqual([true, false, true]);
	});

	it.for(['invoked', 'requested'] as const)(
		'as an AI tool, also where it was saved otherwise (%s)',
		async (tool) => {
			bench().sandbox.configure({ single: 0 });
			const { node } = verify({ items: [] });
			const run = await bench().run('emailVerifier', 'submitAndWait', {
				items: emails().slice(0, 1),
				parameters: node.parameters,
				tool,
			});
			expect(run.waitTill).toBeUndefined();
			expect(jsonOf(run)).toMatchObject([{ found: true }]);
			expect(JSON.stringify(bench().posts)).not.toContain('webhook');
		},
	);

	it('where n8n gives the execution no ID, as then nothing could resume it', async () => {
		const { node, workflow } = verify({ items: emails() });
		const withoutId: INodeType = {
			description: node.node.description,
			async execute() {
				Object.assign(this, { getExecutionId: () => undefined });
				return (await node.node.execute?.call(this)) ?? [];
			},
		};
		const nodes = workflow.nodes.map((one) => (one === node ? { ...one, node: withoutId } : one));
		const run = await runWorkflow({ ...workflow, nodes });
		expectPolled(run, 'noId');
		expect(resultsOf(run).map(({ found }) => found)).toEqual([true, false, true]);
	});

	it.for(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'where n8n will try again, as the first item is wrong (%s): its error stays the true one',
		async (onError) => {
			const [, ...others] = emails();
			const execution = verify({
				items: [{ email: WRONG_EMAIL }, ...others],
				settings: { ...RETRY_ON_FAIL, onError },
			});
			const run = await execution.run();
			expectPolled(run, 'retry');
			const [good, bad] =
				onError === 'continueErrorOutput'
					? [resultsOf(run), resultsOf(run, 1)]
					: [resultsOf(run).slice(1), resultsOf(run).slice(0, 1)];
			expect(bad).toMatchObject([
				{
					error: expect.stringMatching(
						new RegExp(`^'Email' ${notReadable} "${WRONG_EMAIL}"`),
					) as string,
				},
			]);
			expect(good.map(({ found }) => found)).toEqual([false, true]);
			expect(bench().sandbox.ledger.totals().searches).toBe(2);
		},
	);
});

describe('an execution is parked all the same', () => {
	it.for<[string, SuspendGiven]>([
		[
			'with Retry On Fail, where the first item brings an old error',
			{
				items: [{ email: EMAILS[0], error: 'Not found' }, { email: EMAILS[1] }],
				options: { includeInputFields: true },
				settings: RETRY_ON_FAIL,
			},
		],
		[
			'with Retry On Fail, where a later item is wrong',
			{
				items: [{ email: EMAILS[0] }, { email: WRONG_EMAIL }],
				settings: { ...RETRY_ON_FAIL, ...CONTINUE },
			},
		],
		['with Retry On Fail, where no item is wrong', { items: emails(), settings: RETRY_ON_FAIL }],
	])('%s', async ([, given]) => {
		const run = await verify(given).run();
		expect(run.status).toBe('waiting');
		expect(hintsOf(run)).not.toContainEqual(expect.stringContaining(keptRunning));
		const receipts = run.parked === undefined ? [] : receiptsOf(run.parked);
		expect(receipts.flatMap(({ search_id: id }) => id ?? [])).toEqual(idsCharged());
	});
});

describe('a hint says so, too', () => {
	it('of a retry of which the lookups call another execution back', async () => {
		const execution = verify({ items: emails() });
		const given = { items: emails(), parameters: execution.node.parameters };
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 2 });
		const first = await bench().run('emailVerifier', 'submitAndWait', given);
		expect(first.error).toBeDefined();
		const retry = await bench().run('emailVerifier', 'submitAndWait', {
			...given,
			executionId: '2',
			contextData: first.contextData,
		});
		expect(retry.waitTill).toBeUndefined();
		expect(jsonOf(retry).map(({ found }) => found)).toEqual([true, false, true]);
		expect(retry.hints.map(({ message }) => message)).toContain(
			`${keptRunning}${REASONS.earlier}.`,
		);
	});
});
