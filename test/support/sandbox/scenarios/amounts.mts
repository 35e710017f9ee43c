import { isObject, without } from '../payload.mts';
import type { JsonObject, Job } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

/** By default in whole minutes, rounded up. */
const estimated = (change: (minutes: number) => number | undefined): Scenario => ({
	receipt: (body, job) => {
		if (body.estimated_duration === undefined) return body;
		const minutes = (job.completesAt - job.startedAt) / 60_000;
		return { ...body, estimated_duration: change(Number(minutes.toFixed(4))) };
	},
});

/** The figures of a phone batch that is completed. */
const phoneStats = (change: (stats: JsonObject, job: Job) => JsonObject): Scenario => ({
	result: (body, job) =>
		job.kind === 'phoneFinderBulk' && job.outcome === 'completed' && isObject(body.stats)
			? { ...body, stats: change(body.stats, job) }
			: body,
});

/** Figures: credits, and how long a batch takes. */
export const AMOUNTS = {
	/** What it cost is in `credits` alone. */
	creditsUsedMissing: {
		receipt: ({ credits_used: amount, ...body }) => ({
			...body,
			credits: body.credits ?? { amount },
		}),
	},
	durationZero: estimated(() => 0),
	durationExact: estimated((minutes) => minutes),
	durationTooShort: estimated((minutes) => minutes / 100),
	durationTooLong: estimated((minutes) => minutes * 100),
	durationAbsent: estimated(() => undefined),

	/** Older pages have both: what was found under another name, and what it cost instead of a refund. */
	phoneStatsValid: phoneStats(({ found, ...stats }) => ({ ...stats, valid: found })),
	phoneStatsWithoutRefund: phoneStats((stats, { price }) => ({
		...without(stats, 'credits_to_refund'),
		credits_cost: Number(stats.found ?? stats.valid) * price,
	})),
} satisfies Scenarios;
