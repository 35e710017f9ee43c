import type { IDataObject, INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { callWebhookInProcess, type CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { cloneAsStored, runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { tooManyAtOnce } from '../../support/texts.mts';

// Callbacks that come at once, or while another one is followed up: each counts, or nobody looks again.
// And n8n holds an isolate of about 10 MB for each call until it is answered.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const JOB_MS = 10 * MINUTE;
const LIMIT_MS = 60 * MINUTE;
const CALLS = 300;
/** Each may hold 10 MB. */
const MOST_IN_ONE_PROCESS = 100;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

let executions = 0;

interface Place {
	name: string;
	/** Whether callbacks come to the process that has paused the execution, and looks after it. */
	isHere: boolean;
}
const PLACES: Place[] = [
	{ name: 'in the process that has paused the execution', isHere: true },
	{ name: 'in another process, as in queue mode', isHere: false },
];

/** A paused execution that waits for so many lookups, and whatever follows its pausing is over. */
async function park(
	count: number,
	{ isHere }: Place,
	size: 'single' | 'bulk' = 'single',
	settleMs = MINUTE,
) {
	const webhooks = { send: 'none' } as const;
	const service = new ServiceInProcess({ single: JOB_MS, bulk: JOB_MS, webhooks });
	const resumed: CallWebhookResult[] = [];
	const call = async (n?: number) => {
		const answer = await callWebhookInProcess({ ...node, credentials, parked: copyOf(n) });
		if (answer.resumed !== undefined) resumed.push(answer);
		return answer;
	};
	const wired = service.wire(contactData);
	const inN8n: INodeType = {
		...wired,
		async execute() {
			// n8n takes the calls that the node makes itself.
			const answer = async () => {
				const { response } = await call();
				return { statusCode: response?.status ?? 500, headers: {}, body: {} };
			};
			this.helpers.httpRequest = answer as typeof this.helpers.httpRequest;
			return (await wired.execute?.call(this)) ?? [];
		},
	};
	const node = {
		node: inN8n,
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
	const executionId = `many ${++executions}`;
	const workflow = {
		nodes: [start(people(count)), node],
		waitingBaseUrl: 'https://n8n.example/webhook-waiting',
		credentials,
		executionId,
		mode: 'trigger' as const,
	};
	const { parked, error } = await passTime(runWorkflow(workflow), LIMIT_MS);
	if (parked === undefined) throw new Error(`Not parked: ${error?.message}`);
	/** The same of another execution, which this process does not know. */
	const copyOf = (n = isHere ? undefined : 0) => {
		if (n === undefined) return parked;
		const id = `${executionId}, ${n}`;
		const data = cloneAsStored(parked.data);
		const pause = data.executionData?.contextData.flow?.contactDataPause as IDataObject;
		pause.execution = id;
		return { ...parked, id, data };
	};
	await passTime(sleep(settleMs), LIMIT_MS);
	service.mostUnderWay = 0;
	service.requests.length = 0;
	return {
		service,
		/** A callback of the service; `n` makes it one for another execution that waits for the same. */
		call,
		/** What its items are once it is resumed, by whatever call; waits for that. */
		resumedWithin: async (ms: number): Promise<IDataObject[]> => {
			await passTime(sleep(ms), LIMIT_MS);
			return resumed.flatMap((one) => {
				const [items] = one.resumed?.data.executionData?.nodeExecutionStack[0]?.data.main ?? [];
				return items?.map(({ json }) => json) ?? [];
			});
		},
		/** What starts when the service has answered a look. */
		afterFirstLook: (work: () => void) => {
			let isOver = false;
			service.onRequest = (_, leg) => {
				if (leg !== 'answered' || isOver) return;
				isOver = true;
				work();
			};
		},
	};
}

const end = () => vi.setSystemTime(Date.now() + JOB_MS);
const times = <T,>(count: number, of: (n: number) => T): T[] =>
	Array.from({ length: count }, (_, n) => of(n));
const together = async <T,>(work: Array<Promise<T>>): Promise<T[]> =>
	await passTime(Promise.all(work), LIMIT_MS);
const isToldTooMany = ({ response }: CallWebhookResult) =>
	response?.status === 503 && (response.body as { message?: unknown }).message === tooManyAtOnce;
const isResumed = ({ resumed }: CallWebhookResult) => resumed !== undefined;

async function timed<T>(work: Promise<T>): Promise<{ outcome: T; tookMs: number }> {
	const begin = Date.now();
	return { outcome: await passTime(work, LIMIT_MS), tookMs: Date.now() - begin };
}

const FOUND = { found: true };

describe.for(PLACES)('$name', (place) => {
	describe('a callback of the lookup that ends last resumes the execution, when it comes', () => {
		it.for([
			['while the look of an earlier one is on its way back', 0],
			['just after an earlier one has seen that something still runs', 300],
			['when an earlier one is about to go', 900],
		] as const)('%s', async ([, laterMs]) => {
			const { call, service, afterFirstLook, resumedWithin } = await park(3, place);
			const later: Array<Promise<CallWebhookResult>> = [];
			const comeLast = () => {
				end();
				later.push(call());
			};
			afterFirstLook(() => {
				if (laterMs === 0) comeLast();
				else setTimeout(comeLast, laterMs);
			});
			const earlier = await passTime(call(), LIMIT_MS);
			expect(await resumedWithin(2 * SECOND)).toMatchObject([FOUND, FOUND, FOUND]);
			const calls = [earlier, ...(await Promise.all(later))];
			expect(calls.map(({ error, response }) => error ?? response?.status)).toEqual([200, 200]);
			expect(service.service.ledger.entries).toHaveLength(3);
		});

		it(`after ${CALLS} others at the same moment`, async () => {
			const { call } = await park(3, place);
			const early = times(CALLS, async () => await call());
			end();
			const calls = await together([...early, call()]);
			expect(calls.filter(isResumed)).toHaveLength(1);
		});
	});

	describe('callbacks while all still runs', () => {
		it('that keep coming do not keep one of them looking for ever', async () => {
			// More than callbacks: each could be of one that ended.
			const { call, service } = await park(9, place);
			const calls = [call()];
			for (let count = 1; count < 5; count++) {
				await passTime(sleep(100), LIMIT_MS);
				calls.push(call());
			}
			const answers = await passTime(Promise.all(calls), MINUTE);
			expect(answers.some(isResumed)).toBe(false);
			const settled = service.looks.length;
			await passTime(sleep(MINUTE), LIMIT_MS);
			expect(service.looks.length - settled).toBeLessThanOrEqual(4);
		});

		it(`cost few reads, also ${CALLS}`, async () => {
			const { service, call } = await park(3, place);
			const calls = await together(times(CALLS, async () => await call()));
			expect(calls.some(isResumed)).toBe(false);
			expect(service.looks.length).toBeLessThanOrEqual(5);
		});

		it('are answered within some seconds, also while the service cannot be asked', async () => {
			const { call, service } = await park(3, place);
			expect((await timed(call())).tookMs).toBeLessThanOrEqual(10 * SECOND);
			service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
			expect((await timed(call())).tookMs).toBeLessThanOrEqual(10 * SECOND);
		});
	});

	describe('a service that hangs', () => {
		it.for([
			['single', MINUTE],
			['bulk', 4 * MINUTE],
		] as const)('is given up after a while: %s', async ([size, atMostMs]) => {
			const { service, call, resumedWithin } = await park(2, place, size);
			end();
			service.latencyMs = 300 * SECOND;
			const { outcome, tookMs } = await timed(call());
			expect(isResumed(outcome)).toBe(false);
			// Who does not look after it tells the sender to come again.
			expect(outcome.response?.status).toBe(place.isHere ? 200 : 503);
			expect(tookMs).toBeLessThanOrEqual(atMostMs);

			service.latencyMs = 20;
			if (!place.isHere) await passTime(call(), LIMIT_MS);
			expect(await resumedWithin(4 * MINUTE)).toMatchObject([FOUND, FOUND]);
		});

		it.for([
			['takes 50 s for the results of a batch', 2, 'bulk', 50],
			['needs 4 s for each of a hundred', 100, 'single', 4],
		] as const)('is not one that %s', async ([, count, size, seconds]) => {
			const { service, call } = await park(count, place, size);
			end();
			service.latencyMs = seconds * SECOND;
			const { outcome, tookMs } = await timed(call());
			expect(isResumed(outcome)).toBe(true);
			// As several are read at once.
			expect(tookMs).toBeLessThan(2 * MINUTE);
		});
	});
});

it('callbacks while the service cannot be asked are made up for where somebody looks after the pause', async () => {
	const { call, service, resumedWithin } = await park(3, PLACES[0]);
	end();
	service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
	const calls = await together(times(3, async () => await call()));
	expect(calls.some(isResumed)).toBe(false);
	service.faults.clear();
	expect(await resumedWithin(5 * SECOND)).toMatchObject([FOUND, FOUND, FOUND]);
});

it('of 120 executions that are called at the same moment, after a restart, all are resumed', async () => {
	const { service, call } = await park(1, PLACES[1]);
	end();
	const calls = await together(times(120, async (n) => await call(n)));
	expect(calls.filter(isResumed)).toHaveLength(120);
	expect(service.mostUnderWay).toBeLessThanOrEqual(MOST_IN_ONE_PROCESS);
});

it('of many more some hundred are resumed, and the others are called again', async () => {
	const { call } = await park(1, PLACES[1]);
	end();
	const calls = await together(times(CALLS + 20, async (n) => await call(n)));
	expect(calls.filter(isResumed)).toHaveLength(CALLS);
	const left = calls.flatMap((one, n) => (isToldTooMany(one) ? [n] : []));
	expect(left).toHaveLength(20);
	const again = await together(left.map(async (n) => await call(n)));
	expect(again.every(isResumed)).toBe(true);
});

it('of executions that wait for their turn each other callback is taken, too', async () => {
	const { call } = await park(2, PLACES[1]);
	end();
	const calls = await together(times(200, async (n) => await call(n % 100)));
	expect(calls.filter(isResumed)).toHaveLength(100);
	expect(new Set(calls.map(({ response }) => response?.status))).toEqual(new Set([200]));
});

/** Callbacks that are followed up in the process that has paused the executions. */
const MOST_AT_ONCE = 4;

it('of many pauses of this process a few are followed up at once, and the others come in turn, uncalled', async () => {
	const parks = [];
	for (let n = 0; n < MOST_AT_ONCE + 4; n++)
		parks.push(await park(1, PLACES[0], 'single', 20 * SECOND));
	end();
	const calls = await together(parks.map(async ({ call }) => await call()));
	expect(calls.filter(isResumed)).toHaveLength(MOST_AT_ONCE);
	expect(new Set(calls.map(({ response }) => response?.status))).toEqual(new Set([200]));
	for (const { resumedWithin } of parks) {
		expect(await resumedWithin(5 * SECOND)).toMatchObject([FOUND]);
	}
});

it('callbacks whose results take long hold up no other pause of this process', async () => {
	const slow = [];
	for (let n = 0; n < MOST_AT_ONCE; n++) slow.push(await park(1, PLACES[0], 'single', 20 * SECOND));
	const quick = await park(1, PLACES[0]);
	end();
	for (const { service } of slow) service.latencyMs = 8 * SECOND;
	const calls = slow.map(async ({ call }) => await call());
	expect(isResumed(await passTime(quick.call(), LIMIT_MS))).toBe(false);
	expect(await quick.resumedWithin(5 * SECOND)).toMatchObject([FOUND]);
	expect((await together(calls)).every(isResumed)).toBe(true);
});

it('a pause for one search whose end was seen without a callback is not read again', async () => {
	const { service, resumedWithin } = await park(1, PLACES[0]);
	end();
	expect(await resumedWithin(5 * MINUTE)).toMatchObject([FOUND]);
	expect(service.looks).toHaveLength(1);
});

it('results that are read slowly for the call of the process, and for a callback meanwhile, come once', async () => {
	// Of one search the result that was seen would be kept.
	const { service, call, resumedWithin } = await park(2, PLACES[0]);
	end();
	const calls: Array<Promise<CallWebhookResult>> = [];
	let requests = 0;
	service.onRequest = (_, leg) => {
		// The process has seen both ends, calls, and the results are read again.
		if (leg !== 'leaving' || ++requests !== 3) return;
		service.latencyMs = 4 * SECOND;
		setTimeout(() => calls.push(call()), SECOND);
	};
	expect(await resumedWithin(2 * MINUTE)).toMatchObject([FOUND, FOUND]);
	expect(await together(calls)).toMatchObject([{ resumed: undefined, response: { status: 503 } }]);
	expect(service.looks).toHaveLength(3 * 2);
});
