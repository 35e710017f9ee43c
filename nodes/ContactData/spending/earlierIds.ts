import type { ItemSearch } from '../input/searches';
import type { Endpoint, Submission } from './plan';
import { searchKey, searchName } from './plan';
import type { RecordedOutcome } from './receipts';

/**
 * The lookups and batches that items name by their ids: started already, and free of charge. Of each
 * batch equal searches are one, whatever their settings: nobody knows with which it was started.
 */
export function knownByIds(
	endpoint: Endpoint,
	itemSearches: ItemSearch[],
): Map<Submission, RecordedOutcome> {
	const submissions = new Map<string, Submission>();
	const places = new Map<string, ItemSearch[]>();
	for (const itemSearch of itemSearches) {
		const { earlierId, search } = itemSearch;
		if (earlierId === undefined) continue;
		let submission = submissions.get(earlierId);
		if (submission === undefined) {
			// No hash has a space in it.
			const key = `id ${earlierId}`;
			submission = { key, earlierId, names: [], body: {}, searches: [], items: [], size: 0 };
			submissions.set(earlierId, submission);
		}
		const equal = `${earlierId} ${searchKey(endpoint.lookup, search)}`;
		const items = places.get(equal);
		if (items !== undefined) {
			items.push(itemSearch);
			continue;
		}
		const first = [itemSearch];
		places.set(equal, first);
		submission.names.push(searchName(endpoint, itemSearch));
		submission.searches.push(search);
		submission.items.push(first);
		submission.size++;
	}
	return new Map(
		[...submissions].map(([id, submission]) => [
			submission,
			{ kind: 'accepted', id, answer: { id, credits_used: 0 } },
		]),
	);
}
