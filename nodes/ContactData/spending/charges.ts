import type { SubmissionOutcome } from '../service/submission';

/** For one entry. `service-api.md` section 8 has 0.25 and 50, and plans may differ. */
const LEAST_PRICE = 0.01;
const HIGHEST_PRICE = 10_000;

/**
 * What an answer says that it charged, where that can be true: a charge is believed if it is 0, or
 * from 0.01 to 10,000 credits for each entry; any other counts as unknown.
 */
export function believedCharge(charged: unknown, entries: number): number | undefined {
	if (typeof charged !== 'number') return undefined;
	const price = charged / entries;
	const isPlausible = charged === 0 || (price >= LEAST_PRICE && price <= HIGHEST_PRICE);
	return isPlausible ? charged : undefined;
}

/** What the service says that it charged for a submission, where it says anything that can be true. */
export function chargeOf(outcome: SubmissionOutcome, entries: number): number | undefined {
	if (outcome.kind !== 'accepted') return undefined;
	return believedCharge(outcome.answer.credits_used, entries);
}
