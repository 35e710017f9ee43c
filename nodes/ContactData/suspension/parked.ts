import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import type { Problem } from '../common/itemErrors';
import { isFailure } from '../common/itemErrors';
import { asRecord, asText, isRecord } from '../common/json';
import { findLookup } from '../lookups';
import type { Lookup, Size } from '../lookups/types';
import type { PositionedItem } from '../results/batchResults';
import { resultsOfBatch } from '../results/batchResults';
import type { ItemOutput } from '../results/output';
import {
	batchItem,
	idsOf,
	isFound,
	ongoingItem,
	toErrorJson,
	toNodeItems,
} from '../results/output';
import { readRefund } from '../results/summary';
import { readWaitingSearch, resultOfSingle } from '../results/waitingItems';
import type { FinalReading } from '../waiting/readState';

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
	const included = includeInput ? [...input] : undefined;
	const items = outputs.flatMap((output) => {
		const own = included?.[output.item]?.json ?? {};
		return toNodeItems(node, [output], included).map((item) => ({
			...item,
			json: isFailure(output)
				? parkedFailure(node, own, item.json)
				: { ...item.json, ...(output.json.status === 'ongoing' && hiddenFields(own, output.json)) },
		}));
	});
	const until = Math.min(Date.now() + forMs, WAIT_INDEFINITELY.getTime());
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
	const { status, ...failure } = json;
	return { ...failure, ...hiddenFields(input, status === undefined ? {} : { status: '' }) };
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
		throw new NodeOperationError(context.getNode(), 'The execution does not wait for anything');
	}
	return { lookup, size, items, ids: [...ids] };
}

/** What comes out of a parked execution. */
interface Resumed {
	/** One for each parked one, at its position: n8n pairs by position after a resume. */
	items: INodeExecutionData[];
	found: number;
	/** Credits, as the service says. */
	refunds: number[];
}

/** Puts the results in the places of what was waited for. */
export function toResumed(
	context: IWebhookFunctions,
	parked: Parked,
	finished: ReadonlyMap<string, FinalReading>,
): Resumed {
	const results = readResults(parked, finished);
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const items = parked.items.map(({ json }, item) => {
		const result = results.get(item);
		if (result === undefined) return { json: withoutHiding(json), pairedItem: item };
		const whole = { ...inputFields(parked, json), ...result };
		return {
			json: toErrorOutput && isError(result) ? forErrorOutput(whole) : whole,
			pairedItem: item,
		};
	});
	const found = [...results.values()].reduce((sum, result) => sum + countFound(result), 0);
	const earlier = earlierIds(parked);
	const refunds = parked.ids.flatMap((id) => {
		const reading = finished.get(id);
		return reading?.kind === 'completed' && !earlier.has(id) ? [readRefund(reading.body)] : [];
	});
	return { items, found, refunds };
}

/** Of batches that were not started by this execution: its items have no place in them. */
function earlierIds({ lookup, size, items }: Parked): Set<string> {
	const ids = items.flatMap(({ json }) => {
		const id = size === 'bulk' && json.index === undefined ? unfinishedId(size, json) : undefined;
		return id !== undefined && readWaitingSearch(lookup, size, id, json) !== undefined ? [id] : [];
	});
	return new Set(ids);
}

/** In a result, or in a batch that stands for its list. */
function countFound({ found, results }: IDataObject): number {
	if (found !== undefined || !Array.isArray(results)) return found === true ? 1 : 0;
	return results.filter((result) => isRecord(result) && isFound(result.qualification)).length;
}

/** n8n, of whatever version, routes a resumed item to the error output when these are its keys. */
function forErrorOutput({ error, ...message }: IDataObject): IDataObject {
	return { error, message };
}

function isError({ error, status }: IDataObject): boolean {
	return error !== undefined && status !== 'completed' && status !== 'ongoing';
}

function isItem(value: unknown): value is INodeExecutionData {
	return isRecord(value) && isRecord(value.json);
}

function unfinishedId(size: Size, json: IDataObject): string | undefined {
	if (json.status !== 'ongoing') return undefined;
	return asText(size === 'single' ? json.id : json.batch_id);
}

/** The results of the parked items that were unfinished, by their positions. */
function readResults(
	parked: Parked,
	finished: ReadonlyMap<string, FinalReading>,
): Map<number, IDataObject> {
	const itemsById = new Map<string, PositionedItem[]>();
	parked.items.forEach(({ json }, item) => {
		const id = unfinishedId(parked.size, json);
		if (id === undefined) return;
		const waiting = itemsById.get(id);
		if (waiting === undefined) itemsById.set(id, [{ item, json }]);
		else waiting.push({ item, json });
	});
	const results = new Map<number, IDataObject>();
	for (const [id, waiting] of itemsById) {
		const reading = finished.get(id);
		if (reading === undefined) continue;
		for (const { item, json } of resultsOf(parked, id, reading, waiting)) results.set(item, json);
	}
	return results;
}

function resultsOf(
	{ lookup, size, items }: Parked,
	id: string,
	reading: FinalReading,
	waiting: PositionedItem[],
): PositionedItem[] {
	const errorJson = (problem: Problem, item: number) => {
		const { json = {} } = items[item] ?? {};
		const search = readWaitingSearch(lookup, size, id, json);
		return toErrorJson(problem, { item, search, ids: idsOf(size, id) });
	};
	if (reading.kind === 'failed') {
		return waiting.map(({ item }) => ({
			item,
			json: { ...errorJson(reading.refusal, item), status: 'failed' },
		}));
	}
	const { body } = reading;
	if (size === 'single') {
		return waiting.map(({ item, json }) => {
			const result = resultOfSingle(lookup, id, body, json);
			return { item, json: 'problem' in result ? errorJson(result.problem, item) : result.json };
		});
	}
	// A parked list stands for its whole batch, and says nothing of single searches.
	if (waiting.some(({ json }) => readWaitingSearch(lookup, 'bulk', id, json) === undefined)) {
		return waiting.map(({ item }) => ({ item, json: batchItem(id, body) }));
	}
	return resultsOfBatch(lookup, id, body, waiting).map((result) =>
		'json' in result ? result : { ...result, json: errorJson(result.problem, result.item) },
	);
}

/** The fields of the input item, where they were included: not what is said of the waiting search. */
function inputFields({ lookup, size }: Parked, json: IDataObject): IDataObject {
	const { [HIDDEN_FIELDS]: hidden, ...fields } = json;
	const search = Object.fromEntries(lookup.fields.map(({ name }) => [name, '']));
	const index = size === 'bulk' ? 0 : undefined;
	for (const name of Object.keys(ongoingItem(lookup, '', search, { index, custom: '' }))) {
		delete fields[name];
	}
	return { ...fields, ...asRecord(hidden) };
}

/** What was not waited for: if it had failed, some fields of its input may be hidden. */
function withoutHiding(json: IDataObject): IDataObject {
	if (json.status !== undefined) return json;
	const { [HIDDEN_FIELDS]: hidden, ...failure } = json;
	return { ...failure, ...asRecord(hidden) };
}
