import { asRecord } from '../common/json';
import type { Lookup } from './types';

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
