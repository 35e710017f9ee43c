import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, Remedy } from '../common/errors';
import { tellIds } from '../common/values';
import type { Size } from '../lookups/types';
import { toApiError } from '../service/refusals';

const RETRY = "choose 'Retry with currently saved workflow' in Executions";
const GO_ON_WITHOUT =
	"To go on without this item, set 'On Error' in the settings of the node to Continue.";
const CHECK_USAGE = 'not sent again: check the usage of your account';
const PAYS_AGAIN = 'A retry of the workflow that called this one would pay again.';

/** An execution that ends with an error. */
export interface Ending {
	/** Whether any of its nodes, at any turn of a loop, has paid for something, or may have. */
	hasPaid: boolean;
	/** What n8n's Retry does: it goes on from what is paid for, or starts a sub-workflow anew. */
	retry: 'goesOn' | 'paysAgain' | 'none';
}

/**
 * All that is said of a problem beneath its message, in one order: what to do, how to get what is paid for,
 * and the ids. Whoever does that pays nothing twice: nothing here advises a new run of what may be paid for.
 * @param ending left out where it is told in an item: the execution goes on, and n8n offers no retry
 */
export function explain(failure: Failure, ending?: Ending): string {
	const { problem, item, ids, paid, searches = 1 } = failure;
	const { remedy, description, affects = 'request' } = problem;
	const { paidFor = [], unsure = 0 } = paid ?? {};
	const id = ids?.id ?? ids?.batch_id;
	const size = ids === undefined ? (paid?.size ?? 'single') : ids.batch_id ? 'bulk' : 'single';
	const toRead = remedy === 'read' && id !== undefined ? [...new Set([id, ...paidFor])] : paidFor;
	const hasPaid = ending?.hasPaid === true;
	const isUnpaid = !hasPaid && paidFor.length === 0 && unsure === 0;
	// After the brake a retry starts nothing, and gives the same error.
	const isBraked = remedy === 'stop' || (remedy === 'checkUsage' && size === 'bulk');
	const canRetry = hasPaid && ending.retry === 'goesOn' && !isBraked;
	// A retry finds in the receipts what is not named.
	const where = canRetry ? '' : ', which are in the usage of your account';
	const parts = [
		description,
		remedy === 'again' &&
			isUnpaid &&
			`Nothing was charged for ${ending && searches > 1 ? `these ${searches} items` : 'this item'}.`,
		remedy === 'look' && id !== undefined && tellLook(size, id),
		tellDoubt(remedy, unsure),
		canRetry && item !== undefined && affects === 'request' && GO_ON_WITHOUT,
		toRead.length > 0 && (remedy === 'read' || !canRetry) && tellHowToRead(size, toRead),
		canRetry && tellRetry(remedy),
		hasPaid && ending.retry === 'paysAgain' && PAYS_AGAIN,
		toRead.length > 0 && `Already started and paid for: ${tellIds(toRead, where)}.`,
	];
	return parts.filter((part) => part !== false && part !== '').join(' ');
}

function tellRetry(remedy: Remedy | undefined): string {
	return remedy === 'anew'
		? `Or ${RETRY}: what is lost is paid for again, and nothing else.`
		: `${remedy === 'read' ? 'Or' : 'Then'} ${RETRY}: nothing is paid twice.`;
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
	// n8n writes it behind the message, counted from 0.
	const isOfItem = problem.affects === undefined || problem.affects === 'request';
	const item = isOfItem ? failure.item : undefined;
	const description = explain(failure, ending);
	const { message, status, cause } = problem;
	if (status !== undefined) return toApiError(node, { message, description, status }, item);
	const isOfNode = cause instanceof NodeOperationError || cause instanceof NodeApiError;
	if (isOfNode && description === problem.description) return cause;
	const what = isOfNode || cause === undefined ? message : cause;
	const context = isOfNode ? cause.context.itemIndex : undefined;
	const itemIndex = typeof context === 'number' ? context : item;
	return new NodeOperationError(node, what, { message, description, itemIndex });
}
