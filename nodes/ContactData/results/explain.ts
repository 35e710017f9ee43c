import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, Remedy } from '../common/errors';
import { tellIds } from '../common/values';
import type { Size } from '../lookups/types';
import { MAX_UNKNOWN_SINGLES } from '../orders/limits';
import { toApiError } from '../service/refusals';

const RETRY = "choose 'Retry with currently saved workflow' in Executions";
const THEN_RETRY = `Then ${RETRY}: nothing is paid twice.`;

/**
 * What n8n's Retry does where it goes on from what is paid for, by what became of the money (`none`: nothing is said
 * of it). In an item, and where n8n offers no such retry, one reads instead what is paid for, whatever happened.
 */
const RETRIED: Record<Remedy | 'none' | 'cap', string> = {
	none: THEN_RETRY,
	again: THEN_RETRY,
	look: THEN_RETRY,
	checkUsage: THEN_RETRY,
	read: `Or ${RETRY}: nothing is paid twice.`,
	anew: `Or ${RETRY}: what is lost is paid for again, and nothing else.`,
	cap: "'Retry with currently saved workflow' in Executions may spend 'Max Credits' anew, and pays only for what is not started.",
	// A retry starts nothing, and gives the same error.
	stop: '',
};
const GO_ON_WITHOUT =
	"To go on without this item, set 'On Error' in the settings of the node to Continue.";
const CHECK_USAGE = 'not sent again: check the usage of your account';
const PAYS_AGAIN = 'A retry of the workflow that called this one would pay again.';

/** An execution that ends with an error. */
export interface Ending {
	/** Whether any of its nodes, at any turn of a loop, has paid for something, or may have. */
	hasPaid: boolean;
	/** What n8n's Retry does: it goes on from what is paid for, or starts a sub-workflow anew; n8n may offer none. */
	retry: 'goesOn' | 'paysAgain' | 'none';
}

/**
 * All that is said of a problem beneath its message, in one order: what to do, how to get what is paid for,
 * and the ids. Whoever does that pays nothing twice: nothing here advises a new run of what may be paid for.
 * @param ending left out where it is told in an item: the execution goes on, and n8n offers no retry
 */
export function explain(failure: Failure, ending?: Ending): string {
	const { problem, item, row, ids, paid, searches = 1 } = failure;
	const { remedy, description, affects = 'request', limit } = problem;
	const { paidFor = [], unsure = 0 } = paid ?? {};
	const id = ids?.id ?? ids?.batch_id;
	const size = ids === undefined ? (paid?.size ?? 'single') : ids.batch_id ? 'bulk' : 'single';
	const toRead = remedy === 'read' && id !== undefined ? [...new Set([id, ...paidFor])] : paidFor;
	const hasPaid = ending?.hasPaid === true;
	const isUnpaid = !hasPaid && paidFor.length === 0 && unsure === 0;
	const isBraked = remedy === 'checkUsage' && (size === 'bulk' || unsure >= MAX_UNKNOWN_SINGLES);
	const next = limit === 'run' ? 'cap' : isBraked ? 'stop' : (remedy ?? 'none');
	const retry = hasPaid && ending.retry === 'goesOn' ? RETRIED[next] : '';
	const canRetry = retry !== '';
	// A retry finds in the receipts what is not named.
	const where = canRetry ? '' : ', which are in the usage of your account';
	const these = ending && searches > 1 ? `these ${searches} items` : 'this item';
	const parts = [
		row !== undefined && affects === 'request' && `It is ${row}.`,
		description,
		remedy === 'again' && isUnpaid && `Nothing was charged for ${these}.`,
		remedy === 'look' && id !== undefined && tellLook(size, id),
		tellDoubt(remedy, unsure),
		canRetry && item !== undefined && affects === 'request' && GO_ON_WITHOUT,
		toRead.length > 0 && (remedy === 'read' || !canRetry) && tellHowToRead(size, toRead),
		retry,
		hasPaid && ending.retry === 'paysAgain' && PAYS_AGAIN,
		toRead.length > 0 && `Already started and paid for: ${tellIds(toRead, where)}.`,
	];
	return parts.filter((part) => part !== false && part !== '').join(' ');
}

function tellLook(size: Size, id: string): string {
	const { operation, label } = readingOf(size);
	return `Look at what there is with '${operation}' and '${label}' ${id}, which costs no credits, and ask the provider about it.`;
}

function tellDoubt(remedy: Remedy | undefined, unsure: number): string {
	if (unsure > 1) {
		return `${unsure} searches of this run may have been charged, and were ${CHECK_USAGE}.`;
	}
	if (remedy === 'checkUsage') return `It was ${CHECK_USAGE}.`;
	return unsure === 0
		? ''
		: `One search of this run may have been charged, and was ${CHECK_USAGE}.`;
}

/** How to get free of charge what is paid for. */
function tellHowToRead(size: Size, ids: readonly string[]): string {
	const { operation, label } = readingOf(size);
	const [results, named] =
		ids.length === 1
			? ['the result', `'${label}' ${ids[0]}`]
			: ['the results', `each ID as '${label}'`];
	return `Read ${results} free of charge with '${operation}' (${named}, 'Wait for Result' on).`;
}

/** The operation that reads an id, and how the editor calls its parameter. */
export function readingOf(size: Size): { operation: string; label: string } {
	return size === 'single'
		? { operation: 'Get Result', label: 'Search ID' }
		: { operation: 'Get Bulk Results', label: 'Batch ID' };
}

/** The error that n8n shows of a failure; without `ending` it is that of an item. */
export function toError(
	node: INode,
	failure: Failure,
	ending?: Ending,
): NodeApiError | NodeOperationError {
	const { problem } = failure;
	const description = explain(failure, ending);
	const { message, status, cause } = problem;
	if (status !== undefined) return toApiError(node, { message, description, status });
	const isOfNode = cause instanceof NodeOperationError || cause instanceof NodeApiError;
	if (isOfNode && description === problem.description) return cause;
	const what = isOfNode || cause === undefined ? message : cause;
	// n8n writes the number of an item behind the message, counted from 0: only its own errors keep it.
	const itemIndex = isOfNode ? cause.context.itemIndex : undefined;
	const context = typeof itemIndex === 'number' ? { itemIndex } : {};
	return new NodeOperationError(node, what, { message, description, ...context });
}
