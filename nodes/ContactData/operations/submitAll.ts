import type { Lookup, Problem, Size } from '../lookups/types';
import type { Account, Caller } from '../service/account';
import { eachWithin } from '../service/pool';
import type { SubmissionFate } from '../service/submission';
import { submit } from '../service/submission';
import { asNumber } from '../service/wire';
import type { Budget } from './budget';
import type { Submission } from './plan';
import type { Receipts } from './receipts';

/** Submissions under way at once: the pace decides how fast they start, not this. */
const MAX_IN_FLIGHT = 50;

const STOPPED: Problem = {
	message: 'Not started, because the run had ended before its turn came',
	description: 'Nothing was charged for it.',
};

/** What became of a submission in this run. */
export type Outcome =
	| Exclude<SubmissionFate, { kind: 'cancelled' }>
	/** Never sent, and why. */
	| { kind: 'leftOut'; problem: Problem };

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
 * Submits all, at the pace of the service, and returns an outcome for each, in order. Submissions
 * that an earlier try made are taken from the receipts and not sent again.
 */
export async function submitAll(run: SubmitRun, submissions: Submission[]): Promise<Outcome[]> {
	const { budget, stopOnFailure } = run;
	const outcomes = recall(run, submissions);
	const unsent = submissions.filter((submission) => !outcomes.has(submission));
	let halt: Outcome | undefined;

	const leaveOutWhenTooDear = (rest: Submission[]) => {
		const problem = budget.objection(countEntries(rest));
		if (problem !== undefined) halt ??= { kind: 'leftOut', problem };
	};
	const submitNext = async (submission: Submission) => {
		const outcome = halt ?? (await submitOne(run, submission));
		outcomes.set(submission, outcome);
		if (outcome.kind === 'refused' && outcome.refusal.scope === 'account') halt ??= outcome;
		else if (outcome.kind !== 'accepted' && stopOnFailure)
			halt ??= { kind: 'leftOut', problem: STOPPED };
	};

	leaveOutWhenTooDear(unsent);
	if (budget.price === undefined) {
		// The first answer tells the price, so it is awaited before the others are started.
		const first = unsent.shift();
		if (first !== undefined) await submitNext(first);
		if (stopOnFailure) leaveOutWhenTooDear(unsent);
	}
	await eachWithin(MAX_IN_FLIGHT, unsent, submitNext);

	return submissions.map(
		(submission) => outcomes.get(submission) ?? { kind: 'leftOut', problem: STOPPED },
	);
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
		if (known.kind === 'unknown') budget.assumeCharged(submission.searches.length);
		else budget.alreadySpent(asNumber(known.answer.credits_used) ?? 0);
	}
	return outcomes;
}

async function submitOne(run: SubmitRun, { key, body, searches }: Submission): Promise<Outcome> {
	const { caller, account, lookup, size, receipts, budget, signal } = run;
	const problem = budget.objection(searches.length);
	if (problem !== undefined) return { kind: 'leftOut', problem };

	const release = budget.reserve(searches.length);
	const fate = await submit(caller, account, `${lookup.path}/${size}`, body, {
		signal,
		inFlight: (now) => receipts.inFlight(key, now),
	});
	release();
	receipts.settle(key, fate);
	if (fate.kind === 'cancelled') return { kind: 'leftOut', problem: STOPPED };
	if (fate.kind === 'unknown') budget.assumeCharged(searches.length);
	if (fate.kind === 'accepted') {
		const charged = asNumber(fate.answer.credits_used);
		if (charged !== undefined) budget.charge(searches.length, charged);
	}
	return fate;
}

function countEntries(submissions: Submission[]): number {
	return submissions.reduce((sum, { searches }) => sum + searches.length, 0);
}
