import type { INodeParameters, INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';

// What modules keep from call to call: each map of theirs forgets, or is empty when all is over.

const HOUR_MS = 3_600_000;
const KEYS = 40;
const KINDS = [...LOOKUPS.values()].map(({ kind }) => kind);

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** The nodes, and every map and set that their modules made while they were loaded. */
async function loadWatched() {
	const kept: Array<Map<unknown, unknown> | Set<unknown>> = [];
	let isLoading = true;
	const watch = (made: Map<unknown, unknown> | Set<unknown>) => {
		if (isLoading) kept.push(made);
	};
	class WatchedMap<K, V> extends Map<K, V> {
		constructor(entries?: Iterable<readonly [K, V]> | null) {
			super(entries);
			watch(this);
		}
	}
	class WatchedSet<T> extends Set<T> {
		constructor(entries?: Iterable<T> | null) {
			super(entries);
			watch(this);
		}
	}
	vi.resetModules();
	vi.stubGlobal('Map', WatchedMap);
	vi.stubGlobal('Set', WatchedSet);
	try {
		const { ContactData } = await import('../../../nodes/ContactData/ContactData.node.ts');
		const { ContactDataTrigger } =
			await import('../../../nodes/ContactData/ContactDataTrigger.node.ts');
		const { RecentMap } = await import('../../../nodes/ContactData/common/bounds.ts');
		return { node: new ContactData(), trigger: new ContactDataTrigger(), RecentMap, kept };
	} finally {
		isLoading = false;
		vi.unstubAllGlobals();
	}
}

const PARAMETERS = {
	resource: 'emailFinder',
	operation: 'submitAndWait',
	fullname: '={{ $json.fullname }}',
	companyDomain: 'acme.example',
};

/** Runs an execution of two searches until it is parked, and gives what calls it back. */
async function park(
	node: INodeType,
	{ credentials }: ServiceInProcess,
	executionId: string,
	options: INodeParameters = {},
) {
	const suspended = { node, parameters: { ...PARAMETERS, options, waitMode: 'suspend' } };
	const workflow = {
		nodes: [start(people(2)), suspended],
		waitingBaseUrl: 'https://n8n.example/webhook-waiting',
		credentials,
		executionId,
		mode: 'trigger' as const,
	};
	const { parked } = await passTime(runWorkflow(workflow), HOUR_MS);
	if (parked === undefined) throw new Error('Not parked');
	return async () => await callWebhookInProcess({ ...suspended, credentials, parked });
}

/** All that one key can be used for: a run, an execution that pauses and is called back, a trigger, a tool. */
async function useKey(node: INodeType, trigger: INodeType, executionId: string): Promise<void> {
	const service = new ServiceInProcess({ single: 60_000, webhooks: { send: 'none' } });
	const { credentials } = service;
	const wired = service.wire(node);
	const polling = { node: wired, parameters: PARAMETERS, items: people(2), credentials };
	await passTime(runNode(polling), HOUR_MS);

	// What the run before has paid for would be there at once.
	const options = { timeout: 86_400, searchAgain: true };
	const call = await park(wired, service, executionId, options);
	// One that comes too early, one that cannot be followed up, two at once that resume.
	await passTime(call(), HOUR_MS);
	service.faults.add({ on: 'GET *', kind: 'hang', times: 2 });
	await passTime(call(), HOUR_MS);
	vi.setSystemTime(Date.now() + HOUR_MS);
	const calls = await passTime(Promise.all([call(), call()]), HOUR_MS);
	// While the loop of the pause looks, a callback only makes it look again.
	calls.push(await passTime(call(), HOUR_MS));
	expect(calls.some(({ resumed }) => resumed !== undefined)).toBe(true);

	const notified = { node: service.wire(trigger), parameters: { events: KINDS }, credentials };
	const [id] = service.service.ledger.entries.map((entry) => entry.id);
	const notify = async () => await callWebhookInProcess({ ...notified, body: { id } });
	const [answer] = await passTime(Promise.all([notify(), notify()]), HOUR_MS);
	expect(answer.response?.status).toBe(200);
	service.faults.add({ on: 'GET *', kind: 'hang', times: Infinity });
	const slow = await passTime(callWebhookInProcess({ ...notified, body: { id: 'slow' } }), HOUR_MS);
	expect(slow.response?.status).toBe(503);
	service.faults.clear();
	const unknown = await passTime(
		callWebhookInProcess({ ...notified, body: { id: 'nobody' } }),
		HOUR_MS,
	);
	expect(unknown.response?.status).toBe(404);

	const parameters = { ...PARAMETERS, fullname: 'Ada Slow', options: { timeout: 1 } };
	const tool = { node: wired, parameters };
	const { answers } = await passTime(runAgent(tool, [{}], { credentials }), HOUR_MS);
	expect(answers[0]?.answer).toContain('"status":"ongoing"');
}

it('the memory of a process: each map of a module forgets, or is empty when all is over', async () => {
	const { node, trigger, RecentMap, kept } = await loadWatched();
	const growing = kept.filter((one) => !(one instanceof RecentMap));
	const before = growing.map(({ size }) => size);
	for (let key = 0; key < KEYS; key++) await useKey(node, trigger, `of key ${key}`);
	// What is kept for a moment only is given up by itself.
	await passTime(new Promise((resolve) => setTimeout(resolve, HOUR_MS)), 2 * HOUR_MS);
	expect(growing.map(({ size }) => size)).toEqual(before);
	// And the traffic did reach what remembers.
	const remembering = kept.filter((one) => one instanceof RecentMap);
	const empty = remembering.filter(({ size }) => size === 0);
	// Of the pauses, which are over; and two of the Data Table, which nobody here has.
	expect(empty).toHaveLength(3);
	expect(remembering.length).toBeGreaterThan(1);
});

const MB = 1024 ** 2;
const EXECUTIONS = 40;

it('the memory of a process: results that are large are not kept until the others are there', async () => {
	const { node, kept } = await loadWatched();
	for (let number = 0; number < EXECUTIONS; number++) {
		const service = new ServiceInProcess({ single: 2 * HOUR_MS, webhooks: { send: 'none' } });
		const call = await park(service.wire(node), service, `large ${number}`);
		// Of two, one is finished.
		const [first] = service.service.ledger.entries;
		service.service.finish(({ id }) => (id === first?.id ? 0 : HOUR_MS));
		const change = (body: object) => ({ ...body, custom: { text: 'x'.repeat(MB) } });
		service.faults.add({ on: 'GET /email/*', kind: 'changed', change, times: Infinity });
		expect((await passTime(call(), HOUR_MS)).resumed).toBeUndefined();
	}
	const entries = kept.flatMap((one) => [...one.entries()]);
	expect(entries.length).toBeGreaterThan(EXECUTIONS);
	const bytes = entries.map((entry) => sizeOf(entry));
	expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(EXECUTIONS * 10_000);
});

/** Of what is kept as data; n8n's logger, which a connection has, is not kept for us. */
function sizeOf(entry: unknown): number {
	return JSON.stringify(entry, (key, value: unknown) => (key === 'logger' ? undefined : value))
		.length;
}
