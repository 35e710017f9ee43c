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
		expect(Math.max(...gaps)).toBeLessThanOrEqual(106);
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
		{ latency: [0, 0], atMostMs: 102_000 },
		{ latency: [2, 10], atMostMs: 102_000 },
		{ latency: [10, 25], atMostMs: 103_000 },
		{ latency: [20, 60], atMostMs: 106_000 },
		// So uneven a network brings requests together that were sent far apart.
		{ latency: [50, 200], atMostMs: 118_000 },
		// Answers that take longer than a second are no unevenness.
		{ latency: [600, 600], atMostMs: 103_000 },
	] as const)(
		'meets at most one 429 in 200 over a network of $latency ms, and is done in $atMostMs ms',
		async ({ latency, atMostMs }) => {
			const limit = new Limit();
			const start = Date.now();
			const others = await passTime(submitMany(connect(limit, latency), 1_000), LIMIT_MS);
			expect(others).toEqual([]);
			expect(limit.accepted).toBe(1_000);
			expect(limit.refused).toBeLessThanOrEqual(5);
			// 100 s are the limit.
			expect(Date.now() - start).toBeLessThan(atMostMs);
		},
	);
});

it('a network that has become slower for good is soon no reason to submit more slowly', async () => {
	const pace = new Pace(10);
	const submitFor = async (count: number, tookMs: number) => {
		for (let sent = 0; sent < count; sent++) {
			const turn = await pace.turn();
			if (turn !== undefined) setTimeout(() => pace.answered(turn, false), tookMs);
		}
	};
	await passTime(submitFor(20, 20), LIMIT_MS);
	// Three minutes and a half.
	await passTime(submitFor(2_000, 110), LIMIT_MS);
	const start = Date.now();
	await passTime(submitFor(101, 110), LIMIT_MS);
	// 10 s are the limit.
	expect(Date.now() - start).toBeLessThan(10_200);
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
		const [first, second] = await turns(pace, 2);
		expect(first).toBe(5_000);
		// And goes on more slowly.
		expect(second - first).toBeGreaterThan(120);
	});

	it('what was refused goes before what was never sent, and in its order', async () => {
		const pace = new Pace(10);
		const order: string[] = [];
		const take = async (name: string, isAgain: boolean) => {
			await pace.turn(undefined, isAgain ? 1 : 0);
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

	it('one that is always refused does not keep the others from being sent', async () => {
		const [limit, never] = [new Limit(), new Limit(0)];
		const [all, refused] = [connect(limit, [50, 50]), connect(never, [50, 50])];
		// One process.
		const poisoned = { ...refused, account: all.account };
		const ends: string[] = [];
		const works = [
			submitMany(poisoned, 1).finally(() => ends.push('always refused')),
			submitMany(all, 40).finally(() => ends.push('the others')),
		];
		const [[givenUp], rest] = await passTime(Promise.all(works), LIMIT_MS);
		expect(ends).toEqual(['the others', 'always refused']);
		expect(rest).toEqual([]);
		expect(givenUp).toMatchObject({ kind: 'refused', refusal: { status: 429 } });
	});

	it('comes back to full speed when nothing is refused any more', async () => {
		const pace = new Pace(10);
		await refuseOne(pace, 0);
		const start = Date.now();
		const takenAt: number[] = [];
		const submitOne = async () => {
			const turn = await pace.turn();
			if (turn === undefined) throw new Error('No turn');
			await sleep(20);
			pace.answered(turn, false);
			takenAt.push(Date.now() - start);
		};
		await passTime(Promise.all(Array.from({ length: 200 }, submitOne)), LIMIT_MS);
		const of = (fromMs: number) =>
			takenAt.filter((at) => at >= fromMs && at < fromMs + 1_000).length;
		expect(of(0)).toBeLessThanOrEqual(2);
		expect(of(12_000)).toBeGreaterThanOrEqual(9);
	});

	it.for([
		{ refusedOf: Infinity, others: 1 },
		{ refusedOf: 26, others: 1 },
		{ refusedOf: 13, others: 3 },
		{ refusedOf: 4, others: 15 },
		{ refusedOf: 1, others: 4_000 },
	])(
		'of $refusedOf requests one is refused: there seem to be about $others others',
		({ refusedOf, others }) => {
			const pace = new Pace(10);
			const turn = { at: 0, isTry: false };
			for (let count = 1; count <= 400; count++) pace.answered(turn, count % refusedOf === 0);
			expect(pace.others / others).toBeGreaterThan(0.75);
			expect(pace.others / others).toBeLessThan(1.35);
		},
	);
});

/** One turn that the service refuses. */
async function refuseOne(pace: Pace, waitMs: number): Promise<void> {
	const turn = await passTime(pace.turn(), LIMIT_MS);
	if (turn === undefined) throw new Error('No turn');
	pace.answered(turn, true);
	pace.refused(turn, waitMs);
}

describe('credentials with different rates for one account', () => {
	const account = { fingerprint: '', baseUrl: '', redact: String };
	const paceFor = (fingerprint: string, requestsPerSecond: number) =>
		getPace({ ...account, fingerprint, requestsPerSecond }, '/phone/single');
	const gapOf = async (pace: Pace) => {
		const [first, second] = await turns(pace, 2);
		return second - first;
	};

	it('share a pace, and the lower one counts, whoever asks first', async () => {
		expect(paceFor('ten first', 5)).toBe(paceFor('ten first', 10));
		expect(await gapOf(paceFor('ten first', 10))).toBe(200);
		paceFor('five first', 10);
		expect(await gapOf(paceFor('five first', 5))).toBe(200);
		expect(await gapOf(paceFor('five first', 10))).toBe(200);
	});

	it('the higher one counts when nobody has asked for the lower one for a minute', async () => {
		paceFor('a', 5);
		vi.advanceTimersByTime(59_000);
		expect(await gapOf(paceFor('a', 10))).toBe(200);
		vi.advanceTimersByTime(2_000);
		expect(await gapOf(paceFor('a', 10))).toBe(100);
	});

	it('the lower one counts for as long as it is asked for again', async () => {
		for (let minute = 0; minute < 2; minute++) {
			paceFor('c', 5);
			vi.advanceTimersByTime(59_000);
		}
		expect(await gapOf(paceFor('c', 10))).toBe(200);
	});

	it('a higher limit is used in full at once', async () => {
		const pace = paceFor('b', 5);
		await turns(pace, 6);
		vi.advanceTimersByTime(61_000);
		const times = await turns(paceFor('b', 20), 41);
		expect(times.at(-1)).toBeLessThan(2_050);
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
		expect(Math.max(...gaps)).toBeLessThanOrEqual(106);
	});

	it.for([-600_000, 3_600_000])('by %i ms leaves a slower pace slow', async (byMs) => {
		const pace = new Pace(10);
		await refuseOne(pace, 1_000);
		setClock(byMs);
		const begin = performance.now();
		await passTime(pace.turn(), LIMIT_MS);
		expect(performance.now() - begin).toBe(1_000);
		const [first, second] = await turns(pace, 2);
		expect(second - first).toBeGreaterThan(120);
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
