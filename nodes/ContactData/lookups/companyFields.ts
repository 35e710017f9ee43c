import type { SearchField } from './types';

/** The company of a person, for the lookups that search people by name. */
export const companyDomain: SearchField = {
	name: 'company_domain',
	parameter: 'companyDomain',
	label: 'Company Domain',
	kind: 'domain',
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
	editor: {
		placeholder: 'e.g. Example Ltd',
		description: "The company's name, for when you do not know its domain",
	},
};
