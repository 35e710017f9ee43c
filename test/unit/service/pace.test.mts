import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getPace, Pace } from '../../../nodes/ContactData/service/pace.ts';
import { passTime, startClock } from '../../support/clock.mts';

// The turns of one process. How several share the limit of a key is in `simulation/pace`.

const SECOND = 1_000;
const LIMIT_MS = 3_600 * SECOND;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

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

/** One turn that the service refuses. */
async function refuseOne(pace: Pace, waitMs: number): Promise<void> {
	const turn = await passTime(pace.turn(), LIMIT_MS);
	if (turn === undefined) throw new Error('No turn');
	pace.refused(turn, waitMs);
}

it.for([1, 10, 40, 200])('follows %i requests per second, evenly', async (perSecond) => {
	const times = await turns(new Pace(perSecond), 2 * perSecond + 1);
	expect(times.at(-1)).toBeGreaterThanOrEqual(2 * SECOND);
	expect(times.at(-1)).toBeLessThan(2.5 * SECOND);
	const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
	expect(Math.max(...gaps)).toBeLessThanOrEqual((1.2 * SECOND) / perSecond + 15);
});

it.for([10, 200, 1_000])('makes up for timers that are late, at %i', async (perSecond) => {
	const { setTimeout } = globalThis;
	const late = (work: () => void, ms = 0) => setTimeout(work, ms + 4);
	vi.stubGlobal('setTimeout', late);
	const count = 10 * perSecond + 1;
	const times = await turns(new Pace(perSecond), count).finally(() => vi.unstubAllGlobals());
	// 10 s are the limit.
	expect(times.at(-1)).toBeLessThan(10.2 * SECOND);
	times.slice(perSecond).forEach((at, index) => {
		expect(at - (times[index] ?? 0)).toBeGreaterThan(SECOND);
	});
});

it('waits for everybody when the service says how long', async () => {
	const pace = new Pace(10);
	await refuseOne(pace, 5 * SECOND);
	expect((await turns(pace, 1))[0]).toBe(5 * SECOND);
});

it('asks ever less often as long as nothing is taken, but at least each five seconds', async () => {
	const pace = new Pace(10);
	const sentAt: number[] = [];
	for (let count = 0; count < 12; count++) {
		await refuseOne(pace, 0);
		sentAt.push(Date.now());
	}
	const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
	expect(gaps[0]).toBeLessThanOrEqual(SECOND);
	expect(gaps.at(-1)).toBeGreaterThanOrEqual(SECOND);
	expect(Math.max(...gaps)).toBeLessThanOrEqual(5 * SECOND);
});

it('what was refused goes before what was never sent, and in its order', async () => {
	const pace = new Pace(10);
	const order: string[] = [];
	const take = async (name: string, isAgain: boolean) => {
		await pace.turn(undefined, isAgain);
		order.push(name);
	};
	const all = [
		take('first', false),
		take('new', false),
		take('newer', false),
		take('again', true),
		take('again, later', true),
	];
	await passTime(Promise.all(all), LIMIT_MS);
	expect(order).toEqual(['first', 'again', 'again, later', 'new', 'newer']);
});

it('is one for each endpoint and key; of credentials with different rates the latest counts', async () => {
	const account = { fingerprint: 'a', baseUrl: '', requestsPerSecond: 10, redact: String };
	const pace = getPace(account, '/phone/single');
	expect(getPace(account, '/phone/bulk')).not.toBe(pace);
	expect(getPace({ ...account, fingerprint: 'b' }, '/phone/single')).not.toBe(pace);
	expect(getPace({ ...account, requestsPerSecond: 5 }, '/phone/single')).toBe(pace);
	expect((await turns(pace, 11)).at(-1)).toBeGreaterThanOrEqual(2 * SECOND);
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
		expect(await passTime(next, LIMIT_MS)).toBeLessThanOrEqual(1.1 * SECOND);
	});

	it('lets nobody overtake those that are before it', async () => {
		const pace = new Pace(10);
		const stop = new AbortController();
		const order: string[] = [];
		const refused = await pace.turn();
		const first = pace.turn().then(() => order.push('first'));
		const cancelled = pace.turn(stop.signal);
		const last = pace.turn().then(() => order.push('last'));
		if (refused !== undefined) pace.refused(refused, 500);
		stop.abort();
		expect(await cancelled).toBeUndefined();
		await passTime(Promise.all([first, last]), LIMIT_MS);
		expect(order).toEqual(['first', 'last']);
	});

	it.for([0, 1])('takes nobody with it, where %i others have gone before', async (before) => {
		const pace = new Pace(1);
		const stop = new AbortController();
		if (before > 0) await pace.turn();
		const cancelled = pace.turn(stop.signal);
		stop.abort();
		expect(await cancelled).toBeUndefined();
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
