import type { IDataObject } from 'n8n-workflow';
import { groupBy, shortHash } from '../common/values';
import type { Row } from '../input/rows';
import type { Form } from '../input/settings';
import type { Lookup, Search, Size } from '../lookups/types';
import { accepted, type AcceptedOrder, type Entry, type Order } from './order';
import { HASH_LENGTH } from './receipts';

/** The searches of rows that name no id; equal searches with equal settings are one entry. */
export function toEntries(lookup: Lookup, baseUrl: string, rows: readonly Row[]): Entry[] {
	const searching = rows.filter(({ namedId, certain }) => namedId === undefined && !certain);
	// The hash leaves out webhook, `custom` and key: they may change from try to try.
	const hashed = searching.map((row) => {
		const search = [baseUrl, lookup.path, row.key, resultSettings(lookup, row)];
		return { row, hash: shortHash(search, HASH_LENGTH) };
	});
	return groupBy(hashed, ({ hash }) => hash).map(([first, ...others]) => ({
		hash: first.hash,
		rows: [first.row, ...others.map(({ row }) => row)],
	}));
}

/** One order for each id that rows name. Its settings are not known: equal searches are one entry whatever theirs. */
export function namedOrders(size: Size, rows: readonly Row[]): Order[] {
	const naming = rows.filter(({ namedId, certain }) => namedId !== undefined && !certain);
	return groupBy(naming, ({ namedId }) => namedId).map((ofId) => {
		const { namedId: id = '' } = ofId[0];
		const entries = groupBy(ofId, ({ key }) => key).map((same) => ({ hash: '', rows: same }));
		return { origin: 'named', size, entries, count: entries.length, fate: accepted(id, {}) };
	});
}

/** One order for each id that is only read. */
export function ordersOfIds(size: Size, rows: readonly Row[]): AcceptedOrder[] {
	const naming = rows.filter(({ namedId }) => namedId !== undefined);
	return groupBy(naming, ({ namedId }) => namedId).map((same) => {
		const { namedId: id = '' } = same[0];
		const fate = accepted(id, {});
		return { origin: 'read', size, entries: [{ hash: '', rows: same }], count: 0, fate };
	});
}

/** New orders, as few as the service allows: one for each single search, and batches of what is sent alike. */
export function toOrders(
	{ lookup, size, task }: Form,
	entries: readonly Entry[],
	execution: string,
): Order[] {
	const alike = groupBy(entries, ({ rows: [{ envelope }] }) => JSON.stringify(envelope));
	const most = size === 'single' ? 1 : lookup.batchLimit;
	return alike.flatMap((group) => {
		const orders: Order[] = [];
		const { settings } = group[0].rows[0].envelope;
		const isCalledBack = task === 'find' && settings?.webhook !== undefined;
		const resumes = isCalledBack ? execution : undefined;
		for (let from = 0; from < group.length; from += most) {
			const batch = group.slice(from, from + most).map((entry, place) => ({ ...entry, place }));
			const fate: Order['fate'] = { kind: 'planned' };
			orders.push({ origin: 'new', size, entries: batch, count: batch.length, resumes, fate });
		}
		return orders;
	});
}

/** The settings on which the result depends, as the lookup says: with others it is another search. */
function resultSettings({ options }: Lookup, { envelope: { settings = {} } }: Row): IDataObject {
	const names = options.filter(({ changesResult }) => changesResult).map(({ setting }) => setting);
	return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** What is submitted for an order. */
export function toBody(lookup: Lookup, { size, entries }: Order): IDataObject {
	const [first] = entries.flatMap(({ rows }) => rows);
	const content: IDataObject =
		size === 'single'
			? underAllNames(lookup, first?.search ?? {})
			: {
					[lookup.listField]: entries.map(({ rows: [{ search, custom }] }) =>
						lookup.toListEntry(underAllNames(lookup, search), custom),
					),
				};
	return { ...content, ...first?.envelope };
}

/** The document and the service's own messages differ in the name of a field. */
function underAllNames({ fields }: Lookup, search: Search): Search {
	const others = fields.flatMap(({ name, otherName }): Array<[string, string]> => {
		const value = search[name];
		return otherName === undefined || value === undefined ? [] : [[otherName, value]];
	});
	return { ...search, ...Object.fromEntries(others) };
}
