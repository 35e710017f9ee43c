import { asRecord } from '../common/json';
import type { Lookup } from './types';

/** How a list is given; which fields an entry has is said before it. */
export const HOW_TO_GIVE_LIST = 'Fill in the list, or drag one here from the input.';

/** The list entries of lookups whose searches are objects, with a `custom` of their own. */
export const objectEntry: Pick<Lookup, 'itemCustom' | 'toListEntry' | 'fromListEntry'> = {
	itemCustom: true,
	toListEntry: (search, custom) => ({ ...search, custom }),
	fromListEntry(entry) {
		const record = asRecord(entry);
		if (record === undefined) return undefined;
		const { custom, ...fields } = record;
		return { fields, custom };
	},
};
