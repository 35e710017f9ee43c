import type { INode } from 'n8n-workflow';
import type { ItemError, ItemFailure, Problem } from '../common/itemErrors';
import { problemError } from '../common/itemErrors';
import type { Lookup, Size } from '../lookups/types';
import type { Refusal } from '../service/refusals';
import { toApiError } from '../service/refusals';
import type { Outcome } from '../spending/start';

/** Ids in an error's description, at most; the others are in the execution's receipts. */
const MAX_IDS_SHOWN = 20;

const HALTED_PROBLEM: Problem = {
	message: 'Not started, because the run had ended before its turn came',
	description: 'Nothing was charged for this item.',
};

/** What an item gets whose submission was not accepted. */
export function submissionFailure(
	node: INode,
	{ lookup }: { lookup: Lookup; size: Size },
	outcome: Exclude<Outcome, { kind: 'accepted' }>,
	item: number,
): ItemFailure {
	const error = submissionError(node, lookup, outcome, item);
	if (outcome.kind === 'notStarted' && outcome.problem.isOfCap === true) {
		return { item, error, isOfCap: true };
	}
	return outcome.kind === 'halted' ? { item, error, isConsequence: true } : { item, error };
}

function submissionError(
	node: INode,
	lookup: Lookup,
	outcome: Exclude<Outcome, { kind: 'accepted' }>,
	itemIndex: number,
): ItemError {
	switch (outcome.kind) {
		case 'refused':
			return toApiError(node, outcome.refusal, itemIndex);
		case 'notStarted':
			return problemError(node, outcome.problem, itemIndex);
		case 'halted':
			return problemError(node, HALTED_PROBLEM, itemIndex);
		case 'unknown':
			return problemError(
				node,
				{
					message: `This ${lookup.noun.one} may have been charged: ${outcome.reason}`,
					description: `It was not sent again, so that you do not pay twice: run the workflow again with this item only if the usage in your account does not show it. To get the other items, set 'On Error' in the settings of the node to Continue, and retry this execution with the saved workflow.${outcome.said === undefined ? '' : ` The answer was: ${outcome.said}`}`,
				},
				itemIndex,
			);
	}
}

/** A lookup or batch that was started and of which there is no result, and the item that waits for it. */
interface Unfinished {
	id: string;
	size: Size;
	itemIndex: number;
}

/** The error of a lookup that was started, and of which there is no result. */
export function waitError(
	node: INode,
	refusal: Refusal,
	{ id, size, itemIndex }: Unfinished,
): ItemError {
	const description = `${refusal.description} ${howToPickUp([id], size)}`;
	return toApiError(node, { ...refusal, description }, itemIndex);
}

/** The error of a wait that ended before the lookup did. */
export function timeoutError(node: INode, lookup: Lookup, wait: Unfinished & TimedOut): ItemError {
	const { id, size, itemIndex } = wait;
	return problemError(
		node,
		{
			message: timeoutMessage(lookup, wait),
			description: `${howToPickUp([id], size)} ${HOW_TO_WAIT_LONGER}`,
		},
		itemIndex,
	);
}

/** A wait that ended before the lookup did. */
export interface TimedOut {
	id: string;
	size: Size;
	timeoutMs: number;
	lastFault?: Refusal;
}

export const HOW_TO_WAIT_LONGER = "To wait longer, raise 'Timeout' in Options.";

export function timeoutMessage(
	{ noun }: Lookup,
	{ id, size, timeoutMs, lastFault }: TimedOut,
): string {
	const what = size === 'single' ? noun.one : `batch of ${noun.many}`;
	const state =
		lastFault === undefined ? 'it was still running' : `the last answer was: ${lastFault.message}`;
	return `The ${what} ${id} was not finished within its timeout of ${timeoutMs / 1000} s: ${state}`;
}

/** The finished result of a single lookup, which is of another search than the one that was sent. */
export function otherSearchProblem(lookup: Lookup, id: string): Problem {
	return {
		message: otherSearchMessage(lookup, id),
		description: `${NOT_GIVEN} ${howToLook(id, 'single')}`,
	};
}

export function otherSearchMessage({ noun }: Lookup, id: string): string {
	return `The result of the ${noun.one} ${id} is for another search than this one`;
}

export const NOT_GIVEN =
	'It tells of another person or address than was asked for, so it is not given.';

/** The same of a finished batch that is given as a whole. */
export function otherSearchesProblem({ noun }: Lookup, batchId: string): Problem {
	return {
		message: `The results of batch ${batchId} are for other ${noun.many} than these`,
		description: `They tell of other people or addresses than were asked for, so they are not given. ${howToLook(batchId, 'bulk')}`,
	};
}

function howToLook(id: string, size: Size): string {
	return `${howToRead(id, size)}, and ask the provider about it.`;
}

/** What to do next may follow. */
function howToRead(id: string, size: Size): string {
	const { operation, label } = readingOf(size);
	return `Look at what there is with '${operation}' and '${label}' ${id}, which costs no credits`;
}

/** A finished batch with results of which nobody can say whose they are. */
export function unmatchedProblem(batchId: string, unmatched: number): Problem {
	return {
		message: `No result in batch ${batchId} could be matched to this item`,
		description: `${unmatched} of its results fit no item that was sent, and nothing is guessed. ${howToRead(batchId, 'bulk')}.`,
	};
}

/** A finished batch that does not say what became of a search. */
export function unlistedProblem(batchId: string): Problem {
	return {
		message: `Batch ${batchId} is finished, but has no result for this item`,
		description: howToLook(batchId, 'bulk'),
	};
}

/** Adds the ids that are already paid for to an error that ends the whole run. */
export function withStartedIds<T extends ItemError>(error: T, ids: string[], size: Size): T {
	const named = namedIds(error.description ?? '');
	const missing = ids.filter((id) => !named.has(id));
	if (missing.length > 0) {
		const description = besideStarted(error.description ?? '');
		error.description = [description, howToPickUp(missing, size)].filter(Boolean).join(' ');
	}
	return error;
}

/** What is said of one search, where others are started: all again would be paid for again. */
function besideStarted(description: string): string {
	return description
		.replace(/(r)un the workflow again(?! with)/gi, '$1etry this execution')
		.replace(/Nothing was started(?=\.|, and nothing charged\.)/g, 'Nothing more was started');
}

/** The ids follow. */
export const PAID_FOR = 'Already started and paid for: ';

/** The ids that a description names already. To look for their text is not enough: one may hold another. */
function namedIds(description: string): Set<string> {
	const [, ...lists] = description.split(PAID_FOR);
	return new Set(lists.flatMap((list) => list.split('; ')[0]?.split(', ') ?? []));
}

function howToPickUp(ids: string[], size: Size): string {
	const { operation, label } = readingOf(size);
	const shown = ids.slice(0, MAX_IDS_SHOWN).join(', ');
	const more = ids.length > MAX_IDS_SHOWN ? ` and ${ids.length - MAX_IDS_SHOWN} more` : '';
	const [results, named, them] =
		ids.length === 1
			? ['the result', `'${label}' ${ids[0]}`, 'it']
			: ['the results', `each as '${label}'`, 'them'];
	return `${PAID_FOR}${shown}${more}; read ${results} free of charge with '${operation}', ${named} and 'Wait for Result', or retry this execution, which does not start ${them} again.`;
}

/** The operation that reads an id, and how the editor calls its parameter. */
export function readingOf(size: Size): { operation: string; label: string } {
	return size === 'single'
		? { operation: 'Get Result', label: 'Search ID' }
		: { operation: 'Get Bulk Results', label: 'Batch ID' };
}
