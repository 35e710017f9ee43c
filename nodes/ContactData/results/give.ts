import type { IDataObject } from 'n8n-workflow';
import type { Given, Output, Row } from '../input/rows';
import { failureOf, invalidResult } from '../input/rows';
import type { Form } from '../input/form';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder, Entry, Order } from '../orders/order';
import { chargeOf, isAccepted, rowsOf } from '../orders/order';
import type { Ended } from '../service/state';
import { hasEnded, isOpen } from '../service/state';
import { outputsOfBatch, outputsOfSearches } from './batch';
import {
	lookupProblem,
	ofNamed,
	ofRecent,
	otherSearchProblem,
	readProblem,
	timeoutProblem,
	unacceptedProblem,
} from './problems';
import { idsOf, ongoingItem, singleResult } from './result';
import { belongsTo, isOfAnotherId } from './whose';

/** The end of a wait, where what still runs is an error. */
export interface Timeout {
	timeoutMs: number;
	/** Whether n8n's time limit has ended it, and not its Timeout. */
	isAtLimit: boolean;
}

/**
 * What rows give: of a run, a pause, Get Result and a notification alike. Nothing is kept: it follows from
 * what a row says itself, and from what became of its order.
 * @param timeout left out where what still runs comes out as ongoing
 */
export function give(
	form: Form,
	rows: readonly Row[],
	orders: readonly Order[],
	timeout?: Timeout,
): Given[] {
	const byRow = new Map<Row, Given[]>();
	for (const order of orders) {
		for (const given of form.task === 'start'
			? receiptsOf(form, order)
			: givenBy(form, order, timeout)) {
			const same = byRow.get(given.row);
			if (same === undefined) byRow.set(given.row, [given]);
			else same.push(given);
		}
	}
	return rows.flatMap((row) =>
		row.known === undefined ? (byRow.get(row) ?? []) : { row, output: row.known },
	);
}

function givenBy(form: Form, order: Order, timeout?: Timeout): Given[] {
	const outputs = outputsOfEntries(form, order, timeout);
	return order.entries.flatMap(({ rows }, position) =>
		rows.flatMap((row, index) => {
			// All that a batch has is given once.
			const isFirst = position === 0 && index === 0;
			if (row.key === '' && order.size === 'bulk' && !isFirst) return [];
			return (outputs[position] ?? []).map((output) => ({
				row,
				output: labelled(order, row, output),
			}));
		}),
	);
}

/** What an order comes to for each of its entries: one output, or for an id that is only read any number. */
function outputsOfEntries(
	{ lookup }: Pick<Form, 'lookup'>,
	order: Order,
	timeout?: Timeout,
): Output[][] {
	const { entries, fate, size } = order;
	if (!isAccepted(order)) {
		return entries.map(({ rows: [row] }) => [
			fate.kind === 'invalid'
				? invalidResult(row, fate.reason)
				: failureOf({ problem: unacceptedProblem(lookup, order) }),
		]);
	}
	if (!hasEnded(order.fate))
		return entries.map((entry) => [unended(lookup, order, entry, timeout)]);
	const ended = order.fate;
	if (size === 'single') return entries.map((entry) => [ofSingle(lookup, order, entry, ended)]);
	return order.origin === 'read'
		? entries.map(() => outputsOfBatch(lookup, order.fate.id, ended))
		: outputsOfSearches(lookup, order, ended).map((output) => [output]);
}

function unended(
	lookup: Lookup,
	order: AcceptedOrder,
	{ rows: [row] }: Entry,
	timeout?: Timeout,
): Output {
	const { origin, size, fate } = order;
	if (fate.kind === 'fault' && fate.fault !== 'passing') {
		const problem = origin === 'read' ? readProblem(fate, size, fate.id) : lookupProblem(fate);
		return failureOf({ problem });
	}
	if (timeout === undefined) return { kind: 'result', json: ongoingItem(lookup, order, row) };
	const lastAnswer =
		fate.kind === 'fault'
			? fate.refusal.message
			: 'lastAnswer' in fate
				? fate.lastAnswer
				: undefined;
	const problem = timeoutProblem(
		lookup,
		{ id: fate.id, size, lastAnswer, ...timeout },
		origin === 'named',
	);
	return failureOf({ problem });
}

/** A single result is of its id, unless it says otherwise. */
function ofSingle(
	lookup: Lookup,
	{ origin, fate: { id } }: AcceptedOrder,
	{ rows: [row] }: Entry,
	fate: Ended,
): Output {
	if (fate.kind === 'failed') return failureOf({ problem: lookupProblem(fate) });
	const isOfOther = isOfAnotherId(id, fate.body);
	const isDoubtful = origin === 'named' || isOfOther;
	const belongs = row.key === '' ? 'perhaps' : belongsTo(lookup, row, fate.body, isDoubtful);
	return belongs === 'no' || (isOfOther && belongs === 'perhaps')
		? failureOf({ problem: otherSearchProblem(lookup, id) })
		: { kind: 'result', json: singleResult(lookup, id, fate.body) };
}

/** With the row's own custom data in a result; with the search and the id in a failure. */
function labelled({ origin, size, fate }: Order, row: Row, output: Output): Output {
	if (output.kind === 'final') return output;
	if (output.kind === 'result') {
		return row.key === '' ? output : { ...output, json: withCustom(output.json, row.custom) };
	}
	const hasEnded = 'id' in fate && !isOpen(fate);
	return {
		...output,
		...(hasEnded && origin === 'named' && { problem: ofNamed(output.problem, fate.id) }),
		...(hasEnded && origin === 'recent' && { problem: ofRecent(output.problem, fate) }),
		...(row.key !== '' && { search: row.search }),
		...('id' in fate && { ids: idsOf(size, fate.id) }),
		...(fate.kind === 'failed' && { status: 'failed' }),
	};
}

/** Equal searches share a result, but each row has custom data of its own. */
function withCustom(json: IDataObject, custom: Row['custom']): IDataObject {
	const result = { ...json };
	if (custom === undefined) delete result.custom;
	else result.custom = custom;
	return result;
}

/** What a Start operation gives for an order: one receipt for each row, or one for all items of a batch. */
function receiptsOf(form: Form, order: Order): Given[] {
	const { size, fate, entries } = order;
	if (!('id' in fate)) return givenBy(form, order);
	const { id } = fate;
	const rows = rowsOf(order);
	const receipt = (credits: number | undefined): IDataObject => ({
		...(form.isSimple ? { id, credits: credits ?? null } : fate.receipt),
		status: 'ongoing',
	});
	if (size === 'single') {
		return rows.map((row, index) => {
			// Equal searches are charged once.
			const json = receipt(index === 0 ? chargeOf(order) : 0);
			return { row, output: { kind: 'result', json } };
		});
	}
	const [first] = rows;
	if (first === undefined) return [];
	const json = { ...receipt(chargeOf(order)), batch_id: id, size: entries.length };
	const ofItems = [...new Set(rows.map(({ item }) => item))].sort((a, b) => a - b);
	return [{ row: first, output: { kind: 'result', json }, ofItems }];
}
