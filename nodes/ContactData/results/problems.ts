import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asText, quote } from '../common/values';
import { EARLIER_ID } from '../input/fields';
import { RAISE_TIME_LIMIT, TIME_LIMIT } from '../run/timeLimit';
import type { Lookup, Size } from '../lookups/types';
import { type AcceptedOrder, isLost, type Order } from '../orders/order';
import type { Shown } from '../service/state';
import { readingOf } from './explain';

/** The end of a wait, where what still runs is an error. */
export interface Timeout {
	timeoutMs: number;
	/** Whether n8n's time limit has ended it, and not its Timeout. */
	isAtLimit: boolean;
}

const SENT_OF_LATE =
	"An earlier run has sent it, and may still wait for the answer: look at the usage of your account in some minutes. Once you know that it was not charged, run this item alone with 'Search Again' in Options, which searches anew.";
const STAYS_AWAY =
	"If its result stays away, run this item alone with 'Search Again' in Options, which searches, and pays, anew.";
const PAID_OF_LATE = `It was paid for by an earlier run. ${STAYS_AWAY}`;
const FORGOTTEN =
	'It was paid for by an earlier run, and cannot be read any more: the next run searches, and pays, anew.';
const NOT_STARTED =
	'Nothing was started or charged for this item; without the ID it is searched, and paid for.';

/** In the output pane, where a wait ends before its Timeout and items that still run are given. */
export const ENDED_AT_LIMIT = `Waiting ended some seconds before ${TIME_LIMIT}, so that the IDs come out. ${RAISE_TIME_LIMIT}`;

const HALTED: Problem = {
	message: 'Not started, because the run had ended before its turn came',
	description: 'Nothing was charged for this item.',
	affects: 'run',
	isConsequence: true,
};

/** What is wrong with a search whose order was not accepted. */
export function unacceptedProblem({ noun }: Lookup, { fate, count, origin }: Order): Problem {
	switch (fate.kind) {
		case 'refused':
			return fate.problem;
		case 'notStarted':
			return { ...fate.problem, affects: 'run' };
		case 'unknown': {
			const what = count === 1 ? noun.one : `batch of ${count} ${noun.many}`;
			const { lastAnswer } = fate;
			const description = [
				lastAnswer !== undefined && `The answer was: ${lastAnswer}`,
				origin === 'recent' && SENT_OF_LATE,
			];
			return {
				message: `This ${what} may have been charged: ${fate.reason}`,
				description: description.filter(Boolean).join(' '),
				remedy: 'checkUsage',
			};
		}
		default:
			return HALTED;
	}
}

/** A lookup or batch that was started, and of which there is no result. */
export function lookupProblem({
	kind,
	refusal: { message, description, affects, status, namesId },
}: Extract<Shown, { kind: 'failed' | 'fault' }>): Problem {
	const remedy = kind === 'fault' ? 'read' : undefined;
	return { message, description, status, affects, namesId, remedy };
}

/** The same of an id that this run has not started: nothing new was bought for it. */
export function ofOrigin(problem: Problem, order: AcceptedOrder): Problem {
	const { origin, size, fate } = order;
	const { message, description, status, affects, namesId = false } = problem;
	switch (origin) {
		case 'named':
			return {
				message: `'${EARLIER_ID}' ${fate.id} gives no result: ${message}`,
				description: `${description} ${NOT_STARTED}`,
				status,
				affects,
			};
		case 'read': {
			const asked = namesId ? '' : ` It was asked for '${readingOf(size).label}' ${fate.id}.`;
			return { message, description: `${description}${asked}`, status, affects };
		}
		case 'recent': {
			if (affects === 'account') return problem;
			const [advice, remedy] = isLost(order) ? ([FORGOTTEN, 'anew'] as const) : [PAID_OF_LATE];
			return { ...problem, description: `${description} ${advice}`.trim(), remedy };
		}
		default: {
			const isRefused = fate.kind === 'fault' && fate.fault === 'refused' && affects !== 'account';
			return isRefused ? { ...problem, description: `${description} ${STAYS_AWAY}` } : problem;
		}
	}
}

/** One that still runs when the time is over. */
export function timeoutProblem(
	{ noun }: Lookup,
	{ size, fate }: AcceptedOrder,
	{ timeoutMs, isAtLimit }: Timeout,
): Problem {
	const what = size === 'single' ? noun.one : `batch of ${noun.many}`;
	const lastAnswer =
		fate.kind === 'fault'
			? fate.refusal.message
			: fate.kind === 'ongoing'
				? fate.lastAnswer
				: undefined;
	const state =
		lastAnswer === undefined ? 'it was still running' : `the last answer was: ${lastAnswer}`;
	const time = isAtLimit ? TIME_LIMIT : `its timeout of ${timeoutMs / 1000} s`;
	return {
		message: `The ${what} ${fate.id} was not finished within ${time}: ${state}`,
		description: isAtLimit
			? RAISE_TIME_LIMIT
			: "To wait longer for later searches, raise 'Timeout' in Options.",
		remedy: 'read',
	};
}

/** A finished lookup or batch that is plainly another than the one that was asked for. */
export function otherSearchProblem({ noun }: Lookup, size: Size, id: string): Problem {
	return {
		message: `The result of the ${size === 'single' ? noun.one : 'batch'} ${id} is for another search than this one`,
		description:
			'It tells of another person, address or ID than was asked for, so it is not given.',
		remedy: 'look',
	};
}

/** A result that is of no use: it tells no value that it says it has found, or has no documented word. */
export function uselessProblem(
	{ noun, words }: Lookup,
	size: Size,
	id: string,
	{ qualification }: IDataObject,
	isEmpty: boolean,
): Problem {
	const what = size === 'single' ? `The result of the ${noun.one} ${id}` : `Batch ${id}`;
	const word = asText(qualification);
	const says = word === undefined ? '' : `says ${quote(word)}`;
	return {
		message: isEmpty
			? `${what} ${says}, but tells no ${words.goal} for this item`
			: `${what} does not say what became of this item`,
		description: `${isEmpty || says === '' ? '' : `It ${says}. `}That is no result to rely on, so it is not given.`,
		remedy: 'look',
	};
}

/**
 * A finished batch that does not say what became of a search.
 * @param unmatched its results that may be of any search
 */
export function unlistedProblem(
	{ unlistedResult }: Lookup,
	{ origin, fate }: AcceptedOrder,
	unmatched: number,
): Problem {
	const description = [
		unmatched > 0 &&
			`${unmatched} of its results fit no item that was sent, and nothing is guessed.`,
		origin === 'named' &&
			`Perhaps the values of the item have changed since, or it is another item's.`,
		origin === 'named' &&
			unlistedResult !== undefined &&
			'It lists only what it found: who was not found can be told only where all of its searches are items of the run.',
	];
	return {
		message: `Batch ${fate.id} is finished, but has no result for this item`,
		description: description.filter(Boolean).join(' '),
		remedy: 'look',
	};
}
