import { tellAmount, tellCredits } from '../common/credits';
import { isFailure } from '../common/itemErrors';
import { asNumber, asRecord } from '../common/json';
import type { Lookup, Size } from '../lookups/types';
import { believedCharge } from '../spending/charges';
import type { Submission } from '../spending/plan';
import type { Traffic } from '../spending/submitAll';
import type { Waited } from './collect';
import type { ItemOutput } from './items';

/** From here on single lookups are better sent as one batch. */
const MANY_SINGLES = 500;
/** From here on it is worth telling that requests met the service's limit: so many, and this share. */
const LEAST_LIMITED = 5;
const LEAST_SHARE_LIMITED = 0.02;

/** What a run has come to. */
export interface RunCount {
	found: number;
	/** Of so many searches. */
	total: number;
	ongoing: number;
	/** Results of earlier searches. */
	read: number;
	/** Credits. */
	spent: number;
	/** Whether it is all that was spent. */
	isSure: boolean;
	/** What the service gave back, and for which submission. */
	refunds: Array<{ submission: Submission; refunded: number }>;
}

/** @param outputs one for each search */
export function countRun({ started, fates }: Waited, outputs: ItemOutput[]): RunCount {
	let found = 0;
	let ongoing = 0;
	let read = 0;
	outputs.forEach((output, index) => {
		if (isFailure(output)) return;
		const search = started.searches[index];
		if (output.json.found === true) found++;
		if (output.json.status === 'ongoing') ongoing++;
		else if (search !== undefined && !isFailure(search) && isEarlier(search.submission)) read++;
	});
	const credits = countCredits(started, fates);
	return { found, total: outputs.length, ongoing, read, ...credits };
}

/**
 * One line for the output pane: how many were found, what it cost, what was refunded.
 * @param balance the account's credits after the run, where they are known
 * @param how they were read then, or counted from those before, while others spend too
 */
export function summarize(
	{ lookup, size, started }: Waited,
	{ found, total, ongoing, read, spent, isSure, refunds }: RunCount,
	balance: number | undefined,
	how: 'read' | 'counted',
): string {
	const refunded = refunds.reduce((sum, refund) => sum + refund.refunded, 0);
	const parts = [`${lookup.words.found} ${found} of ${total}`, tellSpent(spent, isSure)];
	if (read > 0) parts.push(`${read} read from earlier searches`);
	if (refunded > 0) parts.push(`${tellAmount(refunded)} refunded`);
	if (ongoing > 0) parts.push(`${ongoing} still running`);
	const submissions = started.submissions.filter((submission) => !isEarlier(submission)).length;
	const advice = adviceOnSize(lookup, size, submissions, total);
	return `${parts.join(', ')}.${tellBalance(balance, how)}${advice}`;
}

/** One line for the output pane: how many were started, what that cost, what is left; none for none. */
export function summarizeStart(
	lookup: Lookup,
	size: Size,
	started: Waited['started'],
): string | undefined {
	const accepted = started.submissions.filter(
		(_, index) => started.outcomes[index]?.kind === 'accepted',
	);
	if (accepted.length === 0) return undefined;
	const searches = accepted.reduce((sum, submission) => sum + submission.size, 0);
	const what = `${searches} ${searches === 1 ? lookup.noun.one : lookup.noun.many}`;
	const batches = `${accepted.length} ${accepted.length === 1 ? 'batch' : 'batches'}`;
	const { spent, isSure } = countCredits(started, new Map());
	return `Started ${what}${size === 'bulk' ? ` in ${batches}` : ''}, ${tellSpent(spent, isSure)}.${tellBalance(started.balanceLeft, 'counted')}`;
}

function tellSpent(spent: number, isSure: boolean): string {
	return `${isSure ? '' : 'at least '}${tellCredits(spent)} spent`;
}

function tellBalance(balance: number | undefined, how: 'read' | 'counted'): string {
	if (balance === undefined) return '';
	return ` The account has ${how === 'read' ? '' : 'about '}${tellCredits(balance)} left.`;
}

/** A line for a run that others have slowed; few refusals are not worth one. */
export function tellOfOthers({ sent, limited }: Traffic): string | undefined {
	if (limited < LEAST_LIMITED || limited / sent < LEAST_SHARE_LIMITED) return undefined;
	const percent = Math.round((100 * limited) / sent);
	return `Other programs use this API key, or its limit is lower than 'Requests per Second' in the credential: ${percent} % of the requests had to be sent again.`;
}

function isEarlier({ earlierId }: Submission): boolean {
	return earlierId !== undefined;
}

/** Of what was charged and given back only what can be true is counted. */
function countCredits(
	{ outcomes, submissions }: Waited['started'],
	fates: Waited['fates'],
): Pick<RunCount, 'spent' | 'isSure' | 'refunds'> {
	let spent = 0;
	const refunds: RunCount['refunds'] = [];
	let isSure = true;
	outcomes.forEach((outcome, index) => {
		if (outcome.kind === 'unknown') isSure = false;
		const submission = submissions[index];
		if (submission === undefined || !('answer' in outcome)) return;
		const charged = believedCharge(outcome.answer.credits_used, submission.size);
		if (charged === undefined) isSure = false;
		spent += charged ?? 0;
		const fate = fates.get(outcome.id);
		if (fate?.kind !== 'completed') return;
		const refunded = readRefund(fate.body);
		if (refunded > 0 && refunded <= (charged ?? 0)) refunds.push({ submission, refunded });
	});
	return { spent, isSure, refunds };
}

/** Credits given back for what a batch did not find (`service-api.md` section 3, rules 3 and 4). */
export function readRefund(body: unknown): number {
	const stats = asRecord(asRecord(body)?.stats);
	return (
		asNumber(stats?.credits_to_refund) ?? asNumber(asRecord(stats?.credits_cost)?.refunded) ?? 0
	);
}

function adviceOnSize(
	{ noun, words }: Lookup,
	size: Size,
	submissions: number,
	items: number,
): string {
	if (size === 'bulk' && items === 1) {
		return ` For one ${noun.one} at a time, '${words.verb}' answers sooner.`;
	}
	if (size === 'single' && submissions >= MANY_SINGLES) {
		return ` For so many ${noun.many}, '${words.verb} Many' needs far fewer requests than these ${submissions}.`;
	}
	return '';
}
