import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asAmount, asRecord } from '../common/values';
import type { Lookup, Search } from '../lookups/types';
import type { EndedFate } from '../service/state';
import { isEndedEntry } from '../service/state';
import { bulkResult, singleResult, unlistedResult } from './items';
import type { Batch } from './match';
import { isOfAnotherSearch, matchResults } from './match';
import { lookupProblem, otherSearchProblem, unlistedProblem, unmatchedProblem } from './problems';

/** What a search gets of its lookup or batch that has ended: its result, or why it has none. */
export type Result = { json: IDataObject } | { problem: Problem };

/** What a single lookup that has ended says of the search that waits for it. */
export function resultOfLookup(
	lookup: Lookup,
	id: string,
	search: Search,
	fate: EndedFate,
	{ isEarlier, isDoubtful }: { isEarlier: boolean; isDoubtful: boolean },
): Result {
	if (fate.kind === 'failed') return { problem: lookupProblem(fate, id, isEarlier) };
	return isOfAnotherSearch(lookup, search, fate.body, isDoubtful)
		? { problem: otherSearchProblem(lookup, id, isEarlier) }
		: { json: singleResult(id, fate.body) };
}

/** What a batch that has ended says of each of the searches that wait for it. */
export function resultsOfSearches(
	lookup: Lookup,
	id: string,
	batch: Batch & { isEarlier: boolean },
	{ body, ...fate }: EndedFate,
): Result[] {
	const { searches, isEarlier } = batch;
	const all = Array.isArray(body.results) ? body.results : [];
	// A batch that failed gives what it had finished before.
	const listed = fate.kind === 'failed' ? all.filter(isEndedEntry) : all;
	const requested = asAmount(asRecord(body.stats)?.requested);
	// Where only what was found is listed, the list does not tell how many were sent.
	const lists = lookup.unlistedResult === undefined ? listed.length : undefined;
	const size = batch.size ?? requested ?? lists;
	const { results, unmatched } = matchResults(lookup, { ...batch, size }, listed);
	// Results that fit nobody here may belong to the others of the batch, but not more of them. Nobody
	// knows whether a batch of another run had a search at all, unless it was asked for exactly so many.
	const others = Math.max(0, (size ?? listed.length) - searches.length);
	const isSureOfAll = isEarlier
		? unmatched.length === 0 && requested === searches.length
		: unmatched.length <= others;
	return searches.map((search, position) => {
		const result = results[position];
		if (result !== undefined) return { json: bulkResult(id, result) };
		if (fate.kind === 'failed') return { problem: lookupProblem(fate, id, isEarlier) };
		const unlisted = isSureOfAll ? unlistedResult(lookup, id, search, body) : undefined;
		if (unlisted !== undefined) return { json: unlisted };
		return isEarlier || isSureOfAll
			? { problem: unlistedProblem(lookup, id, isEarlier) }
			: { problem: unmatchedProblem(id, unmatched.length) };
	});
}
