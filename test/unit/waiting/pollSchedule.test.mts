import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../nodes/ContactData/service/lookupState.ts';
import { nextPollDelay } from '../../../nodes/ContactData/waiting/pollSchedule.ts';
import { type Advance, noteProgress } from '../../../nodes/ContactData/waiting/progress.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const DURATIONS_MS = [
	2 * SECOND,
	3 * SECOND,
	5 * SECOND,
	10 * SECOND,
	20 * SECOND,
	45 * SECOND,
	2 * MINUTE,
	5 * MINUTE,
	12 * MINUTE,
	30 * MINUTE,
];

interface Job {
	durationMs: number;
	/** Searches in the batch, which finish at an even pace; `undefined` when no look tells of them. */
	requested?: number;
	/** The service's `estimated_duration`. */
	estimateMs?: number;
}

/** Looks at a job until it is seen to be over: how often, and how long after its end. */
function watch({ durationMs, requested, estimateMs }: Job) {
	const advance: Advance = {};
	let elapsedMs = SECOND;
	let looks = 1;
	for (; elapsedMs < durationMs; looks++) {
		const finished = Math.floor(((requested ?? 0) * elapsedMs) / durationMs);
		const told = requested === undefined ? undefined : { finished, requested };
		elapsedMs += nextPollDelay({
			elapsedMs,
			estimateMs,
			...noteProgress(advance, told, elapsedMs),
		});
		if (looks > 10_000) throw new Error('It is looked at for ever');
	}
	return { looks, lagMs: Math.round(elapsedMs - durationMs) };
}

const tolerable = (durationMs: number) => Math.max(1.5 * SECOND, 0.1 * durationMs);

describe('the looks at a batch that tells its progress', () => {
	const jobs = DURATIONS_MS.flatMap((durationMs) =>
		[10, 100, 3000, 5000].flatMap((requested) =>
			[undefined, 0.01, 0.5, 1, 2, 100].map((factor) => ({
				durationMs,
				requested,
				estimateMs: factor === undefined ? undefined : factor * durationMs,
			})),
		),
	);

	it('are a few dozen at most, and see its end within 1.5 s or a tenth of its length', () => {
		const bad = jobs
			.map((job) => ({ ...job, ...watch(job) }))
			.filter(
				({ looks, lagMs, durationMs, requested }) =>
					looks > (requested > 100 ? 27 : 56) || lagMs > tolerable(durationMs),
			);
		expect(bad).toEqual([]);
	});
});

describe('the looks at a job of which nothing is known', () => {
	it('grow with the time that it takes, so that the lag stays within a tenth', () => {
		const table = DURATIONS_MS.flatMap((durationMs) =>
			// Also one that is over long before the job: it says nothing more then.
			[undefined, 0.1, 1, 3].map((factor) => {
				const estimateMs = factor === undefined ? undefined : factor * durationMs;
				const { looks, lagMs } = watch({ durationMs, estimateMs });
				return { seconds: durationMs / SECOND, estimate: factor ?? 'none', looks, lagMs };
			}),
		);
		console.table(table);
		for (const { seconds, estimate, looks, lagMs } of table) {
			if (estimate === 'none' || estimate === 0.1)
				expect(lagMs).toBeLessThanOrEqual(tolerable(seconds * SECOND));
			expect(looks).toBeLessThanOrEqual(estimate === 1 ? 26 : 65);
		}
	});
});

describe('the looks at a job of which only an estimate is known', () => {
	it('see an end that comes a little later than estimated at once', () => {
		const lags = [10, 20, 45, 120, 720].flatMap((seconds) =>
			[0, 100, 200].map((lateMs) => {
				const estimateMs = seconds * SECOND;
				return watch({ durationMs: estimateMs + lateMs, estimateMs }).lagMs;
			}),
		);
		expect(Math.max(...lags)).toBeLessThan(SECOND / 2);
	});

	it('see the end of one that takes much less than a small estimate within half of its length', () => {
		const late = [31, 40, 50, 60].flatMap((estimated) =>
			[2, 3, 4, 5, 6, 8, 10, 12, 15].flatMap((seconds) => {
				const durationMs = seconds * SECOND;
				const { lagMs } = watch({ durationMs, estimateMs: estimated * SECOND });
				return lagMs > Math.max(1.5 * SECOND, durationMs / 2)
					? [{ estimated, seconds, lagMs }]
					: [];
			}),
		);
		expect(late).toEqual([]);
	});
});

describe('the next look', () => {
	it.for([
		{ finished: 0, requested: 0 },
		{ finished: 5, requested: 5 },
		{ finished: 9, requested: 5 },
		{ finished: 0, requested: 1 },
	])('is as if nothing were known, where the progress tells nothing: %j', (progress) => {
		for (const elapsedMs of [0, 1, SECOND, MINUTE, 60 * MINUTE]) {
			expect(nextPollDelay({ elapsedMs, progress })).toBe(nextPollDelay({ elapsedMs }));
		}
	});

	it('is after as long as it has taken so far at most, while no search of a batch is done', () => {
		const progress = { finished: 0, requested: 3000 };
		for (const elapsedMs of DURATIONS_MS) {
			expect(nextPollDelay({ elapsedMs, progress })).toBeLessThan(1.1 * elapsedMs);
		}
	});
});

describe('the first seconds', () => {
	const delays = (known: { estimateMs?: number; progress?: Progress }) =>
		[1_000, 2_400, 4_800, 5_000, 5_001].map((elapsedMs) => nextPollDelay({ elapsedMs, ...known }));

	it('are enough to see that a batch is not done soon, but not that it is not done later', () => {
		expect(delays({ progress: { finished: 0, requested: 3_000 } })).toEqual([
			1_400, 2_400, 4_200, 4_200, 1_400,
		]);
	});

	it('are waited for where a long time is estimated, and less where a minute is', () => {
		expect(delays({ estimateMs: HOUR })).toEqual([2_000, 4_200, 4_200, 4_200, 4_200]);
		expect(delays({ estimateMs: MINUTE })).toEqual([1_400, 1_400, 2_400, 2_500, 2_500.5]);
	});
});

describe('whatever is told of a job', () => {
	it('it is left alone for three tenths of its time at most, after the first seconds', () => {
		const ms = fc.integer({ min: 0, max: 6 * HOUR });
		const count = fc.integer({ min: 0, max: 5_000 });
		fc.assert(
			fc.property(
				fc.record({
					elapsedMs: fc.integer({ min: 14 * SECOND, max: 6 * HOUR }),
					estimateMs: fc.option(fc.integer({ min: 0, max: 24 * HOUR }), { nil: undefined }),
					progress: fc.option(fc.record({ finished: count, requested: count }), {
						nil: undefined,
					}),
					stalledMs: ms,
					pace: fc.option(fc.record({ done: count, inMs: ms }), { nil: undefined }),
				}),
				(history) => {
					const delay = nextPollDelay(history);
					expect(delay).toBeGreaterThanOrEqual(SECOND);
					expect(delay).toBeLessThanOrEqual(0.3 * history.elapsedMs + SECOND / 2);
				},
			),
		);
	});
});

describe('progress that has not moved', () => {
	const elapsedMs = 100 * SECOND;
	const delayAt = (finished: number, stalledMs: number) =>
		nextPollDelay({
			elapsedMs,
			progress: { finished, requested: 100 },
			pace: { done: finished, inMs: elapsedMs },
			stalledMs,
		});

	it('for less than four searches take is believed like any other', () => {
		expect(delayAt(10, 5 * SECOND)).toBe(delayAt(10, 0));
		expect(delayAt(10, 20 * SECOND)).toBe(30 * SECOND);
	});

	it('for longer tells nothing', () => {
		expect(delayAt(10, 28 * SECOND)).toBe(10 * SECOND);
	});

	it('though the end should have come is looked at after half of that time', () => {
		expect(delayAt(99, 4 * SECOND)).toBe(2 * SECOND);
		expect(delayAt(99, 12 * SECOND)).toBe(6 * SECOND);
		expect(delayAt(99, SECOND)).toBe(1_400);
		expect(delayAt(99, MINUTE)).toBe(10 * SECOND);
	});
});

describe('a batch of which something is done', () => {
	const elapsedMs = 30 * MINUTE;
	const history = {
		elapsedMs,
		progress: { finished: 100, requested: 1_000 },
		pace: { done: 100, inMs: elapsedMs },
	};

	it('is left alone for three tenths of its time, and a tenth until it is seen to go on', () => {
		expect(nextPollDelay(history)).toBe(9 * MINUTE);
		expect(nextPollDelay({ ...history, pace: undefined })).toBe(3 * MINUTE);
		expect(nextPollDelay({ ...history, pace: { done: 0, inMs: 0 } })).toBe(3 * MINUTE);
	});

	it('of which some was done at once is expected by the others', () => {
		const pace = { done: 60, inMs: 5 * MINUTE };
		const progress = { finished: 960, requested: 1_000 };
		const left = (5 * MINUTE * 39.5) / 60.5;
		expect(nextPollDelay({ ...history, progress, pace })).toBeCloseTo(left + 300, 3);
	});

	it('is looked at when the estimate ends, if its pace tells of a later end', () => {
		const estimateMs = 38 * MINUTE;
		expect(nextPollDelay({ ...history, estimateMs })).toBe(8 * MINUTE + 300);
		const progress = { finished: 900, requested: 1_000 };
		const pace = { ...history.pace, done: 900 };
		expect(nextPollDelay({ ...history, progress, pace, estimateMs })).toBeLessThan(5 * MINUTE);
		expect(nextPollDelay({ ...history, estimateMs: 20 * MINUTE })).toBe(nextPollDelay(history));
	});

	it('that stands still is not left alone for an estimate', () => {
		const stands = { ...history, stalledMs: 10 * MINUTE };
		expect(nextPollDelay({ ...stands, estimateMs: HOUR })).toBe(3 * MINUTE);
	});
});
