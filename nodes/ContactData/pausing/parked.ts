import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { isFailure } from '../common/errors';
import { asRecord, asText, isRecord } from '../common/values';
import { findLookup } from '../lookups';
import type { Lookup, Size } from '../lookups/types';
import type { ItemOutput } from '../results/items';
import { ongoingItem, toNodeItems } from '../results/items';
import { notePauseEnd } from './pauseEnd';

/** What a parked execution waits for. */
export interface Parked {
	lookup: Lookup;
	size: Size;
	items: INodeExecutionData[];
	/** Ids of what was not finished when the execution was parked, in the order of submission. */
	ids: string[];
}

/** Where a waiting item, which may hide some of them, keeps the fields of its input until the resumption. */
const INPUT_FIELDS = 'input_fields';

/**
 * Parks the execution. n8n keeps the node's input meanwhile: it is replaced by the items, so that
 * they are there at the callback, and come out as they are when the time is over.
 * @param outputs one for each input item, which stands under it where its fields are included
 */
export async function park(
	context: IExecuteFunctions,
	outputs: ItemOutput[],
	includeInput: boolean,
	forMs: number,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const input = context.getInputData();
	const included = includeInput ? input : undefined;
	const items = outputs.flatMap((output) =>
		toNodeItems(node, [output], included).map((item) => {
			const own = included?.[output.item]?.json;
			return { ...item, json: parkedJson(node, output, item.json, own) };
		}),
	);
	const until = Math.min(notePauseEnd(context, forMs), WAIT_INDEFINITELY.getTime());
	await context.putExecutionToWait(new Date(until));
	input.length = 0;
	for (const item of items) input.push(item);
	// n8n disables the parked node, and with it all runs of that node that share this object.
	const run = context.getExecuteData();
	run.node = { ...run.node };
	return items;
}

function parkedJson(
	{ onError }: INode,
	output: ItemOutput,
	json: IDataObject,
	own: IDataObject | undefined,
): IDataObject {
	const keeping = own === undefined ? json : { ...json, [INPUT_FIELDS]: own };
	if (!isFailure(output)) return output.json.status === 'ongoing' ? keeping : json;
	if (onError === 'continueErrorOutput') return forErrorOutput(json);
	if (json.status === undefined && json[INPUT_FIELDS] === undefined) return json;
	// It must not look like one that waits, which is known by its status.
	const failure = { ...keeping };
	delete failure.status;
	return failure;
}

/**
 * The fields of its input that a parked item keeps: not what is said of the waiting search. Version 0.2.0
 * kept only those apart that are hidden.
 */
export function inputFields({ lookup, size }: Parked, json: IDataObject): IDataObject {
	const { [INPUT_FIELDS]: own, ...fields } = json;
	const search = Object.fromEntries(lookup.fields.map(({ name }) => [name, '']));
	// A single lookup has one where an item has named it.
	const index = size === 'bulk' || fields.index === null ? null : undefined;
	const waiting = ongoingItem({ lookup, size }, '', search, { index, custom: '' });
	for (const name of Object.keys(waiting)) delete fields[name];
	return { ...fields, ...asRecord(own) };
}

/** A parked item that was not waited for, as it comes out: a failed one gets back what it has hidden. */
export function withInputFields(json: IDataObject): IDataObject {
	if (json.status !== undefined) return json;
	const { [INPUT_FIELDS]: own, ...failure } = json;
	return { ...asRecord(own), ...failure };
}

/**
 * Reads what `park` left as the node's input.
 * @throws NodeOperationError when no lookup is waited for
 */
export function readParked(context: IWebhookFunctions): Parked {
	const lookup = findLookup(context.getNodeParameter('resource'));
	const size = context.getNodeParameter('operation') === 'submitBulkAndWait' ? 'bulk' : 'single';
	const input: unknown = context.evaluateExpression('{{ $input.all() }}', 0);
	const items = (Array.isArray(input) ? input : []).filter(isItem);
	const ids = waitedIds(size, items);
	if (lookup === undefined || ids.length === 0) {
		throw new NodeOperationError(context.getNode(), 'The execution is not waiting for any search');
	}
	return { lookup, size, items, ids };
}

/** What parked items wait for, in the order of submission. */
export function waitedIds(size: Size, items: INodeExecutionData[]): string[] {
	return [...new Set(items.flatMap(({ json }) => unfinishedId(size, json) ?? []))];
}

/** n8n, of whatever version, routes a resumed item to the error output when these are its keys. */
export function forErrorOutput({ error, ...message }: IDataObject): IDataObject {
	return { error, message };
}

function isItem(value: unknown): value is INodeExecutionData {
	return isRecord(value) && isRecord(value.json);
}

/** The id of the lookup or batch that a parked item waits for. */
export function unfinishedId(size: Size, json: IDataObject): string | undefined {
	if (json.status !== 'ongoing') return undefined;
	return asText(size === 'single' ? json.id : json.batch_id);
}
