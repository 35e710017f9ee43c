import type { IDataObject, INode } from 'n8n-workflow';
import { isFailure, problemError } from '../common/itemErrors';
import type { Lookup, Size } from '../lookups/types';
import type { Submission } from '../spending/plan';
import type { Started, SubmittedSearch } from '../spending/start';
import type { Fate } from '../service/state';
import {
	earlierError,
	earlierTimeoutError,
	isWholeBatch,
	notListedProblem,
	wrongIdProblem,
} from './earlierProblems';
import {
	otherSearchesProblem,
	otherSearchProblem,
	submissionFailure,
	timeoutError,
	unlistedProblem,
	unmatchedProblem,
	waitError,
} from './failures';
import { onlyAskedFor, withCustom } from './askedFor';
import type { Matching } from './match';
import { matchResults } from './match';
import { isOfAnotherSearch, isOfOtherSearches } from './otherSearch';
import type { ItemOutput } from './output';
import {
	batchItem,
	bulkResult,
	idsOf,
	ofSearch,
	ongoingItem,
	singleResult,
	unlistedResult,
} from './output';

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
	const { node, lookup, size, started, fates, timeoutMs, onTimeout } = waited;
	const matchings = new Map<Submission, Matching>();
	const matchingOf = (submission: Submission, body: IDataObject) => {
		const known = matchings.get(submission);
		if (known !== undefined) return known;
		const listed = Array.isArray(body.results) ? body.results : [];
		const matching = matchResults(lookup, submission.searches, listed);
		matchings.set(submission, matching);
		return matching;
	};
	const completed = (submitted: SubmittedSearch, id: string, body: IDataObject): ItemOutput => {
		const { itemSearch, submission, position } = submitted;
		const { item } = itemSearch;
		if (size === 'single') {
			if (!isOfAnotherSearch(lookup, itemSearch.search, body)) {
				return { item, json: withOwnCustom(submitted, singleResult(id, body)) };
			}
			const { earlierId } = submission;
			const problem = (earlierId === undefined ? otherSearchProblem : wrongIdProblem)(lookup, id);
			return { item, ids: idsOf(size, id), error: problemError(node, problem, item) };
		}
		const matching = matchingOf(submission, body);
		const { results, unmatched } = matching;
		const result = results[position];
		if (result !== undefined) {
			return { item, json: withOwnCustom(submitted, bulkResult(id, result)) };
		}
		const unlisted = unlistedResult(lookup, id, itemSearch.search, body);
		const isEarlier = submission.earlierId !== undefined;
		// Of an earlier try's batch, some results may be for searches that no item has any more.
		const isSure = isEarlier
			? isWholeBatch(submission, matching, body)
			: unmatched.length <= submission.size - submission.searches.length;
		if (isSure && unlisted !== undefined) {
			return { item, json: withOwnCustom(submitted, unlisted) };
		}
		if (isEarlier) {
			return {
				item,
				ids: idsOf(size, id),
				error: problemError(node, notListedProblem(lookup, id), item),
			};
		}
		const problem = isSure ? unlistedProblem(id) : unmatchedProblem(id, unmatched.length);
		return { item, ids: idsOf(size, id), error: problemError(node, problem, item) };
	};

	const outputOf = (submitted: SubmittedSearch): ItemOutput => {
		const { outcome, position } = submitted;
		const isEarlier = submitted.submission.earlierId !== undefined;
		const { item, search, custom } = submitted.itemSearch;
		if (outcome.kind !== 'accepted') {
			return submissionFailure(node, { lookup, size }, outcome, item);
		}
		const { id } = outcome;
		const ids = idsOf(size, id);
		const fate = fates.get(id);
		if (fate?.kind === 'completed') return completed(submitted, id, fate.body);
		const unfinished = { id, size, itemIndex: item };
		if (fate?.kind === 'failed' || (fate?.kind === 'fault' && fate.fault !== 'passing')) {
			const { refusal } = fate;
			const error = isEarlier
				? earlierError(node, refusal, { id, item })
				: waitError(node, refusal, unfinished);
			return { item, ids, error };
		}
		if (fate !== undefined && onTimeout === 'error') {
			const lastFault = fate.kind === 'fault' ? fate.refusal : undefined;
			const error = isEarlier
				? earlierTimeoutError(node, lookup, { id, size, item, timeoutMs, lastFault })
				: timeoutError(node, lookup, { ...unfinished, timeoutMs, lastFault });
			return { item, ids, error };
		}
		const place = isEarlier ? null : position;
		const index = size === 'bulk' ? place : undefined;
		return { item, json: ongoingItem(lookup, id, search, { index, custom }) };
	};
	return started.searches.map((submitted) =>
		isFailure(submitted) ? submitted : ofSearch(submitted.itemSearch.search, outputOf(submitted)),
	);
}

/**
 * The outputs of a run in which each input item holds a list: a batch that failed or still runs has
 * one, not one for each of its entries.
 * @param outputs as `collect` gives them, one for each entry
 * @param split whether a finished batch has one for each entry, instead of one in all
 */
export function collectLists(
	{ node, lookup, size, started, fates }: Waited,
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
		if (!isOfOtherSearches(lookup, submission.searches, listed)) {
			return { item, json: batchItem(id, given) };
		}
		const error = problemError(node, otherSearchesProblem(lookup, id), item);
		return { item, ids: idsOf(size, id), error };
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
