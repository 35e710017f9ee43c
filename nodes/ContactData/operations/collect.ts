import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import type { ItemError } from './asks';
import { isAsk } from './asks';
import { problemError, submissionError, timeoutError, waitError } from './failures';
import type { Placed, Started } from './start';
import type { Matching } from './match';
import { matchResults } from './match';
import type { ItemEnd } from './output';
import { bulkResult, idsOf, leftOutResult, ongoingItem, singleResult } from './output';
import type { Submission } from './plan';
import type { RunOptions } from './runOptions';
import type { WaitEnd } from './wait';

/**
 * Brings the results back to those who asked, in the order in which they asked.
 * @param ends how the wait for each id ended; without it the lookups count as ongoing
 */
export function collect(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	started: Started,
	ends: Map<string, WaitEnd>,
	{ timeoutMs, onTimeout }: RunOptions,
): ItemEnd[] {
	const matchings = new Map<Submission, Matching>();
	const matchingOf = (submission: Submission, body: IDataObject) => {
		const known = matchings.get(submission);
		if (known !== undefined) return known;
		const listed = Array.isArray(body.results) ? body.results : [];
		const matching = matchResults(lookup, submission.searches, listed);
		matchings.set(submission, matching);
		return matching;
	};

	return started.reads.map((read): ItemEnd => {
		if (!isAsk(read)) return read;
		const placed = started.placeOf.get(read);
		const { item } = read;
		if (placed === undefined) return { item, json: {} };
		const { outcome, submission, position } = placed;
		if (outcome.kind !== 'accepted') {
			return { item, error: submissionError(context, lookup, outcome, item) };
		}
		const { id } = outcome;
		const end = ends.get(id);
		if (end?.kind === 'failed') {
			return { item, ids: idsOf(size, id), error: waitError(context, end.refusal, id, size, item) };
		}
		if (end?.kind === 'completed') {
			if (size === 'single')
				return { item, json: withOwnCustom(placed, singleResult(id, end.body)) };
			const { results, strangers } = matchingOf(submission, end.body);
			const result = results[position];
			if (result !== undefined)
				return { item, json: withOwnCustom(placed, bulkResult(id, result)) };
			if (strangers.length === 0) {
				return { item, json: leftOutResult(lookup, id, read.search) };
			}
			return {
				item,
				ids: idsOf(size, id),
				error: strangersError(context, id, strangers.length, item),
			};
		}
		if (end?.kind === 'ongoing' && onTimeout === 'error') {
			const { lastFault } = end;
			return {
				item,
				ids: idsOf(size, id),
				error: timeoutError(context, lookup, size, id, timeoutMs, lastFault, item),
			};
		}
		return {
			item,
			json: ongoingItem(lookup, id, read.search, size === 'bulk' ? position : undefined),
		};
	});
}

/** Who shares a search with an earlier item gets its result, but with custom data of his own. */
function withOwnCustom({ ask, submission, position }: Placed, result: IDataObject): IDataObject {
	const [first] = submission.asks[position] ?? [];
	if (first === undefined || first === ask) return result;
	const own = { ...result };
	if (ask.custom === undefined) delete own.custom;
	else own.custom = ask.custom;
	return own;
}

/** A finished batch with results of which nobody can say whose they are. */
function strangersError(
	context: IExecuteFunctions,
	batchId: string,
	strangers: number,
	item: number,
): ItemError {
	return problemError(
		context,
		{
			message: `The batch ${batchId} has no result that surely belongs to this item`,
			description: `${strangers} of its results fit no item that was sent, so they are not guessed at. Read the whole batch with 'Get Bulk Results' and 'Batch ID' ${batchId}; it costs no credits.`,
		},
		item,
	);
}
