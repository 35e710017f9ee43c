import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';
import { getPace, Pace } from '../../../nodes/ContactData/service/pace.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { submit } from '../../../nodes/ContactData/service/submission.ts';
import { seededRandom } from '../../support/sandbox/random.mts';
import { passTime, setClock, startClock } from '../../support/clock.mts';

const LIMIT_MS = 3_600_000;

beforeEach(() => {
	startClock();
	vi.spyOn(Math, 'random').mockImplementation(seededRandom(1));
});
afterEach(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** When each of so many turns came, in ms from the start. */
async function turns(pace: Pace, count: number): Promise<number[]> {
	const start = Date.now();
	const times: number[] = [];
	const take = async () => {
		expect(await pace.turn()).toBeDefined();
		times.push(Date.now() - start);
	};
	await passTime(Promise.all(Array.from({ length: count }, take)), LIMIT_MS);
	return times;
}

/** A strict sliding window of a second, as the service has it. */
class Limit {
	readonly #admitted: number[] = [];
	refused = 0;
	accepted = 0;

	constructor(private readonly perSecond = 10) {}

	admit(): boolean {
		const now = Date.now();
		while (this.#admitted.length > 0 && this.#admitted[0] <= now - 1000) this.#admitted.shift();
		const isFree = this.#admitted.length < this.perSecond;
		if (isFree) {
			this.#admitted.push(now);
			this.accepted++;
		} else this.refused++;
		return isFree;
	}
}

let keys = 0;

/** A way to a service with this limit, over a network that takes between the two times each way. */
function connect(
	limit: Limit,
	[least, most]: readonly [number, number],
	random = seededRandom(1),
): Connection {
	const away = async () => await sleep(least + random() * (most - least));
	return {
		// A process of its own has a pace of its own.
		account: toAccount(`key ${++keys}`, 'https://service.example', 10),
		send: async () => {
			await away();
			const isAccepted = limit.admit();
			await away();
			return isAccepted
				? { statusCode: 200, headers: {}, body: '{"id":"x"}' }
				: { statusCode: 429, headers: {}, body: '{"message":"Too Many Requests"}' };
		},
	};
}

/** Submits so many, up to fifty at once, and gives what did not become of them. */
async function submitMany(connection: Connection, count: number): Promise<unknown[]> {
	const others: unknown[] = [];
	let left = count;
	const worker = async () => {
		while (left-- > 0) {
			const outcome = await submit(connection, '/email/verify/single', {}, { inFlight: () => {} });
			if (outcome.kind !== 'accepted') others.push(outcome);
		}
	};
	await Promise.all(Array.from({ length: 50 }, worker));
	return others;
}

describe('alone', () => {
	it('gives turns evenly, a little under the limit', async () => {
		const times = await turns(new Pace(10), 21);
		const gaps = times.slice(1).map((at, index) => at - times[index]);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
		expect(Math.max(...gaps)).toBeLessThanOrEqual(120);
	});

	it.for([1, 10, 40, 200])('follows %i requests per second', async (perSecond) => {
		const times = await turns(new Pace(perSecond), 2 * perSecond + 1);
		const lastAt = times.at(-1) ?? 0;
		expect(lastAt).toBeGreaterThanOrEqual(2_000);
		expect(lastAt).toBeLessThan(2_500);
	});

	it.for([10, 50, 200, 1_000])('makes up for timers that are late, at %i', async (perSecond) => {
		const { setTimeout } = globalThis;
		const late = (work: () => void, ms = 0) => setTimeout(work, ms + 4);
		vi.stubGlobal('setTimeout', late);
		const count = 10 * perSecond + 1;
		const times = await turns(new Pace(perSecond), count).finally(() => vi.unstubAllGlobals());
		// 10 s are the limit.
		expect(times.at(-1)).toBeLessThan(10_200);
		times.slice(perSecond).forEach((at, index) => expect(at - times[index]).toBeGreaterThan(1_000));
	});

	it.for([
		[0, 0],
		[2, 9],
		[20, 26],
		// Answers that take longer than a second.
		[600, 600],
	] as const)(
		'meets no 429 and is at the limit, over a network of %i to %i ms',
		async (latency) => {
			const limit = new Limit();
			const start = Date.now();
			const others = await passTime(submitMany(connect(limit, latency), 1_000), LIMIT_MS);
			expect(others).toEqual([]);
			expect(limit).toMatchObject({ accepted: 1_000, refused: 0 });
			// 100 s are the limit.
			expect(Date.now() - start).toBeLessThan(102_000 + 2 * latency[1]);
		},
	);

	it.for([
		{ latency: [10, 25], refused: 10, atMostMs: 106_000 },
		{ latency: [20, 60], refused: 30, atMostMs: 115_000 },
		{ latency: [50, 200], refused: 40, atMostMs: 120_000 },
	] as const)(
		'gets all 1,000 through a network of $latency ms in $atMostMs ms, with at most $refused refusals',
		async ({ latency, refused, atMostMs }) => {
			const limit = new Limit();
			const start = Date.now();
			const others = await passTime(submitMany(connect(limit, latency), 1_000), LIMIT_MS);
			expect(others).toEqual([]);
			expect(limit.accepted).toBe(1_000);
			expect(limit.refused).toBeLessThanOrEqual(refused);
			expect(Date.now() - start).toBeLessThan(atMostMs);
		},
	);
});

describe('with others', () => {
	it.for([2, 3])('%i processes on one key find room without a storm', async (processes) => {
		const limit = new Limit();
		const start = Date.now();
		const all = Array.from({ length: processes }, async (_, index) => {
			return await submitMany(connect(limit, [10, 40], seededRandom(index + 1)), 300);
		});
		const others = await passTime(Promise.all(all), LIMIT_MS);
		expect(others.flat()).toEqual([]);
		expect(limit.accepted).toBe(300 * processes);
		expect(limit.refused / limit.accepted).toBeLessThan(0.1);
		// Twice as long as it takes at the limit.
		expect(Date.now() - start).toBeLessThan(2 * 30_000 * processes);
	});

	it('waits for everybody when the service says how long', async () => {
		const pace = new Pace(10);
		await refuseOne(pace, 5_000);
		expect((await turns(pace, 1))[0]).toBe(5_000);
	});

	it('asks ever less often as long as nothing is taken, but at least each four seconds', async () => {
		const pace = new Pace(10);
		const sentAt: number[] = [];
		for (let count = 0; count < 12; count++) {
			await refuseOne(pace, 0);
			sentAt.push(Date.now());
		}
		const gaps = sentAt.slice(1).map((at, index) => at - sentAt[index]);
		expect(gaps[0]).toBeLessThanOrEqual(501);
		for (const gap of gaps.slice(4)) expect(gap).toBeGreaterThanOrEqual(2_000);
		expect(Math.max(...gaps)).toBeLessThanOrEqual(4_001);
	});

	it('what was refused goes before what was never sent, and in its order', async () => {
		const pace = new Pace(10);
		const order: string[] = [];
		const take = async (name: string, isAgain: boolean) => {
			await pace.turn(undefined, isAgain);
			order.push(name);
		};
		await passTime(
			Promise.all([
				take('first', false),
				take('new', false),
				take('newer', false),
				take('again', true),
				take('again, later', true),
			]),
			LIMIT_MS,
		);
		expect(order).toEqual(['first', 'again', 'again, later', 'new', 'newer']);
	});

	it('is at full speed soon after the others have left', async () => {
		const limit = new Limit();
		const stays = submitMany(connect(limit, [20, 25], seededRandom(1)), 800);
		const leave = [2, 3].map(
			async (seed) => await submitMany(connect(limit, [20, 25], seededRandom(seed)), 100),
		);
		await passTime(Promise.all(leave), LIMIT_MS);
		const takenBefore = limit.accepted;
		const start = Date.now();
		expect(await passTime(stays, LIMIT_MS)).toEqual([]);
		const leastMs = (1_000 - takenBefore) * 100;
		expect(Date.now() - start).toBeLessThan(leastMs + 8_000);
	});
});

/** One turn that the service refuses. */
async function refuseOne(pace: Pace, waitMs: number): Promise<void> {
	const turn = await passTime(pace.turn(), LIMIT_MS);
	if (turn === undefined) throw new Error('No turn');
	pace.refused(turn, waitMs);
}

describe('credentials with different rates for one account', () => {
	const account = { fingerprint: '', baseUrl: '', redact: String };
	const paceFor = (fingerprint: string, requestsPerSecond: number) =>
		getPace({ ...account, fingerprint, requestsPerSecond }, '/phone/single');

	it('share a pace, and the latest one counts', async () => {
		const pace = paceFor('a', 10);
		expect(paceFor('a', 5)).toBe(pace);
		const slow = await turns(pace, 11);
		expect(slow[10]).toBeGreaterThanOrEqual(2_000);
		paceFor('a', 20);
		const start = Date.now();
		for (let count = 0; count < 101; count++) {
			const turn = await passTime(pace.turn(), LIMIT_MS);
			if (turn !== undefined) pace.taken(turn);
		}
		// 5 s are the limit.
		expect(Date.now() - start).toBeLessThan(6_000);
	});
});

describe('a clock that is set', () => {
	it.for([-600_000, -86_400_000, 3_600_000])('by %i ms changes nothing', async (byMs) => {
		const gaps: number[] = [];
		const pace = new Pace(10);
		let last: number | undefined;
		for (let count = 0; count < 25; count++) {
			if (count % 8 === 4) setClock(byMs);
			await passTime(pace.turn(), LIMIT_MS);
			const now = performance.now();
			if (last !== undefined) gaps.push(now - last);
			last = now;
		}
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
		expect(Math.max(...gaps)).toBeLessThanOrEqual(120);
	});
});

describe('a cancelled caller', () => {
	it('that waits is told at once, and its turn is free', async () => {
		const pace = new Pace(1);
		const stop = new AbortController();
		await pace.turn();
		const cancelled = Array.from({ length: 5 }, async () => await pace.turn(stop.signal));
		const start = Date.now();
		const next = pace.turn().then(() => Date.now() - start);
		stop.abort();
		expect(await Promise.all(cancelled)).toEqual(Array(5).fill(undefined));
		expect(Date.now()).toBe(start);
		expect(await passTime(next, LIMIT_MS)).toBeLessThanOrEqual(1_020);
	});

	it('does not wait for others that are before it', async () => {
		const pace = new Pace(1);
		const stop = new AbortController();
		const before = turns(pace, 4);
		const cancelled = pace.turn(stop.signal);
		const after = pace.turn();
		const start = Date.now();
		stop.abort();
		expect(await cancelled).toBeUndefined();
		expect(Date.now()).toBe(start);
		expect(await before).toHaveLength(4);
		await passTime(after, LIMIT_MS);
		expect(Date.now() - start).toBeLessThanOrEqual(4 * 1_020);
	});

	it('lets nobody overtake those that are before it', async () => {
		const pace = new Pace(10);
		const stop = new AbortController();
		const order: string[] = [];
		const refused = await pace.turn();
		const first = pace.turn().then(() => order.push('first'));
		const cancelled = pace.turn(stop.signal);
		const last = pace.turn().then(() => order.push('last'));
		await passTime(sleep(10), LIMIT_MS);
		if (refused !== undefined) pace.refused(refused, 500);
		stop.abort();
		expect(await cancelled).toBeUndefined();
		await passTime(Promise.all([first, last]), LIMIT_MS);
		expect(order).toEqual(['first', 'last']);
	});

	it('takes nobody with it when its turn comes at the same moment', async () => {
		const pace = new Pace(10);
		const stop = new AbortController();
		const cancelled = pace.turn(stop.signal);
		stop.abort();
		const next = pace.turn();
		expect(await cancelled).toBeUndefined();
		expect(await passTime(next, LIMIT_MS)).toBeDefined();
	});

	it('leaves no wait behind that holds up the next one, when it was the last', async () => {
		const pace = new Pace(1);
		const stop = new AbortController();
		await pace.turn();
		const cancelled = pace.turn(stop.signal);
		stop.abort();
		expect(await cancelled).toBeUndefined();
		vi.clearAllTimers();
		expect(await passTime(pace.turn(), LIMIT_MS)).toBeDefined();
	});

	it('takes no turn when it is cancelled already', async () => {
		const pace = new Pace(1);
		expect(await pace.turn(AbortSignal.abort())).toBeUndefined();
		const start = Date.now();
		expect(await pace.turn()).toBeDefined();
		expect(Date.now()).toBe(start);
	});
});

it('is one for each endpoint and account', () => {
	const account = { fingerprint: 'a', baseUrl: '', requestsPerSecond: 10, redact: String };
	const pace = getPace(account, '/phone/single');
	expect(getPace({ ...account }, '/phone/single')).toBe(pace);
	expect(getPace(account, '/phone/bulk')).not.toBe(pace);
	expect(getPace({ ...account, fingerprint: 'b' }, '/phone/single')).not.toBe(pace);
});
