import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import { getAccount } from '../service/account';
import { toApiError } from '../service/refusals';
import { asRecord } from '../common/json';
import { readWaitingSearch, resultsOfBatch, withCustomOf } from '../results/batchResults';
import { timeoutError } from '../results/failures';
import { problemError } from '../common/itemErrors';
import type { FailedEnd, ItemEnd } from '../results/output';
import { batchItem, idsOf, isFailed, singleResult, toItems } from '../results/output';
import { Parameters } from '../input/parameters';
import { readRunOptions } from '../input/runOptions';
import { lookAtAll, waitForAll } from '../waiting/wait';

/** Operation Get Result: the results of single lookups that were started before. */
export async function getResult(
	context: IExecuteFunctions,
	lookup: Lookup,
): Promise<INodeExecutionData[]> {
	const input = context.getInputData();
	return await readIds(context, lookup, 'single', (id, body, items) =>
		items.map((item) => {
			const asking = input[item]?.json ?? {};
			const result = singleResult(id, body);
			const isWaiting = readWaitingSearch(lookup, 'single', id, asking) !== undefined;
			return { item, json: isWaiting ? withCustomOf(asking, result) : result };
		}),
	);
}

/** Operation Get Bulk Results: the results of batches that were started before. */
export async function getBulkResult(
	context: IExecuteFunctions,
	lookup: Lookup,
): Promise<INodeExecutionData[]> {
	const parameters = new Parameters(context);
	const input = context.getInputData();
	return await readIds(context, lookup, 'bulk', (id, body, items) => {
		const [first = 0] = items;
		if (parameters.get('splitResults', first) !== false) {
			const asking = items.map((item) => ({ item, json: input[item]?.json ?? {} }));
			return resultsOfBatch(lookup, id, body, asking).map((answer) => {
				if ('json' in answer) return answer;
				const { item, problem } = answer;
				return { item, ids: idsOf('bulk', id), error: problemError(context, problem, item) };
			});
		}
		return [{ item: first, json: batchItem(id, body) }];
	});
}

/**
 * Reads each id once, however many items ask for it.
 * @param toEnds the ends of the items that ask for a finished id
 */
async function readIds(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	toEnds: (id: string, body: IDataObject, items: number[]) => ItemEnd[],
): Promise<INodeExecutionData[]> {
	const { waitForResult, timeoutMs, onTimeout } = readRunOptions(context, size);
	const account = await getAccount(context);
	const { itemsById, errors } = readIdParameters(context, size);
	const [wrong] = errors;
	if (wrong !== undefined && !context.continueOnFail()) throw wrong.error;

	const signal = context.getExecutionCancelSignal();
	const options = { caller: context, account, lookup, size, signal };
	const ids = [...itemsById.keys()];
	// What was started earlier may be finished by now: it is looked at without delay.
	const watched = ids.map((id) => ({ id, startedAt: Date.now() }));
	const ends = waitForResult
		? await waitForAll({ ...options, timeoutMs, firstDelayMs: 0 }, watched)
		: await lookAtAll(options, ids);

	const endOf = (id: string, item: number): ItemEnd => {
		const end = ends.get(id);
		if (end?.kind === 'failed') {
			// How to pick the id up again is what the user is doing already.
			const error = toApiError(context.getNode(), end.refusal, item);
			return { item, ids: idsOf(size, id), error };
		}
		const fault = end?.kind === 'ongoing' ? end.lastFault : undefined;
		if (waitForResult && end?.kind === 'ongoing' && onTimeout === 'error') {
			const error = timeoutError(context, lookup, size, id, timeoutMs, fault, item);
			return { item, ids: idsOf(size, id), error };
		}
		const body = end?.kind === 'ongoing' ? asRecord(end.body) : undefined;
		return { item, json: stillOngoing(context, lookup, size, id, body, item) };
	};
	const itemEnds: ItemEnd[] = [...errors];
	for (const [id, items] of itemsById) {
		const end = ends.get(id);
		const itsEnds =
			end?.kind === 'completed'
				? toEnds(id, end.body, items)
				: items.map((item) => endOf(id, item));
		for (const itemEnd of itsEnds) itemEnds.push(itemEnd);
	}
	const failed = itemEnds.find(isFailed);
	if (failed !== undefined && !context.continueOnFail()) throw failed.error;
	return toItems(
		context,
		itemEnds.sort((a, b) => a.item - b.item),
	);
}

function readIdParameters(
	context: IExecuteFunctions,
	size: Size,
): { itemsById: Map<string, number[]>; errors: FailedEnd[] } {
	const parameters = new Parameters(context);
	const [name, label] = size === 'single' ? ['lookupId', 'Lookup ID'] : ['batchId', 'Batch ID'];
	const itemsById = new Map<string, number[]>();
	const errors: FailedEnd[] = [];
	context.getInputData().forEach((_, item) => {
		const value = parameters.get(name, item);
		const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		if (id === '') {
			const field = size === 'single' ? 'id' : 'batch_id';
			const problem = {
				message: `'${label}' is empty`,
				description: `Give the id that the submission returned, for example with the expression {{ $json.${field} }}.`,
			};
			errors.push({ item, error: problemError(context, problem, item) });
			return;
		}
		const items = itemsById.get(id);
		if (items === undefined) itemsById.set(id, [item]);
		else items.push(item);
	});
	return { itemsById, errors };
}

/** A lookup that still runs; an item of a timed-out wait keeps what it says of its search. */
function stillOngoing(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	id: string,
	body: IDataObject | undefined,
	item: number,
): IDataObject {
	const input = context.getInputData()[item]?.json ?? {};
	const search = readWaitingSearch(lookup, size, id, input);
	const known = search === undefined ? {} : { ...lookup.toEcho(search), ...indexOf(input) };
	const stats = asRecord(body?.stats);
	return { ...idsOf(size, id), status: 'ongoing', ...known, ...(stats && { stats }) };
}

function indexOf({ index }: IDataObject): IDataObject {
	return index === undefined ? {} : { index };
}
