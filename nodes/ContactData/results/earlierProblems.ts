import type { INode } from 'n8n-workflow';
import type { ItemError, Problem } from '../common/itemErrors';
import { problemError } from '../common/itemErrors';
import { asNumber, asRecord } from '../common/json';
import type { Lookup } from '../lookups/types';
import type { Refusal } from '../service/refusals';
import { toApiError } from '../service/refusals';
import type { Submission } from '../spending/plan';
import type { TimedOut } from './failures';
import { HOW_TO_WAIT_LONGER, NOT_GIVEN, otherSearchMessage, timeoutMessage } from './failures';
import type { Matching } from './match';

const NOTHING_STARTED = 'Nothing was started for this item';
const HOW_TO_SEARCH_AGAIN = `${NOTHING_STARTED}: to search again and pay for it, clear 'ID of an Earlier Search' for it.`;

/** An item's earlier lookup or batch that cannot be read, or has failed. */
export function earlierError(
	node: INode,
	refusal: Refusal,
	{ id, item }: { id: string; item: number },
): ItemError {
	const { message, description } = refusal;
	// What is wrong with the account is wrong with every id.
	const problem =
		refusal.scope === 'account'
			? { message, description: `${description} ${NOTHING_STARTED}.` }
			: {
					message: `'ID of an Earlier Search' ${id} gives no result: ${message}`,
					description: `${description} ${HOW_TO_SEARCH_AGAIN}`,
				};
	return toApiError(node, { ...problem, status: refusal.status }, item);
}

/** One that still runs when the time is over. */
export function earlierTimeoutError(
	node: INode,
	lookup: Lookup,
	wait: TimedOut & { item: number },
): ItemError {
	return problemError(
		node,
		{
			message: timeoutMessage(lookup, wait),
			description: `It was started earlier, and nothing new was started for this item. Run the workflow again later, which reads it free of charge. ${HOW_TO_WAIT_LONGER}`,
		},
		wait.item,
	);
}

/** A result that is of somebody else: the id may be that of another row. */
export function wrongIdProblem(lookup: Lookup, id: string): Problem {
	return {
		message: otherSearchMessage(lookup, id),
		description: `${NOT_GIVEN} Correct 'ID of an Earlier Search' for this item. ${HOW_TO_SEARCH_AGAIN}`,
	};
}

/** A finished batch that does not list the search of an item. */
export function notListedProblem({ unlistedResult }: Lookup, batchId: string): Problem {
	if (unlistedResult === undefined) {
		return {
			message: `Batch ${batchId} has no result for this item`,
			description: `Perhaps the values of the item have changed since, or 'ID of an Earlier Search' is the batch of another item. ${HOW_TO_SEARCH_AGAIN}`,
		};
	}
	return {
		message: `Batch ${batchId} does not tell whether it searched for this item`,
		description: `It lists only what it found, so that can be told only where all of its searches are items of the run. ${HOW_TO_SEARCH_AGAIN}`,
	};
}

/**
 * Whether a finished batch surely had all of these searches, also those that it does not list: it had
 * no others, as it was asked for exactly so many, and what it lists is all theirs.
 */
export function isWholeBatch(
	{ searches }: Pick<Submission, 'searches'>,
	{ unmatched }: Matching,
	{ stats }: { stats?: unknown },
): boolean {
	return unmatched.length === 0 && asNumber(asRecord(stats)?.requested) === searches.length;
}
