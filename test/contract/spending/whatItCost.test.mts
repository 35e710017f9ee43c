import type { INodeType } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { contactData, type Given, useBench } from '../../support/n8nCore/contactData.mts';
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
	return of('credits_spent') === undefined ? {} : { spent: of('credits_spent') };
}
const idsOf = (metadata: Record<string, string> = {}) =>
	Object.entries(metadata)
		.filter(([name]) => name.startsWith('contact_data_ids'))
		.flatMap(([, ids]) => ids.split(' '));
const metadataOf = ({ data }: WorkflowRun) => data.resultData.metadata;

describe.skipIf(isMissing('custom data in nodes'))('an execution says what it cost', () => {
	const find = async (operation: string, given: Given = {}) =>
		await bench().run('emailFinder', operation, { parameters: FIND, items: PEOPLE, ...given });

	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		'%s',
		async (operation) => {
			const { customData } = await find(operation);
			expect(figuresOf(customData)).toEqual({ spent: '3' });
			expect(new Set(idsOf(customData))).toEqual(new Set(idsCharged()));
		},
	);

	it('with as many whole ids as fit into five values', async () => {
		const { customData } = await find('submit', { items: people(100) });
		const values = Object.entries(customData).filter(([name]) =>
			name.startsWith('contact_data_ids'),
		);
		expect(values.map(([name]) => name)).toEqual(
			['', '_2', '_3', '_4', '_5'].map((part) => `contact_data_ids${part}`),
		);
		for (const [, value] of values) expect(value.length).toBeLessThanOrEqual(255);
		const ids = idsOf(customData);
		expect(ids.length).toBeGreaterThan(5 * 5);
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids) expect(idsCharged()).toContain(id);
		expect(customData.contact_data_credits_spent).toBe('100');
	});

	it('with the ids of batches before those of single searches', async () => {
		const single = bench().node('emailFinder', 'submit', { parameters: FIND });
		const batch = bench().node('emailVerifier', 'submitBulk', {
			parameters: { email: '=mustfind{{ $itemIndex }}@acme.com' },
		});
		const nodes = [start(people(100)), single, { ...batch, name: 'Batch' }];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		const batchId = bench().sandbox.ledger.entries.find(
			({ endpoint }) => endpoint === 'POST /email/verify/bulk',
		)?.id;
		expect(idsOf(metadataOf(run))[0]).toBe(batchId);
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
		expect(figuresOf(metadataOf(run))).toEqual({ spent: '0.75' });
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
		expect(figuresOf(metadataOf(run))).toEqual({ spent: '1' });
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

	it.for(['submitAndWait', 'submitBulkAndWait'] as const)(
		'says it when it is resumed: %s',
		async (operation) => {
			const execution = suspended(operation);
			const parked = await execution.park();
			expect(figuresOf(parked.data.resultData.metadata)).toEqual({
				spent: '3',
			});
			skipTime(JOB_MS);
			const run = await execution.resume(parked);
			expect(figuresOf(metadataOf(run))).toEqual({ spent: '3' });
			expect(new Set(idsOf(metadataOf(run)))).toEqual(new Set(idsCharged()));
		},
	);

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
		});
	});

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
