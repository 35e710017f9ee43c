import type { IDataObject } from 'n8n-workflow';
import { asNumber, asRecord, asText, groupBy, isRecord } from '../common/values';
import type { RowOutput, Output, Row } from '../input/rows';
import type { Form } from '../input/settings';
import { findLookup } from '../lookups';
import { searchKey } from '../lookups/searches';
import type { Search } from '../lookups/types';
import { accepted, type AcceptedOrder, chargeOf, type Entry } from '../orders/order';
import { toJson } from '../results/columns';

/** What a paused execution waits for, and what it gives when all of that has ended. */
export interface Pause {
	form: Form;
	/** Of its input. */
	items: number;
	rows: readonly Row[];
	/** Those that are waited for, in the order of submission. */
	orders: readonly AcceptedOrder[];
}

/**
 * A pause as n8n saves it.
 * @param outputs what its rows give now: that of a row that waits for nothing is saved
 */
export function savePause(
	{ form, items, rows, orders }: Pause,
	outputs: readonly RowOutput[],
): IDataObject {
	const waiting = new Map<Row, IDataObject>();
	orders.forEach(({ entries }, order) => {
		for (const { place, rows: same } of entries) {
			for (const row of same) waiting.set(row, { order, ...(place !== undefined && { place }) });
		}
	});
	const certain = new Map(outputs.map((one) => [one.row, { certain: savedOutput(form, one) }]));
	return {
		form: { ...form, lookup: form.lookup.name, askedColumns: [...form.askedColumns] },
		items,
		rows: rows.map((row): IDataObject => {
			const { item, search, custom, inputFields } = row;
			return { item, search, custom, inputFields, ...(waiting.get(row) ?? certain.get(row)) };
		}),
		orders: orders.map((order) => {
			const { size, count, fate } = order;
			return { size, id: fate.id, count, credits_used: chargeOf(order) };
		}),
	};
}

/** An output as its item has it, and what the error of a failure says. */
function savedOutput(form: Form, one: RowOutput): IDataObject {
	const { output } = one;
	const error = output.kind === 'failure' ? output.problem.message : undefined;
	return { json: toJson(form, one), error };
}

/** @returns `undefined` for what no pause of this version has saved */
export function restorePause(saved: unknown): Pause | undefined {
	const { form: savedForm, items, rows: savedRows, orders: savedOrders } = asRecord(saved) ?? {};
	const form = toForm(savedForm);
	if (form === undefined) return undefined;
	const rows = listIn(savedRows).map(({ order, place, ...row }) => {
		return { order, place: asNumber(place), row: restoreRow(form, row) };
	});
	const ofOrder = new Map(groupBy(rows, ({ order }) => order).map((same) => [same[0].order, same]));
	const orders = listIn(savedOrders).map(
		({ size, id, count, ...receipt }, index): AcceptedOrder => {
			const asking = groupBy(ofOrder.get(index) ?? [], ({ row }) => row.key);
			const entries = asking.map(([first, ...others]): Entry => {
				return { hash: '', place: first.place, rows: [first.row, ...others.map(({ row }) => row)] };
			});
			return {
				// It is of this execution, which is all that can be paused for.
				origin: 'new',
				// Another node of it may have started it in the other size.
				size: size === 'bulk' ? 'bulk' : 'single',
				entries,
				count: asNumber(count) ?? entries.length,
				fate: accepted(asText(id) ?? '', receipt),
			};
		},
	);
	return { form, items: asNumber(items) ?? rows.length, rows: rows.map(({ row }) => row), orders };
}

function toForm(saved: unknown): Form | undefined {
	const record = asRecord(saved);
	const lookup = findLookup(record?.lookup);
	if (record === undefined || lookup === undefined) return undefined;
	const { size, isList, choice, isSimple, askedColumns, includesInput } = record;
	const names: unknown[] = Array.isArray(askedColumns) ? askedColumns : [];
	return {
		lookup,
		size: size === 'bulk' ? 'bulk' : 'single',
		isList: isList === true,
		// Nothing that is paused is.
		isSplit: false,
		choice: asText(choice),
		isSimple: isSimple === true,
		task: 'find',
		askedColumns: names.flatMap((name) => asText(name) ?? []),
		includesInput: includesInput === true,
	};
}

function restoreRow(
	{ lookup }: Form,
	{ item, search, custom, inputFields, certain }: IDataObject,
): Row {
	const ofRow = toSearch(search);
	return {
		item: asNumber(item) ?? 0,
		search: ofRow,
		key: Object.keys(ofRow).length > 0 ? searchKey(lookup, ofRow) : '',
		custom: typeof custom === 'string' ? custom : asRecord(custom),
		inputFields: asRecord(inputFields),
		envelope: {},
		certain: toOutput(asRecord(certain)),
	};
}

function toSearch(saved: unknown): Search {
	const texts = Object.entries(asRecord(saved) ?? {}).flatMap(([name, value]) =>
		typeof value === 'string' ? [[name, value] as const] : [],
	);
	return Object.fromEntries(texts);
}

function toOutput(saved: IDataObject | undefined): Output | undefined {
	const json = asRecord(saved?.json);
	if (json === undefined) return undefined;
	const message = asText(saved?.error);
	return message === undefined
		? { kind: 'result', json, final: json }
		: { kind: 'failure', problem: { message, description: '' }, final: json };
}

function listIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}
