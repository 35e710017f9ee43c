import { forEachConcurrently } from '../common/concurrency';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import { OUT_OF_TIME } from '../input/toolCall';
import { readBalance } from '../service/accountInfo';
import { LONG_REQUEST_TIMEOUT_MS } from '../service/request';
import type { SubmissionOutcome } from '../service/submission';
import { submit } from '../service/submission';
import type { Budget, Objection } from './budget';
import { chargeOf } from './charges';
import { outcomeOfEarlierId } from './earlierIds';
import type { Endpoint, Submission } from './plan';
import { splitOffFirst } from './plan';
import type { Receipts, RecordedOutcome } from './receipts';

/** Submissions under way at once: the pace decides how fast they start, not this. */
const MAX_IN_FLIGHT = 50;
/** Searches that go before their batch, one after another, until one of them tells the price. */
const MAX_PROBES = 10;

/** What became of a submission in this run. */
export type Outcome =
	| Exclude<SubmissionOutcome, { kind: 'cancelled' }>
	/** Never sent, and why. */
	| { kind: 'notStarted'; problem: Objection }
	/** Never sent, because another submission or the user had ended the run. */
	| { kind: 'halted' };

const HALTED: Outcome = { kind: 'halted' };
const TOO_LATE: Outcome = { kind: 'notStarted', problem: OUT_OF_TIME };

/** The requests of a run that submit, and how many of them met the service's limit (429). */
export interface Traffic {
	sent: number;
	limited: number;
}

/** The submissions of one run, and what they are counted against. */
export interface Spending {
	endpoint: Endpoint;
	receipts: Receipts;
	budget: Budget;
	/** Counted up. */
	traffic: Traffic;
	/** A batch is divided where one of its searches must tell the price first. */
	planned: Submission[];
}

/**
 * Reads the balance, submits all at the pace of the service, and returns an outcome for each, in
 * order. Submissions that an earlier try made are taken from the receipts and not sent again. Unless
 * the workflow goes on after errors, nothing more is started after the first failure.
 */
export async function submitAll(
	run: Run,
	spending: Spending,
): Promise<Array<{ submission: Submission; outcome: Outcome }>> {
	const { endpoint, budget, planned } = spending;
	const stopOnFailure = !run.continueOnFail;
	const submissions = [...planned];
	const outcomes: Map<Submission, Outcome> = knownOutcomes(spending);
	for (const [{ earlierId }, outcome] of outcomes) {
		if (earlierId === undefined && outcome.kind === 'accepted') run.notes.addId(outcome.id);
	}
	const unsent = submissions.filter((submission) => !outcomes.has(submission));
	let halt: Outcome | undefined;
	// Ends the waiting of those whose turn has not come; what is under way is never cut off.
	const halting = new AbortController();
	const haltWith = (outcome: Outcome) => {
		halt ??= outcome;
		halting.abort();
	};

	const haltIfOverBudget = () => {
		const problem = budget.objection(countEntries(unsent));
		if (problem !== undefined) haltWith({ kind: 'notStarted', problem });
	};
	const submitNext = async (submission: Submission) => {
		const sent = halt ?? (await submitOne(run, spending, submission, halting.signal));
		const outcome = sent ?? halt ?? (isTooLate(run) ? TOO_LATE : HALTED);
		outcomes.set(submission, outcome);
		if (outcome.kind === 'refused' && outcome.refusal.scope === 'account') haltWith(outcome);
		else if (outcome.kind !== 'accepted' && stopOnFailure) haltWith(HALTED);
	};

	if (unsent.length > 0) {
		const balance = await readBalance(run.connection, patienceOf(run));
		if ('refusal' in balance) haltWith({ kind: 'refused', refusal: balance.refusal });
		else budget.limitToBalance(balance.credits);
	}
	haltIfOverBudget();
	// Receipts tell the price, so the first ones are awaited before more are started.
	for (let probes = 0; unsent.length > 0 && budget.mostAtOnce < MAX_IN_FLIGHT; probes++) {
		const [batch] = unsent;
		const isProbe = halt === undefined && budget.needsProbe && probes < MAX_PROBES;
		if (isProbe && batch !== undefined) {
			const parts = dividedForProbe(endpoint, batch);
			unsent.splice(0, 1, ...parts);
			submissions.splice(submissions.indexOf(batch), 1, ...parts);
		}
		const next = unsent.splice(0, budget.mostAtOnce);
		await forEachConcurrently(MAX_IN_FLIGHT, next, submitNext);
		if (stopOnFailure) haltIfOverBudget();
	}
	await forEachConcurrently(MAX_IN_FLIGHT, unsent, submitNext);

	return submissions.map((submission) => ({
		submission,
		outcome: outcomes.get(submission) ?? HALTED,
	}));
}

/** A batch, of which one search must be submitted alone to tell the price. */
export function dividedForProbe(endpoint: Endpoint, batch: Submission): Submission[] {
	return batch.size > 1 ? splitOffFirst(endpoint, batch) : [batch];
}

/** Of what is started already, by an earlier try or before this run; the charges are booked. */
export function knownOutcomes({
	receipts,
	budget,
	planned,
}: Spending): Map<Submission, RecordedOutcome> {
	const outcomes = new Map<Submission, RecordedOutcome>();
	if (receipts.calls !== undefined) budget.chargeOfCalls(receipts.calls);
	for (const submission of planned) {
		const { earlierId } = submission;
		if (earlierId !== undefined) {
			outcomes.set(submission, outcomeOfEarlierId(earlierId));
			continue;
		}
		const recorded = receipts.get(submission.key);
		if (recorded === undefined) continue;
		outcomes.set(submission, recorded);
		if (!receipts.countsForCap(submission.key)) continue;
		budget.chargeOfEarlierTry(submission.size, chargeOf(recorded, submission.size));
	}
	return outcomes;
}

/** `undefined` when the run ended before its turn came. */
async function submitOne(
	run: Run,
	{ endpoint: { lookup, size }, receipts, budget, traffic }: Spending,
	submission: Submission,
	halted: AbortSignal,
): Promise<Outcome | undefined> {
	const { body, searches } = submission;
	const problem = budget.objection(searches.length) ?? budget.doubt(searches.length);
	if (problem !== undefined) return { kind: 'notStarted', problem };

	const patience = patienceOf(run);
	const release = budget.reserve(searches.length);
	const outcome = await submit(run.connection, `${lookup.path}/${size}`, body, {
		// A signal of its own for each: Node warns of one with many listeners.
		signal: AbortSignal.any(patience === undefined ? [halted] : [patience, halted]),
		timeoutMs: size === 'bulk' ? LONG_REQUEST_TIMEOUT_MS : undefined,
		inFlight: (now) => {
			receipts.inFlight(submission, now);
			if (now) traffic.sent++;
		},
		limited: () => traffic.limited++,
	});
	release();
	receipts.settle(submission, outcome);
	if (outcome.kind === 'accepted') {
		run.notes.addId(outcome.id);
		run.notes.add({ spent: chargeOf(outcome, searches.length) });
	}
	if (outcome.kind === 'cancelled') {
		return isTooLate(run) && outcome.met !== undefined
			? { kind: 'refused', refusal: outcome.met }
			: undefined;
	}
	if (outcome.kind !== 'refused')
		budget.charge(searches.length, chargeOf(outcome, searches.length));
	return outcome;
}

/** Whether the call of a tool is due, so that nothing more is sent. */
function isTooLate({ call }: Run): boolean {
	return call?.timeUp.aborted === true;
}

export function countEntries(submissions: Submission[]): number {
	return submissions.reduce((sum, { searches }) => sum + searches.length, 0);
}
