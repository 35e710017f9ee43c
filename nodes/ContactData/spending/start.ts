import { forEachConcurrently } from '../common/bounds';
import type { ItemFailure } from '../common/errors';
import type { ItemSearch, KnownResult } from '../input/searches';
import { isSearch } from '../input/searches';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import { NEAR_TIME_LIMIT } from '../input/timeLimit';
import { OUT_OF_TIME } from '../input/toolCall';
import { readBalance } from '../service/accountInfo';
import { LONG_REQUEST_TIMEOUT_MS } from '../service/request';
import type { SubmissionOutcome } from '../service/submission';
import { submit } from '../service/submission';
import type { Budget, Objection } from './budget';
import { chargeOf } from './budget';
import { knownByIds } from './earlierIds';
import type { Submission } from './plan';
import { countSearches, takeFirst } from './plan';
import type { Prepared, StartRequest } from './prepare';
import { endpointOf, prepare } from './prepare';
import type { Receipts } from './receipts';

/** Submissions under way at once: the pace decides how fast they start, not this. */
const MAX_IN_FLIGHT = 50;

/** What became of a submission in this run. */
export type Outcome =
	| Exclude<SubmissionOutcome, { kind: 'cancelled' }>
	/** Never sent, and why. */
	| { kind: 'notStarted'; problem: Objection }
	/** Never sent, because another submission or the user had ended the run. */
	| { kind: 'halted' }
	/** Refused as what cannot exist, which is its result; not charged. */
	| { kind: 'invalid'; reason: string };

const HALTED: Outcome = { kind: 'halted' };
const TOO_LATE: Outcome = { kind: 'notStarted', problem: OUT_OF_TIME };
const AT_TIME_LIMIT: Outcome = { kind: 'notStarted', problem: NEAR_TIME_LIMIT };

/** The search of an item, where it was submitted, and what became of that. */
export interface SubmittedSearch {
	itemSearch: ItemSearch;
	submission: Submission;
	/** Which of the submission's searches it is. */
	position: number;
	outcome: Outcome;
}

export interface Started {
	receipts: Receipts;
	/** In the order of the input items; what was not submitted is passed on as it was read. */
	searches: Array<SubmittedSearch | KnownResult | ItemFailure>;
	submissions: Submission[];
	/** One for each submission. */
	outcomes: Outcome[];
	/** In credits, earlier tries included, and whether that is all. */
	cost: { spent: number; isSure: boolean };
	/** The account's credits after the last submission, where they are known. */
	balanceLeft: number | undefined;
}

/**
 * Plans what the items search for, checks the money, and submits at the pace of the service what no
 * earlier try has submitted. Unless the workflow goes on after errors, nothing more is started after
 * the first failure. What is no search is passed on as it is.
 */
export async function start(run: Run, request: StartRequest): Promise<Started> {
	const prepared = prepare(run, request);
	const { endpoint, budget, brake, known, unsent: queue } = prepared;
	const stopOnFailure = !run.continueOnFail;
	const outcomes = new Map<Submission, Outcome>(known);
	for (const [{ earlierId }, outcome] of known) {
		if (earlierId === undefined && outcome.kind === 'accepted') {
			run.notes.addId(outcome.id, request.size);
		}
	}

	let end: Outcome | undefined;
	// Ends the waiting of those whose turn has not come; what is under way is never cut off.
	const ending = new AbortController();
	const endWith = (outcome: Outcome) => {
		end ??= outcome;
		ending.abort();
	};
	const endIfRestIsTooMuch = () => {
		const problem = budget.objection(countSearches(queue));
		if (problem !== undefined) endWith({ kind: 'notStarted', problem });
	};
	const endIfBraked = () => {
		const { problem } = brake;
		if (problem !== undefined) endWith({ kind: 'notStarted', problem });
	};
	const send = async (submission: Submission) => {
		const sent = end ?? (await submitOne(run, prepared, submission, ending.signal));
		const outcome = sent ?? end ?? whyNotSent(run);
		outcomes.set(submission, outcome);
		if (outcome.kind === 'refused' && outcome.refusal.scope === 'account') endWith(outcome);
		else if (!isDone(outcome) && stopOnFailure) endWith(HALTED);
		else endIfBraked();
	};

	endIfBraked();
	if (cannotSucceed(run, prepared)) endWith(HALTED);
	if (queue.length > 0 && end === undefined) {
		const balance = await readBalance(run.connection, patienceOf(run));
		if ('refusal' in balance) endWith({ kind: 'refused', refusal: balance.refusal });
		else budget.limitToBalance(balance.credits);
		endIfRestIsTooMuch();
	}
	while (queue.length > 0 && end === undefined && budget.room > 0) {
		const next = takeFirst(endpoint, queue, { searches: budget.room, submissions: brake.room });
		// They keep their order, whichever is answered first.
		for (const submission of next) outcomes.set(submission, HALTED);
		await forEachConcurrently(MAX_IN_FLIGHT, next, send);
		if (stopOnFailure) endIfRestIsTooMuch();
	}
	for (const submission of queue) {
		outcomes.set(submission, end ?? objectionTo(budget, submission) ?? HALTED);
	}
	const { cost, balanceLeft } = budget;
	return toStarted(request, outcomes, { cost, balanceLeft });
}

/** Only what the items name by the ids of earlier searches: that is started already. */
export function findStarted(run: Pick<Run, 'connection'>, request: StartRequest): Started {
	const itemSearches = request.itemSearches.filter(isSearch);
	const known = knownByIds(endpointOf(run, request), itemSearches);
	return toStarted({ ...request, itemSearches }, known, {
		cost: { spent: 0, isSure: true },
		balanceLeft: undefined,
	});
}

function toStarted(
	{ itemSearches, receipts }: StartRequest,
	made: ReadonlyMap<Submission, Outcome>,
	after: Pick<Started, 'cost' | 'balanceLeft'>,
): Started {
	const submitted = new Map<ItemSearch, SubmittedSearch>();
	for (const [submission, outcome] of made) {
		submission.items.forEach((items, position) => {
			for (const itemSearch of items) {
				submitted.set(itemSearch, { itemSearch, submission, position, outcome });
			}
		});
	}
	const searches = itemSearches.flatMap((search) => {
		const known = isSearch(search) ? submitted.get(search) : search;
		return known === undefined ? [] : [known];
	});
	return {
		receipts,
		searches,
		submissions: [...made.keys()],
		outcomes: [...made.values()],
		...after,
	};
}

/** `undefined` when the run ended before its turn came. */
async function submitOne(
	run: Run,
	{ endpoint: { lookup, size }, receipts, budget, brake }: Prepared,
	submission: Submission,
	ended: AbortSignal,
): Promise<Outcome | undefined> {
	const problem = objectionTo(budget, submission);
	if (problem !== undefined) return problem;

	const patience = patienceOf(run);
	budget.reserve(submission.size);
	const outcome = await submit(run.connection, `${lookup.path}/${size}`, submission.body, {
		// A signal of its own for each: Node warns of one with many listeners.
		signal: AbortSignal.any(patience === undefined ? [ended] : [patience, ended]),
		timeoutMs: size === 'bulk' ? LONG_REQUEST_TIMEOUT_MS : undefined,
		inFlight: (now) => {
			receipts.inFlight(submission, now);
			run.notes.inFlight(now);
		},
	});
	budget.settle(submission.size, outcome);
	brake.note(outcome);
	receipts.settle(submission, outcome);
	if (outcome.kind === 'refused') run.notes.inFlight(false);
	if (outcome.kind === 'accepted') {
		run.notes.addId(outcome.id, size);
		run.notes.addSpent(chargeOf(outcome, submission.size) ?? 0);
	}
	if (outcome.kind === 'refused' && size === 'single') {
		const { message } = outcome.refusal;
		if (lookup.saysInvalid?.test(message) === true) return { kind: 'invalid', reason: message };
	}
	if (outcome.kind !== 'cancelled') return outcome;
	return isTooLate(run) && outcome.lastRefusal !== undefined
		? { kind: 'refused', refusal: outcome.lastRefusal }
		: undefined;
}

/** Whether a run that stops at errors has one before it begins: what an earlier try may have been charged for. */
export function cannotSucceed(
	{ continueOnFail }: Pick<Run, 'continueOnFail'>,
	{ known }: Prepared,
): boolean {
	return !continueOnFail && [...known.values()].some((outcome) => !isDone(outcome));
}

/** Whether nothing is wrong with it. */
export function isDone({ kind }: Outcome): boolean {
	return kind === 'accepted' || kind === 'invalid';
}

/** Whether it was a search, and no failure or result that was known before. */
export function isSubmitted(
	search: SubmittedSearch | KnownResult | ItemFailure,
): search is SubmittedSearch {
	return 'submission' in search;
}

function objectionTo(budget: Budget, { size }: Submission): Outcome | undefined {
	const problem = budget.objection(size);
	return problem === undefined ? undefined : { kind: 'notStarted', problem };
}

/** Whether the call of a tool is due, so that nothing more is sent. */
function isTooLate({ call }: Run): boolean {
	return call?.timeUp.aborted === true;
}

/** Why the turn of a submission did not come. */
function whyNotSent(run: Run): Outcome {
	if (isTooLate(run)) return TOO_LATE;
	return run.limit?.near?.aborted === true ? AT_TIME_LIMIT : HALTED;
}
