import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { watchLog } from '../../support/n8nCore/log.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';

// Callbacks that come while another one is followed up: each must count, or nobody looks again.

const MINUTE = 60_000;
const JOB_MS = 10 * MINUTE;
const LIMIT_MS = 60 * MINUTE;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

let executions = 0;

/** An execution that waits for so many lookups, parked, and whatever follows its parking is over. */
async function park(count: number) {
	const service = new ServiceInProcess({ single: JOB_MS, webhooks: { send: 'none' } });
	const node = {
		node: service.wire(contactData),
		parameters: {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			fullname: '={{ $json.fullname }}',
			companyDomain: 'acme.example',
			waitMode: 'suspend',
			options: { timeout: 7200 },
		},
	};
	const { credentials } = service;
	const executionId = `called again ${++executions}`;
	const mode = 'trigger' as const;
	const workflow = {
		nodes: [start(people(count)), node],
		waitingBaseUrl: 'https://n8n.example/webhook-waiting',
		credentials,
		executionId,
		mode,
	};
	const { parked, error } = await passTime(runWorkflow(workflow), LIMIT_MS);
	if (parked === undefined) throw new Error(`Not parked: ${error?.message}`);
	await passTime(sleep(MINUTE), LIMIT_MS);
	return {
		service,
		/** A callback of the service. */
		call: async (body: unknown = {}) =>
			await callWebhookInProcess({ ...node, credentials, parked, body }),
		/** What starts when so many looks from now on have left, or were answered by the service. */
		afterLook: (wanted: number, leg: 'leaving' | 'answered', work: () => Promise<void> | void) => {
			let seen = 0;
			service.onRequest = async (_, at) => {
				if (at === leg && ++seen === wanted) await work();
			};
		},
	};
}

type Called = Awaited<ReturnType<typeof callWebhookInProcess>>;

function itemsOf({ resumed }: Called) {
	const [items] = resumed?.data.executionData?.nodeExecutionStack[0]?.data.main ?? [];
	return items?.map(({ json }) => json);
}

describe('a callback of the lookup that ends last resumes the execution, when it comes', () => {
	it.for([
		['while the look of an earlier one is on its way back', 0],
		['just after an earlier one has seen that something still runs', 300],
		['when an earlier one is about to go', 900],
	] as const)('%s', async ([, laterMs]) => {
		const { call, service, afterLook } = await park(3);
		const later: Array<Promise<Called>> = [];
		afterLook(1, 'answered', () => {
			const end = () => {
				vi.setSystemTime(Date.now() + JOB_MS);
				later.push(call());
			};
			if (laterMs === 0) end();
			else setTimeout(end, laterMs);
		});
		const earlier = await passTime(call(), LIMIT_MS);
		await passTime(sleep(laterMs), LIMIT_MS);
		const [last] = await Promise.all(later);
		const calls = [earlier, last];
		for (const { error, response } of calls) {
			expect(error).toBeUndefined();
			expect(response?.status).toBe(200);
		}
		const resumed = calls.flatMap((one) => itemsOf(one) ?? []);
		expect(resumed).toMatchObject([{ found: true }, { found: true }, { found: true }]);
		expect(service.service.ledger.entries).toHaveLength(3);
	});
});

it('a callback that comes while the service cannot be asked has patience of its own', async () => {
	const { call, service, afterLook } = await park(3);
	vi.setSystemTime(Date.now() + JOB_MS);
	service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
	const calls: Array<Promise<Called>> = [];
	// The earlier one is near the end of its patience; the fault outlasts it, and not the later one's.
	afterLook(1, 'answered', () => {
		setTimeout(() => calls.push(call()), 500);
		setTimeout(() => service.faults.clear(), 1_500);
	});
	calls.push(call());
	await passTime(sleep(5 * MINUTE), LIMIT_MS);
	const resumed = (await Promise.all(calls)).flatMap((one) => itemsOf(one) ?? []);
	expect(resumed).toMatchObject([{ found: true }, { found: true }, { found: true }]);
});

it('callbacks that keep coming while all still runs do not keep one of them looking for ever', async () => {
	// More than callbacks: each could be of one that ended.
	const { call, service } = await park(9);
	const before = service.looks.length;
	const calls = [call()];
	for (let count = 1; count < 5; count++) {
		await passTime(sleep(100), LIMIT_MS);
		calls.push(call());
	}
	const answers = await passTime(Promise.all(calls), MINUTE);
	for (const { resumed, response } of answers) {
		expect(resumed).toBeUndefined();
		expect(response?.status).toBe(200);
	}
	expect(service.looks.length - before).toBeLessThanOrEqual(calls.length);
	const settled = service.looks.length;
	await passTime(sleep(MINUTE), LIMIT_MS);
	// Those of the lookout, which are few.
	expect(service.looks.length - settled).toBeLessThanOrEqual(4);
});

it('callbacks of which the body cannot be read count like others, as none is read', async () => {
	const { call, afterLook } = await park(3);
	vi.setSystemTime(Date.now() + JOB_MS);
	const log = watchLog();
	const unreadable = () =>
		Object.defineProperty({}, 'id', {
			enumerable: true,
			get: () => {
				throw new Error('It is gone');
			},
		});
	const later: Array<Promise<Called>> = [];
	afterLook(1, 'leaving', () => void later.push(call(unreadable())));
	const calls = [await passTime(call(unreadable()), LIMIT_MS), ...(await Promise.all(later))];
	expect(calls.map(({ error, response }) => error ?? response?.status)).toEqual([200, 200]);
	expect(calls.flatMap((one) => itemsOf(one) ?? [])).toHaveLength(3);
	expect(log).toEqual([]);
});

it('an execution whose callback was followed up is followed up anew by the next one', async () => {
	const { call, service } = await park(3);
	expect(itemsOf(await passTime(call(), LIMIT_MS))).toBeUndefined();
	service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
	expect((await passTime(call(), LIMIT_MS)).response?.status).toBe(503);
	service.faults.clear();
	vi.setSystemTime(Date.now() + JOB_MS);
	expect(itemsOf(await passTime(call(), LIMIT_MS))).toHaveLength(3);
});

it('the sender of a callback waits for its answer a few seconds at most', async () => {
	const { call, service } = await park(3);
	const answered = async () => {
		const begin = Date.now();
		await passTime(call(), LIMIT_MS);
		return Date.now() - begin;
	};
	expect(await answered()).toBeLessThanOrEqual(5_000);
	service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
	expect(await answered()).toBeLessThanOrEqual(10_000);
});

it('a burst of callbacks costs about one look for each lookup', async () => {
	const { call, service } = await park(30);
	vi.setSystemTime(Date.now() + JOB_MS);
	const before = service.looks.length;
	const calls = await passTime(Promise.all(Array.from({ length: 30 }, call)), LIMIT_MS);
	expect(calls.some(({ resumed }) => resumed !== undefined)).toBe(true);
	expect((service.looks.length - before) / 30).toBeLessThan(1.5);
});

it('a callback that finds others still running waits a second for those that come with it', async () => {
	const { call, service } = await park(9);
	const begin = Date.now();
	expect((await passTime(call(), LIMIT_MS)).response?.status).toBe(200);
	expect(Date.now() - begin).toBeGreaterThanOrEqual(1_000);
	expect(Date.now() - begin).toBeLessThan(1_200 + 10 * service.latencyMs);
});
