import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { ItemFailure, Problem } from '../common/errors';
import { isFailure } from '../common/errors';
import { asRecord, asText, isRecord } from '../common/values';
import type { Lookup, Search, Size } from '../lookups/types';
import type { EndedFate } from '../service/state';
import { countFound, isEndedEntry } from '../service/state';
import { explain, situationOf, toError } from './explain';

const FOUND = new Set(['valid', 'found']);

export function isFound(qualification: unknown): boolean {
	return FOUND.has(asText(qualification)?.trim().toLowerCase() ?? '');
}

/** A finished single lookup: the service's body, flat (`service-api.md` 2.4, 2.6, 2.8). */
export function singleResult(id: string, body: IDataObject): IDataObject {
	return { ...body, id, status: 'completed', found: isFound(body.qualification) };
}

/** One result of a finished batch (`service-api.md` 2.3, 2.5, 2.7). */
export function bulkResult(batchId: string, result: IDataObject): IDataObject {
	return {
		...result,
		batch_id: batchId,
		status: 'completed',
		found: isFound(result.qualification),
	};
}

/**
 * The result of a search that its finished batch does not list; `undefined` where it should list all,
 * or says that it found more than it lists.
 */
export function unlistedResult(
	lookup: Lookup,
	batchId: string,
	search: Search,
	body: IDataObject,
): IDataObject | undefined {
	if (lookup.unlistedResult === undefined) return undefined;
	const listed = Array.isArray(body.results) ? body.results.length : 0;
	if ((countFound(body) ?? listed) > listed) return undefined;
	return bulkResult(batchId, { ...lookup.toEcho(search), ...lookup.unlistedResult });
}

/** The name under which the id of a lookup or a batch is given out. */
export function idsOf(size: Size, id: string): { id?: string; batch_id?: string } {
	return size === 'single' ? { id } : { batch_id: id };
}

/** A finished batch in one item (`service-api.md` 4.4, 4.8, 4.12). */
export function batchItem(batchId: string, body: IDataObject): IDataObject {
	return { ...body, batch_id: batchId, status: 'completed' };
}

/**
 * A lookup that still runs: its id, and what was searched, to go on with later.
 * @param index which of its batch's searches it is; `null` for a batch that was started before, of
 *   which nobody knows that; `undefined` for a single lookup
 */
export function ongoingItem(
	{ lookup, size }: { lookup: Lookup; size: Size },
	id: string,
	search: Search,
	{ index, custom }: { index?: number | null; custom?: IDataObject | string },
): IDataObject {
	return {
		...idsOf(size, id),
		status: 'ongoing',
		...(index !== undefined && { index }),
		...lookup.toEcho(search),
		...(custom !== undefined && { custom }),
	};
}

/** The search that a result is of, as far as it is known, and what it was asked with. */
export interface AskedFor {
	search?: Search;
	settings?: IDataObject;
}

/** What an item gives out; `asked` where it is the result of one search. */
export interface ItemResult {
	item: number;
	json: IDataObject;
	asked?: AskedFor;
}

/** What one input item, or one entry of its list, comes to. */
export type ItemOutput = ItemResult | ItemFailure;

/**
 * All results of a batch that has ended, for one item. A workflow goes on with one where there are
 * none, as of a phone batch that found nobody; of a batch that failed they are what it had finished.
 */
export function listedResults(
	lookup: Lookup,
	batchId: string,
	{ kind, body }: EndedFate,
	item: number,
): ItemResult[] {
	const all = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const listed = kind === 'failed' ? all.filter(isEndedEntry) : all;
	if (listed.length > 0 || kind === 'failed') {
		return listed.map((result) => ({ item, json: bulkResult(batchId, result), asked: {} }));
	}
	const stats = asRecord(body.stats);
	const json = bulkResult(batchId, { ...lookup.unlistedResult, ...(stats && { stats }) });
	return [{ item, json }];
}

/** A failure says of which search it is. */
export function ofSearch(search: Search, output: ItemOutput): ItemOutput {
	return isFailure(output) ? { ...output, search } : output;
}

/**
 * The items that the node gives out, paired with its input items.
 * @param input the input items, where their fields are to stand under those of the results
 */
export function toNodeItems(
	node: INode,
	outputs: ItemOutput[],
	input?: INodeExecutionData[],
): INodeExecutionData[] {
	return outputs.map((output) => {
		const own = input?.[output.item]?.json;
		if (isFailure(output)) return errorItem(node, output, own);
		const { item, json } = output;
		return { json: over(own, json), pairedItem: item };
	});
}

/**
 * What an item gives over the fields of its input. What a simplified result does not know, which then
 * has one ID and `null` for the other, hides none of them.
 */
export function over(own: IDataObject | undefined, json: IDataObject): IDataObject {
	const given = { ...own, ...json };
	if (json.id !== null && json.batch_id !== null) return given;
	for (const name in own) {
		if (given[name] === null) given[name] = own[name];
	}
	return given;
}

function errorItem(
	node: INode,
	failure: ItemFailure,
	own: IDataObject | undefined,
): INodeExecutionData {
	const { item, problem } = failure;
	// n8n's error output copies the item, and with it `json`, only where the pairing is an object.
	const output: INodeExecutionData = {
		json: { ...own, ...toErrorJson(problem, failure) },
		pairedItem: { item },
	};
	// n8n routes by `error`, but where it can be listed it replaces `json`, and the id with it.
	if (node.onError === 'continueErrorOutput') {
		const error = toError(node, failure);
		Object.defineProperty(output, 'error', { value: error, writable: true });
	}
	return output;
}

/** Whether an item says that something went wrong; a result has a status. */
export function isErrorJson({ error, status }: IDataObject): boolean {
	return error !== undefined && status === undefined;
}

/** What an item of which something went wrong says: which one it is, and what was already paid for. */
export function toErrorJson(
	problem: Problem,
	{ item, search, ids, paid, told }: Omit<ItemFailure, 'problem'>,
): IDataObject {
	const description = explain(problem, situationOf({ problem, ids, paid }));
	return {
		error: problem.message,
		...(description !== '' && { description }),
		item,
		...(search !== undefined && { search }),
		...told,
		...ids,
	};
}
