import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import type { ItemFailure } from '../common/errors';
import { isFailure, ProblemError, toFailure } from '../common/errors';
import { asRecord } from '../common/values';
import { Parameters } from '../input/parameters';
import { isAtLimit, msLeft, patienceOf } from '../input/run';
import type { ItemOutput } from '../results/items';
import { echoedSearch } from '../results/match';
import { batchItem, idsOf, toNodeItems } from '../results/items';
import { readWaitingSearch, resultsOfBatch, resultsOfSingle } from '../results/namedIds';
import { readingOf } from '../results/explain';
import { lookupProblem, timeoutProblem } from '../results/problems';
import type { EndedFate, Fate } from '../service/state';
import { hasEnded } from '../service/state';
import { lookAtAll, waitForAll } from '../waiting/wait';
import type { OperationRun } from './operationRun';
import { inChosenForm, tellLimit } from './operationRun';

/** Operation Get Result: the results of single lookups that were started before. */
export async function getResult(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, lookup } = operation;
	const input = context.getInputData();
	return await readIds(operation, (id, fate, items) => {
		const given = items.map((item) => ({ item, json: input[item]?.json ?? {} }));
		return resultsOfSingle(lookup, id, fate, given);
	});
}

/** Operation Get Bulk Results: the results of batches that were started before. */
export async function getBulkResult(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, lookup } = operation;
	const parameters = new Parameters(context);
	const input = context.getInputData();
	return await readIds(operation, (id, fate, items) => {
		const [first = 0] = items;
		if (parameters.get('splitResults', first) === false) {
			return fate.kind === 'completed'
				? [{ item: first, json: batchItem(id, fate.body) }]
				: [{ item: first, problem: lookupProblem(fate, id, false), told: fate.body }];
		}
		const given = items.map((item) => ({ item, json: input[item]?.json ?? {} }));
		return resultsOfBatch(lookup, id, fate, given);
	});
}

/**
 * Reads each id once, however many items name it.
 * @param ended the outputs of the items that name an id whose lookup has ended
 */
async function readIds(
	operation: OperationRun,
	ended: (id: string, fate: EndedFate, items: number[]) => ItemOutput[],
): Promise<INodeExecutionData[]> {
	const { run, lookup, size, options } = operation;
	const { itemsById, known, failures } = readIdParameters(operation);
	const [firstFailure] = failures;
	if (firstFailure !== undefined && !run.continueOnFail) throw new ProblemError(firstFailure);

	const { connection } = run;
	const source = { connection, lookup, size };
	const ids = [...itemsById.keys()];
	// What was started earlier may be finished by now: it is read without delay.
	const watched = ids.map((id) => ({ id, startedAt: monotonicMs() }));
	const timeoutMs = Math.min(options.timeoutMs, msLeft(run));
	const wait = { ...source, signal: run.signal, timeoutMs, firstDelayMs: 0, reachedBefore: false };
	const fates = options.waitForResult
		? await waitForAll(wait, watched)
		: await lookAtAll({ ...source, signal: patienceOf(run) }, ids);

	const outputs: ItemOutput[] = [...failures, ...known];
	for (const [id, items] of itemsById) {
		const fate = fates.get(id);
		const ofId =
			fate !== undefined && hasEnded(fate)
				? ended(id, fate, items)
				: items.map((item) => unfinishedOutput(operation, id, fate, item));
		for (const output of ofId) {
			outputs.push(isFailure(output) ? { ...output, ids: idsOf(size, id) } : output);
		}
	}
	if (options.waitForResult) tellLimit(operation, outputs);
	const failure = outputs.find(isFailure);
	if (failure !== undefined && !run.continueOnFail) throw new ProblemError(failure);
	const inOrder = outputs.sort((a, b) => a.item - b.item);
	return toNodeItems(run.node, inChosenForm(operation, inOrder));
}

function readIdParameters({ context, lookup, size }: OperationRun): {
	itemsById: Map<string, number[]>;
	/** Items that are results already. */
	known: ItemOutput[];
	failures: ItemFailure[];
} {
	const parameters = new Parameters(context);
	const name = size === 'single' ? 'lookupId' : 'batchId';
	const { label } = readingOf(size);
	const itemsById = new Map<string, number[]>();
	const known: ItemOutput[] = [];
	const failures: ItemFailure[] = [];
	context.getInputData().forEach((_, item) => {
		let value: unknown;
		try {
			value = parameters.get(name, item);
			// Read again for the results; what cannot be resolved must not show after a long wait.
			if (size === 'bulk') parameters.get('splitResults', item);
		} catch (error) {
			failures.push({ ...toFailure(error), item });
			return;
		}
		const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		const json = context.getInputData()[item]?.json ?? {};
		// The Start operations give such results beside the receipts.
		if (id === '' && json.status === 'completed' && typeof json.found === 'boolean') {
			known.push({ item, json, asked: { search: echoedSearch(lookup, json) } });
			return;
		}
		if (id === '') {
			const field = size === 'single' ? 'id' : 'batch_id';
			const problem = {
				message: `'${label}' is empty`,
				description: `Give the ID that an earlier run gave, for example with the expression {{ $json.${field} }}.`,
			};
			failures.push({ item, problem });
			return;
		}
		const items = itemsById.get(id);
		if (items === undefined) itemsById.set(id, [item]);
		else items.push(item);
	});
	return { itemsById, known, failures };
}

/** What an item gets whose lookup is not finished, or could not be read. */
function unfinishedOutput(
	operation: OperationRun,
	id: string,
	fate: Exclude<Fate, EndedFate> | undefined,
	item: number,
): ItemOutput {
	const { context, run, lookup, size, options } = operation;
	const { waitForResult, onTimeout, timeoutMs } = options;
	const isUnreadable = fate?.kind === 'fault' && (!waitForResult || fate.fault === 'lasting');
	if (isUnreadable) {
		// How to pick the id up again is what the user is doing already.
		return { item, problem: { ...fate.refusal, next: undefined } };
	}
	if (waitForResult && fate !== undefined && onTimeout === 'error' && run.call === undefined) {
		const lastFault = fate.kind === 'fault' ? fate.refusal : undefined;
		const wait = { id, size, timeoutMs, lastFault, isAtLimit: isAtLimit(run) };
		return { item, problem: timeoutProblem(lookup, wait) };
	}
	// An item of a timed-out wait keeps what it says of its search.
	const given = context.getInputData()[item]?.json ?? {};
	const search = readWaitingSearch(lookup, size, id, given);
	const known = search === undefined ? {} : { ...lookup.toEcho(search), ...indexOf(given) };
	const stats = fate?.kind === 'ongoing' ? asRecord(asRecord(fate.body)?.stats) : undefined;
	return {
		item,
		json: { ...idsOf(size, id), status: 'ongoing', ...known, ...(stats && { stats }) },
	};
}

function indexOf({ index }: IDataObject): IDataObject {
	return index === undefined ? {} : { index };
}
