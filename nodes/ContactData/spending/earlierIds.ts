import type { ItemSearch } from '../input/itemSearches';
import type { Endpoint, Submission } from './plan';
import { searchKey, searchName } from './plan';
import type { RecordedOutcome } from './receipts';

/** The lookups and batches that items name by their ids: none of them is submitted. */
export function submissionsOfEarlierIds(
	endpoint: Endpoint,
	itemSearches: ItemSearch[],
): Array<Submission & { earlierId: string }> {
	const itemsById = new Map<string, Map<string, ItemSearch[]>>();
	for (const itemSearch of itemSearches) {
		const { earlierId } = itemSearch;
		if (earlierId === undefined) continue;
		const itemsBySearch = itemsById.get(earlierId) ?? new Map<string, ItemSearch[]>();
		itemsById.set(earlierId, itemsBySearch);
		// With which settings it was started nobody knows.
		const key = searchKey(endpoint.lookup, itemSearch.search);
		const items = itemsBySearch.get(key);
		if (items === undefined) itemsBySearch.set(key, [itemSearch]);
		else items.push(itemSearch);
	}
	return [...itemsById].map(([earlierId, itemsBySearch]) => {
		const items = [...itemsBySearch.values()];
		const firsts = items.flatMap(([first]) => first ?? []);
		return {
			// No hash has a space in it.
			key: `id ${earlierId}`,
			earlierId,
			names: firsts.map((first) => searchName(endpoint, first)),
			body: {},
			searches: firsts.map(({ search }) => search),
			items,
			size: items.length,
		};
	});
}

/** It costs nothing. */
export function outcomeOfEarlierId(id: string): RecordedOutcome {
	return { kind: 'accepted', id, answer: { id, credits_used: 0 } };
}
