import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { lookups } from '../lookups';
import type { Lookup, Size } from '../lookups/types';
import { asRecord, asText, isRecord } from '../common/json';
import type { Asking } from '../results/batchResults';
import { readWaitingSearch, resultsOfBatch, withCustomOf } from '../results/batchResults';
import { batchItem, idsOf, singleResult, toErrorJson } from '../results/output';
import type { Finished } from './unfinished';

/** What a parked execution waits for. */
export interface Parked {
	lookup: Lookup;
	size: Size;
	items: INodeExecutionData[];
	/** Ids of what was not finished when the execution was parked, in the order of submission. */
	ids: string[];
}

/**
 * Parks the execution. n8n keeps the node's input meanwhile: it is replaced by the items, so that
 * they are there at the callback, and come out as they are when the time is over.
 */
export async function park(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	forMs: number,
): Promise<void> {
	const input = context.getInputData();
	input.length = 0;
	for (const item of items) input.push({ ...item, json: forOutputs(context.getNode(), item.json) });
	await context.putExecutionToWait(new Date(Date.now() + forMs));
}

/** Reads what `park` left as the node's input. */
export function readParked(context: IWebhookFunctions): Parked {
	const resource = context.getNodeParameter('resource');
	const lookup =
		Object.values(lookups).find(({ name }) => name === resource) ?? lookups.emailFinder;
	const size = context.getNodeParameter('operation') === 'submitBulkAndWait' ? 'bulk' : 'single';
	const input: unknown = context.evaluateExpression('{{ $input.all() }}', 0);
	const items = (Array.isArray(input) ? input : []).filter(isItem);
	const ids = new Set<string>();
	for (const { json } of items) {
		const id = unfinishedId(size, json);
		if (id !== undefined) ids.add(id);
	}
	return { lookup, size, items, ids: [...ids] };
}

/** One item for each parked one, in its place: n8n pairs by position after a resume. */
export function toResumed(
	context: IWebhookFunctions,
	parked: Parked,
	finished: ReadonlyMap<string, Finished>,
): INodeExecutionData[] {
	const options = asRecord(context.getNodeParameter('options', {})) ?? {};
	const results = readResults(parked, finished);
	return parked.items.map(({ json }, item) => {
		const result = results.get(item);
		if (result === undefined) return { json, pairedItem: item };
		const withInput = options.includeInputFields === true && !isError(result);
		const input = withInput ? withoutEcho(parked.lookup, json) : {};
		return { json: forOutputs(context.getNode(), { ...input, ...result }), pairedItem: item };
	});
}

/** n8n, of whatever version, routes a resumed item to the error output when these are its keys. */
function forOutputs({ onError }: INode, json: IDataObject): IDataObject {
	if (onError !== 'continueErrorOutput' || !isError(json)) return json;
	const { error, ...message } = json;
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

/** The results of the parked items that were unfinished, by their places. */
function readResults(
	{ lookup, size, items }: Parked,
	finished: ReadonlyMap<string, Finished>,
): Map<number, IDataObject> {
	const askingById = new Map<string, Asking[]>();
	items.forEach(({ json }, item) => {
		const id = unfinishedId(size, json);
		if (id === undefined) return;
		const asking = askingById.get(id);
		if (asking === undefined) askingById.set(id, [{ item, json }]);
		else asking.push({ item, json });
	});
	const results = new Map<number, IDataObject>();
	for (const [id, asking] of askingById) {
		const end = finished.get(id);
		if (end === undefined) continue;
		for (const { item, json } of endsOf(lookup, size, id, end, asking)) results.set(item, json);
	}
	return results;
}

function endsOf(lookup: Lookup, size: Size, id: string, end: Finished, asking: Asking[]): Asking[] {
	const ids = idsOf(size, id);
	if (end.kind === 'failed') {
		const json = { ...toErrorJson(end.refusal, ids), status: 'failed' };
		return asking.map(({ item }) => ({ item, json }));
	}
	const { body } = end;
	if (size === 'single') {
		const result = singleResult(id, body);
		return asking.map(({ item, json }) => ({ item, json: withCustomOf(json, result) }));
	}
	// A parked list stands for its whole batch, and says nothing of single searches.
	if (asking.some(({ json }) => readWaitingSearch(lookup, 'bulk', id, json) === undefined)) {
		return asking.map(({ item }) => ({ item, json: batchItem(id, body) }));
	}
	return resultsOfBatch(lookup, id, body, asking).map((result) =>
		'json' in result ? result : { item: result.item, json: toErrorJson(result.problem, ids) },
	);
}

/** The input's own fields, without what the waiting item said of its search. */
function withoutEcho(lookup: Lookup, json: IDataObject): IDataObject {
	const own = { ...json };
	for (const key of [...Object.keys(lookup.toEcho({})), 'index']) delete own[key];
	return own;
}
