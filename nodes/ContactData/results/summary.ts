import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { addCredits, asAmount, asRecord, counted, tellAmount, tellCredits } from '../common/values';
import type { Given, Row } from '../input/rows';
import { failuresOf } from '../input/rows';
import type { Form } from '../input/form';
import type { Settings } from '../input/settings';
import { tellUnlikely } from '../lookups/paidForNothing';
import type { Lookup } from '../lookups/types';
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

/** What became of the rows of a run. */
export interface Outcome {
	/** Of all rows. */
	total: number;
	given: readonly Given[];
	orders: readonly Order[];
	/** The account's credits before the run, where they are known. */
	balance?: number;
	/** Searches that were paid for again, although they could be read. */
	repeated?: number;
}

/** One line for the output pane: how many were found, what it cost, what was refunded, what is left. */
export function summarize(lookup: Lookup, outcome: Outcome): string {
	const { given, orders, total } = outcome;
	const results = resultsOf(given);
	const { found, notFound, ongoing } = countStates(results.map(({ json }) => json));
	const countRead = (origin: Order['origin']) => {
		const rows = new Set(orders.filter((order) => order.origin === origin).flatMap(rowsOf));
		return results.filter(({ row, json }) => rows.has(row) && json.status !== 'ongoing').length;
	};
	const counts = [`${lookup.words.found} ${found} of ${total}`];
	if (notFound > 0) counts.push(`${notFound} ${lookup.words.notFound}`);
	if (ongoing > 0) counts.push(`${ongoing} still running`);
	const parts = [tellSpent(orders)];
	const [named, recent] = [countRead('named'), countRead('recent')];
	if (named > 0) parts.push(`${named} read from earlier searches`);
	if (recent > 0) {
		parts.push(
			`${recent} read from searches of the last 24 hours ('Search Again' in Options searches anew)`,
		);
	}
	const refunded = countRefunds(orders);
	if (refunded > 0) parts.push(`${tellAmount(refunded)} refunded`);
	return [
		tellCounts(lookup, counts, failuresOf(given), total),
		`${parts.join(', ')}.`,
		tellDoubtful(lookup, rowsSent(orders)),
		tellBalance(outcome, refunded),
	]
		.filter(Boolean)
		.join(' ');
}

/** The same of a Start operation: how many were started, what that cost, what is left; none for none. */
export function summarizeStart(
	form: Pick<Form, 'lookup' | 'size'>,
	outcome: Outcome,
): string | undefined {
	const { lookup, size } = form;
	const { given, orders, total } = outcome;
	const started = orders.filter(isAccepted);
	const failures = failuresOf(given);
	if (started.length === 0 && failures.length === 0) return undefined;
	const batches = size === 'bulk' ? ` in ${counted(started.length, 'batch', 'batches')}` : '';
	const { one, many } = lookup.noun;
	const counts = [`Started ${counted(countSearches(started), one, many)}${batches}`];
	return [
		tellCounts(lookup, counts, failures, total),
		`${tellSpent(orders)}.`,
		tellRepeated(form, outcome.repeated),
		tellDoubtful(lookup, rowsSent(orders)),
		tellBalance(outcome),
	]
		.filter(Boolean)
		.join(' ');
}

function tellRepeated({ lookup, size }: Pick<Form, 'lookup' | 'size'>, repeated = 0): string {
	if (repeated === 0) return '';
	const { verb } = lookup.words;
	const operation = size === 'bulk' ? `${verb} Many` : verb;
	return `${repeated} of them had been paid for in the last 24 hours: '${operation}' would have read ${repeated === 1 ? 'it' : 'them'} free of charge.`;
}

/** The same of a paused node, and until when it waits. */
export function summarizePause(
	form: Pick<Form, 'lookup' | 'size'>,
	outcome: Outcome,
	{ until, timeZone }: { until: Date; timeZone: string },
): string {
	const started = summarizeStart(form, { ...outcome, orders: outcome.orders.filter(isOwn) });
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
	given: readonly Given[],
): string {
	const results = resultsOf(given).map(({ json }) => json);
	const { found, notFound, ongoing } = countStates(results);
	const counts: string[] = [];
	const ended = results.length - ongoing;
	if (found + notFound > 0)
		counts.push(`${lookup.words.found} ${found} of ${given.length - ongoing}`);
	else if (ended > 0) counts.push(`Read ${counted(ended, 'batch', 'batches')}`);
	if (notFound > 0) counts.push(`${notFound} ${lookup.words.notFound}`);
	if (ongoing > 0) {
		const ids = results.flatMap(({ status, batch_id }) => (status === 'ongoing' ? batch_id : []));
		const what = size === 'bulk' ? counted(new Set(ids).size, 'batch', 'batches') : ongoing;
		counts.push(`${what} still running`);
	}
	const sum = tellCounts(lookup, counts, failuresOf(given), given.length);
	const isEarly = ongoing > 0 && !waitForResult;
	return isEarly ? `${sum} With 'Wait for Result' on, the node waits until all are finished.` : sum;
}

function resultsOf(given: readonly Given[]): Array<{ row: Row; json: IDataObject }> {
	return given.flatMap(({ row, output }) =>
		output.kind === 'failure' ? [] : { row, json: output.json },
	);
}

function countStates(
	results: readonly IDataObject[],
): Record<'found' | 'notFound' | 'ongoing', number> {
	const count = (isCounted: (json: IDataObject) => boolean) => results.filter(isCounted).length;
	return {
		found: count(({ found }) => found === true),
		notFound: count(({ found }) => found === false),
		ongoing: count(({ status }) => status === 'ongoing'),
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
	const sum = failed === total ? all : [...counts, `${failed} failed`].join(', ');
	return `${sum}: ${problem.message.replace(/\.$/, '')}.`;
}

/** Equal ones once. */
function rowsSent(orders: readonly Order[]): Row[] {
	return orders.filter(isOwn).filter(isAccepted).flatMap(searchesOf);
}

/** What speaks against the rows that are searched, or goes without being used. */
export function tellDoubtful(lookup: Lookup, rows: readonly Row[]): string {
	const unlikely = tellUnlikely(
		lookup,
		rows.map(({ search }) => search),
	);
	return [tellLeftOut(lookup, rows), unlikely].filter(Boolean).join(' ');
}

/** How many searches go without a value that could not be used. */
function tellLeftOut({ noun }: Lookup, rows: readonly Row[]): string {
	const counts = new Map<string, number>();
	for (const label of rows.flatMap(({ leftOut = [] }) => leftOut)) {
		counts.set(label, (counts.get(label) ?? 0) + 1);
	}
	return [...counts]
		.map(
			([label, count]) =>
				`${counted(count, noun.one, noun.many)} ${count === 1 ? 'goes' : 'go'} without '${label}', which could not be used.`,
		)
		.join(' ');
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

/** What is left is reckoned, not read. */
function tellBalance({ orders, balance = -Infinity }: Outcome, refunded = 0): string {
	const { isSure } = costOf(orders);
	const { credits } = costOf(orders.filter(({ origin }) => origin === 'new'));
	const left = balance - credits;
	if (!isSure || left < 0) return '';
	return `The account has about ${tellCredits(addCredits(left, refunded))} left.`;
}

/** Credits given back, where that can be true: it is not more than what was charged. */
function countRefunds(orders: readonly Order[]): number {
	return orders.reduce((sum, order) => {
		const refunded = order.fate.kind === 'completed' ? readRefund(order.fate.body) : 0;
		return refunded > 0 && refunded <= (chargeOf(order) ?? 0) ? addCredits(sum, refunded) : sum;
	}, 0);
}

/** Credits given back for what a batch did not find (`service-api.md` section 3, rules 3 and 4). */
function readRefund(body: unknown): number {
	const stats = asRecord(asRecord(body)?.stats);
	return (
		asAmount(stats?.credits_to_refund) ?? asAmount(asRecord(stats?.credits_cost)?.refunded) ?? 0
	);
}
