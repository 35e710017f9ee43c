import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lag } from '../../../nodes/ContactData/waiting/schedule.ts';
import { nextLookMs, PAUSED, RUNNING } from '../../../nodes/ContactData/waiting/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** What a look takes. */
const LATENCY_MS = 50;
const REQUESTED = 5_000;

const lags: Array<[string, Lag]> = [
	['running', RUNNING],
	['paused', PAUSED],
];

interface Job {
	lengthMs: number;
	estimateMs?: number;
	/** How many searches are told to be done at a time; `undefined` where nothing is told. */
	finishedAt?: (atMs: number) => number | undefined;
}

/** Looks as planned until the end is seen, with the first look after a second. */
function watch({ lengthMs, estimateMs, finishedAt }: Job, lag: Lag) {
	let looks = 0;
	for (let at = SECOND; ;) {
		looks++;
		at += LATENCY_MS;
		if (at >= lengthMs) return { looks, lateMs: at - lengthMs };
		const finished = finishedAt?.(at);
		const progress = finished === undefined ? undefined : { finished, requested: REQUESTED };
		const delayMs = nextLookMs({ elapsedMs: at, estimateMs, progress }, lag);
		expect(delayMs).toBeLessThanOrEqual(MINUTE);
		at += delayMs;
	}
}

const mostLateMs = (lengthMs: number, { leastMs, share }: Lag) =>
	Math.max(SECOND, Math.min(MINUTE, Math.max(leastMs, share * lengthMs))) + 2 * LATENCY_MS;

const lengths = fc.double({ min: Math.log(2 * SECOND), max: Math.log(4 * HOUR), noNaN: true });

describe.for(lags)('a wait that is %s', ([, lag]) => {
	it('sees the end in time, whatever the service tells', () => {
		const estimates = fc.option(fc.integer({ min: 0, max: 24 * HOUR }), { nil: undefined });
		// What is told at a time: right, a halt, a lie, a count that goes back, or nothing.
		const told = fc.array(fc.option(fc.nat({ max: REQUESTED }), { nil: undefined }), {
			minLength: 1,
			maxLength: 20,
		});
		fc.assert(
			fc.property(lengths, estimates, told, (log, estimateMs, counts) => {
				const lengthMs = Math.round(Math.exp(log));
				const finishedAt = (at: number) =>
					counts[Math.min(counts.length - 1, Math.floor((counts.length * at) / lengthMs))];
				const { lateMs } = watch({ lengthMs, estimateMs, finishedAt }, lag);
				expect(lateMs).toBeLessThanOrEqual(mostLateMs(lengthMs, lag));
			}),
			{ numRuns: 300 },
		);
	});

	it('sees the end within two seconds where a forecast is right', () => {
		fc.assert(
			fc.property(lengths, fc.boolean(), (log, isEstimated) => {
				const lengthMs = Math.min(HOUR, Math.round(Math.exp(log)));
				const finishedAt = (at: number) => Math.floor((REQUESTED * at) / lengthMs);
				const job = isEstimated ? { lengthMs, estimateMs: lengthMs } : { lengthMs, finishedAt };
				// Of an hour, one of 5,000 searches takes 0.7 s.
				expect(watch(job, lag).lateMs).toBeLessThanOrEqual(2 * SECOND + lengthMs / 2_500);
			}),
		);
	});

	it.for([
		['of a minute', MINUTE, 40],
		['of an hour', HOUR, 150],
	] as const)('looks at a job %s no more often than a good guest', ([, lengthMs, most]) => {
		const finishedAt = (at: number) => Math.floor((REQUESTED * at) / lengthMs);
		for (const job of [
			{ lengthMs },
			{ lengthMs, estimateMs: lengthMs },
			{ lengthMs, finishedAt },
		]) {
			expect(watch(job, lag).looks).toBeLessThanOrEqual(most);
		}
	});
});
