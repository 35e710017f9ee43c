import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../common/json';
import { describeType, quote } from './fields';
import { objectEntry } from './listEntry';
import type { Lookup } from './types';

/** Finds a professional email address (`service-api.md` 4.1 to 4.4). */
export const emailFinder: Lookup = {
	name: 'emailFinder',
	path: '/email/find',
	listField: 'searches',
	batchLimit: 5000,
	noun: { one: 'email search', many: 'email searches' },
	foundWord: 'Found',
	fields: [
		{ name: 'fullname', parameter: 'fullname', label: 'Full Name', kind: 'name' },
		{ name: 'company_domain', parameter: 'companyDomain', label: 'Company Domain', kind: 'domain' },
		{ name: 'company_name', parameter: 'companyName', label: 'Company Name', kind: 'company' },
	],
	missing({ fullname, company_domain, company_name }) {
		if (fullname === undefined) {
			return {
				message: "'Full Name' is empty",
				description: "Fill in the person's first and last name, e.g. Ada Lovelace.",
			};
		}
		if (company_domain === undefined && company_name === undefined) {
			return {
				message: "'Company Domain' and 'Company Name' are both empty",
				description: 'Fill in at least one of them.',
			};
		}
		return undefined;
	},
	identity: (search) => search,
	singleCustom: 'object',
	readSettings({ countryCode, retrieveGender, retrieveCompanyInfo }, refuse) {
		const settings: IDataObject = {};
		if (countryCode !== undefined && countryCode !== '') {
			if (typeof countryCode !== 'string' || !/^[a-z]{2}$/i.test(countryCode.trim())) {
				return refuse({
					message: `'Country Code' must be two letters such as US, but is ${typeof countryCode === 'string' ? quote(countryCode) : describeType(countryCode)}`,
					description: 'Use the ISO 3166-1 alpha-2 code of the country of the company.',
				});
			}
			settings.country_code = countryCode.trim().toUpperCase();
		}
		if (retrieveGender === true) settings.retrieve_gender = true;
		if (retrieveCompanyInfo === true) settings.retrieve_company_info = true;
		return settings;
	},
	...objectEntry,
	echo: (result) => asRecord(result.raw_params) ?? {},
	toEcho: (search) => ({ raw_params: search }),
};
