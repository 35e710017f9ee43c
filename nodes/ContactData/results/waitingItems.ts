import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/itemErrors';
import type { Lookup, Search, Size } from '../lookups/types';
import { otherSearchProblem } from './failures';
import { echoedSearch } from './match';
import { isOfAnotherSearch } from './otherSearch';
import { singleResult } from './output';

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
	const search = echoedSearch(lookup, json);
	return Object.keys(search).length > 0 ? search : undefined;
}

/** Whether an item waits for a batch that was started before its run: its place in it nobody knows. */
export function isOfEarlierBatch({ index }: IDataObject): boolean {
	return index === null;
}

/** Equal searches share a result, but each has the custom data that it was asked with. */
export function withCustomOf(waiting: IDataObject, result: IDataObject): IDataObject {
	return waiting.custom === undefined ? result : { ...result, custom: waiting.custom };
}

/** The finished result of a single lookup for an item that names it, waiting for it or not. */
export function resultOfSingle(
	lookup: Lookup,
	id: string,
	body: IDataObject,
	item: IDataObject,
): { json: IDataObject } | { problem: Problem } {
	const result = singleResult(id, body);
	const search = readWaitingSearch(lookup, 'single', id, item);
	if (search === undefined) return { json: result };
	return isOfAnotherSearch(lookup, search, body)
		? { problem: otherSearchProblem(lookup, id) }
		: { json: withCustomOf(item, result) };
}
