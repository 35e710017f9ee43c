import type { IDataObject } from 'n8n-workflow';
import { asNumber, asRecord, asText, groupBy, isRecord } from '../common/values';
import type { Output, Row } from '../input/rows';
import { failureOf } from '../input/rows';
import type { Form } from '../input/settings';
import { findLookup } from '../lookups';
import { searchKey } from '../lookups/same';
import type { Search } from '../lookups/types';
import type { AcceptedOrder, Order } from '../orders/order';
import { accepted, isAccepted } from '../orders/order';
import { explain, situationOf } from '../results/explain';

/** What a paused execution waits for, and what it gives when all of that has ended. */
export interface Pause {
	form: Form;
	/** One for each item that comes out, with what it gives where that is known. */
	rows: Row[];
	/** Those that are waited for, in the order of submission. */
	orders: AcceptedOrder[];
}

/** A pause as n8n saves it. A list is one item, and waits for whole batches. */
export function toSaved({ form, rows, orders }: Pause): IDataObject {
	const { lookup, size, isList, isSplit, isSimple } = form;
	const waiting = new Map<Row, IDataObject>();
	orders.forEach(({ entries }, order) => {
		for (const { place, rows: same } of entries) {
			for (const row of same) waiting.set(row, { order, ...(place !== undefined && { place }) });
		}
	});
	const seen = new Set<string>();
	const saved = rows.flatMap((row): IDataObject[] => {
		const { item, search, custom, own, envelope } = row;
		const order = waiting.get(row);
		const known = order === undefined ? savedOutput(row) : {};
		if (isList && order !== undefined) {
			const name = `${item} ${order.order}`;
			const isFirst = !seen.has(name);
			seen.add(name);
			return isFirst ? [{ item, order: order.order }] : [];
		}
		// The webhook is of this pause alone.
		const settings = { ...envelope.settings, webhook: undefined };
		return [{ item, search, custom, own, settings, ...order, ...known }];
	});
	return {
		lookup: lookup.name,
		size,
		isList,
		isSplit,
		isSimple,
		rows: saved,
		orders: orders.map(({ origin, count, fate: { id } }) => ({ origin, count, id })),
	};
}

/** A problem is saved in the words in which it is told. */
function savedOutput({ outputs: [output] }: Row): IDataObject {
	if (output === undefined) return {};
	if (output.kind !== 'failure') return { [output.kind]: output.json };
	const { problem, ids, told, paid, search } = output;
	const description = explain(problem, situationOf({ problem, ids, paid }));
	return { failure: { message: problem.message, description, ...ids, told, search } };
}

/** @returns `undefined` for what no pause has saved */
export function readSaved(saved: unknown): Pause | undefined {
	const record = asRecord(saved);
	const lookup = findLookup(record?.lookup);
	if (record === undefined || lookup === undefined) return undefined;
	const { size, isList, isSplit, isSimple } = record;
	const form: Form = {
		lookup,
		size: size === 'bulk' ? 'bulk' : 'single',
		isList: isList === true,
		isSplit: isSplit === true,
		isSimple: isSimple === true,
	};
	const read = listIn(record.rows).map((one) => ({ one, row: toRow(form, one) }));
	const waiting = read.filter(({ one }) => one.order !== undefined);
	const made = listIn(record.orders);
	const orders = groupBy(waiting, ({ one }) => one.order).map((ofOrder): Order => {
		const { id, origin, count } = made[asNumber(ofOrder[0].one.order) ?? -1] ?? {};
		return {
			key: asText(id) ?? '',
			origin: origin === 'named' || origin === 'earlierTry' ? origin : 'new',
			size: form.size,
			entries: groupBy(ofOrder, ({ row }) => row.key).map(([first, ...others]) => ({
				name: '',
				place: asNumber(first.one.place),
				rows: [first.row, ...others.map(({ row }) => row)],
			})),
			count: asNumber(count) ?? ofOrder.length,
			fate: accepted(asText(id) ?? '', {}),
		};
	});
	return { form, rows: read.map(({ row }) => row), orders: orders.filter(isAccepted) };
}

function toRow(
	{ lookup }: Form,
	{ item, search, custom, own, settings, ...known }: IDataObject,
): Row {
	const read = toSearch(search);
	return {
		item: asNumber(item) ?? 0,
		search: read ?? {},
		key: read === undefined ? '' : searchKey(lookup, read),
		custom: typeof custom === 'string' ? custom : asRecord(custom),
		own: asRecord(own),
		envelope: { settings: asRecord(settings) },
		outputs: outputsIn(known),
	};
}

function toSearch(saved: unknown): Search | undefined {
	const texts = Object.entries(asRecord(saved) ?? {}).flatMap(([name, value]) => {
		const text = asText(value);
		return text === undefined ? [] : [[name, text] as const];
	});
	return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

function outputsIn({ result, asItIs, failure }: IDataObject): Output[] {
	if (isRecord(result)) return [{ kind: 'result', json: result }];
	if (isRecord(asItIs)) return [{ kind: 'asItIs', json: asItIs }];
	if (!isRecord(failure)) return [];
	const { message, description, id, batch_id, told, search } = failure;
	return [
		failureOf({
			problem: { message: String(message), description: String(description) },
			ids: {
				...(typeof id === 'string' && { id }),
				...(typeof batch_id === 'string' && { batch_id }),
			},
			told: asRecord(told),
			search: toSearch(search),
		}),
	];
}

function listIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}
