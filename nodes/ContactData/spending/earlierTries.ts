import type { ItemSearch } from '../input/itemSearches';
import type { Endpoint, Submission } from './plan';
import { searchName } from './plan';
import type { Receipts } from './receipts';

/**
 * What earlier tries submitted of what the items search for, and what is left to be planned. A
 * search is known again by itself, in whatever batch it would be now.
 */
export function findEarlierSubmissions(
	endpoint: Endpoint,
	receipts: Receipts,
	itemSearches: ItemSearch[],
): { earlier: Submission[]; remaining: ItemSearch[] } {
	const known = receipts.list();
	if (known.length === 0) return { earlier: [], remaining: itemSearches };
	const itemsByName = new Map<string, ItemSearch[]>();
	for (const itemSearch of itemSearches) {
		const name = searchName(endpoint, itemSearch);
		const items = itemsByName.get(name);
		if (items === undefined) itemsByName.set(name, [itemSearch]);
		else items.push(itemSearch);
	}
	const earlier: Submission[] = [];
	for (const { key, names } of known) {
		const places: number[] = [];
		const submission: Submission = {
			key,
			isSent: true,
			names: [],
			body: {},
			searches: [],
			places,
			items: [],
			size: names.length,
		};
		for (const [place, name] of names.entries()) {
			const items = itemsByName.get(name) ?? [];
			const [first] = items;
			if (first === undefined) continue;
			itemsByName.delete(name);
			places.push(place);
			submission.names.push(name);
			submission.searches.push(first.search);
			submission.items.push(items);
		}
		if (submission.names.length > 0) earlier.push(submission);
	}
	const remaining = new Set([...itemsByName.values()].flat());
	return { earlier, remaining: itemSearches.filter((search) => remaining.has(search)) };
}
