import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../common/errors';
import { tellAmount, tellCredits } from '../common/values';
import type { Row } from '../input/rows';
import type { Lookup } from '../lookups/types';
import type { Order } from '../orders/order';
import { countSearches, rowsOf, searchesOf } from '../orders/order';
import type { Balance } from '../service/accountInfo';
import { idsOf, toErrorJson } from './items';
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

interface Planned extends IDataObject {
	action: 'submit' | 'same_as' | 'read' | 'invalid';
}

/**
 * What a dry run gives: one output for each row.
 * @param price of one search; `undefined` where nobody knows
 */
export function forecastRows(
	lookup: Lookup,
	rows: readonly Row[],
	orders: readonly Order[],
	price: number | undefined,
): Row[] {
	const planned = new Map<Row, Planned>();
	const numbers = new Map(rows.map((row, number) => [row, number]));
	for (const order of orders) {
		for (const { rows: same } of order.entries) {
			for (const row of same) {
				const first = row === same[0] ? undefined : numbers.get(same[0]);
				planned.set(row, ofOrder(lookup, order, row, first));
			}
		}
	}
	return rows.map((row) => {
		const plan = planned.get(row) ?? ofReadRow(row);
		const credits = plan.action === 'submit' ? (price ?? null) : 0;
		const json = { dry_run: true, ...plan, credits };
		return { ...row, outputs: [{ kind: 'asItIs', json }] };
	});
}

/** @param first the number of the row that is submitted for this one, too */
function ofOrder(lookup: Lookup, order: Order, { item, search }: Row, first?: number): Planned {
	const { fate, size } = order;
	if ('id' in fate) return { action: 'read', ...idsOf(size, fate.id), search };
	if (fate.kind === 'unknown') {
		return { ...invalid({ problem: unacceptedProblem(lookup, fate, order), item }), search };
	}
	return first === undefined
		? { action: 'submit', search }
		: { action: 'same_as', same_as: first, search };
}

/** What is certain of a row before anything is planned. */
function ofReadRow({ item, search, outputs: [output] }: Row): Planned {
	return output?.kind === 'failure'
		? invalid({ ...output, item })
		: { action: 'invalid', reason: output?.json.reason, search };
}

function invalid(failure: Failure): Planned {
	return { action: 'invalid', ...toErrorJson(failure) };
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

function tellCost(searches: number, price: Forecast['price']): string {
	if (price === undefined) return 'The price is not known yet.';
	const each = tellAmount(price.price);
	const basis = price.isSure ? `${each} each` : `if one still costs ${each} as it did last`;
	return `It would cost at most ${tellCredits(searches * price.price)} (${basis}).`;
}

function tellIfAny(count: number, one: string, many: string): string[] {
	return count === 0 ? [] : [counted(count, one, many)];
}
