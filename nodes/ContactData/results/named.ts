import type { IDataObject } from 'n8n-workflow';
import { asAmount, groupBy, isRecord } from '../common/values';
import type { Row } from '../input/rows';
import { searchKey } from '../lookups/same';
import type { Lookup, Search, Size } from '../lookups/types';
import type { Entry, Order } from '../orders/order';
import { accepted } from '../orders/order';
import { echoedSearch, searchIn } from './otherSearch';

/** An item that names a lookup or a batch by its id. */
export interface NamingItem {
	item: number;
	id: string;
	json: IDataObject;
}

/**
 * One order for each id that items name, to be read. Where all items that name a batch are those of a wait
 * that was timed out, each asks for its own result; else the first asks for all that there is.
 */
export function ordersOfItems(
	lookup: Lookup,
	size: Size,
	items: readonly NamingItem[],
): { rows: Row[]; orders: Order[] } {
	const searches = new Map(items.map((one) => [one, waitingSearch(lookup, size, one)]));
	const whole = new Set(
		items.flatMap((one) => (size === 'bulk' && searches.get(one) === undefined ? one.id : [])),
	);
	const rows = new Map<NamingItem, Row>();
	for (const one of items) {
		const search = whole.has(one.id) ? undefined : searches.get(one);
		rows.set(one, toRow(lookup, one, search));
	}
	const orders = groupBy(items, ({ id }) => id).map((ofId): Order => {
		const [{ id }] = ofId;
		const entries = groupBy(ofId, (one) => rows.get(one)?.key).flatMap((same): Entry[] => {
			const [first, ...others] = same.flatMap((one) => rows.get(one) ?? []);
			const { index, error } = same[0].json;
			// A failed item has no place: an `index` beside its error is a column of the user's.
			const place = typeof error === 'string' ? undefined : asAmount(index);
			return first === undefined ? [] : [{ name: '', place, rows: [first, ...others] }];
		});
		const fate = accepted(id, {});
		return { key: id, origin: 'read', size, entries, count: 0, fate };
	});
	return { rows: [...rows.values()], orders };
}

function toRow(lookup: Lookup, { item, json: { custom } }: NamingItem, search?: Search): Row {
	const row = { item, search: {}, key: '', envelope: {}, outputs: [] };
	if (search === undefined) return row;
	const isCustom = typeof custom === 'string' || isRecord(custom);
	return {
		...row,
		search,
		key: searchKey(lookup, search),
		custom: isCustom ? custom : undefined,
	};
}

/** The search of an item that a timed-out wait for its id gave out; `undefined` for any other. */
function waitingSearch(lookup: Lookup, size: Size, { id, json }: NamingItem): Search | undefined {
	if (json.status !== 'ongoing' || (size === 'single' ? json.id : json.batch_id) !== id) {
		return undefined;
	}
	// Simplified, it has the search in its columns.
	const isSimple = json.found === null;
	// A receipt says nothing of its search: what looks like that is of the user's own columns.
	const isReceipt =
		size === 'single' ? !isSimple && json.credits_used !== undefined : !('index' in json);
	if (isReceipt) return undefined;
	const search = isSimple ? searchIn(lookup, json) : echoedSearch(lookup, json);
	return Object.keys(search).length > 0 ? search : undefined;
}
