import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { seed as seedOfRun } from '../../support/seed.mts';
import { Draw } from '../draw.mts';
import {
	PER_SECOND,
	play,
	ROUND_TRIPS_MS,
	WINDOWS,
	type Process,
	type Scenario,
	type Surroundings,
} from './processes.mts';

// What processes that share a key must reach.

/** What is asked of many holds for most of them, and not for every one. */
const SEEDS = [seedOfRun(), seedOfRun() + 1];
const SECOND = 1_000;

beforeAll(() => startClock());
afterAll(() => {
	vi.useRealTimers();
});

type Place = Omit<Surroundings, 'seed'>;

/** Both windows, and each of the networks. */
const EVERYWHERE: Place[] = WINDOWS.flatMap((window) =>
	ROUND_TRIPS_MS.map((roundTripMs) => ({ window, roundTripMs })),
);
const SOMEWHERE: Surroundings = { window: 'sliding', roundTripMs: 150, seed: seedOfRun() };

/** So many processes with so many searches each, which begin within a third of a second. */
const equalWork = (processes: number, count: number) => (seed: number) => {
	const draw = new Draw(seed);
	return {
		processes: Array.from({ length: processes }, (_, index) => [
			{ atMs: index === 0 ? 0 : draw.int(0, 300), count },
		]),
	};
};

/** One process that is at work all the time, and three that come and go. */
function visitors(seed: number): Scenario {
	const draw = new Draw(seed);
	const visit = (fromS: number) => {
		return { atMs: draw.int(fromS * SECOND, (fromS + 20) * SECOND), count: 150 };
	};
	return {
		processes: [
			[{ atMs: 0, count: 1_500 }],
			[visit(10), visit(110)],
			[visit(30), visit(130)],
			[visit(50), visit(180)],
		],
	};
}

/** What came of a scenario in each of the places, with each seed. */
async function judge(scenario: (seed: number) => Scenario, places: readonly Place[]) {
	const all: Array<ReturnType<typeof judgeOne>> = [];
	for (const place of places) {
		for (const seed of SEEDS) {
			all.push(judgeOne(await play(scenario(seed), { ...place, seed }), place));
		}
	}
	const mean = (of: (one: (typeof all)[number]) => number) =>
		all.reduce((sum, one) => sum + of(one), 0) / all.length;
	expect(all.flatMap(({ givenUp }) => givenUp)).toEqual([]);
	return {
		over: mean(({ over }) => over),
		refused: mean(({ refused }) => refused),
		spread: mean(({ spread }) => spread),
		longestMs: Math.max(...all.map(({ longestMs }) => longestMs)),
	};
}

function judgeOne(processes: readonly Process[], { roundTripMs }: Place) {
	const sum = (of: (process: Process) => number) =>
		processes.reduce((total, process) => total + of(process), 0);
	const ends = processes.map(({ endedAt }) => endedAt);
	const limitMs = (sum(({ takenAt }) => takenAt.length) / PER_SECOND) * SECOND + roundTripMs;
	const gaps = processes.flatMap(({ takenAt }) =>
		takenAt.map((at, index) => at - (takenAt[index - 1] ?? 0)),
	);
	return {
		/** The time over what the limit allows: 1 is as fast as can be. */
		over: Math.max(...ends) / limitMs,
		/** Of all requests. */
		refused: sum(({ refused }) => refused) / sum(({ sent }) => sent),
		givenUp: processes.flatMap(({ givenUp }) => givenUp),
		/** The last end over the first. */
		spread: Math.max(...ends) / Math.min(...ends),
		/** From one that was taken to the next of the process. */
		longestMs: Math.max(...gaps),
	};
}

describe('alone', () => {
	it.for(EVERYWHERE)(
		'meets no 429, and is as fast as can be: $window window, $roundTripMs ms',
		async (place) => {
			const { refused, over } = await judge(equalWork(1, 500), [place]);
			expect(refused).toBe(0);
			expect(over).toBeLessThanOrEqual(1.02);
		},
	);

	it.for([28, 50])('meets no 429 where one request in ten leaves %i ms late', async (ms) => {
		const places = EVERYWHERE.map((place) => ({ ...place, late: { oneIn: 10, ms } }));
		const { refused, over } = await judge(equalWork(1, 500), places);
		expect(refused).toBe(0);
		expect(over).toBeLessThanOrEqual(1.03);
	});

	it.for([
		{ roundTripMs: 20, jitter: 1.5 },
		{ roundTripMs: 100, jitter: 3 },
	])('over an uneven network few requests are refused: %j', async (place) => {
		const { refused, over } = await judge(equalWork(1, 500), [{ window: 'sliding', ...place }]);
		expect(refused).toBeLessThanOrEqual(0.05);
		expect(over).toBeLessThanOrEqual(1.3);
	});
});

describe('of equal work, over both windows and three networks', () => {
	it.for([2, 3, 4])(
		'%i processes use the limit, few requests are refused, nobody starves',
		async (processes) => {
			const judged = await judge(equalWork(processes, 300), EVERYWHERE);
			const { over, refused, spread, longestMs } = judged;
			expect(over).toBeLessThanOrEqual(1.15);
			expect(refused).toBeLessThanOrEqual(0.12);
			expect(spread).toBeLessThanOrEqual(1.5);
			expect(longestMs).toBeLessThanOrEqual(60 * SECOND);
		},
	);
});

it('one that is at work all the time and three that come and go use the limit', async () => {
	const { over, refused } = await judge(visitors, EVERYWHERE);
	expect(over).toBeLessThanOrEqual(1.15);
	expect(refused).toBeLessThanOrEqual(0.12);
});

it('a process is at full speed soon after the others have left', async () => {
	const work = [800, 100, 100].map((count) => [{ atMs: 0, count }]);
	const [stays, ...others] = await play({ processes: work }, SOMEWHERE);
	const leftAt = Math.max(...others.map(({ endedAt }) => endedAt));
	const left = stays?.takenAt.filter((at) => at > leftAt).length ?? 0;
	expect((stays?.endedAt ?? Infinity) - leftAt).toBeLessThan((left / PER_SECOND + 10) * SECOND);
});

it.for([1, 3])(
	'a limit that is changed without telling is followed by %i processes',
	async (count) => {
		const limits = [
			{ atMs: 30 * SECOND, perSecond: 5 },
			{ atMs: 60 * SECOND, perSecond: 20 },
		];
		const work = Array.from({ length: count }, () => [{ atMs: 0, count: 1_050 / count }]);
		const all = await play({ processes: work, limits }, SOMEWHERE);
		expect(all.flatMap(({ givenUp }) => givenUp)).toEqual([]);
		const taken = all.flatMap(({ takenAt }) => takenAt);
		const whileSlow = taken.filter((at) => at >= 30 * SECOND && at < 60 * SECOND);
		expect(whileSlow.length).toBeGreaterThan(0.7 * 150);
		// 600 are left; one process alone takes ten a second, as its credential says.
		const leftS = 600 / (count === 1 ? 10 : 20);
		expect(Math.max(...all.map(({ endedAt }) => endedAt))).toBeLessThan(
			(60 + 1.5 * leftS) * SECOND,
		);
	},
);

it('beside a program that knows no pace everything gets through, in what that one leaves', async () => {
	const rude = { perSecond: 20, untilMs: 600 * SECOND };
	const [process] = await play({ processes: [[{ atMs: 0, count: 50 }]], rude }, SOMEWHERE);
	expect(process?.givenUp).toEqual([]);
	expect(process?.takenAt).toHaveLength(50);
});
