import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { equalWork, EVERYWHERE, measure, visitors } from './measure.mts';
import { play } from './processes.mts';

// What processes that share a key must reach.

/** Always the same ones: what is asked of many holds for most of them, and not for every one. */
const SEEDS = [1, 2] as const;
const [SEED] = SEEDS;

beforeAll(() => startClock());
afterAll(() => {
	vi.useRealTimers();
});

describe('alone', () => {
	it.for(EVERYWHERE)(
		'meets no 429, and is as fast as can be: $window window, $roundTripMs ms',
		async (place) => {
			const { most } = await measure(equalWork(1, 500), [place], SEEDS);
			expect(most).toMatchObject({ refused: 0, givenUp: 0 });
			expect(most.over).toBeLessThanOrEqual(1.02);
		},
	);
});

describe('of equal work, over both windows and three networks', () => {
	it.for([2, 3, 4])(
		'%i processes use the limit, few requests are refused, nobody starves',
		async (processes) => {
			const { mean, most } = await measure(equalWork(processes, 300), EVERYWHERE, SEEDS);
			expect(most.givenUp).toBe(0);
			expect(mean.over).toBeLessThanOrEqual(1.15);
			expect(mean.refused).toBeLessThanOrEqual(0.12);
			expect(mean.spread).toBeLessThanOrEqual(1.5);
			expect(most.longestMs).toBeLessThanOrEqual(60_000);
		},
	);
});

it('one that is at work all the time and three that come and go use the limit', async () => {
	const { mean, most } = await measure(visitors, EVERYWHERE, SEEDS);
	expect(most.givenUp).toBe(0);
	expect(mean.over).toBeLessThanOrEqual(1.15);
	expect(mean.refused).toBeLessThanOrEqual(0.12);
});

describe('a limit that is changed without telling', () => {
	const [, place] = EVERYWHERE;
	const surroundings = { ...place, seed: SEED };

	it.for([1, 3])('is followed down and up again by %i processes', async (processes) => {
		const limits = [
			{ atMs: 30_000, perSecond: 5 },
			{ atMs: 60_000, perSecond: 20 },
		];
		const work = Array.from({ length: processes }, () => [{ atMs: 0, count: 1_050 / processes }]);
		const all = await play({ processes: work, limits }, surroundings);
		expect(all.flatMap(({ givenUp }) => givenUp)).toEqual([]);
		const takenBetween = (fromMs: number, toMs: number) =>
			all.flatMap(({ takenAt }) => takenAt).filter((at) => at >= fromMs && at < toMs).length;
		expect(takenBetween(30_000, 60_000)).toBeGreaterThan(0.85 * 150);
		// 600 are left; one process alone takes ten a second, as its credential says.
		const leftS = 600 / (processes === 1 ? 10 : 20);
		expect(Math.max(...all.map(({ endedAt }) => endedAt))).toBeLessThan((60 + 1.5 * leftS) * 1_000);
	});
});

it('beside a program that knows no pace everything gets through, in what that one leaves', async () => {
	const rude = { perSecond: 20, untilMs: 600_000 };
	const work = [[{ atMs: 0, count: 50 }]];
	const [, place] = EVERYWHERE;
	const [process] = await play({ processes: work, rude }, { ...place, seed: SEED });
	expect(process?.givenUp).toEqual([]);
	expect(process?.takenAt).toHaveLength(50);
});

it('where nothing is ever accepted, the run ends after ten minutes', async () => {
	const limits = [{ atMs: 0, perSecond: 0 }];
	const work = [[{ atMs: 0, count: 1 }]];
	const [, place] = EVERYWHERE;
	const [process] = await play({ processes: work, limits }, { ...place, seed: SEED });
	expect(process?.takenAt).toEqual([]);
	expect(process?.givenUp).toHaveLength(1);
	expect(process?.endedAt).toBeGreaterThan(590_000);
	expect(process?.endedAt).toBeLessThan(640_000);
});
