import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import { strangersProblem, submissionError, timeoutError, waitError } from './failures';
import { problemError } from '../common/itemErrors';
import type { Placed, Started } from '../spending/start';
import { isPlaced } from '../spending/start';
import type { Matching } from './match';
import { matchResults } from './match';
import type { ItemEnd } from './output';
import {
	batchItem,
	bulkResult,
	idsOf,
	isFailed,
	leftOutResult,
	ongoingItem,
	singleResult,
} from './output';
import type { Submission } from '../spending/plan';
import type { RunOptions } from '../input/runOptions';
import type { WaitEnd } from '../waiting/wait';

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
	const strangersError = (id: string, strangers: number, item: number) =>
		problemError(context, strangersProblem(id, strangers), item);
	const completed = (placed: Placed, id: string, body: IDataObject): ItemEnd => {
		const { ask, submission, position } = placed;
		const { item } = ask;
		if (size === 'single') return { item, json: withOwnCustom(placed, singleResult(id, body)) };
		const { results, strangers } = matchingOf(submission, body);
		const result = results[position];
		if (result !== undefined) return { item, json: withOwnCustom(placed, bulkResult(id, result)) };
		return strangers.length === 0
			? { item, json: leftOutResult(lookup, id, ask.search) }
			: { item, ids: idsOf(size, id), error: strangersError(id, strangers.length, item) };
	};

	return started.places.map((place): ItemEnd => {
		if (!isPlaced(place)) return place;
		const { outcome, position } = place;
		const { item, search, custom } = place.ask;
		if (outcome.kind !== 'accepted') {
			return { item, error: submissionError(context, lookup, outcome, item) };
		}
		const { id } = outcome;
		const ids = idsOf(size, id);
		const end = ends.get(id);
		if (end?.kind === 'completed') return completed(place, id, end.body);
		if (end?.kind === 'failed') {
			return { item, ids, error: waitError(context, end.refusal, id, size, item) };
		}
		if (end?.kind === 'ongoing' && onTimeout === 'error') {
			const { lastFault } = end;
			const error = timeoutError(context, lookup, size, id, timeoutMs, lastFault, item);
			return { item, ids, error };
		}
		const index = size === 'bulk' ? position : undefined;
		return { item, json: ongoingItem(lookup, id, search, { index, custom }) };
	});
}

/**
 * The ends of a run in which each input item holds a list: a batch that failed or still runs has
 * one end, not one for each of its entries.
 * @param split whether a finished batch has one end for each entry, instead of one in all
 */
export function collectLists(
	{ places }: Started,
	waitEnds: Map<string, WaitEnd>,
	ends: ItemEnd[],
	split: boolean,
): ItemEnd[] {
	const batches = places.map((place) => {
		if (!isPlaced(place)) return {};
		const { key, asks } = place.submission;
		if (place.outcome.kind !== 'accepted') return { key };
		return { key, id: place.outcome.id, owner: asks[0]?.[0]?.item };
	});
	const owners = new Set(batches.map(({ owner }) => owner));
	const condensed: ItemEnd[] = [];
	const done = new Set<string>();
	ends.forEach((end, index) => {
		const { item } = end;
		const { key, id, owner } = batches[index] ?? {};
		const waitEnd = id === undefined ? undefined : waitEnds.get(id);
		const completed = waitEnd?.kind === 'completed';
		if (split && completed && !isFailed(end)) {
			condensed.push(end);
			return;
		}
		// A search that an earlier list has too is in the batch of that list, and shown with it.
		const isElsewhere = !split && owner !== item && owners.has(item);
		const name = `${item} ${key}`;
		if (done.has(name) || isElsewhere) return;
		done.add(name);
		if (completed && !split && id !== undefined) {
			condensed.push({ item, json: batchItem(id, waitEnd.body) });
		} else if (isFailed(end) || id === undefined) {
			condensed.push(end);
		} else {
			condensed.push({ item, json: { batch_id: id, status: 'ongoing' } });
		}
	});
	return condensed;
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
