import { sleep } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getPace, Pace } from '../../../nodes/ContactData/service/pace.ts';
import type { Exchange } from '../../../nodes/ContactData/service/request.ts';
import { passTime, startClock } from '../../support/clock.mts';

// The turns of one process. How several share the limit of a key is in `simulation/pace`.

const SECOND = 1_000;
const LIMIT_MS = 3_600 * SECOND;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const TAKEN: Exchange = { kind: 'answer', status: 200, body: {}, text: '{}' };
const refusal = (retryAfterMs?: number): Exchange => ({ ...TAKEN, status: 429, retryAfterMs });

const answer = (exchange: Exchange) => async () => await Promise.resolve(exchange);

/** One request that is answered so. */
const sendOne = async (pace: Pace, exchange: Exchange = TAKEN) =>
	await passTime(pace.schedule(answer(exchange), {}), LIMIT_MS);

/** When each of so many requests was sent, in ms from the start, where the one of a number is answered so. */
async function turns(
	pace: Pace,
	count: number,
	answerTo: (index: number) => Exchange = () => TAKEN,
	tookMs: (index: number) => number = () => 0,
): Promise<number[]> {
	const start = Date.now();
	const times: number[] = [];
	const send = async () => {
		const index = times.push(Date.now() - start) - 1;
		await sleep(tookMs(index));
		return answerTo(index);
	};
	const all = Array.from({ length: count }, async () => await pace.schedule(send, {}));
	await passTime(Promise.all(all), LIMIT_MS);
	return times;
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

it.for([
	[20, 0],
	[90, 70],
	[900, 100],
] as const)(
	'after an answer in %i ms, where others take 20, the slot of its request is free %i ms later',
	async ([tookMs, lateMs]) => {
		const times = await turns(new Pace(10), 11, undefined, (index) => (index === 0 ? tookMs : 20));
		expect(times[10]).toBeGreaterThanOrEqual(SECOND + lateMs);
		expect(times[10]).toBeLessThan(SECOND + lateMs + 15);
	},
);

it('waits for everybody when the service says how long', async () => {
	const pace = new Pace(10);
	await sendOne(pace, refusal(5 * SECOND));
	expect((await turns(pace, 1))[0]).toBe(5 * SECOND);
});

it('asks ever less often as long as nothing is taken, but at least each five seconds', async () => {
	const pace = new Pace(10);
	const sentAt: number[] = [];
	for (let count = 0; count < 12; count++) {
		await sendOne(pace, refusal());
		sentAt.push(Date.now());
	}
	const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
	expect(gaps[0]).toBeLessThanOrEqual(SECOND);
	expect(gaps.at(-1)).toBeGreaterThanOrEqual(SECOND);
	expect(Math.max(...gaps)).toBeLessThanOrEqual(5 * SECOND);
});

it('what was refused goes before what was never sent', async () => {
	const pace = new Pace(10);
	const order: string[] = [];
	const named = (name: string) => async () => {
		order.push(name);
		return await Promise.resolve(order.length === 1 ? refusal() : TAKEN);
	};
	const refused = named('refused');
	await passTime(pace.schedule(refused, {}), LIMIT_MS);
	const all = [named('new'), refused, named('newer')].map((send) => pace.schedule(send, {}));
	await passTime(Promise.all(all), LIMIT_MS);
	expect(order).toEqual(['refused', 'refused', 'new', 'newer']);
});

it('is one for each endpoint and key; of credentials with different rates the latest counts', async () => {
	const account = { fingerprint: 'a', baseUrl: '', requestsPerSecond: 10, redact: String };
	const pace = getPace(account, '/phone/single');
	expect(getPace(account, '/phone/bulk')).not.toBe(pace);
	expect(getPace({ ...account, fingerprint: 'b' }, '/phone/single')).not.toBe(pace);
	expect(getPace({ ...account, requestsPerSecond: 5 }, '/phone/single')).toBe(pace);
	expect((await turns(pace, 11)).at(-1)).toBeGreaterThanOrEqual(2 * SECOND);
});

it('a caller that sends nothing at its turn takes no slot, and the next one has its turn', async () => {
	const pace = new Pace(1);
	const start = Date.now();
	const sentAt: number[] = [];
	const send = async () => {
		sentAt.push(Date.now() - start);
		return await Promise.resolve(TAKEN);
	};
	let wantsTo = true;
	const all = [
		pace.schedule(send, {}),
		pace.schedule(() => (wantsTo ? send() : undefined), {}),
		pace.schedule(send, {}),
	];
	// It is not asked before its turn.
	wantsTo = false;
	expect(await passTime(Promise.all(all), LIMIT_MS)).toEqual([TAKEN, undefined, TAKEN]);
	expect(sentAt).toEqual([0, expect.closeTo(SECOND, -2)]);
});

describe('a cancelled caller', () => {
	it('that waits is told at once, and its turn is free', async () => {
		const pace = new Pace(1);
		const stop = new AbortController();
		await sendOne(pace);
		const cancelled = Array.from(
			{ length: 5 },
			async () => await pace.schedule(answer(TAKEN), { signal: stop.signal }),
		);
		const start = Date.now();
		const next = pace.schedule(answer(TAKEN), {}).then(() => Date.now() - start);
		stop.abort();
		expect(await Promise.all(cancelled)).toEqual(Array(5).fill(undefined));
		expect(Date.now()).toBe(start);
		expect(await passTime(next, LIMIT_MS)).toBeLessThanOrEqual(1.1 * SECOND);
	});

	it('lets nobody overtake those that are before it', async () => {
		const pace = new Pace(10);
		const stop = new AbortController();
		const order: string[] = [];
		const named = (name: string) => async () => {
			order.push(name);
			return await Promise.resolve(TAKEN);
		};
		await sendOne(pace, refusal(500));
		const first = pace.schedule(named('first'), {});
		const cancelled = pace.schedule(named('cancelled'), { signal: stop.signal });
		const last = pace.schedule(named('last'), {});
		stop.abort();
		expect(await cancelled).toBeUndefined();
		await passTime(Promise.all([first, last]), LIMIT_MS);
		expect(order).toEqual(['first', 'last']);
	});

	it('takes nobody with it', async () => {
		const pace = new Pace(1);
		const stop = new AbortController();
		await sendOne(pace);
		const cancelled = pace.schedule(answer(TAKEN), { signal: stop.signal });
		stop.abort();
		expect(await cancelled).toBeUndefined();
		expect(await sendOne(pace)).toEqual(TAKEN);
	});

	it('takes no turn when it is cancelled already', async () => {
		const pace = new Pace(1);
		const signal = AbortSignal.abort();
		expect(await pace.schedule(answer(TAKEN), { signal })).toBeUndefined();
		const start = Date.now();
		expect(await sendOne(pace)).toEqual(TAKEN);
		expect(Date.now()).toBe(start);
	});
});

it('what throws as its turn comes throws to its sender alone, and the others go', async () => {
	const pace = new Pace(10);
	const slip = () => {
		throw new Error('a slip');
	};
	const slipped = expect(pace.schedule(slip, {})).rejects.toThrow('a slip');
	expect(await sendOne(pace)).toEqual(TAKEN);
	await slipped;
});
