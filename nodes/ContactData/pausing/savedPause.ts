import type { IDataObject } from 'n8n-workflow';
import { asNumber, asRecord, asText, groupBy, isRecord } from '../common/values';
import type { Given, Output, Row } from '../input/rows';
import { failureOf } from '../input/rows';
import type { Form } from '../input/form';
import { findLookup } from '../lookups';
import { searchKey } from '../lookups/same';
import type { Search } from '../lookups/types';
import type { AcceptedOrder, Entry } from '../orders/order';
import { accepted } from '../orders/order';
import { explain } from '../results/explain';

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
 * @param given what its rows give now: of a row that waits for nothing that is saved
 */
export function toSaved(
	{ form, items, rows, orders }: Pause,
	given: readonly Given[],
): IDataObject {
	const waiting = new Map<Row, IDataObject>();
	orders.forEach(({ entries }, order) => {
		for (const { place, rows: same } of entries) {
			for (const row of same) waiting.set(row, { order, ...(place !== undefined && { place }) });
		}
	});
	const known = new Map(given.map(({ row, output }) => [row, output]));
	const saved = rows.map((row): IDataObject => {
		const { item, search, custom, inputFields, envelope } = row;
		// The webhook is of this pause alone.
		const settings = { ...envelope.settings, webhook: undefined };
		const rest = waiting.get(row) ?? { known: savedOutput(known.get(row)) };
		return { item, search, custom, inputFields, settings, ...rest };
	});
	return {
		form: { ...form, lookup: form.lookup.name, askedColumns: [...form.askedColumns] },
		items,
		rows: saved,
		orders: orders.map(({ origin, size, count, execution, fate: { id } }) => {
			return { origin, size, count, execution, id };
		}),
	};
}

/** A problem is saved in the words in which an item tells it. */
function savedOutput(output: Output | undefined): IDataObject | undefined {
	if (output?.kind !== 'failure') return output && { ...output };
	const { kind, problem, ids, status, search } = output;
	const { message } = problem;
	return { kind, message, description: explain(output), ids, status, search };
}

/** @returns `undefined` for what no pause of this version has saved */
export function readSaved(saved: unknown): Pause | undefined {
	const { form: savedForm, items, rows: savedRows, orders: savedOrders } = asRecord(saved) ?? {};
	const form = toForm(savedForm);
	if (form === undefined) return undefined;
	const read = listIn(savedRows).map((row) => ({ saved: row, row: restoreRow(form, row) }));
	const waiting = groupBy(
		read.filter(({ saved: { order } }) => order !== undefined),
		({ saved: { order } }) => order,
	);
	const ofOrder = new Map(waiting.map((same) => [same[0].saved.order, same] as const));
	const orders = listIn(savedOrders).flatMap(
		({ id, origin, size, count, execution }, index): AcceptedOrder[] => {
			const asking = ofOrder.get(index) ?? [];
			const entries = groupBy(asking, ({ row }) => row.key).map(([first, ...others]): Entry => {
				const rows: Entry['rows'] = [first.row, ...others.map(({ row }) => row)];
				return { name: '', place: asNumber(first.saved.place), rows };
			});
			return [
				{
					origin: origin === 'named' || origin === 'earlierTry' ? origin : 'new',
					size: size === 'bulk' ? 'bulk' : 'single',
					entries,
					count: asNumber(count) ?? entries.length,
					execution: asText(execution),
					fate: accepted(asText(id) ?? '', {}),
				},
			];
		},
	);
	return { form, items: asNumber(items) ?? read.length, rows: read.map(({ row }) => row), orders };
}

function toForm(saved: unknown): Form | undefined {
	const record = asRecord(saved);
	const lookup = findLookup(record?.lookup);
	if (record === undefined || lookup === undefined) return undefined;
	const { size, isList, isSplit, isSimple, askedColumns, includesInput } = record;
	const names: unknown[] = Array.isArray(askedColumns) ? askedColumns : [];
	return {
		lookup,
		size: size === 'bulk' ? 'bulk' : 'single',
		isList: isList === true,
		isSplit: isSplit === true,
		isSimple: isSimple === true,
		task: 'find',
		askedColumns: names.flatMap((name) => asText(name) ?? []),
		includesInput: includesInput === true,
	};
}

function restoreRow(
	{ lookup }: Form,
	{ item, search, custom, inputFields, settings, known }: IDataObject,
): Row {
	const read = toSearch(search);
	return {
		item: asNumber(item) ?? 0,
		search: read ?? {},
		key: read === undefined ? '' : searchKey(lookup, read),
		custom: typeof custom === 'string' ? custom : asRecord(custom),
		inputFields: asRecord(inputFields),
		envelope: { settings: asRecord(settings) },
		known: toOutput(asRecord(known)),
	};
}

function toSearch(saved: unknown): Search | undefined {
	const texts = Object.entries(asRecord(saved) ?? {}).flatMap(([name, value]) =>
		typeof value === 'string' ? [[name, value] as const] : [],
	);
	return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

function toOutput({ kind, json, message, description, ids, status, search }: IDataObject = {}):
	Output | undefined {
	if (kind === 'result' || kind === 'final') return { kind, json: asRecord(json) ?? {} };
	if (kind !== 'failure') return undefined;
	const { id, batch_id } = asRecord(ids) ?? {};
	return failureOf({
		problem: { message: String(message), description: String(description) },
		ids: {
			...(typeof id === 'string' && { id }),
			...(typeof batch_id === 'string' && { batch_id }),
		},
		...(status === 'failed' && { status }),
		search: toSearch(search),
	});
}

function listIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}
