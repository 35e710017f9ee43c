import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Lookup, Search, Size } from '../lookups/types';
import { asText, isRecord } from '../service/wire';
import { matchResults } from './match';
import type { ItemEnd } from './output';
import { bulkResult, leftOutResult } from './output';
import { searchKey } from './plan';

/**
 * The results of a finished batch, for the items that ask for it. When these are the items of a
 * timed-out wait, each of them gets its own result; else the results stand one after another.
 */
export function resultsOfBatch(
	context: IExecuteFunctions,
	lookup: Lookup,
	batchId: string,
	body: IDataObject,
	items: number[],
): ItemEnd[] {
	const listed = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const input = context.getInputData();
	const waiting = items.map((item) =>
		readWaitingSearch(lookup, 'bulk', batchId, input[item]?.json ?? {}),
	);
	const [first = 0] = items;
	if (!waiting.every((search) => search !== undefined)) {
		return listed.map((result) => ({ item: first, json: bulkResult(batchId, result) }));
	}
	const searches = new Map(waiting.map((search) => [searchKey(lookup, search), search]));
	const keys = [...searches.keys()];
	const { results } = matchResults(lookup, [...searches.values()], listed);
	const resultOf = new Map(keys.map((key, position) => [key, results[position]]));
	return items.map((item, index) => {
		const search = waiting[index] ?? {};
		const result = resultOf.get(searchKey(lookup, search));
		const json =
			result === undefined ? leftOutResult(lookup, batchId, search) : bulkResult(batchId, result);
		return { item, json };
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
	const echo = lookup.echo(json);
	const search: Record<string, string> = {};
	for (const { name } of lookup.fields) {
		const text = asText(echo[name]);
		if (text !== undefined) search[name] = text;
	}
	return Object.keys(search).length > 0 ? search : undefined;
}
