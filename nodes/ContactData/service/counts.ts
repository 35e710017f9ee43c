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
 * Whether those whom a finished batch does not list were not found. Only some lookups leave them out, and a
 * batch that counts more as found than it lists has left out others.
 * @param listed results
 */
export function areOthersNotFound(
	{ unlistedResult }: Lookup,
	{ found = 0 }: Counts,
	listed: number,
): boolean {
	return unlistedResult !== undefined && found <= listed;
}
