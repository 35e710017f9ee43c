import type { IDataObject } from 'n8n-workflow';
import { groupBy, shortHash } from '../common/values';
import type { Row } from '../input/rows';
import type { Form } from '../input/settings';
import type { Lookup, Size } from '../lookups/types';
import type { Entry, Order } from './order';
import { accepted } from './order';
import type { Receipts } from './receipts';
import { NAME_LENGTH, namedKey } from './receipts';

const KEY_LENGTH = 22;

/** What the results of one batch may come to. */
const MAX_ANSWER_BYTES = 24 * 1024 ** 2;
/** Of one result, but for what was sent: that comes back, custom data twice at most. */
const RESULT_BYTES = 500;

/** Where searches are submitted, and whether each item holds a list, which makes batches of its own. */
export interface Endpoint extends Pick<Form, 'lookup' | 'size' | 'isList'> {
	baseUrl: string;
}

/** The orders in which others have sent searches of late, and what is left. */
export type FindRecent = (entries: readonly Entry[]) => { recent: Order[]; rest: readonly Entry[] };

/**
 * Turns what the rows ask for into orders: what they name by its id, what earlier tries have sent, what was
 * searched of late, and for the rest as few new ones as the service allows. Equal searches are one entry for
 * all their rows.
 */
export function plan(
	endpoint: Endpoint,
	rows: readonly Row[],
	receipts: Receipts,
	findRecent: FindRecent = (rest) => ({ recent: [], rest }),
): Order[] {
	const asking = rows.filter(({ outputs }) => outputs.length === 0);
	const named = asking.filter(({ namedId }) => namedId !== undefined);
	const entries = toEntries(endpoint, asking);
	const { earlier, rest: unsent, doubt } = receipts.find(endpoint.size, entries);
	const { recent, rest } = findRecent(unsent);
	const fresh = newOrders(endpoint, rest);
	return [
		...namedOrders(endpoint, named),
		...earlier,
		...recent,
		...(doubt === undefined ? fresh : fresh.map((order) => ({ ...order, fate: doubt }))),
	];
}

/** What rows search for that name no id: equal searches with equal settings are one. */
export function toEntries(endpoint: Endpoint, rows: readonly Row[]): Entry[] {
	const searching = rows.filter(
		({ namedId, outputs }) => namedId === undefined && outputs.length === 0,
	);
	// Not by the short names: of millions of pairs, two could be alike.
	const equal = (row: Row) => JSON.stringify([row.key, resultSettings(endpoint.lookup, row)]);
	return groupBy(searching, equal).map((same) => toEntry(endpoint, same));
}

/** One for each id. Equal searches are one entry, whatever their settings: nobody knows those of then. */
function namedOrders(endpoint: Endpoint, rows: readonly Row[]): Order[] {
	return groupBy(rows, ({ namedId }) => namedId).map((ofId) => {
		const { namedId: id = '' } = ofId[0];
		const entries = groupBy(ofId, ({ key }) => key).map((same) => toEntry(endpoint, same));
		return {
			key: namedKey(id),
			origin: 'named',
			size: endpoint.size,
			entries,
			count: entries.length,
			fate: accepted(id, { id, credits_used: 0 }),
		};
	});
}

function newOrders({ lookup, size, isList }: Endpoint, entries: readonly Entry[]): Order[] {
	const groups = groupBy(entries, ({ rows: [{ item, envelope }] }) =>
		isList ? item : JSON.stringify(envelope),
	);
	return groups.flatMap((group) => {
		const orders: Order[] = [];
		for (let start = 0; start < group.length;) {
			const end = size === 'single' ? start + 1 : endOfBatch(lookup, group, start);
			orders.push(toOrder(size, group.slice(start, end)));
			start = end;
		}
		return orders;
	});
}

function toEntry({ baseUrl, lookup, size }: Endpoint, rows: [Row, ...Row[]]): Entry {
	const [first] = rows;
	// Where the service calls back and `custom` are no part of it: they may change from try to try.
	const what = [baseUrl, lookup.path, size, first.key, resultSettings(lookup, first)];
	return { name: shortHash(what, NAME_LENGTH), rows };
}

/** The settings on which the result depends, as the lookup says: with others it is another search. */
export function resultSettings(
	{ options }: Lookup,
	{ envelope: { settings = {} } }: Row,
): IDataObject {
	const names = options.filter(({ changesResult }) => changesResult).map(({ setting }) => setting);
	return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function toOrder(size: Size, entries: readonly Entry[]): Order {
	const names = entries.map(({ name }) => name);
	return {
		key: shortHash(names, KEY_LENGTH),
		origin: 'new',
		size,
		entries: entries.map((entry, place) => ({ ...entry, place })),
		count: entries.length,
		fate: { kind: 'planned' },
	};
}

/** Where a batch ends that begins at `start`: at the service's limit, or where its answer grows too large. */
function endOfBatch({ batchLimit }: Lookup, entries: readonly Entry[], start: number): number {
	const limit = Math.min(entries.length, start + batchLimit);
	let bytes = 0;
	for (let end = start; end < limit; end++) {
		const [first] = entries[end]?.rows ?? [];
		bytes += RESULT_BYTES + sizeOf(first?.search) + 2 * sizeOf(first?.custom);
		if (bytes > MAX_ANSWER_BYTES && end > start) return end;
	}
	return limit;
}

function sizeOf(value: unknown): number {
	return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * Takes up to so many searches from the front of the queue; an order that holds more is divided.
 * @param orders those of the run, in which the parts take the place of the whole
 */
export function takeFirst(
	orders: Order[],
	queue: Order[],
	{ searches, most = Infinity }: { searches: number; most?: number },
): Order[] {
	const taken: Order[] = [];
	for (let left = searches; left > 0 && taken.length < most;) {
		const first = queue.shift();
		if (first === undefined) break;
		let now = first;
		if (first.count > left) {
			const { size, entries } = first;
			const later = toOrder(size, entries.slice(left));
			now = toOrder(size, entries.slice(0, left));
			orders.splice(orders.indexOf(first), 1, now, later);
			queue.unshift(later);
		}
		taken.push(now);
		left -= now.count;
	}
	return taken;
}

/** What is submitted for an order. */
export function toBody(lookup: Lookup, { size, entries }: Order): IDataObject {
	const [first] = entries.flatMap(({ rows }) => rows);
	const content: IDataObject =
		size === 'single'
			? { ...first?.search }
			: {
					[lookup.listField]: entries.map(({ rows: [{ search, custom }] }) =>
						lookup.toListEntry(search, custom),
					),
				};
	return { ...content, ...first?.envelope };
}
