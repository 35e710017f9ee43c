import { isObject, objectAt, without } from '../payload.mts';
import type { JsonObject } from '../types.mts';
import type { Scenario, Scenarios } from './types.mts';

const AMOUNT =
	/^(credits|credits_used|credits_cost|credits_to_refund|amount|fromSub|fromPaygo|initial|refunded|final)$/;

function inText(value: JsonObject): JsonObject {
	const entries = Object.entries(value).map(([key, field]): [string, unknown] => {
		if (isObject(field)) return [key, inText(field)];
		return [key, typeof field === 'number' && AMOUNT.test(key) ? String(field) : field];
	});
	return Object.fromEntries(entries);
}

const verifierCost = (change: (cost: number) => unknown): Scenario => ({
	result: (body, { kind, searches, price }) =>
		kind === 'emailVerifierBulk' && isObject(body.stats) && 'credits_cost' in body.stats
			? { ...body, stats: { ...body.stats, credits_cost: change(searches.length * price) } }
			: body,
});

/** `mixed` is documented for the single phone search alone. */
const paidFrom = (source: 'paygo' | 'mixed'): Scenario => ({
	receipt: (body, { kind }) => {
		const { credits } = body;
		if (!isObject(credits) || typeof credits.amount !== 'number') return body;
		if (source === 'mixed' && kind !== 'phoneFinderSingle') return body;
		const { amount } = credits;
		const fromSub = source === 'mixed' ? amount / 2 : 0;
		return {
			...body,
			credits: { amount, source, split: { fromSub, fromPaygo: amount - fromSub } },
		};
	},
});

const estimated = (change: (minutes: number) => number | undefined): Scenario => ({
	receipt: (body) =>
		typeof body.estimated_duration === 'number'
			? { ...body, estimated_duration: change(body.estimated_duration) }
			: body,
});

/** Figures: credits, and how long a batch takes. */
export const AMOUNTS = {
	creditsFromPaygo: paidFrom('paygo'),
	creditsMixed: paidFrom('mixed'),
	/** What it cost is in `credits` alone. */
	creditsUsedMissing: {
		receipt: ({ credits_used: amount, ...body }) => ({
			...body,
			credits: body.credits ?? { amount },
		}),
	},
	verifierCostBreakdown: verifierCost((cost) => ({ initial: cost, refunded: 0, final: cost })),
	verifierCostAbsent: verifierCost(() => undefined),
	/** An older page has it. */
	phoneStatsValid: {
		result: (body, { kind }) => {
			const stats = objectAt(body, 'stats');
			return kind === 'phoneFinderBulk' && 'found' in stats
				? { ...body, stats: { ...without(stats, 'found'), valid: stats.found } }
				: body;
		},
	},
	amountsAsText: {
		receipt: inText,
		result: inText,
		info: (body) => ({ status: 200, body: inText(body) }),
	},
	durationZero: estimated(() => 0),
	durationTooShort: estimated((minutes) => minutes / 100),
	durationTooLong: estimated((minutes) => minutes * 100),
	durationAbsent: estimated(() => undefined),
} satisfies Scenarios;
