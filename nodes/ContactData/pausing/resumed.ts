import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import type { ItemFailure } from '../common/errors';
import { isFailure } from '../common/errors';
import type { ItemOutput, ItemResult } from '../results/items';
import { batchItem, idsOf, over, toErrorJson } from '../results/items';
import type { Lookup } from '../lookups/types';
import type { PositionedItem } from '../results/namedIds';
import { readWaitingSearch, resultsOfBatch, resultsOfSingle } from '../results/namedIds';
import { lookupProblem } from '../results/problems';
import { simplify } from '../results/simplify';
import type { EndedFate } from '../service/state';
import type { Parked } from './parked';
import { forErrorOutput, inputFields, unfinishedId, withInputFields } from './parked';

/**
 * Puts the results in the places of what was waited for.
 * @returns one for each parked item, at its position: n8n pairs by position after a resume
 */
export function toResumed(
	context: IWebhookFunctions,
	parked: Parked,
	finished: ReadonlyMap<string, EndedFate>,
): INodeExecutionData[] {
	const isSimple = context.getNodeParameter('simplify', true) !== false;
	const settings = isSimple ? readSettings(context, parked.lookup) : undefined;
	const results = readResults(parked, finished, settings);
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return parked.items.map(({ json }, item) => {
		const result = results.get(item);
		if (result === undefined) return { json: withInputFields(json), pairedItem: item };
		const whole = over(inputFields(parked, json), result);
		return {
			// A result may have an `error` too, of the service.
			json: toErrorOutput && result.status !== 'completed' ? forErrorOutput(whole) : whole,
			pairedItem: item,
		};
	});
}

/** What the results were asked with, as far as they have columns of it. */
function readSettings(context: IWebhookFunctions, { options }: Lookup): IDataObject {
	const ofColumns = options.filter(({ column }) => column !== undefined);
	return Object.fromEntries(
		ofColumns.map(({ property: { name }, setting }) => [
			setting,
			context.getNodeParameter(`options.${name}`, false) === true,
		]),
	);
}

/**
 * The results of the parked items that were unfinished, by their positions.
 * @param settings what they were asked with; `undefined` where they are not to be simplified
 */
function readResults(
	parked: Parked,
	finished: ReadonlyMap<string, EndedFate>,
	settings: IDataObject | undefined,
): Map<number, IDataObject> {
	const itemsById = new Map<string, PositionedItem[]>();
	parked.items.forEach(({ json }, item) => {
		const id = unfinishedId(parked.size, json);
		if (id === undefined) return;
		const waiting = itemsById.get(id);
		if (waiting === undefined) itemsById.set(id, [{ item, json }]);
		else waiting.push({ item, json });
	});
	const results = [...itemsById].flatMap(([id, waiting]) => {
		const fate = finished.get(id);
		return fate === undefined ? [] : resultsOf(parked, id, fate, waiting);
	});
	const asked = results.map((result) =>
		result.asked === undefined ? result : { ...result, asked: { ...result.asked, settings } },
	);
	const given = settings === undefined ? results : simplify(parked.lookup, asked);
	return new Map(given.map(({ item, json }) => [item, json]));
}

function resultsOf(
	{ lookup, size, items }: Parked,
	id: string,
	fate: EndedFate,
	waiting: PositionedItem[],
): ItemResult[] {
	const isFailed = fate.kind === 'failed';
	const errorJson = ({ problem, item, told }: ItemFailure): IDataObject => {
		const { json = {} } = items[item] ?? {};
		const search = readWaitingSearch(lookup, size, id, json);
		const error = toErrorJson(problem, { item, search, told, ids: idsOf(size, id) });
		return isFailed ? { ...error, status: 'failed' } : error;
	};
	const toItem = (output: ItemOutput): ItemResult =>
		isFailure(output) ? { item: output.item, json: errorJson(output) } : output;
	if (size === 'single') return resultsOfSingle(lookup, id, fate, waiting).map(toItem);
	// A parked list stands for its whole batch, and says nothing of single searches.
	if (waiting.some(({ json }) => readWaitingSearch(lookup, 'bulk', id, json) === undefined)) {
		return waiting.map(({ item, json }) =>
			toItem(
				isFailed
					? {
							item,
							problem: lookupProblem(fate, id, false),
							told: withKnown(fate.body, json),
						}
					: { item, json: batchItem(id, withKnown(fate.body, json)) },
			),
		);
	}
	return resultsOfBatch(lookup, id, fate, waiting).map(toItem);
}

/** The results of a list that were known before it was sent stand beside those of its batch. */
function withKnown(body: IDataObject, { results: known }: IDataObject): IDataObject {
	const listed = Array.isArray(body.results) ? body.results : [];
	return Array.isArray(known) ? { ...body, results: [...listed, ...known] } : body;
}
