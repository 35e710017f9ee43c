import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, Paid, Problem } from '../common/errors';
import { tellIds } from '../common/values';
import type { Size } from '../lookups/types';
import { toApiError } from '../service/refusals';

const RETRY = "choose 'Retry with currently saved workflow' in Executions";
const NOT_TWICE = 'nothing is paid twice';
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

/** Where a problem is told, on which it depends what is to be done about it. */
export interface Situation extends Paid {
	/** The input item that it is about. */
	item?: number;
	/** Of the lookup or batch that it is about. */
	id?: string;
	/** `undefined` where it is told in an item: the execution goes on, and n8n offers no retry. */
	ending?: Ending;
}

/**
 * All that is said of a problem beneath its message, in one order: what to do, how to get what is paid for,
 * and the ids. Whoever does that pays nothing twice: nothing here advises a new run of what may be paid for.
 */
export function explain(problem: Problem, situation: Situation): string {
	const { next } = problem;
	const { id, paidFor, ending } = situation;
	const hasPaid = ending?.hasPaid === true;
	const ids = next === 'read' && id !== undefined ? [...new Set([id, ...paidFor])] : paidFor;
	// After the brake a retry starts nothing, and gives the same error.
	const isBraked = next === 'stop' || (next === 'checkUsage' && situation.size === 'bulk');
	const canRetry = hasPaid && ending.retry === 'goesOn' && !isBraked;
	const parts = [
		...whatToDo(problem, situation),
		next === 'read' || !canRetry ? howToRead(situation.size, ids, canRetry) : '',
		next !== 'read' && canRetry ? `Then ${RETRY}: ${NOT_TWICE}.` : '',
		hasPaid && ending.retry === 'paysAgain' ? PAYS_AGAIN : '',
		ids.length === 0 ? '' : `Already started and paid for: ${tellIds(ids, where(canRetry))}.`,
	];
	return parts.filter((part) => part !== '').join(' ');
}

/** A retry finds in the receipts what is not named. */
function where(canRetry: boolean): string {
	return canRetry ? '' : ', which are in the usage of your account';
}

function whatToDo(problem: Problem, situation: Situation): string[] {
	const { description, next, scope = 'request' } = problem;
	const { id, size, item, unsure, ending, paidFor } = situation;
	const isOfItem = item !== undefined && scope === 'request';
	const hasPaid = ending?.hasPaid === true || paidFor.length > 0 || unsure > 0;
	const goOn =
		isOfItem && ending?.retry === 'goesOn' && (ending.hasPaid || id !== undefined)
			? GO_ON_WITHOUT
			: '';
	switch (next) {
		case 'again':
			return [description, hasPaid ? '' : tellNotCharged(ending), tellDoubt(unsure)];
		case 'stop':
			return [description, tellDoubt(unsure)];
		case 'checkUsage':
			return [unsure > 1 ? tellDoubt(unsure) : `It was ${CHECK_USAGE}.`, description, goOn];
		case 'look':
			return [description, id === undefined ? '' : tellLook(size, id), goOn, tellDoubt(unsure)];
		case 'read':
		case undefined:
			return [description, goOn, tellDoubt(unsure)];
	}
}

/** Other calls of a tool, and whoever has called a sub-workflow, may have paid before. */
function tellNotCharged(ending: Ending | undefined): string {
	return ending?.retry === 'goesOn' ? 'Nothing was charged.' : 'Nothing was charged for this item.';
}

function tellDoubt(unsure: number): string {
	if (unsure === 0) return '';
	const [searches, were] = unsure === 1 ? ['One search', 'was'] : [`${unsure} searches`, 'were'];
	return `${searches} of this run may have been charged, and ${were} ${CHECK_USAGE}.`;
}

/** How to get free of charge what is paid for. */
function howToRead(size: Size, ids: readonly string[], canRetry: boolean): string {
	if (ids.length === 0) return '';
	const { operation, label } = readingOf(size);
	const [results, named] =
		ids.length === 1
			? ['the result', `'${label}' ${ids[0]}`]
			: ['the results', `each ID as '${label}'`];
	const orRetry = canRetry ? `, or ${RETRY}: ${NOT_TWICE}` : '';
	return `Read ${results} free of charge with '${operation}' (${named}, 'Wait for Result' on)${orRetry}.`;
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

/** Where a failure is told: in an item, or where it ends the execution. */
function situationOf({ ids, paid, item }: Failure, ending?: Ending): Situation {
	const sizeOfId = ids && (ids.batch_id === undefined ? 'single' : 'bulk');
	const size = sizeOfId ?? paid?.size ?? 'single';
	const id = ids?.id ?? ids?.batch_id;
	return { paidFor: [], unsure: 0, ...paid, size, item, id, ending };
}

/** What an item says of a failure beside its message. */
export function describeInItem(failure: Failure): string {
	return explain(failure.problem, situationOf(failure));
}

/** The same with the message, in one text. */
export function explainInItem(failure: Failure): string {
	const { message } = failure.problem;
	const description = describeInItem(failure);
	return description === '' ? message : `${message.replace(/\.$/, '')}. ${description}`;
}

/** The error that n8n shows of a failure; without `ending` it is that of an item. */
export function toError(
	node: INode,
	failure: Failure,
	ending?: Ending,
): NodeApiError | NodeOperationError {
	const { problem } = failure;
	// n8n writes it behind the message, counted from 0.
	const isOfItem = problem.scope === undefined || problem.scope === 'request';
	const item = isOfItem ? failure.item : undefined;
	const description = explain(problem, situationOf(failure, ending));
	const { message, status, cause } = problem;
	if (status !== undefined) return toApiError(node, { message, description, status }, item);
	const isOfNode = cause instanceof NodeOperationError || cause instanceof NodeApiError;
	if (isOfNode && description === problem.description) return cause;
	const what = isOfNode || cause === undefined ? message : cause;
	const context = isOfNode ? cause.context.itemIndex : undefined;
	const itemIndex = typeof context === 'number' ? context : item;
	return new NodeOperationError(node, what, { message, description, itemIndex });
}
