import { asRecord } from '../common/values';
import type { Lookup, SearchField } from './types';

export const firstName: SearchField = {
	name: 'firstname',
	parameter: 'firstname',
	label: 'First Name',
	kind: 'name',
	editor: { required: true, placeholder: 'e.g. Ada' },
};

export const lastName: SearchField = {
	name: 'lastname',
	parameter: 'lastname',
	label: 'Last Name',
	kind: 'name',
	editor: { required: true, placeholder: 'e.g. Lovelace' },
};

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

/** That these fields are empty, by their labels. */
export function tellEmpty(labels: readonly string[]): string {
	const named = new Intl.ListFormat('en-GB').format(labels.map((label) => `'${label}'`));
	return `${named} ${['', 'is', 'are both'][labels.length] ?? 'are'} empty`;
}
