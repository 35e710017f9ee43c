import type { IDataObject, INode } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { isFailure } from '../common/errors';
import { asNumber, asRecord, isRecord } from '../common/values';
import type { Lookup, Search, Size } from '../lookups/types';
import type { Fate } from '../service/state';
import type { Submission } from '../spending/plan';
import { searchKey } from '../spending/plan';
import type { Started, SubmittedSearch } from '../spending/start';
import { onlyAskedFor, withCustom } from './askedFor';
import type { ItemOutput } from './items';
import {
	batchItem,
	bulkResult,
	idsOf,
	ofSearch,
	ongoingItem,
	singleResult,
	unlistedResult,
} from './items';
import type { Batch } from './match';
import { echoedSearch, isOfAnotherSearch, matchResults } from './match';
import { isOfOtherAddresses } from './otherSearch';
import {
	lookupProblem,
	otherSearchesProblem,
	otherSearchProblem,
	submissionFailure,
	timeoutProblem,
	unlistedProblem,
	unmatchedProblem,
} from './problems';

/** What a search gets of its finished lookup or batch: its result, or why it has none. */
type Result = { json: IDataObject } | { problem: Problem };

/** What a finished single lookup says of the search that waits for it. */
function resultOfLookup(
	lookup: Lookup,
	id: string,
	search: Search,
	body: IDataObject,
	{ isEarlier, isDoubtful }: { isEarlier: boolean; isDoubtful: boolean },
): Result {
	return isOfAnotherSearch(lookup, search, body, isDoubtful)
		? { problem: otherSearchProblem(lookup, id, isEarlier) }
		: { json: singleResult(id, body) };
}

/** What a finished batch says of each of the searches that wait for it. */
function readBatch(
	lookup: Lookup,
	id: string,
	batch: Batch & { isEarlier: boolean },
	body: IDataObject,
): Result[] {
	const { searches, isEarlier } = batch;
	const listed = Array.isArray(body.results) ? body.results : [];
	const requested = asNumber(asRecord(body.stats)?.requested);
	// Where only what was found is listed, the list does not tell how many were sent.
	const lists = lookup.unlistedResult === undefined ? listed.length : undefined;
	const size = batch.size ?? requested ?? lists;
	const { results, unmatched } = matchResults(lookup, { ...batch, size }, listed);
	// Results that fit nobody here may belong to the others of the batch, but not more of them. Nobody
	// knows whether a batch of another run had a search at all, unless it was asked for exactly so many.
	const others = Math.max(0, (size ?? listed.length) - searches.length);
	const isSureOfAll = isEarlier
		? unmatched.length === 0 && requested === searches.length
		: unmatched.length <= others;
	return searches.map((search, position) => {
		const result = results[position];
		if (result !== undefined) return { json: bulkResult(id, result) };
		const unlisted = isSureOfAll ? unlistedResult(lookup, id, search, body) : undefined;
		if (unlisted !== undefined) return { json: unlisted };
		return isEarlier || isSureOfAll
			? { problem: unlistedProblem(lookup, id, isEarlier) }
			: { problem: unmatchedProblem(id, unmatched.length) };
	});
}

/** What a run has started and waited for. */
export interface Waited {
	node: INode;
	lookup: Lookup;
	size: Size;
	started: Started;
	/** By id; a lookup that is not in it counts as ongoing. */
	fates: ReadonlyMap<string, Fate>;
	timeoutMs: number;
	onTimeout: 'error' | 'output';
}

/** Brings the results back to the items that searched, in the order of the items. */
export function collect(waited: Waited): ItemOutput[] {
	const { lookup, size, started, fates, timeoutMs, onTimeout } = waited;
	const shared = sharedIds(started);
	const batches = new Map<Submission, Result[]>();
	const resultOf = (
		{ submission, position, itemSearch }: SubmittedSearch,
		id: string,
		body: IDataObject,
	): Result => {
		const isEarlier = submission.earlierId !== undefined;
		const isDoubtful = isEarlier || shared.has(id);
		if (size === 'single') {
			const doubts = { isEarlier, isDoubtful };
			return resultOfLookup(lookup, id, itemSearch.search, body, doubts);
		}
		const { searches, places = searches.map((_, place) => place) } = submission;
		const known = isDoubtful ? {} : { places, size: submission.size };
		const batch = { searches, isEarlier, isDoubtful, ...known };
		const results = batches.get(submission) ?? readBatch(lookup, id, batch, body);
		batches.set(submission, results);
		return results[position] ?? { problem: unlistedProblem(lookup, id, isEarlier) };
	};

	const outputOf = (submitted: SubmittedSearch): ItemOutput => {
		const { outcome, submission, position } = submitted;
		const isEarlier = submission.earlierId !== undefined;
		const { item, search, custom } = submitted.itemSearch;
		if (outcome.kind !== 'accepted') return submissionFailure(lookup, outcome, item);
		const { id } = outcome;
		const ids = idsOf(size, id);
		const fate = fates.get(id);
		if (fate?.kind === 'completed') {
			const result = resultOf(submitted, id, fate.body);
			return 'json' in result
				? { item, json: withOwnCustom(submitted, result.json) }
				: { item, ids, ...result };
		}
		if (fate?.kind === 'failed' || (fate?.kind === 'fault' && fate.fault !== 'passing')) {
			return { item, ids, problem: lookupProblem(fate, id, isEarlier) };
		}
		if (fate !== undefined && onTimeout === 'error') {
			const lastFault = fate.kind === 'fault' ? fate.refusal : undefined;
			const wait = { id, size, timeoutMs, lastFault };
			return { item, ids, problem: timeoutProblem(lookup, wait, isEarlier) };
		}
		const place = isEarlier ? null : (submission.places?.[position] ?? position);
		const index = size === 'bulk' ? place : undefined;
		return { item, json: ongoingItem(lookup, id, search, { index, custom }) };
	};
	return started.searches.map((submitted) =>
		isFailure(submitted) ? submitted : ofSearch(submitted.itemSearch.search, outputOf(submitted)),
	);
}

/** The ids that the service gave to several submissions. */
function sharedIds({ submissions, outcomes }: Started): Set<string> {
	const seen = new Set<string>();
	const ids = outcomes.flatMap((outcome, index) =>
		outcome.kind === 'accepted' && submissions[index]?.earlierId === undefined ? outcome.id : [],
	);
	return new Set(ids.filter((id) => seen.size === seen.add(id).size));
}

/**
 * The outputs of a run in which each input item holds a list: a batch that failed or still runs has
 * one, not one for each of its entries.
 * @param outputs as `collect` gives them, one for each entry
 * @param split whether a finished batch has one for each entry, instead of one in all
 */
export function collectLists(
	{ lookup, size, started, fates }: Waited,
	outputs: ItemOutput[],
	split: boolean,
): ItemOutput[] {
	const batches = started.searches.map((submitted) => {
		if (isFailure(submitted)) return {};
		const { submission } = submitted;
		const { key, items } = submission;
		if (submitted.outcome.kind !== 'accepted') return { key };
		return { key, id: submitted.outcome.id, owner: items[0]?.[0]?.item, submission };
	});
	const wholeBatch = (id: string, submission: Submission, body: IDataObject, item: number) => {
		const given = onlyAskedFor(lookup, submission, body);
		const listed = Array.isArray(given.results) ? given.results : [];
		return isOfOtherAddresses(lookup, submission.searches, listed)
			? { item, ids: idsOf(size, id), problem: otherSearchesProblem(lookup, id) }
			: { item, json: batchItem(id, given) };
	};
	const owners = new Set(batches.map(({ owner }) => owner));
	const condensed: ItemOutput[] = [];
	const done = new Set<string>();
	outputs.forEach((output, index) => {
		const { item } = output;
		const { key, id, owner, submission } = batches[index] ?? {};
		const fate = id === undefined ? undefined : fates.get(id);
		const completed = fate?.kind === 'completed';
		if (split && completed) {
			condensed.push(output);
			return;
		}
		// A search that an earlier list has too is in the batch of that list, and shown with it.
		const isElsewhere = !split && id !== undefined && owner !== item && owners.has(item);
		const name = `${item} ${key}`;
		if (done.has(name) || isElsewhere) return;
		done.add(name);
		if (completed && !split && id !== undefined && submission !== undefined) {
			condensed.push(wholeBatch(id, submission, fate.body, item));
		} else if (isFailure(output)) {
			condensed.push({ ...output, search: undefined });
		} else if (id === undefined) {
			condensed.push(output);
		} else {
			condensed.push({ item, json: { batch_id: id, status: 'ongoing' } });
		}
	});
	return condensed;
}

/**
 * An item that shares its search with an earlier one gets the result with custom data of its own; and
 * the earlier one gets its own where the service leaves it out, as of those that were not found.
 */
function withOwnCustom(
	{ itemSearch, submission, position }: SubmittedSearch,
	result: IDataObject,
): IDataObject {
	// What an earlier run gave it is no more.
	if (submission.earlierId !== undefined) {
		return itemSearch.custom === undefined ? result : { ...result, custom: itemSearch.custom };
	}
	const isFirst = submission.items[position]?.[0] === itemSearch;
	if (submission.isSent === true) {
		// That of a whole batch is in its results only where the service puts it there.
		const custom = result.custom === undefined ? undefined : itemSearch.envelope.custom;
		return withCustom(result, itemSearch.custom ?? (isFirst ? custom : undefined));
	}
	if (isFirst && (result.custom !== undefined || itemSearch.custom === undefined)) return result;
	return withCustom(result, itemSearch.custom);
}

/** An item that names a lookup or a batch, by its position. */
export interface PositionedItem {
	item: number;
	json: IDataObject;
}

/**
 * The results of a finished batch, for the items that name it. When these are the items of a wait
 * that was timed out or parked, each gets its own result; else all results stand in a row.
 */
export function resultsOfBatch(
	lookup: Lookup,
	batchId: string,
	body: IDataObject,
	items: PositionedItem[],
): Array<PositionedItem | { item: number; problem: Problem }> {
	const listed = Array.isArray(body.results) ? body.results.filter(isRecord) : [];
	const waiting = items.flatMap(({ item, json }) => {
		const search = readWaitingSearch(lookup, 'bulk', batchId, json);
		return search === undefined ? [] : [{ item, json, search, key: searchKey(lookup, search) }];
	});
	const [first] = items;
	if (first === undefined || waiting.length < items.length) {
		const { item } = first ?? { item: 0 };
		return listed.map((result) => ({ item, json: bulkResult(batchId, result) }));
	}
	const distinct = [...new Map(waiting.map((one) => [one.key, one])).values()];
	const places = distinct.flatMap(({ json }) => asNumber(json.index) ?? []);
	const isOrdered = new Set(places).size === distinct.length;
	const isEarlier = distinct.some(({ json }) => isOfEarlierBatch(json));
	const results = readBatch(
		lookup,
		batchId,
		{
			searches: distinct.map(({ search }) => search),
			places: isOrdered ? places : undefined,
			isEarlier,
			isDoubtful: isEarlier || !isOrdered,
		},
		body,
	);
	const byKey = new Map(distinct.map(({ key }, position) => [key, results[position]]));
	return waiting.map(({ item, json, key }) => {
		const result = byKey.get(key) ?? { problem: unlistedProblem(lookup, batchId, false) };
		return 'json' in result
			? { item, json: withCustomOf(json, result.json) }
			: { item, problem: result.problem };
	});
}

/** The finished result of a single lookup for an item that names it, waiting for it or not. */
export function resultOfSingle(
	lookup: Lookup,
	id: string,
	body: IDataObject,
	item: IDataObject,
): Result {
	const search = readWaitingSearch(lookup, 'single', id, item);
	if (search === undefined) return { json: singleResult(id, body) };
	const surely = { isEarlier: false, isDoubtful: false };
	const result = resultOfLookup(lookup, id, search, body, surely);
	return 'json' in result ? { json: withCustomOf(item, result.json) } : result;
}

/** The search of an item that a timed-out wait for this id gave out; `undefined` for any other. */
export function readWaitingSearch(
	lookup: Lookup,
	size: Size,
	id: string,
	json: IDataObject,
): Search | undefined {
	if ((size === 'single' ? json.id : json.batch_id) !== id || json.status !== 'ongoing') {
		return undefined;
	}
	const search = echoedSearch(lookup, json);
	return Object.keys(search).length > 0 ? search : undefined;
}

/** Whether an item waits for a batch that was started before its run: its place in it nobody knows. */
export function isOfEarlierBatch({ index }: IDataObject): boolean {
	return index === null;
}

/** Equal searches share a result, but each has the custom data that it was asked with. */
function withCustomOf(waiting: IDataObject, result: IDataObject): IDataObject {
	return waiting.custom === undefined ? result : { ...result, custom: waiting.custom };
}
