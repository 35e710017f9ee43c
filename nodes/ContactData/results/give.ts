import type { IDataObject } from 'n8n-workflow';
import { asRecord, groupBy } from '../common/values';
import {
	failureOf,
	hasSearch,
	invalidResult,
	type Output,
	type Row,
	type RowOutput,
} from '../input/rows';
import type { Form } from '../input/settings';
import type { Lookup } from '../lookups/types';
import { type AcceptedOrder, chargeOf, isAccepted, type Order, rowsOf } from '../orders/order';
import { type Ended, hasEnded } from '../service/state';
import { idsOf, outputOf, outputsOfBatch, outputsOfSearches } from './batch';
import {
	lookupProblem,
	ofOrigin,
	otherSearchProblem,
	type Timeout,
	timeoutProblem,
	unacceptedProblem,
} from './problems';
import { contradicts } from './whose';

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
): RowOutput[] {
	const rowOutputs = orders.flatMap((order) =>
		form.task === 'start' ? receiptsOf(form, order) : givenBy(form, order, timeout),
	);
	const byRow = new Map(groupBy(rowOutputs, ({ row }) => row).map((same) => [same[0].row, same]));
	return rows.flatMap((row) =>
		row.certain === undefined ? (byRow.get(row) ?? []) : { row, output: row.certain },
	);
}

function givenBy(form: Form, order: Order, timeout?: Timeout): RowOutput[] {
	const outputs = outputsOfEntries(form, order, timeout);
	return order.entries.flatMap(({ rows }, position) =>
		rows.flatMap((row, index) => {
			// A batch that is only read gives its results once, with its first row.
			const isFirst = position === 0 && index === 0;
			if (!hasSearch(row) && order.size === 'bulk' && !isFirst) return [];
			// They are of none of several items alone.
			const isOfAll = !hasSearch(row) && order.size === 'bulk' && rows.length > 1;
			const ofItems = isOfAll ? rows.map(({ item }) => item) : undefined;
			return (outputs[position] ?? []).map((output) => ({
				row,
				output: labelled(order, row, output),
				...(ofItems && { ofItems }),
			}));
		}),
	);
}

/** What an order comes to for each of its entries: one output, or for an id that is only read any number. */
function outputsOfEntries({ lookup }: Form, order: Order, timeout?: Timeout): Output[][] {
	const { entries, fate, size } = order;
	if (!isAccepted(order)) {
		return entries.map(({ rows: [row] }) => [
			fate.kind === 'invalid'
				? invalidResult(row, fate.reason)
				: failureOf({ problem: unacceptedProblem(lookup, order) }),
		]);
	}
	const shown = order.fate;
	if (size === 'bulk' && hasEnded(shown)) {
		return order.origin === 'read'
			? entries.map(() => outputsOfBatch(lookup, shown.id, shown))
			: outputsOfSearches(lookup, order, shown).map((output) => [output]);
	}
	return entries.map(({ rows: [row] }) => [
		hasEnded(shown) ? ofSingle(lookup, order, row, shown) : unended(lookup, order, row, timeout),
	]);
}

function unended(lookup: Lookup, order: AcceptedOrder, row: Row, timeout?: Timeout): Output {
	const { size, fate } = order;
	if (fate.kind === 'fault' && fate.isOver) return failureOf({ problem: lookupProblem(fate) });
	if (timeout !== undefined) return failureOf({ problem: timeoutProblem(lookup, order, timeout) });
	const stats = 'body' in fate ? asRecord(asRecord(fate.body)?.stats) : undefined;
	const about = hasSearch(row) ? lookup.toEcho(row.search) : stats && { stats };
	return { kind: 'result', json: { ...idsOf(size, fate.id), status: 'ongoing', ...about } };
}

/** Rule 1: a single result is of its id; but the user may have given that of another search. */
function ofSingle(
	lookup: Lookup,
	{ origin, fate: { id } }: AcceptedOrder,
	{ search }: Row,
	fate: Ended,
): Output {
	if (fate.kind === 'failed') return failureOf({ problem: lookupProblem(fate) });
	return origin === 'named' && contradicts(lookup, search, fate.body)
		? failureOf({ problem: otherSearchProblem(lookup, 'single', id) })
		: outputOf(lookup, 'single', id, fate.body);
}

/** With the row's own custom data in a result; with the search and the id in a failure. */
function labelled(order: Order, row: Row, output: Output): Output {
	const { size, fate } = order;
	if (output.final !== undefined) return output;
	if (output.kind === 'result') {
		if (!hasSearch(row)) return output;
		return { ...output, json: withCustom(output.json, row.custom) };
	}
	const isOver = isAccepted(order) && order.fate.isOver;
	return {
		...output,
		...(isOver && { problem: ofOrigin(output.problem, order) }),
		...(hasSearch(row) && { search: row.search }),
		...(size === 'bulk' && { searches: order.count }),
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
function receiptsOf(form: Form, order: Order): RowOutput[] {
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
