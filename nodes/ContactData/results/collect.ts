import type { IDataObject, INode } from 'n8n-workflow';
import { isFailure } from '../common/errors';
import { invalidResult } from '../input/searches';
import type { Lookup, Size } from '../lookups/types';
import type { EndedFate, Fate } from '../service/state';
import { hasEnded } from '../service/state';
import type { Submission } from '../spending/plan';
import type { Started, SubmittedSearch } from '../spending/start';
import { isSubmitted } from '../spending/start';
import { onlyAskedFor, withCustom } from './askedFor';
import type { ItemOutput } from './items';
import { batchItem, idsOf, ofSearch, ongoingItem } from './items';
import type { Result } from './ofBodies';
import { resultOfLookup, resultsOfSearches } from './ofBodies';
import { isOfOtherAddresses } from './otherSearch';
import {
	lookupProblem,
	otherSearchesProblem,
	submissionFailure,
	timeoutProblem,
	unlistedProblem,
} from './problems';

/** What a run has started and waited for. */
export interface Waited {
	node: INode;
	lookup: Lookup;
	size: Size;
	started: Started;
	/** By id; a lookup that is not in it counts as ongoing. */
	fates: ReadonlyMap<string, Fate>;
	timeoutMs: number;
	/** Whether n8n's time limit has ended the wait before. */
	isAtLimit: boolean;
	onTimeout: 'error' | 'output';
}

/** Brings the results back to the items that searched, in the order of the items. */
export function collect(waited: Waited): ItemOutput[] {
	const { lookup, size, started, fates, timeoutMs, isAtLimit, onTimeout } = waited;
	const shared = sharedIds(started);
	const batches = new Map<Submission, Result[]>();
	const resultOf = (
		{ submission, position, itemSearch }: SubmittedSearch,
		id: string,
		fate: EndedFate,
	): Result => {
		const isEarlier = submission.earlierId !== undefined;
		const isDoubtful = isEarlier || shared.has(id);
		if (size === 'single') {
			const doubts = { isEarlier, isDoubtful };
			return resultOfLookup(lookup, id, itemSearch.search, fate, doubts);
		}
		const { searches, places = searches.map((_, place) => place) } = submission;
		const known = isDoubtful ? {} : { places, size: submission.size };
		const batch = { searches, isEarlier, isDoubtful, ...known };
		const results = batches.get(submission) ?? resultsOfSearches(lookup, id, batch, fate);
		batches.set(submission, results);
		return results[position] ?? { problem: unlistedProblem(lookup, id, isEarlier) };
	};

	const outputOf = (submitted: SubmittedSearch): ItemOutput => {
		const { outcome, submission, position } = submitted;
		const isEarlier = submission.earlierId !== undefined;
		const { item, search, custom } = submitted.itemSearch;
		if (outcome.kind === 'invalid') {
			return { item, json: invalidResult(search, outcome.reason, custom), asked: { search } };
		}
		if (outcome.kind !== 'accepted')
			return submissionFailure(lookup, outcome, item, submission.size);
		const { id } = outcome;
		const ids = idsOf(size, id);
		const fate = fates.get(id);
		if (hasEnded(fate)) {
			const result = resultOf(submitted, id, fate);
			const { settings } = submitted.itemSearch.envelope;
			return 'json' in result
				? { item, json: withOwnCustom(submitted, result.json), asked: { search, settings } }
				: { item, ids, ...result };
		}
		if (fate?.kind === 'fault' && fate.fault !== 'passing') {
			return { item, ids, problem: lookupProblem(fate, id, isEarlier) };
		}
		if (fate !== undefined && onTimeout === 'error') {
			const lastFault = fate.kind === 'fault' ? fate.refusal : undefined;
			const wait = { id, size, timeoutMs, lastFault, isAtLimit };
			return { item, ids, problem: timeoutProblem(lookup, wait, isEarlier) };
		}
		const place = size === 'bulk' ? (submission.places?.[position] ?? position) : undefined;
		const index = isEarlier ? null : place;
		return { item, json: ongoingItem({ lookup, size }, id, search, { index, custom }) };
	};
	return started.searches.map((submitted) =>
		isSubmitted(submitted) ? ofSearch(submitted.itemSearch.search, outputOf(submitted)) : submitted,
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
	const known = new Map<number, IDataObject[]>();
	const batches = started.searches.map((submitted) => {
		if (!isSubmitted(submitted)) {
			if (split || isFailure(submitted)) return undefined;
			const results = known.get(submitted.item) ?? [];
			results.push(submitted.json);
			known.set(submitted.item, results);
			return {};
		}
		const { submission } = submitted;
		const { key, items } = submission;
		if (submitted.outcome.kind !== 'accepted') return { key };
		return { key, id: submitted.outcome.id, owner: items[0]?.[0]?.item, submission };
	});
	/** The results of a list that were known before stand beside those of its first batch. */
	const takeKnown = (item: number): IDataObject[] => {
		const results = known.get(item) ?? [];
		known.delete(item);
		return results;
	};
	const wholeBatch = (id: string, submission: Submission, body: IDataObject, item: number) => {
		const given = onlyAskedFor(lookup, submission, body);
		const listed = Array.isArray(given.results) ? given.results : [];
		if (isOfOtherAddresses(lookup, submission.searches, listed)) {
			return { item, ids: idsOf(size, id), problem: otherSearchesProblem(lookup, id) };
		}
		const results = [...listed, ...takeKnown(item)];
		return { item, json: batchItem(id, { ...given, results }) };
	};
	const owners = new Set(batches.map((batch) => batch?.owner));
	const condensed: ItemOutput[] = [];
	const done = new Set<string>();
	outputs.forEach((output, index) => {
		const { item } = output;
		const batch = batches[index];
		const { key, id, owner, submission } = batch ?? {};
		const fate = id === undefined ? undefined : fates.get(id);
		const completed = fate?.kind === 'completed';
		const isResult = !isFailure(output) && output.asked !== undefined;
		// What was not submitted stands for itself, and so does what a failed batch had finished.
		if (batch === undefined || (split && (completed || isResult))) {
			condensed.push(output);
			return;
		}
		if (key === undefined) return;
		// A search that an earlier list has too is in the batch of that list, and shown with it.
		const isElsewhere = !split && id !== undefined && owner !== item && owners.has(item);
		const name = `${item} ${key}`;
		if (done.has(name) || isElsewhere) return;
		done.add(name);
		if (completed && !split && id !== undefined && submission !== undefined) {
			condensed.push(wholeBatch(id, submission, fate.body, item));
		} else if (fate?.kind === 'failed' && !split && id !== undefined) {
			const problem = lookupProblem(fate, id, false);
			condensed.push({ item, ids: idsOf(size, id), problem, told: fate.body });
		} else if (isFailure(output)) {
			condensed.push({ ...output, search: undefined });
		} else if (id === undefined) {
			condensed.push(output);
		} else {
			const results = takeKnown(item);
			const ongoing = { batch_id: id, status: 'ongoing' };
			condensed.push({ item, json: results.length > 0 ? { ...ongoing, results } : ongoing });
		}
	});
	for (const [item, results] of known) {
		condensed.push({ item, json: { status: 'completed', results } });
	}
	return condensed.sort((one, other) => one.item - other.item);
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
