import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { addCredits, asAmount, asRecord, tellAmount, tellCredits } from '../common/values';
import type { Row } from '../input/rows';
import { failuresOf } from '../input/rows';
import type { Form, Settings } from '../input/settings';
import type { Lookup, Size } from '../lookups/types';
import type { Order } from '../orders/order';
import {
	chargeOf,
	costOf,
	countSearches,
	isAccepted,
	isOwn,
	rowsOf,
	searchesOf,
} from '../orders/order';

/** From here on single lookups are better sent as one batch. */
const MANY_SINGLES = 500;

/**
 * One line for the output pane: how many were found, what it cost, what was refunded, what is left.
 * @param rows one for each search, with what `collect` gave it
 * @param balance of the account before the run, where that is known
 */
export function summarize(
	{ lookup, size }: Pick<Form, 'lookup' | 'size'>,
	rows: readonly Row[],
	orders: readonly Order[],
	balance: number | undefined,
): string {
	const rowsFrom = (wanted: Order['origin']) =>
		new Set(orders.filter(({ origin }) => origin === wanted).flatMap(rowsOf));
	const [named, recent] = [rowsFrom('named'), rowsFrom('recent')];
	const given = rows.flatMap((row) => {
		const [output] = row.outputs;
		return output === undefined || output.kind === 'failure' ? [] : { row, json: output.json };
	});
	const { found, notFound, ongoing } = countStates(given.map(({ json }) => json));
	const ended = given.filter(({ json }) => json.status !== 'ongoing');
	const read = ended.filter(({ row }) => named.has(row)).length;
	const readOfLate = ended.filter(({ row }) => recent.has(row)).length;
	const failures = failuresOf(rows);
	const refunded = countRefunds(orders);
	const counts = [`${lookup.words.found} ${found} of ${rows.length}`];
	if (notFound > 0) counts.push(`${notFound} ${lookup.words.notFound}`);
	if (ongoing > 0) counts.push(`${ongoing} still running`);
	const parts = [tellSpent(orders)];
	if (read > 0) parts.push(`${read} read from earlier searches`);
	if (readOfLate > 0) {
		parts.push(
			`${readOfLate} read from searches of the last 24 hours ('Search Again' in Options searches anew)`,
		);
	}
	if (refunded > 0) parts.push(`${tellAmount(refunded)} refunded`);
	const submissions = orders.filter(isOwn).length;
	const advice = adviceOnSize(lookup, size, submissions, rows.length);
	const sum = tellCounts(lookup, counts, failures, rows.length);
	return `${sum} ${parts.join(', ')}.${tellLeftOut(lookup, rowsSent(orders))}${tellBalance(orders, balance, refunded)}${advice}`;
}

/** One line for the output pane: how many were started, what that cost, what is left; none for none. */
export function summarizeStart(
	{ lookup, size }: Pick<Form, 'lookup' | 'size'>,
	rows: readonly Row[],
	orders: readonly Order[],
	balance: number | undefined,
): string | undefined {
	const started = orders.filter(isAccepted);
	const failures = failuresOf(rows);
	if (started.length === 0 && failures.length === 0) return undefined;
	const searches = countSearches(started);
	const batches = size === 'bulk' ? ` in ${counted(started.length, 'batch', 'batches')}` : '';
	const { one, many } = lookup.noun;
	const counts = [`Started ${counted(searches, one, many)}${batches}`];
	const sum = tellCounts(lookup, counts, failures, rows.length);
	const leftOut = tellLeftOut(lookup, rowsSent(orders));
	return `${sum} ${tellSpent(orders)}.${leftOut}${tellBalance(orders, balance)}`;
}

/** The same of a paused node, and until when it waits. */
export function summarizePause(
	form: Pick<Form, 'lookup' | 'size'>,
	rows: readonly Row[],
	orders: readonly Order[],
	{ balance, until, timeZone }: { balance?: number; until: Date; timeZone: string },
): string {
	const started = summarizeStart(form, rows, orders.filter(isOwn), balance);
	return `${started ?? 'Nothing new was started.'} The results come by themselves: the node waits for them until ${tellTime(until, timeZone)}.`;
}

/** In the time zone of the workflow: n8n has also ones that are none, such as `DEFAULT`. */
function tellTime(time: Date, zone: string): string {
	const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
	const hour = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
	const tellIn = (timeZone: string) =>
		new Intl.DateTimeFormat('en-GB', { ...date, ...hour, timeZone }).format(time);
	try {
		return tellIn(zone);
	} catch {
		return tellIn('UTC');
	}
}

/** One line for the output pane: what was read, and how to wait for what is not finished. */
export function summarizeRead(
	{ lookup, size, waitForResult }: Pick<Settings, 'lookup' | 'size' | 'waitForResult'>,
	rows: readonly Row[],
): string {
	const all = rows.flatMap(({ outputs }) => outputs);
	const given = all.flatMap((output) => (output.kind === 'failure' ? [] : [output.json]));
	const { found, notFound, ongoing } = countStates(given);
	const counts: string[] = [];
	const ended = given.length - ongoing;
	if (found + notFound > 0)
		counts.push(`${lookup.words.found} ${found} of ${all.length - ongoing}`);
	else if (ended > 0) counts.push(`Read ${counted(ended, 'batch', 'batches')}`);
	if (notFound > 0) counts.push(`${notFound} ${lookup.words.notFound}`);
	if (ongoing > 0) {
		const ids = given.flatMap(({ status, batch_id }) => (status === 'ongoing' ? batch_id : []));
		const what = size === 'bulk' ? counted(new Set(ids).size, 'batch', 'batches') : ongoing;
		counts.push(`${what} still running`);
	}
	const sum = tellCounts(lookup, counts, failuresOf(rows), all.length);
	const isEarly = ongoing > 0 && !waitForResult;
	return isEarly ? `${sum} With 'Wait for Result' on, the node waits until all are finished.` : sum;
}

function countStates(
	given: readonly IDataObject[],
): Record<'found' | 'notFound' | 'ongoing', number> {
	const count = (is: (json: IDataObject) => boolean) => given.filter(is).length;
	return {
		found: count((json) => json.found === true),
		notFound: count((json) => json.found === false),
		ongoing: count((json) => json.status === 'ongoing'),
	};
}

/** What became of all, with the first reason why some failed: where all did, nothing else comes before it. */
function tellCounts(
	{ noun }: Lookup,
	counts: string[],
	failures: readonly Failure[],
	total: number,
): string {
	const failed = failures.length;
	const { problem } =
		failures.find(({ problem: { isConsequence } }) => !isConsequence) ?? failures[0] ?? {};
	if (problem === undefined) return `${counts.join(', ')}.`;
	const all = total === 1 ? `The ${noun.one} failed` : `All ${total} ${noun.many} failed`;
	const said = failed === total ? all : [...counts, `${failed} failed`].join(', ');
	return `${said}: ${problem.message.replace(/\.$/, '')}.`;
}

/** Equal ones once. */
function rowsSent(orders: readonly Order[]): Row[] {
	return orders.filter(isOwn).filter(isAccepted).flatMap(searchesOf);
}

/** How many searches go without a value that could not be used. */
export function tellLeftOut({ noun }: Lookup, rows: readonly Row[]): string {
	const counts = new Map<string, number>();
	for (const label of rows.flatMap(({ leftOut = [] }) => leftOut)) {
		counts.set(label, (counts.get(label) ?? 0) + 1);
	}
	const tell = ([label, count]: [string, number]) =>
		` ${counted(count, noun.one, noun.many)} ${count === 1 ? 'goes' : 'go'} without '${label}', which could not be used.`;
	return [...counts].map(tell).join('');
}

/** That a list in one item was sent in more than one batch. */
export function tellSplitLists(orders: readonly Order[]): string | undefined {
	const sent = orders.filter(isOwn);
	const lists = new Set(sent.map(({ entries }) => entries[0]?.rows[0].item));
	if (sent.length === lists.size) return undefined;
	return `A list was sent in several batches, ${sent.length} in all.`;
}

/** That n8n's time limit ends a pause before its Timeout. */
export function tellShortPause(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	return `What is not finished after ${counted(minutes, 'minute', 'minutes')} comes out as ongoing: 'Timeout' is longer than n8n's time limit for this execution allows.`;
}

function tellSpent(orders: readonly Order[]): string {
	const { credits, isSure } = costOf(orders);
	return `${isSure ? '' : 'At least '}${tellCredits(credits)} spent`;
}

/** It is counted, and others may spend too. */
function tellBalance(orders: readonly Order[], balance: number | undefined, refunded = 0): string {
	const { isSure } = costOf(orders);
	const { credits } = costOf(orders.filter(({ origin }) => origin === 'new'));
	const left = (balance ?? -Infinity) - credits;
	if (!isSure || left < 0) return '';
	return ` The account has about ${tellCredits(addCredits(left, refunded))} left.`;
}

/** Credits given back, where that can be true: it is not more than what was charged. */
function countRefunds(orders: readonly Order[]): number {
	const refunds = new Map<string, number>();
	for (const order of orders) {
		const { fate } = order;
		if (fate.kind !== 'completed') continue;
		const refunded = readRefund(fate.body);
		if (refunded > 0 && refunded <= (chargeOf(order) ?? 0)) refunds.set(fate.id, refunded);
	}
	return [...refunds.values()].reduce((sum, refunded) => sum + refunded, 0);
}

/** Credits given back for what a batch did not find (`service-api.md` section 3, rules 3 and 4). */
export function readRefund(body: unknown): number {
	const stats = asRecord(asRecord(body)?.stats);
	return (
		asAmount(stats?.credits_to_refund) ?? asAmount(asRecord(stats?.credits_cost)?.refunded) ?? 0
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

export function counted(count: number, one: string, many: string): string {
	return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
