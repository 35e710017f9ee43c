import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Paid, Problem, Failure } from '../common/errors';
import { tellIds } from '../common/values';
import type { Size } from '../lookups/types';
import { toApiError } from '../service/refusals';

/** The ids follow. */
const PAID_FOR = 'Already started and paid for: ';
const RETRY = "choose 'Retry with currently saved workflow' in Executions";
const THEN_RETRY = `Then ${RETRY}: nothing is paid twice.`;
const GO_ON_WITHOUT =
	"To go on without this item, set 'On Error' in the settings of the node to Continue";
const OR_RETRY = `, or ${RETRY}: nothing is paid twice`;
const PAID_BEFORE =
	"What this execution has paid for before is in the output of its Contact Data nodes: each ID there can be an 'ID of an Earlier Search'.";
const PAYS_AGAIN = 'A retry of the workflow that called this one would pay again.';
const NOT_SENT_AGAIN = (what: string) =>
	`To avoid paying twice ${what} not sent again. Check the usage of your account to see`;

/** An execution that ends with an error. */
export interface Ending {
	/** Whether any of its nodes, at any turn of a loop, has paid for something, or may have. */
	hasPaid: boolean;
	/** Whether that was, or was also, another node or turn than the one that ends it. */
	hasPaidBefore: boolean;
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
 * All that is said of a problem beneath its message: how to mend it, and what to do then. Whoever does
 * that pays nothing twice: nothing here advises a new run of what is paid for, or may be.
 */
export function explain(problem: Problem, given: Situation): string {
	const { description, next } = problem;
	// After the brake a retry starts nothing, and gives the same error.
	const isNoWay = next === 'stop' && given.ending?.retry === 'goesOn';
	const situation: Situation =
		isNoWay && given.ending !== undefined
			? { ...given, ending: { ...given.ending, retry: 'none' } }
			: given;
	const { id, size, paidFor, ending } = situation;
	const goOn = tellHowToGoOn(problem, situation);
	const doubt = tellDoubt(next, situation);
	const named = next === 'read' && id !== undefined ? [...new Set([id, ...paidFor])] : paidFor;
	const read = tellHowToRead(situation, named, next === 'read' ? OR_RETRY : '');
	const paid = tellPaid(situation, named);
	const rest = tellRest(ending);
	switch (next) {
		case undefined:
		case 'again':
		case 'stop':
			return join(description, goOn, doubt, read, rest, paid);
		case 'look': {
			const look = id === undefined ? '' : tellLook(size, id);
			return join(description, look, goOn, doubt, read, rest, paid);
		}
		case 'read':
			return join(read, goOn, doubt, description, rest, paid);
		case 'checkUsage':
			return join(doubt, goOn, description, read, rest, paid);
	}
}

function join(...sentences: string[]): string {
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

function tellHowToGoOn(
	{ next, scope = 'request' }: Problem,
	{ ending, item, id, paidFor, unsure }: Situation,
): string {
	const hasPaid = ending?.hasPaid === true;
	if (next === 'again' && !hasPaid && paidFor.length === 0 && unsure === 0) {
		// Other calls of a tool, and whoever has called a sub-workflow, may have paid before.
		return ending?.retry === 'goesOn'
			? 'Nothing was charged.'
			: 'Nothing was charged for this item.';
	}
	const hasStarted = hasPaid || id !== undefined;
	if (ending?.retry !== 'goesOn' || !hasStarted || next === 'stop') return '';
	const isOfItem = item !== undefined && scope === 'request' && next !== 'again';
	if (!hasPaid) return isOfItem ? `${GO_ON_WITHOUT}.` : '';
	if (next === 'read') return isOfItem ? `${GO_ON_WITHOUT}, and then retry.` : '';
	return isOfItem ? `${GO_ON_WITHOUT}, and ${RETRY}: nothing is paid twice.` : THEN_RETRY;
}

/** What may have been charged, and how many searches that is. */
function tellDoubt(next: Problem['next'], { unsure }: Situation): string {
	if (unsure > 1) {
		return `${unsure} searches of this run may have been charged. ${NOT_SENT_AGAIN('they were')} which were charged.`;
	}
	const itself = `${NOT_SENT_AGAIN('it was')} whether it was charged.`;
	if (next === 'checkUsage') return itself;
	return unsure === 1 ? `One search of this run may have been charged. ${itself}` : '';
}

/** How to get free of charge what is paid for. */
function tellHowToRead(situation: Situation, ids: readonly string[], retry: string): string {
	if (ids.length === 0) return '';
	const { operation, label } = readingOf(situation.size);
	const [results, named] =
		ids.length === 1
			? ['the result', `'${label}' ${ids[0]}`]
			: ['the results', `each ID as '${label}'`];
	const otherWay = canRetry(situation) ? retry : ", or with 'ID of an Earlier Search'";
	return `Read ${results} free of charge with '${operation}' (${named}, 'Wait for Result' on)${otherWay}.`;
}

/** The ids come last: of many nobody reads what stands behind them. */
function tellPaid(situation: Situation, ids: readonly string[]): string {
	if (ids.length === 0) return '';
	// A retry finds them in the execution's receipts.
	const where = canRetry(situation) ? '' : ', which are in the usage of your account';
	return `${PAID_FOR}${tellIds(ids, where)}.`;
}

function canRetry({ ending }: Situation): boolean {
	return ending?.retry === 'goesOn' && ending.hasPaid;
}

/** What else there is to know where n8n offers no retry that goes on. */
function tellRest(ending: Ending | undefined): string {
	if (ending === undefined || !ending.hasPaid || ending.retry === 'goesOn') return '';
	const before = ending.hasPaidBefore ? PAID_BEFORE : '';
	return join(before, ending.retry === 'paysAgain' ? PAYS_AGAIN : '');
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
export function situationOf({ ids, paid, item }: Failure, ending?: Ending): Situation {
	const size = ids?.batch_id === undefined ? 'single' : 'bulk';
	const id = ids?.id ?? ids?.batch_id;
	return { size, paidFor: [], unsure: 0, ...paid, item, id, ending };
}

/** What an item says of a failure beside its message. */
export function describeInItem({ problem, ids, paid }: Failure): string {
	return explain(problem, situationOf({ problem, ids, paid }));
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
