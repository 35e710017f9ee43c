import { isFailure, type ItemFailure } from '../common/itemErrors';
import type { ItemSearch } from '../input/itemSearches';
import type { Run } from '../input/run';
import type { Lookup, Size } from '../lookups/types';
import { Budget } from './budget';
import { outcomeOfEarlierId, submissionsOfEarlierIds } from './earlierIds';
import { findEarlierSubmissions } from './earlierTries';
import type { Submission } from './plan';
import { plan, searchName } from './plan';
import type { Receipts } from './receipts';
import type { Outcome, Spending } from './submitAll';
import { submitAll } from './submitAll';

/** What is to be started. */
export interface StartRequest {
	lookup: Lookup;
	size: Size;
	itemSearches: Array<ItemSearch | ItemFailure>;
	receipts: Receipts;
	/** 0 for no limit. */
	maxCredits: number;
}

/** The search of an item, where it was submitted, and what became of that. */
export interface SubmittedSearch {
	itemSearch: ItemSearch;
	submission: Submission;
	/** Which of the submission's searches it is. */
	position: number;
	outcome: Outcome;
}

export interface Started {
	receipts: Receipts;
	/** In the order of the input items. */
	searches: Array<SubmittedSearch | ItemFailure>;
	submissions: Submission[];
	/** One for each submission. */
	outcomes: Outcome[];
	/** The account's credits after the last submission, where they are known. */
	balanceLeft: number | undefined;
}

/** What may be submitted for the items, by the names in the receipts. */
export function namesOf(
	{ connection: { account } }: Pick<Run, 'connection'>,
	{ lookup, size, itemSearches }: StartRequest,
): string[] {
	const endpoint = { baseUrl: account.baseUrl, lookup, size };
	return itemSearches.flatMap((search) =>
		isFailure(search) || search.earlierId !== undefined ? [] : searchName(endpoint, search),
	);
}

/** Plans what the items search for, and what it is counted against. */
export function prepare(
	{ connection: { account } }: Pick<Run, 'connection'>,
	{ lookup, size, itemSearches, receipts, maxCredits }: StartRequest,
): Spending {
	const endpoint = { baseUrl: account.baseUrl, lookup, size };
	const budget = new Budget(lookup, size, account, maxCredits);
	const readable = itemSearches.filter((search): search is ItemSearch => !isFailure(search));
	const named = submissionsOfEarlierIds(endpoint, readable);
	const unnamed = readable.filter(({ earlierId }) => earlierId === undefined);
	const { earlier, remaining } = findEarlierSubmissions(endpoint, receipts, unnamed);
	const planned = [...named, ...earlier, ...plan(endpoint, remaining)];
	return { endpoint, receipts, budget, planned };
}

/**
 * Plans what the items search for, checks the money, and submits what no earlier try has submitted.
 * Searches that could not be read are passed on as they are.
 */
export async function start(run: Run, request: StartRequest): Promise<Started> {
	const spending = prepare(run, request);
	const made = await submitAll(run, spending);
	return toStarted(request, made, spending.budget.balanceLeft);
}

/** Only what the items name by the ids of earlier searches: that is started already. */
export function findStarted(
	{ connection: { account } }: Pick<Run, 'connection'>,
	request: StartRequest,
): Started {
	const { lookup, size } = request;
	const endpoint = { baseUrl: account.baseUrl, lookup, size };
	const itemSearches = request.itemSearches.filter(
		(search): search is ItemSearch => !isFailure(search),
	);
	const made = submissionsOfEarlierIds(endpoint, itemSearches).map((submission) => ({
		submission,
		outcome: outcomeOfEarlierId(submission.earlierId),
	}));
	return toStarted({ ...request, itemSearches }, made);
}

function toStarted(
	{ itemSearches, receipts }: StartRequest,
	made: Array<{ submission: Submission; outcome: Outcome }>,
	balanceLeft?: number,
): Started {
	const submitted = new Map<ItemSearch, SubmittedSearch>();
	made.forEach(({ submission, outcome }) => {
		submission.items.forEach((items, position) => {
			for (const itemSearch of items) {
				submitted.set(itemSearch, { itemSearch, submission, position, outcome });
			}
		});
	});
	const searches = itemSearches.flatMap((search) => {
		const known = isFailure(search) ? search : submitted.get(search);
		return known === undefined ? [] : [known];
	});
	return {
		receipts,
		searches,
		submissions: made.map(({ submission }) => submission),
		outcomes: made.map(({ outcome }) => outcome),
		balanceLeft,
	};
}
