import type { Row } from '../../nodes/ContactData/input/rows.ts';
import type { Settings } from '../../nodes/ContactData/input/settings.ts';
import { searchKey } from '../../nodes/ContactData/lookups/searches.ts';
import type { Lookup, Search, Size } from '../../nodes/ContactData/lookups/types.ts';
import type { AcceptedOrder } from '../../nodes/ContactData/orders/order.ts';
import { accepted } from '../../nodes/ContactData/orders/order.ts';

/** A row for each search, of an item of its own. */
export function rowsFor(
	lookup: Lookup,
	searches: readonly Search[],
	envelope: Row['envelope'] = {},
): Row[] {
	return searches.map((search, item) => {
		return { item, search, key: searchKey(lookup, search), envelope };
	});
}

export function settingsFor(lookup: Lookup, size: Size, more: Partial<Settings> = {}): Settings {
	return {
		lookup,
		size,
		isList: false,
		isSplit: true,
		isSimple: true,
		task: 'find',
		askedColumns: [],
		pauses: false,
		timeoutMs: 300_000,
		onTimeout: 'error',
		waitForResult: false,
		dryRun: false,
		searchesAgain: false,
		includesInput: false,
		...more,
	};
}

/** An order that was accepted, for these rows. */
export function orderOf(size: Size, id: string, rows: readonly Row[]): AcceptedOrder {
	const entries = rows.map((row, place) => ({ hash: row.key, place, rows: [row] as [Row] }));
	const fate = accepted(id, { id });
	return { origin: 'new', size, entries, count: rows.length, resumes: '1', fate };
}
