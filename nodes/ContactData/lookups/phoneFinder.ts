import { asRecord } from '../common/json';
import { objectEntry } from './listEntry';
import type { Lookup } from './types';

/** Finds a phone number (`service-api.md` 4.9 to 4.12). */
export const phoneFinder: Lookup = {
	name: 'phoneFinder',
	path: '/phone',
	listField: 'searches',
	batchLimit: 3000,
	documentedPrice: { credits: 50, mayVary: true },
	noun: { one: 'phone search', many: 'phone searches' },
	foundWord: 'Found',
	fields: [
		{
			name: 'socialprofile_url',
			parameter: 'socialProfileUrl',
			label: 'Profile URL',
			kind: 'url',
			identifyBy: 'profileUrl',
		},
		{
			name: 'firstname',
			parameter: 'firstname',
			label: 'First Name',
			kind: 'name',
			identifyBy: 'nameAndCompany',
		},
		{
			name: 'lastname',
			parameter: 'lastname',
			label: 'Last Name',
			kind: 'name',
			identifyBy: 'nameAndCompany',
		},
		{
			name: 'company_domain',
			parameter: 'companyDomain',
			label: 'Company Domain',
			kind: 'domain',
			identifyBy: 'nameAndCompany',
		},
		{
			name: 'company_name',
			parameter: 'companyName',
			label: 'Company Name',
			kind: 'company',
			identifyBy: 'nameAndCompany',
		},
	],
	missing({ socialprofile_url, firstname, lastname, company_domain, company_name }) {
		if (socialprofile_url !== undefined) return undefined;
		const named = [firstname, lastname, company_domain ?? company_name];
		if (named.every((part) => part === undefined)) {
			return {
				message: "'Profile URL' is empty",
				description:
					"Fill in the address of the person's profile page, or identify the person by first name, last name and company.",
			};
		}
		const [missing] = [
			firstname === undefined ? "'First Name' is" : undefined,
			lastname === undefined ? "'Last Name' is" : undefined,
			company_domain === undefined && company_name === undefined
				? "'Company Domain' and 'Company Name' are both"
				: undefined,
		].filter((part) => part !== undefined);
		return missing === undefined
			? undefined
			: {
					message: `${missing} empty`,
					description:
						'A phone search by name needs the first name, the last name, and the domain or the name of the company.',
				};
	},
	// The profile URL takes precedence when both are present.
	identity: (search) =>
		search.socialprofile_url === undefined
			? search
			: { socialprofile_url: search.socialprofile_url },
	singleCustom: 'text',
	...objectEntry,
	echo: (result) => asRecord(result.params) ?? {},
	toEcho: (search) => ({ params: search }),
	leftOut: { qualification: 'not_found' },
};
