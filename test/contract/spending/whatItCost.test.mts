import type { INodeType } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { contactData, textIn, useBench, type Given } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { alternate, passThrough, start } from '../../support/n8nCore/testNodes.mts';
import { resumeWorkflow, runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { Suspended } from '../suspension/suspended.mts';
import { addresses, MAIL, pressRetry } from './money.mts';

// What an execution says of itself in its custom data: n8n shows it, and filters by it.

const bench = useBench();
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
/** Three searches, of which a batch gives one credit back. */
const PEOPLE = [
	{ fullname: 'Ada Mustfind', email: 'mustfind1@acme.com' },
	{ fullname: 'Bob Notfound', email: 'notfound@acme.com' },
	{ fullname: 'Eve Mustfind', email: 'mustfind2@acme.com' },
];
const idsCharged = () => bench().sandbox.ledger.entries.map(({ id }) => id);
const charged = () => String(bench().sandbox.ledger.totals().charged);

/** What is noted; what is not noted is left out. */
function figuresOf(metadata: Record<string, string> = {}) {
	const of = (name: string) => metadata[`contact_data_${name}`];
	const figures = {
		spent: of('credits_spent'),
		refunded: of('credits_refunded'),
		found: of('found'),
		total: of('total'),
	};
	return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
}
const idsOf = (metadata: Record<string, string> = {}) =>
	metadata.contact_data_ids?.split(' ') ?? [];
/** What came back of one batch; `undefined` for nothing. */
function refundOf(id: string | undefined): string | undefined {
	const entry = bench().sandbox.ledger.entries.find((one) => one.id === id);
	return entry === undefined || entry.refunded === 0 ? undefined : String(entry.refunded);
}
const metadataOf = ({ data }: WorkflowRun) => data.resultData.metadata;

describe.skipIf(isMissing('custom data in nodes'))('an execution says what it cost', () => {
	const find = async (operation: string, given: Given = {}) =>
		await bench().run('emailFinder', operation, { parameters: FIND, items: PEOPLE, ...given });

	it.for([
		['submitAndWait', { spent: '3', found: '2', total: '3' }],
		['submitBulkAndWait', { spent: '3', refunded: '1', found: '2', total: '3' }],
		['submit', { spent: '3' }],
		['submitBulk', { spent: '3' }],
	] as const)('%s', async ([operation, figures]) => {
		const { customData } = await find(operation);
		expect(figuresOf(customData)).toEqual(figures);
		expect(new Set(idsOf(customData))).toEqual(new Set(idsCharged()));
	});

	it('with as many whole ids as fit', async () => {
		const { customData } = await find('submit', { items: people(100) });
		const ids = idsOf(customData);
		expect(customData.contact_data_ids?.length).toBeLessThanOrEqual(255);
		expect(ids.length).toBeGreaterThan(8);
		for (const id of ids) expect(idsCharged()).toContain(id);
		expect(customData.contact_data_credits_spent).toBe('100');
	});

	it('without noise of the computer: 3 times 0.1 is 0.3', async () => {
		const { service } = bench().sandbox;
		const apiKey = service.addAccount('cheap', { prices: { emailFinderSingle: 0.1 } });
		const { baseUrl } = bench().sandbox;
		const { customData } = await find('submit', {
			credentials: { contactDataApi: { apiKey, baseUrl } },
		});
		expect(figuresOf(customData)).toEqual({ spent: '0.3' });
	});

	it('but counts only what can be true', async () => {
		const body = { message: 'ok', id: 'a', credits_used: -5 };
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on: 'POST *' });
		const { customData } = await find('submit');
		expect(figuresOf(customData)).toEqual({ spent: '2' });
		expect(idsOf(customData)).toContain('a');
	});

	it('and counts no refund of more than was charged', async () => {
		const stats = { credits_cost: { initial: 3, refunded: 300, final: -297 } };
		const general = { id: 'x', status: 'completed' };
		const results = PEOPLE.map(({ fullname }, index) => ({
			index: String(index),
			qualification: 'invalid',
			raw_params: { fullname, company_domain: 'acme.com' },
		}));
		const body = { general, stats, results };
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on: 'GET /email/find/bulk' });
		const { customData } = await find('submitBulkAndWait');
		expect(figuresOf(customData)).toEqual({ spent: '3', found: '0', total: '3' });
	});

	it('where it failed, too', async () => {
		bench().sandbox.faults.add({
			kind: 'status',
			status: 418,
			on: 'POST *',
			skip: 1,
			times: Infinity,
		});
		const { customData, error } = await find('submitAndWait');
		expect(error).toBeDefined();
		expect(figuresOf(customData)).toEqual({ spent: charged() });
	});

	it('with the ids of the execution before, where it is its retry', async () => {
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
		const { error, contextData } = await find('submit');
		expect(error).toBeDefined();
		const { customData } = await find('submit', { contextData, executionId: 'retry' });
		expect(idsCharged()).toHaveLength(PEOPLE.length);
		expect(new Set(idsOf(customData))).toEqual(new Set(idsCharged()));
	});

	it('at once: also while it waits', async () => {
		bench().sandbox.configure({ single: 600_000 });
		const stop = new AbortController();
		const running = find('submitAndWait', { signal: stop.signal });
		await bench().sandbox.waitFor(() => bench().looks.length > 0);
		stop.abort();
		const { customData } = await running;
		expect(figuresOf(customData)).toMatchObject({ spent: '3' });
	});

	it('beside what others have noted', async () => {
		const own = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`own_${n}`, 'x']));
		const given = bench().node('emailFinder', 'submitBulkAndWait', { parameters: FIND });
		const node: INodeType = {
			description: contactData.description,
			async execute() {
				this.customData.setAll(own);
				return await contactData.execute.call(this);
			},
		};
		const nodes = [start(PEOPLE), { ...given, node }];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		expect(run.status).toBe('success');
		expect(metadataOf(run)).toMatchObject(own);
	});
});

describe.skipIf(isMissing('custom data in nodes'))('it adds up', () => {
	it('over several nodes', async () => {
		const finder = bench().node('emailFinder', 'submitBulkAndWait', { parameters: FIND });
		const verifier = bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: '=mustfind{{ $itemIndex }}@acme.com' },
		});
		const nodes = [start(PEOPLE), finder, { ...verifier, name: 'Verifier' }];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		expect(figuresOf(metadataOf(run))).toEqual({
			spent: '3.75',
			refunded: '1',
			found: '5',
			total: '6',
		});
		expect(new Set(idsOf(metadataOf(run)))).toEqual(new Set(idsCharged()));
	});

	it('over the runs of one node', async () => {
		const node = bench().node('emailFinder', 'submitBulkAndWait', { parameters: FIND });
		const run = await runWorkflow({
			nodes: [start(PEOPLE), alternate('Switch'), node],
			edges: [
				{ from: 'Start', to: 'Switch' },
				{ from: 'Switch', output: 0, to: 'Contact Data' },
				{ from: 'Switch', output: 1, to: 'Contact Data' },
			],
			credentials: bench().credentials,
		});
		expect(run.tasks('Contact Data')).toHaveLength(2);
		expect(figuresOf(metadataOf(run))).toEqual({
			spent: '3',
			refunded: '1',
			found: '2',
			total: '3',
		});
	});

	it('over the calls of a tool', async () => {
		const tool = bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: "={{ $fromAI('email') }}" },
		});
		const calls = ['mustfind1@a.com', 'notfound@a.com', 'mustfind2@a.com'];
		const { run } = await runAgent(
			tool,
			calls.map((email) => ({ email })),
			{ credentials: bench().credentials, atOnce: true },
		);
		expect(figuresOf(metadataOf(run))).toEqual({ spent: '0.75', found: '2', total: '3' });
	});

	it('but not over the tries of n8n: a try that failed', async () => {
		bench().sandbox.configure({ single: 2_500 });
		const node = bench().node('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			options: { timeout: 1 },
			settings: RETRY_ON_FAIL,
		});
		const nodes = [start(addresses(4)), node];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		expect(run.status).toBe('success');
		expect(figuresOf(metadataOf(run))).toEqual({ spent: '1', found: '4', total: '4' });
	});

	it('but not over the tries of n8n: a try whose first item had an error', async () => {
		const items = [{ fullname: '' }, ...PEOPLE];
		const node = bench().node('emailFinder', 'submitBulkAndWait', {
			parameters: FIND,
			settings: { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' },
		});
		const nodes = [start(items), node];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		expect(bench().looks.length).toBeGreaterThan(1);
		expect(figuresOf(metadataOf(run))).toEqual({
			spent: '3',
			refunded: '1',
			found: '2',
			total: '4',
		});
	});

	it('but not over executions: a retry says what it cost itself', async () => {
		bench().sandbox.configure({ bulk: 600_000 });
		const node = bench().node('emailFinder', 'submitBulkAndWait', {
			parameters: FIND,
			options: { timeout: 1 },
		});
		const workflow = {
			nodes: [start(PEOPLE), node, passThrough('After')],
			credentials: bench().credentials,
		};
		const first = await runWorkflow(workflow);
		expect(first.status).toBe('error');
		expect(figuresOf(metadataOf(first))).toEqual({ spent: '3' });
		bench().sandbox.service.finish();
		const retry = await pressRetry(workflow, first);
		expect(retry.status).toBe('success');
		// What the first execution has spent comes back in this one.
		expect(figuresOf(metadataOf(retry))).toEqual({
			spent: '0',
			refunded: '1',
			found: '2',
			total: '3',
		});
		expect(idsOf(metadataOf(retry))).toEqual(idsCharged());
	});

	it('and notes nothing that no execution has noted: a retry of receipts', async () => {
		const node = bench().node('emailFinder', 'submit', { parameters: FIND });
		const workflow = {
			nodes: [start(PEOPLE), node, passThrough('After')],
			credentials: bench().credentials,
		};
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 2 });
		const first = await runWorkflow(workflow);
		expect(first.status).toBe('error');
		expect(figuresOf(metadataOf(first))).toEqual({ spent: '2' });
		const retry = await pressRetry(workflow, first);
		expect(retry.status).toBe('success');
		expect(figuresOf(metadataOf(retry))).toEqual({ spent: '1' });
	});
});

describe.skipIf(isMissing('custom data in nodes'))('an execution that was parked', () => {
	const JOB_MS = 600_000;
	const suspended = (operation: 'submitAndWait' | 'submitBulkAndWait', more: Given = {}) => {
		bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
		return new Suspended(bench(), 'emailFinder', operation, { items: PEOPLE, ...more });
	};

	it.for([
		['submitAndWait', { spent: '3', found: '2', total: '3' }],
		['submitBulkAndWait', { spent: '3', refunded: '1', found: '2', total: '3' }],
	] as const)('says it when it is resumed: %s', async ([operation, figures]) => {
		const execution = suspended(operation);
		const parked = await execution.park();
		expect(figuresOf(parked.data.resultData.metadata)).toEqual({
			spent: '3',
			found: '0',
			total: '3',
		});
		skipTime(JOB_MS);
		const run = await execution.resume(parked);
		expect(figuresOf(metadataOf(run))).toEqual(figures);
		expect(new Set(idsOf(metadataOf(run)))).toEqual(new Set(idsCharged()));
	});

	it('says it of a list', async () => {
		const execution = suspended('submitBulkAndWait', {
			parameters: {
				inputMode: 'array',
				searches: JSON.stringify(
					PEOPLE.map(({ fullname }) => ({ fullname, company_domain: 'acme.com' })),
				),
			},
		});
		const { parked } = await execution.run();
		if (parked === undefined) throw new Error('Not parked');
		skipTime(JOB_MS);
		const run = await execution.resume(parked);
		// Each of the three items has the whole list, which is paid once.
		expect(figuresOf(metadataOf(run))).toEqual({
			spent: '3',
			refunded: '1',
			found: '6',
			total: '9',
		});
	});

	it('tells a refund once, also where it crashed later and is retried', async () => {
		const options = { includeInputFields: true };
		const execution = suspended('submitBulkAndWait', { options });
		const parked = await execution.park();
		skipTime(JOB_MS);
		const { resumed } = await execution.call(parked);
		if (resumed === undefined) throw new Error('Not resumed');
		// n8n's retry puts the node of the saved workflow in the place of the disabled one.
		const { data } = structuredClone(resumed);
		for (const { node } of data.executionData?.nodeExecutionStack ?? []) node.disabled = false;
		const retry = await resumeWorkflow(execution.workflow, { id: '8', mode: 'retry', data });
		expect(retry.items('Contact Data')).toHaveLength(3);
		expect(figuresOf(metadataOf(retry))).toMatchObject({ spent: '0', refunded: '0', total: '3' });
	});

	it('believes no refund of more than it was charged', async () => {
		const execution = suspended('submitBulkAndWait');
		const parked = await execution.park();
		const stats = { credits_cost: { initial: 300, refunded: 300, final: 0 } };
		const general = { id: idsCharged()[0], status: 'completed' };
		const results = [{ index: '0', qualification: 'invalid', raw_params: { fullname: 'x' } }];
		const body = { general, stats, results };
		bench().sandbox.faults.add({ kind: 'status', status: 200, body, on: 'GET *', times: Infinity });
		const run = await execution.resume(parked);
		expect(figuresOf(metadataOf(run))).toEqual({ spent: '3', found: '0', total: '3' });
	});

	it.for([
		['poll', ''],
		['suspend', ''],
		['suspend', ', though the input has a field index'],
	] as const)(
		'counts no refund of what another execution was charged: %s%s',
		async ([waitMode, withIndex]) => {
			bench().sandbox.configure({ bulk: JOB_MS });
			const receipt = await bench().run('emailFinder', 'submitBulk', {
				parameters: FIND,
				items: PEOPLE,
			});
			const earlierId = textIn(receipt.items[0]?.json, 'batch_id');
			const named = PEOPLE.map((person) => ({ ...person, earlierId }));
			const items = [...named, ...people(3, 'new')].map((item, index) => ({
				...item,
				...(withIndex !== '' && { index }),
			}));
			const options = { earlierId: '={{ $json.earlierId }}', includeInputFields: true };
			if (waitMode === 'poll') {
				skipTime(JOB_MS);
				bench().sandbox.configure({ bulk: 0 });
				const { customData } = await bench().run('emailFinder', 'submitBulkAndWait', {
					parameters: FIND,
					items,
					options,
					executionId: '2',
				});
				expect(figuresOf(customData)).toMatchObject({ spent: '3', total: '6' });
				expect(customData.contact_data_credits_refunded).toBe(
					refundOf(customData.contact_data_ids),
				);
				return;
			}
			const execution = new Suspended(bench(), 'emailFinder', 'submitBulkAndWait', {
				items,
				options,
			});
			const { parked } = await execution.run();
			if (parked === undefined) throw new Error('Not parked');
			skipTime(2 * JOB_MS);
			const metadata = metadataOf(await execution.resume(parked)) ?? {};
			expect(figuresOf(metadata)).toMatchObject({ spent: '3', total: '6' });
			expect(metadata.contact_data_credits_refunded).toBe(refundOf(metadata.contact_data_ids));
		},
	);

	it('adds what comes after it', async () => {
		const execution = suspended('submitBulkAndWait');
		const verifier = bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: '=mustfind{{ $itemIndex }}@acme.com' },
		});
		const [first] = execution.workflow.nodes;
		if (first === undefined) throw new Error('No start');
		const workflow = {
			...execution.workflow,
			nodes: [first, execution.node, { ...verifier, name: 'Verifier' }],
		};
		const { parked } = await runWorkflow(workflow);
		if (parked === undefined) throw new Error('Not parked');
		skipTime(JOB_MS);
		const { resumed } = await execution.call(parked);
		if (resumed === undefined) throw new Error('Not resumed');
		bench().sandbox.configure({ single: 20 });
		const run = await resumeWorkflow(workflow, resumed);
		expect(figuresOf(metadataOf(run))).toEqual({
			spent: '3.75',
			refunded: '1',
			found: '5',
			total: '6',
		});
	});
});

describe('an n8n without custom data', () => {
	it('runs all the same, and is retried', async () => {
		bench().sandbox.configure({ bulk: 600_000 });
		const given = bench().node('emailFinder', 'submitBulkAndWait', {
			parameters: FIND,
			options: { timeout: 1 },
		});
		const node: INodeType = {
			description: contactData.description,
			async execute() {
				Object.defineProperty(this, 'customData', { value: undefined });
				return await contactData.execute.call(this);
			},
		};
		const workflow = {
			nodes: [start(PEOPLE), { ...given, node }, passThrough('After')],
			credentials: bench().credentials,
		};
		const first = await runWorkflow(workflow);
		expect(first.error?.message).toMatch(/was not finished within its timeout/);
		bench().sandbox.service.finish();
		const retry = await pressRetry(workflow, first);
		expect(retry.status).toBe('success');
		expect(retry.items('Contact Data')).toHaveLength(3);
	});
});
