import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/itemErrors';
import { asNumber, asRecord, isRecord } from '../common/json';
import type { Lookup } from '../lookups/types';
import { searchKey } from '../spending/plan';
import { isWholeBatch, notListedProblem } from './earlierProblems';
import { unlistedProblem, unmatchedProblem } from './failures';
import { matchResults } from './match';
import { bulkResult, unlistedResult } from './output';
import { isOfEarlierBatch, readWaitingSearch, withCustomOf } from './waitingItems';

/** An item of the node, by the position of its input item. */
export interface PositionedItem {
	item: number;
	json: IDataObject;
}

/**
 * The results of a finished batch, for the items that name it. When these are the items of a wait
 * that was timed out or parked, each gets its own result; else all results stand in a row.
 */
export function resultsOfBatch(
	lookup: Lookup,
	batchId: string,
	body: IDataObject,
	items: PositionedItem[],
): Array<PositionedItem | { item: number; problem: Problem }> {
	const listed = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const [first] = items;
	const waiting = items.flatMap(({ item, json }) => {
		const search = readWaitingSearch(lookup, 'bulk', batchId, json);
		return search === undefined ? [] : [{ item, json, search, key: searchKey(lookup, search) }];
	});
	if (first === undefined || waiting.length < items.length) {
		const { item } = first ?? { item: 0 };
		return listed.map((result) => ({ item, json: bulkResult(batchId, result) }));
	}
	const searches = new Map(waiting.map(({ key, search }) => [key, search]));
	const asked = [...searches.values()];
	const matching = matchResults(lookup, asked, listed);
	const { results, unmatched } = matching;
	const isSureOfAll = isWholeBatch({ searches: asked }, matching, body);
	// Results that fit nobody here may belong to the others of the batch, but not more of them.
	const requested = asNumber(asRecord(body.stats)?.requested) ?? listed.length;
	const unsure = unmatched.length > Math.max(0, requested - searches.size);
	const positions = new Map([...searches.keys()].map((key, position) => [key, position]));
	return waiting.map(({ item, json, search, key }) => {
		const result = results[positions.get(key) ?? -1];
		// Nobody knows whether a batch of another run had this search at all.
		if (result === undefined && isOfEarlierBatch(json) && !isSureOfAll) {
			return { item, problem: notListedProblem(lookup, batchId) };
		}
		if (result === undefined && unsure) {
			return { item, problem: unmatchedProblem(batchId, unmatched.length) };
		}
		const found =
			result === undefined
				? unlistedResult(lookup, batchId, search, body)
				: bulkResult(batchId, result);
		return found === undefined
			? { item, problem: unlistedProblem(batchId) }
			: { item, json: withCustomOf(json, found) };
	});
}
