import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Lookup, Search, Size } from '../lookups/types';
import { asText } from '../common/json';
import type { ItemError } from '../common/itemErrors';

const FOUND = new Set(['valid', 'found']);

export function isFound(qualification: unknown): boolean {
	return FOUND.has(asText(qualification) ?? '');
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

/** The result of a search that its finished batch does not list. */
export function leftOutResult(lookup: Lookup, batchId: string, search: Search): IDataObject {
	return bulkResult(batchId, { ...lookup.toEcho(search), ...lookup.leftOut });
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
 * @param index the place of the search in its batch; `undefined` for a single lookup
 */
export function ongoingItem(
	lookup: Lookup,
	id: string,
	search: Search,
	{ index, custom }: { index?: number; custom?: IDataObject | string },
): IDataObject {
	return {
		...idsOf(index === undefined ? 'single' : 'bulk', id),
		status: 'ongoing',
		...(index !== undefined && { index }),
		...lookup.toEcho(search),
		...(custom !== undefined && { custom }),
	};
}

/** What one input item, or one entry of its list, comes to. */
export type ItemEnd = { item: number; json: IDataObject } | FailedEnd;

export interface FailedEnd {
	item: number;
	error: ItemError;
	/** What was already paid for, where there is something. */
	ids?: { id?: string; batch_id?: string };
}

export function isFailed(end: ItemEnd): end is FailedEnd {
	return 'error' in end;
}

/**
 * The output items, paired with their input items.
 * @param includeInput whether a result stands over the fields of its input item
 */
export function toItems(
	context: IExecuteFunctions,
	ends: ItemEnd[],
	includeInput = false,
): INodeExecutionData[] {
	const input = includeInput ? context.getInputData() : [];
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return ends.map((end) => {
		const { item } = end;
		if (isFailed(end)) return errorItem(end.error, item, end.ids, toErrorOutput);
		return {
			json: includeInput ? { ...input[item]?.json, ...end.json } : end.json,
			pairedItem: item,
		};
	});
}

function errorItem(
	error: ItemError,
	item: number,
	ids: IDataObject | undefined,
	toErrorOutput: boolean,
): INodeExecutionData {
	// n8n's error output copies the item, and with it `json`, only where the pairing is an object.
	const output: INodeExecutionData = { json: toErrorJson(error, ids), pairedItem: { item } };
	// n8n routes by `error`, but where it can be listed it replaces `json`, and the id with it.
	if (toErrorOutput) Object.defineProperty(output, 'error', { value: error, writable: true });
	return output;
}

/** What an item of which something went wrong says, with what was already paid for. */
export function toErrorJson(
	{ message, description }: { message: string; description?: string | null },
	ids: IDataObject = {},
): IDataObject {
	return { error: message, ...(description ? { description } : {}), ...ids };
}
