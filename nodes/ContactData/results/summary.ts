import type { IExecuteFunctions } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import { asNumber, asRecord } from '../common/json';
import type { ItemEnd } from './output';
import type { Started } from '../spending/start';
import type { WaitEnd } from '../waiting/wait';

/** From here on single lookups are better sent as one batch. */
const MANY_SINGLES = 500;

/** One line in the output pane: how many were found, what it cost, what was refunded. */
export function addSummary(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
	{ submissions, outcomes }: Started,
	waitEnds: Map<string, WaitEnd>,
	ends: ItemEnd[],
): void {
	let found = 0;
	let ongoing = 0;
	for (const end of ends) {
		if (!('json' in end)) continue;
		if (end.json.found === true) found++;
		if (end.json.status === 'ongoing') ongoing++;
	}
	let spent = 0;
	let refunded = 0;
	for (const outcome of outcomes) {
		if (outcome.kind !== 'accepted') continue;
		spent += asNumber(outcome.answer.credits_used) ?? 0;
		const end = waitEnds.get(outcome.id);
		if (end?.kind === 'completed') refunded += readRefund(end.body);
	}
	const parts = [
		`${lookup.foundWord} ${found} of ${ends.length}`,
		`${round(spent)} ${spent === 1 ? 'credit' : 'credits'} spent`,
	];
	if (refunded > 0) parts.push(`${round(refunded)} refunded`);
	if (ongoing > 0) parts.push(`${ongoing} still running`);
	const advice = adviceOnSize(lookup, size, submissions.length, ends.length);
	context.addExecutionHints({
		message: `${parts.join(', ')}.${advice}`,
		location: 'outputPane',
		type: 'info',
	});
}

/** Credits given back for what a batch did not find (`service-api.md` section 3, rules 3 and 4). */
function readRefund(body: unknown): number {
	const stats = asRecord(asRecord(body)?.stats);
	return (
		asNumber(stats?.credits_to_refund) ?? asNumber(asRecord(stats?.credits_cost)?.refunded) ?? 0
	);
}

function adviceOnSize(lookup: Lookup, size: Size, submissions: number, items: number): string {
	if (size === 'bulk' && items === 1) {
		return ` For one ${lookup.noun.one} at a time, the operation without "Many" answers sooner.`;
	}
	if (size === 'single' && submissions >= MANY_SINGLES) {
		return ` For so many ${lookup.noun.many}, the operation with "Many" needs one request instead of ${submissions}.`;
	}
	return '';
}

function round(credits: number): number {
	return Number(credits.toFixed(2));
}
