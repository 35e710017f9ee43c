import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asText, quote } from '../common/values';
import { EARLIER_ID } from '../input/ids';
import { RAISE_TIME_LIMIT, TIME_LIMIT } from '../input/timeLimit';
import type { Lookup, Size } from '../lookups/types';
import type { Accepted, Order } from '../orders/order';
import { isLost } from '../orders/order';
import type { Fault } from '../service/reading';
import type { Shown } from '../service/state';
import { readingOf } from './explain';

/** What is wrong with a search whose order was not accepted. */
export function unacceptedProblem({ noun }: Lookup, { fate, count, origin }: Order): Problem {
	switch (fate.kind) {
		case 'refused':
			return fate.problem;
		case 'notStarted':
			return { ...fate.problem, scope: 'run' };
		case 'unknown': {
			const what = count === 1 ? noun.one : `batch of ${count} ${noun.many}`;
			return {
				message: `This ${what} may have been charged: ${fate.reason}`,
				description: [
					fate.lastAnswer === undefined ? [] : `The answer was: ${fate.lastAnswer}`,
					origin === 'recent' ? SENT_OF_LATE : [],
				]
					.flat()
					.join(' '),
				next: 'checkUsage',
			};
		}
		default:
			return HALTED;
	}
}

const SENT_OF_LATE =
	"It was sent in the last 24 hours. Once you know that it was not charged, run this item alone with 'Search Again' in Options, which searches anew.";

const PAID_OF_LATE =
	"It was paid for in the last 24 hours. If its result stays away, run this item alone with 'Search Again' in Options, which searches, and pays, anew.";

const FORGOTTEN =
	'It was paid for in the last 24 hours, and cannot be read any more: the next run searches, and pays, anew.';

const HALTED: Problem = {
	message: 'Not started, because the run had ended before its turn came',
	description: 'Nothing was charged for this item.',
	scope: 'run',
	isConsequence: true,
};

const NOTHING_STARTED = 'Nothing was started for this item';
const HOW_TO_SEARCH_AGAIN = `${NOTHING_STARTED}. Where '${EARLIER_ID}' is empty, a search is started and paid for.`;

/** A lookup or batch that was started, and of which there is no result. */
export function lookupProblem({
	kind,
	refusal: { message, description, scope, status },
}: Extract<Shown, { kind: 'failed' | 'fault' }>): Problem {
	return { message, description, status, scope, next: kind === 'fault' ? 'read' : undefined };
}

/** What other tools have in a column `id`: the number of a row, or the record of an Airtable. */
const ID_OF_ROW = /^(?:\d{1,6}|rec\w{14})$/;
const LOOKS_LIKE_ROW =
	"This looks like the row's own number or ID: the ID of a search is in the column search_id.";

/** The same of one that an item has named as its earlier search: nothing was started for the item. */
export function ofNamed({ message, description, status, scope }: Problem, id: string): Problem {
	// What is wrong with the account is wrong with every id.
	return scope === 'account'
		? { message, description: `${description} ${NOTHING_STARTED}.`, status, scope }
		: {
				message: `'${EARLIER_ID}' ${id} gives no result: ${message}`,
				description: `${ID_OF_ROW.test(id) ? LOOKS_LIKE_ROW : description} ${HOW_TO_SEARCH_AGAIN}`,
				status,
			};
}

/** The same of one that was searched in the last day, which this run does not buy again. */
export function ofRecent(problem: Problem, fate: Accepted): Problem {
	// What is wrong with the account is wrong with a new search, too.
	if (problem.scope === 'account') return problem;
	const isForgotten = isLost(fate);
	const description = `${problem.description} ${isForgotten ? FORGOTTEN : PAID_OF_LATE}`;
	return { ...problem, description, next: isForgotten ? undefined : problem.next };
}

/** One that was only to be read: nothing of it is waited for, or was started. */
export function readProblem({ refusal }: Fault, size: Size, id: string): Problem {
	const { message, description, scope, status } = refusal;
	const { label } = readingOf(size);
	return {
		message,
		description: `${description} It was asked for '${label}' ${id}.`,
		scope,
		status,
	};
}

/** In the output pane, where a wait ends before its Timeout and items that still run are given. */
export const ENDED_AT_LIMIT = `Waiting ended some seconds before ${TIME_LIMIT}, so that the IDs come out. ${RAISE_TIME_LIMIT}`;

/** One that still runs when the time is over. */
export function timeoutProblem(
	{ noun }: Lookup,
	wait: { id: string; size: Size; timeoutMs: number; lastAnswer?: string; isAtLimit: boolean },
	isNamed: boolean,
): Problem {
	const { id, size, timeoutMs, lastAnswer, isAtLimit } = wait;
	const what = size === 'single' ? noun.one : `batch of ${noun.many}`;
	const state =
		lastAnswer === undefined ? 'it was still running' : `the last answer was: ${lastAnswer}`;
	const time = isAtLimit ? TIME_LIMIT : `its timeout of ${timeoutMs / 1000} s`;
	const message = `The ${what} ${id} was not finished within ${time}: ${state}`;
	const longer = isAtLimit
		? RAISE_TIME_LIMIT
		: "To wait longer for later searches, raise 'Timeout' in Options.";
	const description = isNamed ? `Nothing new was started for this item. ${longer}` : longer;
	return { message, description, next: 'read' };
}

/** A finished single lookup that is plainly of another search than the one that was sent. */
export function otherSearchProblem({ noun }: Lookup, id: string): Problem {
	return {
		message: `The result of the ${noun.one} ${id} is for another search than this one`,
		description:
			'It tells of another person, address or ID than was asked for, so it is not given.',
		next: 'look',
	};
}

/** An answer that is given as a whole, and names another batch than the one that was asked for. */
export function anotherIdProblem(batchId: string): Problem {
	return {
		message: `The answer for batch ${batchId} is of another batch`,
		description: 'It has another ID, so nothing of it is given: ask the provider about it.',
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

/** A result in a batch that has ended, which says nothing, or that it has not ended itself. */
export function unsaidProblem(batchId: string, { qualification }: IDataObject): Problem {
	const word = asText(qualification);
	return {
		message:
			word === undefined
				? `Batch ${batchId} does not say what became of this item`
				: `Batch ${batchId} has ended, and says ${quote(word)} of this item`,
		description: 'That is no result to rely on, so it is not given.',
		next: 'look',
	};
}

/**
 * A finished batch that does not say what became of a search.
 * @param namedBy the parameter that names the batch, where it may never have had the search
 */
export function unlistedProblem(
	{ unlistedResult }: Lookup,
	batchId: string,
	namedBy: string | undefined,
): Problem {
	const why =
		unlistedResult === undefined
			? `Perhaps the values of the item have changed since, or '${namedBy}' is the batch of another item.`
			: 'It lists only what it found: whether it searched for this item can be told only where all of its searches are items of the run.';
	return {
		message: `Batch ${batchId} is finished, but has no result for this item`,
		description: namedBy === undefined ? '' : why,
		next: 'look',
	};
}
