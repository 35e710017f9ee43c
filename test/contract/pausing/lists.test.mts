import type { INodeType } from 'n8n-workflow';
import { expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import {
	runWorkflow,
	type WorkflowOptions,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import { keptRunning } from '../../support/texts.mts';
import { expectChargedOnce, pressRetry } from '../spending/money.mts';
import { pairsOf, resultsOf, Suspended, type SuspendGiven } from './suspended.mts';

// Split Results is not offered with Pause Until Notified: a list gives one item, paused or not.

/** Longer than anything is polled before it is paused. */
const JOB_MS = 20_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const NODE = 'Contact Data';
const LIST = ['mustfind@a.example', 'notfound@a.example', 'mustfind@b.example'];
const CONTINUE = { onError: 'continueRegularOutput' } as const;
type Execution = Pick<Suspended, 'workflow' | 'node'>;

const verify = (given: Partial<SuspendGiven> = {}, executionId?: string) =>
	new Suspended(
		bench(),
		'emailVerifier',
		'submitBulkAndWait',
		{
			items: [{ list: LIST }],
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}' },
			...given,
		},
		executionId,
	);

const hintsOf = (run: WorkflowRun) =>
	run.tasks(NODE).flatMap(({ hints = [] }) => hints.map(({ message }) => message));

/** A workflow in which n8n gives the execution no ID. */
function withoutId({ workflow, node }: Execution): WorkflowOptions {
	const anonymous: INodeType = {
		description: node.node.description,
		async execute() {
			Object.assign(this, { getExecutionId: () => undefined });
			return (await node.node.execute?.call(this)) ?? [];
		},
	};
	const nodes = workflow.nodes.map((one) => (one === node ? { ...one, node: anonymous } : one));
	return { ...workflow, nodes };
}

/** The Retry of an execution that the second list has ended, of which the first one is called back. */
async function retried(): Promise<WorkflowRun> {
	bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
	const { workflow } = verify({ items: [{ list: LIST }, { list: ['notfound@b.example'] }] });
	return await pressRetry(workflow, await runWorkflow(workflow));
}

/** What keeps an execution from being paused, and how a list is verified then. */
const OBSTACLES: Record<string, () => Promise<WorkflowRun>> = {
	'a Timeout that is too short': async () => await verify({ options: { timeout: 60 } }).run(),
	'Execute Once': async () => await verify({ settings: { executeOnce: true } }).run(),
	"n8n's opt-in engine": async () => await verify({}, '019a9f5e-7c4b-7c3e-9a57-3f0f6f0c1d2e').run(),
	'a caller that is no execution': async () => {
		const parentExecution = { executionId: '__UNKNOWN__', workflowId: 'mcp', shouldResume: true };
		return await runWorkflow({ ...verify().workflow, parentExecution });
	},
	'an execution without ID': async () => await runWorkflow(withoutId(verify())),
	"n8n's time limit": async () => {
		const workflowSettings = { executionTimeout: 150 };
		return await runWorkflow({ ...verify().workflow, workflowSettings });
	},
	'Retry On Fail after an error in the first item': async () =>
		await verify({
			items: [{ list: 'no list' }, { list: LIST }],
			settings: { ...CONTINUE, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		}).run(),
	'searches of an earlier execution': retried,
};

it.for(Object.keys(OBSTACLES))('one item where it is not paused: %s', async (name) => {
	const run = await OBSTACLES[name]?.();
	if (run === undefined) throw new Error('No run');
	expect(run.status).toBe('success');
	expect(hintsOf(run)).toContainEqual(expect.stringContaining(keptRunning));
	const batches = resultsOf(run).filter(({ error }) => typeof error !== 'string');
	const [first] = batches;
	expect(first?.results).toMatchObject(LIST.map((email) => ({ email })));
	const ids = bench().sandbox.ledger.entries.map(({ id }) => id);
	expect(batches.map(({ batch_id: id }) => id)).toEqual(ids);
	expect(new Set(pairsOf(run)).size).toBe(resultsOf(run).length);
});

it('one item after a pause', async () => {
	const run = await verify().runThrough(JOB_MS);
	expect(resultsOf(run)).toMatchObject([{ results: LIST.map((email) => ({ email })) }]);
	expect(pairsOf(run)).toEqual([0]);
});

it('an entry that cannot be searched has its own item, which n8n could not pair after a pause', async () => {
	const execution = new Suspended(bench(), 'emailFinder', 'submitBulkAndWait', {
		items: [
			{
				list: [
					{ fullname: 'mustfind one', company_domain: 'acme.example' },
					{ fullname: '', company_domain: 'acme.example' },
					{ fullname: 'notfound three', company_domain: 'acme.example' },
				],
			},
		],
		parameters: { inputMode: 'array', searches: '={{ $json.list }}' },
		settings: CONTINUE,
	});
	const run = await execution.run();
	expect(run.status).toBe('success');
	const reason = hintsOf(run).find((hint) => hint.startsWith(keptRunning));
	// There is one batch.
	expect(reason).not.toContain('several batches');
	expect(reason).toMatch(/\b(entry|entries|error)\b/);
	const results = resultsOf(run);
	const errors = results.filter(({ error }) => typeof error === 'string');
	expect(errors).toMatchObject([{ error: expect.stringContaining("'Searches'") as string }]);
	const batches = results.filter((json) => !errors.includes(json));
	expect(batches).toMatchObject([{ results: [{}, {}], stats: { requested: 2 } }]);
	expect(pairsOf(run)).toEqual([0, 0]);
	expectChargedOnce(bench(), 2);
});
