import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Lookup, Search } from '../lookups/types';
import { asText } from '../service/wire';
import type { ItemError } from './asks';

const FOUND = new Set(['valid', 'found']);

export function isFound(qualification: unknown): boolean {
	return FOUND.has(asText(qualification) ?? '');
}

/** A finished single lookup: the service's body, flat (`service.md` 2.4, 2.6, 2.8). */
export function singleResult(id: string, body: IDataObject): IDataObject {
	return { ...body, id, status: 'completed', found: isFound(body.qualification) };
}

/** One result of a finished batch (`service.md` 2.3, 2.5, 2.7). */
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

/** A lookup that is still running: its id, and what was searched, to go on with later. */
export function ongoingItem(
	lookup: Lookup,
	id: string,
	search: Search,
	position: number | undefined,
): IDataObject {
	const echo = lookup.toEcho(search);
	return position === undefined
		? { id, status: 'ongoing', ...echo }
		: { batch_id: id, status: 'ongoing', index: position, ...echo };
}

/** An item that takes the place of a failed one, when the workflow goes on after errors. */
export function errorItem(
	error: ItemError,
	item: number,
	ids: { id?: string; batch_id?: string } = {},
): INodeExecutionData {
	return { json: { error: error.message, ...ids }, error, pairedItem: { item } };
}

/** The result, over the fields of its input item where the user wants them. */
export function withInput(
	context: IExecuteFunctions,
	item: number,
	json: IDataObject,
	includeInput: boolean,
): INodeExecutionData {
	const input = includeInput ? context.getInputData()[item]?.json : undefined;
	return { json: input === undefined ? json : { ...input, ...json }, pairedItem: { item } };
}
