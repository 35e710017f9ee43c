import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { isFailure } from '../common/itemErrors';
import { asRecord, asText, isRecord } from '../common/json';
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

/** Fields of the input item that a waiting item of the same names hides, until the resumption. */
const HIDDEN_FIELDS = 'input_fields';
/** What a waiting item says, and the result of who was not found may not. */
const NOT_IN_ALL_RESULTS = 'index';

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
	const items = outputs.flatMap((output) => {
		const own = included?.[output.item]?.json ?? {};
		return toNodeItems(node, [output], included).map((item) => ({
			...item,
			json: isFailure(output)
				? parkedFailure(node, own, item.json)
				: {
						...item.json,
						...(output.json.status === 'ongoing' && hiddenByWaiting(own, output.json)),
					},
		}));
	});
	const until = Math.min(notePauseEnd(context, forMs), WAIT_INDEFINITELY.getTime());
	await context.putExecutionToWait(new Date(until));
	input.length = 0;
	for (const item of items) input.push(item);
	// n8n disables the parked node, and with it all runs of that node that share this object.
	const run = context.getExecuteData();
	run.node = { ...run.node };
	return items;
}

/** It must not look like one that waits, which is known by its status. */
function parkedFailure({ onError }: INode, input: IDataObject, json: IDataObject): IDataObject {
	if (onError === 'continueErrorOutput') return forErrorOutput(json);
	const failure = { ...json };
	delete failure.status;
	return { ...failure, ...hiddenFields(input, { status: undefined }) };
}

function hiddenByWaiting(input: IDataObject, waiting: IDataObject): IDataObject {
	// A search may have no custom data: at the resumption the input's would be taken for it.
	return hiddenFields(input, { custom: undefined, ...waiting });
}

function hiddenFields(input: IDataObject, waiting: IDataObject): IDataObject {
	const names = Object.keys(input).filter(
		(name) =>
			name === HIDDEN_FIELDS ||
			(name in waiting && (input[name] !== waiting[name] || name === NOT_IN_ALL_RESULTS)),
	);
	if (names.length === 0) return {};
	return { [HIDDEN_FIELDS]: Object.fromEntries(names.map((name) => [name, input[name]])) };
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
	const ids = new Set<string>();
	for (const { json } of items) {
		const id = unfinishedId(size, json);
		if (id !== undefined) ids.add(id);
	}
	if (lookup === undefined || ids.size === 0) {
		throw new NodeOperationError(context.getNode(), 'The execution is not waiting for any search');
	}
	return { lookup, size, items, ids: [...ids] };
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

/** The fields of the input item, where they were included: not what is said of the waiting search. */
export function inputFields({ lookup, size }: Parked, json: IDataObject): IDataObject {
	const { [HIDDEN_FIELDS]: hidden, ...fields } = json;
	const search = Object.fromEntries(lookup.fields.map(({ name }) => [name, '']));
	const index = size === 'bulk' ? 0 : undefined;
	for (const name of Object.keys(ongoingItem(lookup, '', search, { index, custom: '' }))) {
		delete fields[name];
	}
	return { ...fields, ...asRecord(hidden) };
}

/** What was not waited for: if it had failed, some fields of its input may be hidden. */
export function withoutHiding(json: IDataObject): IDataObject {
	if (json.status !== undefined) return json;
	const { [HIDDEN_FIELDS]: hidden, ...failure } = json;
	return { ...failure, ...asRecord(hidden) };
}
