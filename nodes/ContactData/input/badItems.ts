import type { ItemFailure } from '../common/errors';
import { isFailure } from '../common/errors';
import type { Lookup } from '../lookups/types';
import type { ReadItem } from './searches';

/** The failure that ends a run in which items cannot be searched; it says of how many items it is. */
export function findBadItems(
	{ words: { done } }: Lookup,
	itemSearches: readonly ReadItem[],
): ItemFailure | undefined {
	const failures = itemSearches.filter(isFailure);
	const [first] = failures;
	// Of several lists their items are counted, and of one its entries.
	const isOfList = countItems(itemSearches) === 1 && itemSearches.length > 1;
	const total = isOfList ? itemSearches.length : countItems(itemSearches);
	if (first === undefined || total === 1) return first;
	const bad = isOfList ? failures.length : countItems(failures);
	const mend = `Mend ${bad === 1 ? 'it' : 'them'}`;
	const goOn = `, or set 'On Error' in the settings of the node to Continue: then the others are ${done}`;
	const { message, description } = first.problem;
	return {
		...first,
		problem: {
			...first.problem,
			scope: 'run',
			message: isOfList
				? `${bad} of ${total} entries cannot be ${done}. ${message}`
				: `${bad} of ${total} items cannot be ${done}. ${bad === 1 ? 'It' : 'The first'} is item ${first.item}: ${message}`,
			description:
				`${description} ${isOfList ? 'Nothing' : 'No item'} was sent. ${mend}${bad === total ? '' : goOn}.`.trim(),
		},
	};
}

/** A list is one item. */
function countItems(searches: readonly ReadItem[]): number {
	return new Set(searches.map(({ item }) => item)).size;
}
