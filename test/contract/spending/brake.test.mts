import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowOptions } from '../../support/n8nCore/workflow.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';
import { addresses, expectChargedOnce, MAIL, pressRetry } from './money.mts';

// The service charges, and its answers are lost: nothing more is sent than what shows that.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const LOST = {
	kind: 'status',
	status: 502,
	accepted: true,
	on: 'POST *',
	times: Infinity,
} as const;
const BATCHES = { custom: '={{ ({ list: $json.mail }) }}' };

type Sizes = 'submit' | 'submitBulk';
const OPERATIONS: Sizes[] = ['submit', 'submitBulk'];
/** How many of unknown fate there are before the brake is on. */
const MOST = { submit: 3, submitBulk: 1 };

/** Each of so many addresses in a submission of its own. */
const verifier = (operation: Sizes, settings: object = CONTINUE) =>
	bench().node('emailVerifier', operation, {
		parameters: MAIL,
		options: operation === 'submitBulk' ? BATCHES : {},
		settings,
	});

/** A node behind it, which stops at errors. */
const second = (operation: Sizes) => ({
	...bench().node('emailVerifier', operation, {
		parameters: { email: '=second{{ $itemIndex }}@acme.com' },
	}),
	name: 'Second',
});

const isUnknown = ({ error }: IDataObject) =>
	typeof error === 'string' && mayHaveBeenCharged.test(error);
const isNotStarted = ({ error }: IDataObject) =>
	typeof error === 'string' && /^Not started\b.*\. Nothing was charged/.test(error);

function expectBraked(items: readonly IDataObject[], unknown: number): void {
	expect(items.filter(isUnknown)).toHaveLength(unknown);
	expect(items.filter(isNotStarted)).toHaveLength(items.length - unknown);
}

const workflow = (...nodes: WorkflowOptions['nodes']): WorkflowOptions => ({
	nodes,
	credentials: bench().credentials,
});

describe.for(OPERATIONS)('%s: where every answer is lost', (operation) => {
	const most = MOST[operation];

	it.for([
		['Continue', CONTINUE, most],
		['Stop', {}, 1],
	] as const)('under %s little is paid', async ([, settings, paid]) => {
		bench().sandbox.faults.add(LOST);
		const run = await runNode({
			...verifier(operation, settings),
			items: addresses(100),
			credentials: bench().credentials,
		});
		expectChargedOnce(bench(), paid);
		expect(bench().posts).toHaveLength(paid);
		if (settings === CONTINUE) expectBraked(jsonOf(run), most);
		else expect(run.error).toHaveProperty('message', expect.stringMatching(mayHaveBeenCharged));
	});

	it('a try under Stop that one lost answer has failed starts nothing more', async () => {
		bench().sandbox.faults.add({ ...LOST, times: 1 });
		const given = { ...verifier(operation, {}), items: addresses(20) };
		const credentials = bench().credentials;
		const first = await runNode({ ...given, credentials });
		const again = await runNode({ ...given, credentials, contextData: first.contextData });
		expect(again.error).toHaveProperty('message', expect.stringMatching(mayHaveBeenCharged));
		expectChargedOnce(bench(), 1);
		expect(bench().posts).toHaveLength(1);
	});

	it('the turns of a loop are counted together', async () => {
		bench().sandbox.faults.add(LOST);
		const run = await runWorkflow({
			...workflow(start(addresses(8)), loopOverItems('Loop'), verifier(operation)),
			edges: [
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', to: NODE, output: 1 },
				{ from: NODE, to: 'Loop' },
			],
		});
		const turns = run.tasks(NODE).flatMap((_, turn) => run.items(NODE, { run: turn }));
		expectBraked(
			turns.map(({ json }) => json),
			most,
		);
		expectChargedOnce(bench(), most);
	});

	it('the nodes of an execution are counted together, and its retries', async () => {
		bench().sandbox.faults.add(LOST);
		const options = workflow(start(addresses(5)), verifier(operation), second(operation));
		const run = await runWorkflow(options);
		expect(run.error?.message).toMatch(/^Not started/);
		expectChargedOnce(bench(), most);
		bench().sandbox.faults.clear();
		const again = await pressRetry(options, run);
		expect(again.error?.message).toMatch(/^Not started/);
		expectChargedOnce(bench(), most);
	});
});

it.for([
	['submitBulk', 'submit'],
	['submit', 'submitBulk'],
] as const)('what %s has lost stops %s in the node behind it', async ([first, then]) => {
	bench().sandbox.faults.add(LOST);
	const run = await runWorkflow(workflow(start(addresses(5)), verifier(first), second(then)));
	expect(run.error?.message).toMatch(/^Not started/);
	expectChargedOnce(bench(), MOST[first]);
});

it('in the middle of a run the third one ends what has not left, and what is under way is heard out', async () => {
	bench().sandbox.faults.add({ ...LOST, skip: 10, delayMs: 250 });
	const { contactDataApi } = bench().credentials;
	const run = await runNode({
		...verifier('submit'),
		items: addresses(40),
		credentials: { contactDataApi: { ...contactDataApi, requestsPerSecond: 10 } },
	});
	const items = jsonOf(run);
	const sent = bench().posts.length;
	// The thirteenth is answered a quarter of a second after it left, in which others leave.
	expect(sent).toBeLessThanOrEqual(17);
	expectChargedOnce(bench(), sent);
	expect(items.filter(({ status }) => status === 'ongoing')).toHaveLength(10);
	expect(items.filter(isUnknown)).toHaveLength(sent - 10);
	expect(items.filter(isNotStarted)).toHaveLength(40 - sent);
});

it('of batches two leave at once, so that two are in doubt where all answers but the first are lost', async () => {
	bench().sandbox.faults.add({ ...LOST, skip: 1, delayMs: 250 });
	const given = { ...verifier('submitBulk'), items: addresses(10) };
	const items = jsonOf(await runNode({ ...given, credentials: bench().credentials }));
	expect(items[0]).toMatchObject({ status: 'ongoing' });
	expectBraked(items.slice(1), 2);
	expectChargedOnce(bench(), 3);
});
