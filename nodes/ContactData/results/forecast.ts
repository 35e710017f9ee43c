import { asText, tellAmount, tellCredits } from '../common/values';
import type { Row } from '../input/rows';
import { tellNote } from '../lookups/paidForNothing';
import type { Lookup, Search } from '../lookups/types';
import type { Order } from '../orders/order';
import { countSearches, rowsOf, searchesOf } from '../orders/order';
import type { Balance } from '../service/accountInfo';
import { unacceptedProblem } from './problems';
import { counted, tellLeftOut } from './summary';

/** What a run would do and cost, if it were started now. */
export interface Forecast {
	orders: readonly Order[];
	/** In how many requests the searches would be sent. */
	requests: number;
	requestsPerSecond: number;
	/** Of one search; `undefined` where nobody knows. */
	price: { price: number; isSure: boolean } | undefined;
	/** The account's credits, or why they are not known. */
	balance: Balance;
	/** Why nothing would be submitted. */
	objection: string | undefined;
}

/** What would become of a row. */
interface Planned {
	action: 'submit' | 'same_as' | 'read' | 'invalid';
	reason?: string;
	/** The number of the row that is submitted for this one, too. */
	same_as?: number;
	search: Search;
}

/**
 * What a dry run gives: one output for each row, with the same columns in all.
 * @param price of one search; `undefined` where nobody knows
 */
export function forecastRows(
	lookup: Lookup,
	rows: readonly Row[],
	orders: readonly Order[],
	price: number | undefined,
): Row[] {
	const planned = new Map<Row, Planned>();
	const numbers = new Map(rows.map((row, index) => [row, index + 1]));
	for (const order of orders) {
		for (const { rows: same } of order.entries) {
			for (const row of same) {
				const first = row === same[0] ? undefined : numbers.get(same[0]);
				planned.set(row, ofOrder(lookup, order, row, first));
			}
		}
	}
	return rows.map((row) => {
		const { action, reason, same_as, search } = planned.get(row) ?? ofReadRow(row);
		const isSubmitted = action === 'submit';
		const asked = lookup.fields.map(({ name }) => [name, search[name] ?? null]);
		const json = {
			action,
			reason: reason ?? null,
			same_as: same_as ?? null,
			...Object.fromEntries(asked),
			credits: isSubmitted ? (price ?? null) : 0,
			note: (isSubmitted ? tellNote(lookup, search) : undefined) ?? null,
			dry_run: true,
		};
		return { ...row, outputs: [{ kind: 'asItIs', json }] };
	});
}

/** @param first the number of the row that is submitted for this one, too */
function ofOrder(lookup: Lookup, order: Order, row: Row, first?: number): Planned {
	const { fate } = order;
	const { search, leftOut = [] } = row;
	if ('id' in fate) return { action: 'read', search };
	if (fate.kind === 'unknown') {
		return { action: 'invalid', reason: unacceptedProblem(lookup, fate, order).message, search };
	}
	if (first !== undefined) return { action: 'same_as', same_as: first, search };
	const labels = leftOut.map((label) => `'${label}'`).join(' and ');
	const reason = labels === '' ? undefined : `goes without ${labels}, which could not be used`;
	return { action: 'submit', reason, search };
}

/** What is certain of a row before anything is planned. */
function ofReadRow({ search, outputs: [output] }: Row): Planned {
	return output?.kind === 'failure'
		? { action: 'invalid', reason: output.problem.message, search: output.search ?? search }
		: { action: 'invalid', reason: asText(output?.json.reason), search };
}

/** The sum of a dry run, for the output pane. */
export function tellForecast(
	lookup: Lookup,
	{ orders, requests, requestsPerSecond, price, balance, objection }: Forecast,
	rows: readonly Row[],
): string {
	const { noun } = lookup;
	const countOf = (wanted: Planned['action']) =>
		rows.filter(
			({ outputs: [output] }) => output?.kind === 'asItIs' && output.json.action === wanted,
		).length;
	const planned = orders.filter(({ fate }) => fate.kind === 'planned');
	const unclear = orders.filter(({ fate }) => fate.kind === 'unknown').flatMap(rowsOf).length;
	const searches = countSearches(planned);
	const seconds = Math.floor((requests - 1) / requestsPerSecond);
	const time =
		seconds < 1 ? 'less than a second' : `at least ${counted(seconds, 'second', 'seconds')}`;
	const what =
		searches === 0
			? 'nothing'
			: `${counted(searches, noun.one, noun.many)} in ${counted(requests, 'request', 'requests')} (${time})`;
	const others = [
		tellIfAny(countOf('same_as'), 'repeats another item', 'repeat another item'),
		tellIfAny(countOf('read'), 'is read from an earlier search', 'are read from earlier searches'),
		tellIfAny(countOf('invalid') - unclear, 'item is invalid', 'items are invalid'),
		tellIfAny(countNotes(rows), 'will probably find nothing', 'will probably find nothing'),
		tellIfAny(unclear, 'may have been charged before', 'may have been charged before'),
	].flat();
	const sentences = [
		'Dry run: nothing was started.',
		`A real run would start ${what}.`,
		others.length > 0 && `${others.join(', ')}.`,
		tellLeftOut(lookup, planned.flatMap(searchesOf)).trim(),
		searches > 0 && tellCost(searches, price),
		'credits' in balance && balance.credits !== undefined
			? `The account has ${tellCredits(balance.credits)}.`
			: `The balance could not be read${'refusal' in balance ? `: ${balance.refusal.message}` : ' at the moment'}.`,
		objection !== undefined && `So the run would end before anything is started: ${objection}.`,
	];
	return sentences.filter((sentence) => sentence !== false && sentence !== '').join(' ');
}

/** Of those that would be paid for. */
function countNotes(rows: readonly Row[]): number {
	return rows.filter(
		({ outputs: [output] }) => output?.kind === 'asItIs' && output.json.note !== null,
	).length;
}

function tellCost(searches: number, price: Forecast['price']): string {
	if (price === undefined) return 'The price is not known yet.';
	const each = tellAmount(price.price);
	const basis = price.isSure ? `${each} each` : `if one still costs ${each} as it did last`;
	return `It would cost at most ${tellCredits(searches * price.price)} (${basis}).`;
}

function tellIfAny(count: number, one: string, many: string): string[] {
	return count === 0 ? [] : [counted(count, one, many)];
}
