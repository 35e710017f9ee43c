import type { Lookup, Problem, Size } from '../lookups/types';
import type { Account, Caller } from '../service/account';
import { eachWithin } from '../common/concurrency';
import type { SubmissionFate } from '../service/submission';
import { submit } from '../service/submission';
import { asNumber } from '../common/json';
import { readBalance } from '../operations/getInfo';
import type { Budget } from './budget';
import type { Submission } from './plan';
import type { KnownFate, Receipts } from './receipts';

/** Submissions under way at once: the pace decides how fast they start, not this. */
const MAX_IN_FLIGHT = 50;

/** What became of a submission in this run. */
export type Outcome =
	| Exclude<SubmissionFate, { kind: 'cancelled' }>
	/** Never sent, and why. */
	| { kind: 'leftOut'; problem: Problem };

const LEFT: Outcome = {
	kind: 'leftOut',
	problem: {
		message: 'Not started, because the run had ended before its turn came',
		description: 'Nothing was charged for it.',
	},
};

export interface SubmitRun {
	caller: Caller;
	account: Account;
	lookup: Lookup;
	size: Size;
	receipts: Receipts;
	budget: Budget;
	signal?: AbortSignal;
	/** Whether the run ends with its first failure: then nothing more is started after it. */
	stopOnFailure: boolean;
}

/**
 * Looks at the account, submits all at the pace of the service, and returns an outcome for each, in
 * order. Submissions that an earlier try made are taken from the receipts and not sent again.
 */
export async function submitAll(run: SubmitRun, submissions: Submission[]): Promise<Outcome[]> {
	const { caller, account, budget, stopOnFailure } = run;
	const outcomes = recall(run, submissions);
	const unsent = submissions.filter((submission) => !outcomes.has(submission));
	let halt: Outcome | undefined;
	// Ends the waiting of those whose turn has not come; what is under way is never cut off.
	const halting = new AbortController();
	const haltWith = (outcome: Outcome) => {
		halt ??= outcome;
		halting.abort();
	};

	const leaveOutWhenTooDear = (rest: Submission[]) => {
		const problem = budget.objection(countEntries(rest));
		if (problem !== undefined) haltWith({ kind: 'leftOut', problem });
	};
	const submitNext = async (submission: Submission) => {
		const outcome = halt ?? (await submitOne(run, submission, halting.signal)) ?? halt ?? LEFT;
		outcomes.set(submission, outcome);
		if (outcome.kind === 'refused' && outcome.refusal.scope === 'account') haltWith(outcome);
		else if (outcome.kind !== 'accepted' && stopOnFailure) haltWith(LEFT);
	};

	if (unsent.length > 0) {
		const balance = await readBalance(caller, account, run.signal);
		if ('refusal' in balance) haltWith({ kind: 'refused', refusal: balance.refusal });
		else budget.limitToBalance(balance.credits);
	}
	leaveOutWhenTooDear(unsent);
	// The first receipt tells the price, so it is awaited before the others are started.
	while (!budget.isPriceSure) {
		const first = unsent.shift();
		if (first === undefined) break;
		await submitNext(first);
		if (stopOnFailure) leaveOutWhenTooDear(unsent);
		if (outcomes.get(first)?.kind === 'accepted' && !budget.needsProbe) break;
	}
	await eachWithin(MAX_IN_FLIGHT, unsent, submitNext);

	return submissions.map((submission) => outcomes.get(submission) ?? LEFT);
}

/** What earlier tries of this run know. */
function recall(
	{ receipts, budget }: SubmitRun,
	submissions: Submission[],
): Map<Submission, Outcome> {
	const outcomes = new Map<Submission, Outcome>();
	for (const submission of submissions) {
		const known = receipts.get(submission.key);
		if (known === undefined) continue;
		outcomes.set(submission, known);
		budget.recall(submission.searches.length, chargeOf(known));
	}
	return outcomes;
}

/** `undefined` when the run ended before its turn came. */
async function submitOne(
	run: SubmitRun,
	submission: Submission,
	halted: AbortSignal,
): Promise<Outcome | undefined> {
	const { caller, account, lookup, size, receipts, budget } = run;
	const { body, searches } = submission;
	const problem = budget.objection(searches.length) ?? budget.doubt(searches.length);
	if (problem !== undefined) return { kind: 'leftOut', problem };

	const release = budget.reserve(searches.length);
	const fate = await submit(caller, account, `${lookup.path}/${size}`, body, {
		// A signal of its own for each: Node warns of one with many listeners.
		signal: AbortSignal.any(run.signal === undefined ? [halted] : [run.signal, halted]),
		inFlight: (now) => receipts.inFlight(submission, now),
	});
	release();
	receipts.settle(submission, fate);
	if (fate.kind === 'cancelled') return undefined;
	if (fate.kind !== 'refused') budget.charge(searches.length, chargeOf(fate));
	return fate;
}

/** What the service says that it charged, where it says anything. */
function chargeOf(fate: KnownFate): number | undefined {
	return fate.kind === 'accepted' ? asNumber(fate.answer.credits_used) : undefined;
}

function countEntries(submissions: Submission[]): number {
	return submissions.reduce((sum, { searches }) => sum + searches.length, 0);
}
