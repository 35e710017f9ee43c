import type { IDataObject } from 'n8n-workflow';
import type { Lookup, Problem, Search, Size } from '../lookups/types';
import { asNumber, asRecord, asText, isRecord } from '../common/json';
import { strangersProblem } from './failures';
import { matchResults } from './match';
import { bulkResult, leftOutResult } from './output';
import { searchKey } from '../spending/plan';

/** An item that asks for a batch, and what is in it. */
export interface Asking {
	item: number;
	json: IDataObject;
}

/** What an item that asks for a batch gets. */
export type Answer = Asking | { item: number; problem: Problem };

/**
 * The results of a finished batch, for the items that ask for it. When these are the items of a
 * wait that was timed out or parked, each gets its own result; else all results stand in a row.
 */
export function resultsOfBatch(
	lookup: Lookup,
	batchId: string,
	body: IDataObject,
	asking: Asking[],
): Answer[] {
	const listed = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const [first] = asking;
	const waiting = asking.flatMap(({ item, json }) => {
		const search = readWaitingSearch(lookup, 'bulk', batchId, json);
		return search === undefined ? [] : [{ item, json, search, key: searchKey(lookup, search) }];
	});
	if (first === undefined || waiting.length < asking.length) {
		const { item } = first ?? { item: 0 };
		return listed.map((result) => ({ item, json: bulkResult(batchId, result) }));
	}
	const searches = new Map(waiting.map(({ key, search }) => [key, search]));
	const { results, strangers } = matchResults(lookup, [...searches.values()], listed);
	// Results that fit nobody here may belong to the rest of the batch, but not more of them.
	const requested = asNumber(asRecord(body.stats)?.requested) ?? listed.length;
	const unsure = strangers.length > Math.max(0, requested - searches.size);
	const positions = new Map([...searches.keys()].map((key, position) => [key, position]));
	return waiting.map(({ item, json, search, key }) => {
		const result = results[positions.get(key) ?? -1];
		if (result === undefined && unsure) {
			return { item, problem: strangersProblem(batchId, strangers.length) };
		}
		const found =
			result === undefined ? leftOutResult(lookup, batchId, search) : bulkResult(batchId, result);
		return { item, json: withCustomOf(json, found) };
	});
}

/** Equal searches share a result, but each has the custom data that it was asked with. */
export function withCustomOf(waiting: IDataObject, result: IDataObject): IDataObject {
	return waiting.custom === undefined ? result : { ...result, custom: waiting.custom };
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
	const echo = lookup.echo(json);
	const search: Record<string, string> = {};
	for (const { name } of lookup.fields) {
		const text = asText(echo[name]);
		if (text !== undefined) search[name] = text;
	}
	return Object.keys(search).length > 0 ? search : undefined;
}
