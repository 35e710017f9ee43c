import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ItemFailure, Paid, Problem, RunFailure } from '../common/errors';
import type { Lookup, Size } from '../lookups/types';
import type { Refusal } from '../service/refusals';
import { toApiError } from '../service/refusals';
import type { Outcome } from '../spending/start';

/** Ids in an error's description, at most; the others are in the execution's receipts. */
const MAX_IDS_SHOWN = 20;

/** The ids follow. */
export const PAID_FOR = 'Already started and paid for: ';
const CHECK_USAGE =
	'It was not sent again, so that you do not pay twice: check in the usage of your account whether it was charged.';
const HOW_TO_GET_OTHERS =
	"To get the other items, set 'On Error' in the settings of the node to Continue, and retry this execution with the saved workflow.";

/** Where a problem is told, on which it depends what is to be done about it. */
export interface Situation extends Paid {
	/** Whether it is told in an item: the other items are there, and n8n offers no retry. */
	asItem: boolean;
	/** Of the lookup or batch that it is about. */
	id?: string;
}

/** All that is said of a problem beneath its message: how to mend it, and what to do then. */
export function explain({ description, next }: Problem, situation: Situation): string {
	const paid = tellPaid(situation, situation.paidFor);
	const { id, asItem } = situation;
	switch (next) {
		case undefined:
			return join(description, paid);
		case 'again':
		case 'later':
			return join(description, tellAgain(next, situation), paid);
		case 'look':
			return join(description, id === undefined ? '' : tellLook(situation.size, id), paid);
		case 'read': {
			const ids = id === undefined ? situation.paidFor : new Set([id, ...situation.paidFor]);
			return join(tellPaid(situation, [...ids]), description);
		}
		case 'checkUsage':
			return join(CHECK_USAGE, asItem ? '' : HOW_TO_GET_OTHERS, description, paid);
	}
}

function join(...sentences: string[]): string {
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Never that what is paid for, or may be, is to be run again. */
function tellAgain(next: 'again' | 'later', { asItem, paidFor, mayBePaid }: Situation): string {
	const isLater = next === 'later';
	if (!asItem && (paidFor.length > 0 || mayBePaid)) {
		return isLater ? 'Retry this execution later.' : 'Then retry this execution.';
	}
	if (paidFor.length > 0) return '';
	const run = isLater ? 'Run the workflow again later' : 'then run the workflow again';
	if (!asItem) {
		return isLater ? `${run}.` : `Nothing was charged: ${run}.`;
	}
	const without = mayBePaid ? ', but not with those that have an ID or may have been charged' : '';
	const again = `${run} with the items that failed${without}.`;
	return isLater ? again : `Nothing was charged for this item: ${again}`;
}

/** What is paid for, and how to get it free of charge. */
function tellPaid({ size, asItem }: Situation, ids: readonly string[]): string {
	if (ids.length === 0) return '';
	const { operation, label } = readingOf(size);
	const shown = ids.slice(0, MAX_IDS_SHOWN).join(', ');
	const more = ids.length > MAX_IDS_SHOWN ? ` and ${ids.length - MAX_IDS_SHOWN} more` : '';
	const [results, named, them] =
		ids.length === 1
			? ['the result', `'${label}' ${ids[0]}`, 'it']
			: ['the results', `each as '${label}'`, 'them'];
	const retry = asItem ? '' : `, or retry this execution, which does not start ${them} again`;
	return `${PAID_FOR}${shown}${more}; read ${results} free of charge with '${operation}', ${named} and 'Wait for Result'${retry}.`;
}

function tellLook(size: Size, id: string): string {
	const { operation, label } = readingOf(size);
	return `Look at what there is with '${operation}' and '${label}' ${id}, which costs no credits, and ask the provider about it.`;
}

/** The operation that reads an id, and how the editor calls its parameter. */
export function readingOf(size: Size): { operation: string; label: string } {
	return size === 'single'
		? { operation: 'Get Result', label: 'Search ID' }
		: { operation: 'Get Bulk Results', label: 'Batch ID' };
}

/** Where a failure is told. */
export function situationOf({ ids, paid }: RunFailure, asItem: boolean): Situation {
	const size = ids?.batch_id === undefined ? 'single' : 'bulk';
	return { size, paidFor: [], mayBePaid: false, ...paid, id: ids?.id ?? ids?.batch_id, asItem };
}

/** The error that n8n shows of a failure which ends the run. */
export function toError(node: INode, failure: RunFailure): NodeApiError | NodeOperationError {
	const { problem, item } = failure;
	const description = explain(problem, situationOf(failure, false));
	const { message, status, cause } = problem;
	if (status !== undefined) return toApiError(node, { message, description, status }, item);
	const isOfNode = cause instanceof NodeOperationError || cause instanceof NodeApiError;
	if (isOfNode && description === problem.description) return cause;
	const what = isOfNode || cause === undefined ? message : cause;
	const context = isOfNode ? cause.context.itemIndex : undefined;
	const itemIndex = typeof context === 'number' ? context : item;
	return new NodeOperationError(node, what, { message, description, itemIndex });
}

/** What an item gets whose submission was not accepted. */
export function submissionFailure(
	{ noun }: Lookup,
	outcome: Exclude<Outcome, { kind: 'accepted' | 'invalid' }>,
	item: number,
): ItemFailure {
	switch (outcome.kind) {
		case 'refused':
			return { item, problem: outcome.refusal };
		case 'notStarted':
			return { item, problem: outcome.problem, isOfCap: outcome.problem.isOfCap };
		case 'halted':
			return { item, problem: HALTED, isConsequence: true };
		case 'unknown':
			return {
				item,
				problem: {
					message: `This ${noun.one} may have been charged: ${outcome.reason}`,
					description: outcome.said === undefined ? '' : `The answer was: ${outcome.said}`,
					next: 'checkUsage',
				},
			};
	}
}

const HALTED: Problem = {
	message: 'Not started, because the run had ended before its turn came',
	description: 'Nothing was charged for this item.',
};

const NOTHING_STARTED = 'Nothing was started for this item';
const HOW_TO_SEARCH_AGAIN = `${NOTHING_STARTED}: to search again and pay for it, clear 'ID of an Earlier Search' for it.`;

/**
 * A lookup or batch that was started, and of which there is no result.
 * @param isEarlier whether an item has named it as its earlier search; so are the others
 */
export function lookupProblem(
	{ kind, refusal }: { kind: 'failed' | 'fault'; refusal: Refusal },
	id: string,
	isEarlier: boolean,
): Problem {
	const { message, description, scope, status } = refusal;
	if (!isEarlier) {
		return { message, description, status, next: kind === 'fault' ? 'read' : undefined };
	}
	// What is wrong with the account is wrong with every id.
	return scope === 'account'
		? { message, description: `${description} ${NOTHING_STARTED}.`, status }
		: {
				message: `'ID of an Earlier Search' ${id} gives no result: ${message}`,
				description: `${description} ${HOW_TO_SEARCH_AGAIN}`,
				status,
			};
}

/** Of the workflow, or of n8n. */
const TIME_LIMIT = "n8n's time limit for this execution";
const RAISE_TIME_LIMIT =
	"To wait longer, raise the time limit: 'Timeout After' in the settings of the workflow, or n8n's own.";

/** In the output pane, where a wait ends before its Timeout and items that still run are given. */
export const ENDED_AT_LIMIT = `Waiting ended some seconds before ${TIME_LIMIT}, so that the IDs come out. ${RAISE_TIME_LIMIT}`;

/** One that still runs when the time is over. */
export function timeoutProblem(
	{ noun }: Lookup,
	wait: { id: string; size: Size; timeoutMs: number; lastFault?: Refusal; isAtLimit: boolean },
	isEarlier = false,
): Problem {
	const { id, size, timeoutMs, lastFault, isAtLimit } = wait;
	const what = size === 'single' ? noun.one : `batch of ${noun.many}`;
	const state =
		lastFault === undefined ? 'it was still running' : `the last answer was: ${lastFault.message}`;
	const time = isAtLimit ? TIME_LIMIT : `its timeout of ${timeoutMs / 1000} s`;
	const message = `The ${what} ${id} was not finished within ${time}: ${state}`;
	const longer = isAtLimit ? RAISE_TIME_LIMIT : "To wait longer, raise 'Timeout' in Options.";
	return isEarlier
		? {
				message,
				description: `It was started earlier, and nothing new was started for this item. To read it later costs no credits. ${longer}`,
				next: 'later',
			}
		: { message, description: longer, next: 'read' };
}

/** A finished single lookup that is plainly of another search than the one that was sent. */
export function otherSearchProblem({ noun }: Lookup, id: string, isEarlier: boolean): Problem {
	const message = `The result of the ${noun.one} ${id} is for another search than this one`;
	const notGiven = 'It tells of another person or address than was asked for, so it is not given.';
	return isEarlier
		? {
				message,
				description: `${notGiven} Correct 'ID of an Earlier Search' for this item. ${HOW_TO_SEARCH_AGAIN}`,
			}
		: { message, description: notGiven, next: 'look' };
}

/** The same of a finished batch that is given as a whole. */
export function otherSearchesProblem({ noun }: Lookup, batchId: string): Problem {
	return {
		message: `The results of batch ${batchId} are for other ${noun.many} than these`,
		description: 'They tell of other addresses than were asked for, so they are not given.',
		next: 'look',
	};
}

/** A finished batch with results of which nobody can say whose they are. */
export function unmatchedProblem(batchId: string, unmatched: number): Problem {
	return {
		message: `No result in batch ${batchId} could be matched to this item`,
		description: `${unmatched} of its results fit no item that was sent, and nothing is guessed.`,
		next: 'look',
	};
}

/** A finished batch that does not say what became of a search. */
export function unlistedProblem(
	{ unlistedResult }: Lookup,
	batchId: string,
	isEarlier: boolean,
): Problem {
	if (!isEarlier) {
		const message = `Batch ${batchId} is finished, but has no result for this item`;
		return { message, description: '', next: 'look' };
	}
	return unlistedResult === undefined
		? {
				message: `Batch ${batchId} has no result for this item`,
				description: `Perhaps the values of the item have changed since, or 'ID of an Earlier Search' is the batch of another item. ${HOW_TO_SEARCH_AGAIN}`,
			}
		: {
				message: `Batch ${batchId} does not tell whether it searched for this item`,
				description: `It lists only what it found, so that can be told only where all of its searches are items of the run. ${HOW_TO_SEARCH_AGAIN}`,
			};
}
