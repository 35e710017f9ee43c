import { asAmount, asRecord } from '../common/values';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';

/** How far a batch is: `stats.finished` of `stats.requested`. */
export interface Progress {
	finished: number;
	requested: number;
}

/** What a batch counts, as far as it can be true (`service-api.md` 4.4, 4.8, 4.12). */
export interface Counts extends Partial<Progress> {
	found?: number;
	/** In credits: of all its searches, and what is given back for those that found nothing. */
	cost?: number;
	refund?: number;
}

/** In the largest of all batches. */
const MAX_SEARCHES = Object.values(lookups).reduce(
	(most, { batchLimit }) => Math.max(most, batchLimit),
	0,
);

export function readCounts(body: unknown): Counts {
	const record = asRecord(body) ?? {};
	const stats = asRecord(record.stats) ?? record;
	return {
		requested: asCount(stats.requested),
		finished: asCount(stats.finished),
		// Older answers of the phone finder say `valid`.
		found: asCount(stats.found) ?? asCount(stats.valid),
		cost: asAmount(stats.credits_cost),
		refund: asAmount(stats.credits_to_refund),
	};
}

function asCount(value: unknown): number | undefined {
	const count = asAmount(value);
	return count !== undefined && count >= 0 && count <= MAX_SEARCHES && Number.isInteger(count)
		? count
		: undefined;
}

export function progressOf({ finished, requested }: Counts): Progress | undefined {
	if (finished === undefined || requested === undefined || finished > requested) return undefined;
	return { finished, requested };
}

/** Of how many searches a list tells: of one person it may list several numbers. */
export function countListed(results: readonly unknown[]): number {
	return new Set(results.map((result) => asRecord(result)?.index ?? result)).size;
}

/**
 * Whether a batch says by its counts that those whom it does not list were not found: it lists all that
 * it counts as found, or gives back the others' share of its cost. Only some lookups leave them out.
 * @param listed results, which are of so many searches
 */
export function areOthersNotFound(
	{ unlistedResult }: Lookup,
	{ requested = 0, finished = Infinity, found, cost, refund = 0 }: Counts,
	{ listed, searches }: { listed: number; searches: number },
): boolean {
	if (unlistedResult === undefined || finished < requested) return false;
	if (found === searches) return true;
	// What counts numbers, and not people, does not tell.
	const isCountedOtherwise = found !== undefined && found !== listed;
	if (isCountedOtherwise || cost === undefined || refund <= 0) return false;
	return Math.abs((cost * (requested - searches)) / requested - refund) < 0.01;
}
