import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { contactData, watchReadings } from '../../support/n8nCore/contactData.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { callWebhookInProcess, type CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { tooManyAtOnce } from '../../support/texts.mts';

// A resume URL carries n8n's signature, so no stranger calls it. But the service may call too often,
// and n8n holds an isolate of about 10 MB for each call until it is answered.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const JOB_MS = 10 * MINUTE;
const LIMIT_MS = 60 * MINUTE;
const CALLS = 300;
const IN_ONE_PROCESS = 50;
const PATIENCE_MS = { single: 20 * SECOND, bulk: 60 * SECOND };
const TOO_MANY = tooManyAtOnce;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

let executions = 0;

/** An execution that waits for so many lookups, parked, and whatever follows its parking is over. */
async function park(count: number, size: 'single' | 'bulk' = 'single') {
	const webhooks = { send: 'none' } as const;
	const service = new ServiceInProcess({ single: JOB_MS, bulk: JOB_MS, webhooks });
	const node = {
		node: service.wire(contactData),
		parameters: {
			resource: 'emailFinder',
			operation: size === 'single' ? 'submitAndWait' : 'submitBulkAndWait',
			fullname: '={{ $json.fullname }}',
			companyDomain: 'acme.example',
			waitMode: 'suspend',
			options: { timeout: 7200 },
		},
	};
	const { credentials } = service;
	const executionId = `flood ${++executions}`;
	const workflow = {
		nodes: [start(people(count)), node],
		waitingBaseUrl: 'https://n8n.example/webhook-waiting',
		credentials,
		executionId,
		mode: 'trigger' as const,
	};
	const { parked, error } = await passTime(runWorkflow(workflow), LIMIT_MS);
	if (parked === undefined) throw new Error(`Not parked: ${error?.message}`);
	await passTime(sleep(MINUTE), LIMIT_MS);
	service.mostUnderWay = 0;
	service.requests.length = 0;
	return {
		service,
		ids: service.service.ledger.entries.map(({ id }) => id),
		/** A callback of the service; `n` makes it one for another execution that waits for the same. */
		call: async (body: unknown = {}, n?: number) => {
			const other = n === undefined ? parked : { ...parked, id: `${executionId}, ${n}` };
			return await callWebhookInProcess({ ...node, credentials, parked: other, body });
		},
	};
}

const times = <T,>(count: number, of: (n: number) => T): T[] =>
	Array.from({ length: count }, (_, n) => of(n));
const together = async <T,>(work: Array<Promise<T>>): Promise<T[]> =>
	await passTime(Promise.all(work), LIMIT_MS);
const isToldTooMany = ({ response }: CallWebhookResult) =>
	response?.status === 503 && (response.body as { message?: unknown }).message === TOO_MANY;
const isResumed = ({ resumed }: CallWebhookResult) => resumed !== undefined;

describe(`${CALLS} callbacks at the same moment`, () => {
	it('of one execution cost few reads, also when they name invented ids', async () => {
		const { service, call } = await park(3);
		const calls = await together(
			times(CALLS, async (n) => await call(times(6, (k) => ({ id: `invented-${n}-${k}` })))),
		);
		expect(calls.some(isResumed)).toBe(false);
		expect(service.mostUnderWay).toBeLessThanOrEqual(3);
		expect(service.looks.length).toBeLessThanOrEqual(3 * 6);
	});

	it('of one execution, of which the last one comes when all is over, resume it', async () => {
		const { call } = await park(3);
		const flood = times(CALLS, async () => await call());
		vi.setSystemTime(Date.now() + JOB_MS);
		const calls = await together([...flood, call()]);
		expect(calls.filter(isResumed)).toHaveLength(1);
	});

	it('of as many executions are followed up by some, and the others come again', async () => {
		const { service, call } = await park(1);
		vi.setSystemTime(Date.now() + JOB_MS);
		const calls = await together(times(CALLS, async (n) => await call({}, n)));
		expect(calls.filter(isResumed)).toHaveLength(IN_ONE_PROCESS);
		expect(calls.filter(isToldTooMany)).toHaveLength(CALLS - IN_ONE_PROCESS);
		expect(service.mostUnderWay).toBeLessThanOrEqual(IN_ONE_PROCESS);

		const left = calls.flatMap((one, n) => (isToldTooMany(one) ? [n] : []));
		const again = await together(left.slice(0, IN_ONE_PROCESS).map(async (n) => await call({}, n)));
		expect(again.every(isResumed)).toBe(true);
	});

	it('of one execution are read for the ids in them up to a thousand, as each is remembered', async () => {
		const { call } = await park(1);
		const names = 6;
		let read = 0;
		const naming = (n: number) =>
			times(names, (k) =>
				Object.defineProperty({}, 'id', {
					enumerable: true,
					get: () => {
						if (k === 0) read++;
						return `invented-${n}-${k}`;
					},
				}),
			);
		await together(times(CALLS, async (n) => await call(naming(n))));
		expect(read).toBe(Math.ceil(1_000 / names));
	});

	it('cost nothing where they are too many: neither body nor credential is looked at', async () => {
		const { call } = await park(1);
		const readings = watchReadings();
		let lookedAt = 0;
		const body = Object.defineProperty({}, 'id', {
			enumerable: true,
			get: () => {
				lookedAt++;
				return 'invented';
			},
		});
		await together(times(CALLS, async (n) => await call(body, n)));
		expect(lookedAt).toBe(IN_ONE_PROCESS);
		expect(readings.mock.calls.length).toBeLessThanOrEqual(1);
	});
});

describe('a service that hangs', () => {
	it.for([
		['with nothing in the callback', 'single', () => ({})],
		['with an id in the callback', 'single', (id: string) => ({ id })],
		['with nothing in the callback', 'bulk', () => ({})],
	] as const)(
		'is given up after a while, and the sender told to come again: %s, %s',
		async ([, size, of]) => {
			const { service, ids, call } = await park(2, size);
			vi.setSystemTime(Date.now() + JOB_MS);
			service.latencyMs = 300 * SECOND;
			const begin = Date.now();
			const { response, resumed } = await passTime(call(of(ids[0] ?? '')), LIMIT_MS);
			expect(resumed).toBeUndefined();
			expect(response?.status).toBe(503);
			expect(Date.now() - begin).toBe(PATIENCE_MS[size]);

			service.latencyMs = 20;
			expect(isResumed(await passTime(call(), LIMIT_MS))).toBe(true);
		},
	);

	it('is not one that takes its time for the results of a batch', async () => {
		const { service, call } = await park(2, 'bulk');
		vi.setSystemTime(Date.now() + JOB_MS);
		service.latencyMs = 50 * SECOND;
		expect(isResumed(await passTime(call(), LIMIT_MS))).toBe(true);
	});

	it('is given up as soon, however many ids were named meanwhile', async () => {
		const { service, ids, call } = await park(100);
		vi.setSystemTime(Date.now() + JOB_MS);
		service.latencyMs = 300 * SECOND;
		const begin = Date.now();
		await together(ids.map(async (id) => await call({ id })));
		// Those that came meanwhile are followed up once.
		expect(Date.now() - begin).toBeLessThanOrEqual(2 * PATIENCE_MS.single + SECOND);
		expect(service.looks.length).toBeLessThanOrEqual(20);
	});

	it('is not one that is slow: each end that is seen gives it time', async () => {
		const { service, call } = await park(100);
		vi.setSystemTime(Date.now() + JOB_MS);
		service.latencyMs = 4 * SECOND;
		const begin = Date.now();
		expect(isResumed(await passTime(call(), LIMIT_MS))).toBe(true);
		expect(Date.now() - begin).toBeGreaterThan(2 * PATIENCE_MS.single);
		// As several are read at once.
		expect(Date.now() - begin).toBeLessThan(4 * PATIENCE_MS.single);
	});
});
