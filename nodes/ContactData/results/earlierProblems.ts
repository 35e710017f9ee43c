import type { INode } from 'n8n-workflow';
import type { ItemError, Problem } from '../common/itemErrors';
import { problemError } from '../common/itemErrors';
import { asNumber, asRecord } from '../common/json';
import type { Lookup, Size } from '../lookups/types';
import type { Refusal } from '../service/refusals';
import { toApiError } from '../service/refusals';
import type { Submission } from '../spending/plan';
import type { Matching } from './match';

const HOW_TO_SEARCH_ANEW =
	"To search anew and pay for it, clear 'ID of an Earlier Search' for this item. Nothing was submitted for it.";

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
			? { message, description: `${description} Nothing was submitted for this item.` }
			: {
					message: `'ID of an Earlier Search' ${id} gives no result: ${message}`,
					description: `${description} ${HOW_TO_SEARCH_ANEW}`,
				};
	return toApiError(node, { ...problem, status: refusal.status }, item);
}

/** One that still runs when the time is over. */
export function earlierTimeoutError(
	node: INode,
	{ noun }: Lookup,
	wait: { id: string; size: Size; item: number; timeoutMs: number; lastFault?: Refusal },
): ItemError {
	const { id, size, item, timeoutMs, lastFault } = wait;
	const what = size === 'single' ? noun.one : `batch of ${noun.many}`;
	const state =
		lastFault === undefined
			? "its last state was 'ongoing'"
			: `the last answer was: ${lastFault.message}`;
	return problemError(
		node,
		{
			message: `The ${what} ${id} was not finished within its timeout of ${timeoutMs / 1000} s; ${state}`,
			description:
				"It was started earlier, and nothing was submitted for this item. Run the workflow again later: it is read again, free of charge. To wait longer, raise 'Timeout' in Options.",
		},
		item,
	);
}

/** A result that is of somebody else: the id may be that of another row. */
export function wrongIdProblem({ noun }: Lookup, id: string): Problem {
	return {
		message: `The result of the ${noun.one} ${id} is for another search than this one`,
		description: `It tells of another person or address than was asked for, so it is not given. Correct 'ID of an Earlier Search' for this item. ${HOW_TO_SEARCH_ANEW}`,
	};
}

/** A finished batch that does not list the search of an item. */
export function notListedProblem({ unlistedResult }: Lookup, batchId: string): Problem {
	if (unlistedResult === undefined) {
		return {
			message: `The batch ${batchId} has no result for the search of this item`,
			description: `Perhaps its values have changed since, or 'ID of an Earlier Search' is the batch of another item. ${HOW_TO_SEARCH_ANEW}`,
		};
	}
	return {
		message: `The batch ${batchId} does not list the search of this item`,
		description: `It lists only what it found. Whether it looked for this one as well can be said only where all of its searches are items of the run. ${HOW_TO_SEARCH_ANEW}`,
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
