import type { IDataObject } from 'n8n-workflow';
import { asNumber, asRecord } from '../common/values';
import type { Lookup, Search, Size } from '../lookups/types';
import type { EndedFate } from '../service/state';
import { searchKey } from '../spending/plan';
import type { ItemOutput } from './items';
import { listedResults, singleResult } from './items';
import { echoedSearch } from './match';
import type { Result } from './ofBodies';
import { resultOfLookup, resultsOfSearches } from './ofBodies';
import { lookupProblem, unlistedProblem } from './problems';

/** An item that names a lookup or a batch, by its position. */
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
	fate: EndedFate,
	items: PositionedItem[],
): ItemOutput[] {
	const waiting = items.flatMap(({ item, json }) => {
		const search = readWaitingSearch(lookup, 'bulk', batchId, json);
		return search === undefined ? [] : [{ item, json, search, key: searchKey(lookup, search) }];
	});
	const [first] = items;
	if (first === undefined || waiting.length < items.length) {
		const { item } = first ?? { item: 0 };
		const results = listedResults(lookup, batchId, fate, item);
		if (fate.kind === 'completed') return results;
		const stats = asRecord(fate.body.stats);
		const problem = lookupProblem(fate, batchId, false);
		return [...results, { item, problem, told: stats && { stats } }];
	}
	const distinct = [...new Map(waiting.map((one) => [one.key, one])).values()];
	const places = distinct.flatMap(({ json }) => asNumber(json.index) ?? []);
	const isOrdered = new Set(places).size === distinct.length;
	const isEarlier = distinct.some(({ json }) => isOfEarlierSearch(json));
	const results = resultsOfSearches(
		lookup,
		batchId,
		{
			searches: distinct.map(({ search }) => search),
			places: isOrdered ? places : undefined,
			isEarlier,
			isDoubtful: isEarlier || !isOrdered,
		},
		fate,
	);
	const byKey = new Map(distinct.map(({ key }, position) => [key, results[position]]));
	return waiting.map(({ item, json, search, key }) => {
		const result = byKey.get(key) ?? { problem: unlistedProblem(lookup, batchId, false) };
		return toOutput(item, json, search, result);
	});
}

function toOutput(item: number, waiting: IDataObject, search: Search, result: Result): ItemOutput {
	return 'json' in result
		? { item, json: withCustomOf(waiting, result.json), asked: { search } }
		: { item, ...result };
}

/** The result of a single lookup that has ended, for each item that names it, waiting for it or not. */
export function resultsOfSingle(
	lookup: Lookup,
	id: string,
	fate: EndedFate,
	items: PositionedItem[],
): ItemOutput[] {
	const searches = items.map(({ json }) => readWaitingSearch(lookup, 'single', id, json));
	const keys = new Set(
		searches.flatMap((search) => (search === undefined ? [] : searchKey(lookup, search))),
	);
	return items.map(({ item, json }, position) => {
		const search = searches[position];
		if (search === undefined && fate.kind === 'completed') {
			return { item, json: singleResult(id, fate.body), asked: {} };
		}
		const isEarlier = isOfEarlierSearch(json);
		const doubts = { isEarlier, isDoubtful: isEarlier || keys.size > 1 };
		const result = resultOfLookup(lookup, id, search ?? {}, fate, doubts);
		return toOutput(item, json, search ?? {}, result);
	});
}

/** The search of an item that a timed-out wait for this id gave out; `undefined` for any other. */
export function readWaitingSearch(
	lookup: Lookup,
	size: Size,
	id: string,
	json: IDataObject,
): Search | undefined {
	if ((size === 'single' ? json.id : json.batch_id) !== id || json.status !== 'ongoing') {
		return undefined;
	}
	// A receipt says nothing of its search: what looks like that is of the user's own columns.
	if (json.credits_used !== undefined) return undefined;
	const search = echoedSearch(lookup, json);
	return Object.keys(search).length > 0 ? search : undefined;
}

/** Whether an item waits for what was started before its run: nobody knows whether it is the item's. */
export function isOfEarlierSearch({ index }: IDataObject): boolean {
	return index === null;
}

/** Equal searches share a result, but each has the custom data that it was asked with. */
function withCustomOf(waiting: IDataObject, result: IDataObject): IDataObject {
	return waiting.custom === undefined ? result : { ...result, custom: waiting.custom };
}
