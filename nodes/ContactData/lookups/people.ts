import { asRecord } from '../common/values';
import type { Lookup, SearchField } from './types';

/** The company of a person, for the lookups that search people by name. */
export const companyDomain: SearchField = {
	name: 'company_domain',
	parameter: 'companyDomain',
	label: 'Company Domain',
	kind: 'domain',
	mayBeLeftOut: true,
	editor: {
		placeholder: 'e.g. example.com',
		description: "The company's domain or website",
		hint: "Fill in the company's domain or its name. The domain is more precise.",
	},
};

export const companyName: SearchField = {
	name: 'company_name',
	parameter: 'companyName',
	label: 'Company Name',
	kind: 'company',
	mayBeLeftOut: true,
	editor: {
		placeholder: 'e.g. Example Ltd',
		description: "The company's name, for when you do not know its domain",
	},
};

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
