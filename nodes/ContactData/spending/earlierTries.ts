import type { Lookup, Size } from '../lookups/types';
import type { Ask } from '../input/itemSearches';
import type { Submission } from './plan';
import { nameOf } from './plan';
import type { Receipts } from './receipts';

/**
 * What earlier tries submitted of what the items ask for, and what is left to be planned. A search is
 * known again by itself, in whatever batch it would be now.
 */
export function recall(
	lookup: Lookup,
	size: Size,
	baseUrl: string,
	receipts: Receipts,
	asks: Ask[],
): { recalled: Submission[]; rest: Ask[] } {
	const earlier = receipts.list();
	if (earlier.length === 0) return { recalled: [], rest: asks };
	const asksByName = new Map<string, Ask[]>();
	for (const ask of asks) {
		const name = nameOf(lookup, size, baseUrl, ask);
		const askers = asksByName.get(name);
		if (askers === undefined) asksByName.set(name, [ask]);
		else askers.push(ask);
	}
	const recalled: Submission[] = [];
	for (const { key, names } of earlier) {
		const submission: Submission = { key, names: [], body: {}, searches: [], asks: [] };
		for (const name of names) {
			const askers = asksByName.get(name);
			const [first] = askers ?? [];
			if (askers === undefined || first === undefined) continue;
			asksByName.delete(name);
			submission.names.push(name);
			submission.searches.push(first.search);
			submission.asks.push(askers);
		}
		if (submission.names.length > 0) recalled.push(submission);
	}
	const rest = new Set([...asksByName.values()].flat());
	return { recalled, rest: asks.filter((ask) => rest.has(ask)) };
}
