import { tellIds } from '../common/values';
import type { ReadItem } from '../input/searches';
import { isSearch } from '../input/searches';
import type { Run } from '../input/run';
import type { Lookup, Size } from '../lookups/types';
import { Brake } from './brake';
import { Budget } from './budget';
import { knownByIds } from './earlierIds';
import type { Endpoint, Submission } from './plan';
import { plan, searchName } from './plan';
import type { Receipts, RecordedOutcome } from './receipts';
import { findEarlierSubmissions } from './receipts';

/** What is to be started. */
export interface StartRequest {
	lookup: Lookup;
	size: Size;
	itemSearches: ReadItem[];
	receipts: Receipts;
	/** 0 for no limit. */
	maxCredits: number;
}

/** What a run is to submit, and what it is counted against. */
export interface Prepared {
	endpoint: Endpoint;
	receipts: Receipts;
	/** What is started already, by an earlier try or before this run, is booked. */
	budget: Budget;
	brake: Brake;
	known: ReadonlyMap<Submission, RecordedOutcome>;
	unsent: Submission[];
}

/** What may be submitted for the items, by the names in the receipts. */
export function namesOf(run: Pick<Run, 'connection'>, request: StartRequest): string[] {
	const endpoint = endpointOf(run, request);
	return request.itemSearches.flatMap((search) =>
		isSearch(search) && search.earlierId === undefined ? searchName(endpoint, search) : [],
	);
}

/** Plans what the items search for, and books what is started already. */
export function prepare(run: Pick<Run, 'connection' | 'flow'>, request: StartRequest): Prepared {
	const { lookup, size, itemSearches, receipts, maxCredits } = request;
	const endpoint = endpointOf(run, request);
	const budget = new Budget(lookup, size, run.connection.account, maxCredits);
	if (receipts.calls !== undefined) budget.bookCalls(receipts.calls);
	const readable = itemSearches.filter(isSearch);
	const unnamed = readable.filter(({ earlierId }) => earlierId === undefined);
	const { earlier, remaining, unclaimed } = findEarlierSubmissions(endpoint, receipts, unnamed);
	const known = knownByIds(endpoint, readable);
	for (const submission of earlier) {
		const outcome = receipts.get(submission.key);
		if (outcome === undefined) continue;
		known.set(submission, outcome);
		// What the calls of a tool have spent is booked already.
		if (receipts.calls === undefined) budget.bookEarlierTry(submission.size, outcome);
	}
	let unsent = plan(endpoint, remaining);
	if (unclaimed.length > 0) {
		const outcome = unclaimedOutcome(unclaimed);
		for (const submission of unsent) known.set(submission, outcome);
		unsent = [];
	}
	return { endpoint, receipts, budget, brake: new Brake(run.flow, size), known, unsent };
}

/** What is known of a search that has no receipt, where there are some of which nobody knows whose they are. */
function unclaimedOutcome(unclaimed: RecordedOutcome[]): RecordedOutcome {
	const ids = unclaimed.flatMap((outcome) => (outcome.kind === 'accepted' ? outcome.id : []));
	const which = ids.length > 0 ? `, as ${tellIds(ids)}` : '';
	return {
		kind: 'unknown',
		reason: `another version of this node has started searches in this execution${which}, and nobody can tell for which items`,
	};
}

export function endpointOf(
	{ connection: { account } }: Pick<Run, 'connection'>,
	{ lookup, size }: StartRequest,
): Endpoint {
	return { baseUrl: account.baseUrl, lookup, size };
}
