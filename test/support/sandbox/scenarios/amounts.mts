import type { Scenario, Scenarios } from './types.mts';

const estimated = (change: (minutes: number) => number | undefined): Scenario => ({
	receipt: (body) =>
		typeof body.estimated_duration === 'number'
			? { ...body, estimated_duration: change(body.estimated_duration) }
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
	durationTooShort: estimated((minutes) => minutes / 100),
	durationTooLong: estimated((minutes) => minutes * 100),
	durationAbsent: estimated(() => undefined),
} satisfies Scenarios;
