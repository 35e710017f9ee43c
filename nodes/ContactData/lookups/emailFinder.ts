import { refuse } from '../common/errors';
import { asRecord, asText } from '../common/values';
import { checkField, readSwitch } from '../values/checks';
import type { Checked } from '../values/types';
import { companyDomain, companyName, firstName, lastName, objectEntry, tellEmpty } from './people';
import type { Lookup, LookupOption, OptionOf, SearchField } from './types';

/** What the service assumes where no country is given. */
const SERVICE_COUNTRY = 'US';
/** The one country of whose companies the service has information. */
const COUNTRY_WITH_INFO = 'FR';

const countryCode: LookupOption = {
	property: {
		displayName: 'Country Code',
		name: 'countryCode',
		type: 'string',
		default: SERVICE_COUNTRY,
		placeholder: 'e.g. FR',
		description:
			"The company's country, to tell companies of the same name apart: its code, or its name. The service assumes US. Not used where Company Domain is filled in. Other people searched without it are searched, and paid for, again.",
	},
	setting: 'country_code',
	changesResult: true,
	read(optionOf, { company_domain }) {
		if (company_domain !== undefined) {
			return wantsCompanyInfo(optionOf) ? COUNTRY_WITH_INFO : undefined;
		}
		const country = readCountry(optionOf);
		if ('problem' in country) {
			const fix =
				"Give the country's two-letter code (ISO 3166-1) or its English name. Where you do not know it, leave it empty.";
			return refuse({
				message: `'Country Code' ${country.problem}`,
				description: country.advice ?? fix,
			});
		}
		return country.text === SERVICE_COUNTRY ? undefined : country.text;
	},
};

function readCountry(optionOf: OptionOf): Checked {
	return checkField('country', optionOf('countryCode'));
}

function wantsCompanyInfo(optionOf: OptionOf): boolean {
	if (!readSwitch('Retrieve Company Info', optionOf('retrieveCompanyInfo'))) return false;
	const country = readCountry(optionOf);
	return 'text' in country && country.text === COUNTRY_WITH_INFO;
}

const retrieveGender: LookupOption = {
	property: {
		displayName: 'Retrieve Gender',
		name: 'retrieveGender',
		type: 'boolean',
		default: true,
		description:
			"Whether to add the person's gender to the result. People searched without it are searched, and paid for, again.",
	},
	setting: 'retrieve_gender',
	changesResult: true,
	column: 'gender',
	read: (optionOf) => readSwitch('Retrieve Gender', optionOf('retrieveGender')) || undefined,
};

const retrieveCompanyInfo: LookupOption = {
	property: {
		displayName: 'Retrieve Company Info',
		name: 'retrieveCompanyInfo',
		type: 'boolean',
		default: true,
		description:
			'Whether to add information about the company to the result. Only if Country Code is FR, as the service has none of other countries. With Simplify it is the name of the company; switch Simplify off for all of it. People searched without it are searched, and paid for, again.',
	},
	setting: 'retrieve_company_info',
	changesResult: true,
	read: (optionOf) => wantsCompanyInfo(optionOf) || undefined,
};

/** The values of 'Name Format'. */
const BY_FULL_NAME = 'fullName';
const FIRST_AND_LAST_NAME = 'firstAndLastName';

const fullName: SearchField = {
	name: 'fullname',
	parameter: 'fullname',
	label: 'Full Name',
	kind: 'name',
	editor: {
		required: true,
		placeholder: 'e.g. Ada Lovelace',
		description:
			"The person's first and last name. If these are two columns, set 'Name Format' to First and Last Name.",
	},
};

/** Finds a professional email address (`service-api.md` 4.1 to 4.4). */
export const emailFinder: Lookup = {
	name: 'emailFinder',
	title: 'Email Finder',

	path: '/email/find',
	listField: 'searches',
	batchLimit: 5000,
	price: { credits: 1, least: 1, isDocumented: false },
	batchRefunds: true,
	advice: [],

	noun: { one: 'email search', many: 'email searches' },
	words: {
		verb: 'Find',
		task: 'Search',
		goal: 'email',
		goals: 'emails',
		each: 'the email address of each person',
		many: 'the email addresses of many people',
		subject: 'person',
		subjects: 'people',
		perItem: 'One Search per Item',
		done: 'searched',
		found: 'Found',
		notFound: 'not found',
	},
	fields: [fullName, companyDomain, companyName],
	inputs: {
		fields: [
			{ ...fullName, shownFor: BY_FULL_NAME },
			{ ...firstName, shownFor: FIRST_AND_LAST_NAME },
			{ ...lastName, shownFor: FIRST_AND_LAST_NAME },
			companyDomain,
			companyName,
		],
		combine: ({ firstname, lastname, ...search }) =>
			firstname === undefined || lastname === undefined
				? search
				: { fullname: `${firstname} ${lastname}`, ...search },
	},
	choice: {
		property: {
			displayName: 'Name Format',
			name: 'nameFormat',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'First and Last Name', value: FIRST_AND_LAST_NAME },
				{ name: 'Full Name', value: BY_FULL_NAME },
			],
			default: BY_FULL_NAME,
			description: "Whether the person's name is in one column of your data or in two",
		},
	},
	options: [countryCode, retrieveGender, retrieveCompanyInfo],
	list: {
		displayName: 'Searches',
		default: '[\n  { "fullname": "", "company_domain": "" }\n]',
		description: 'The searches as a JSON list',
		hint: 'Each entry: fullname (or firstname, lastname) and company_domain or company_name. Or drag a list here.',
	},

	missing({ fullname, firstname, lastname, company_domain, company_name }, isShown) {
		const isInParts = firstname !== undefined || lastname !== undefined || !isShown('fullname');
		const parts = [
			...(firstname === undefined ? ['First Name'] : []),
			...(lastname === undefined ? ['Last Name'] : []),
		];
		const names = fullname !== undefined ? [] : isInParts ? parts : ['Full Name'];
		const hasCompany = company_domain !== undefined || company_name !== undefined;
		const empty = [...names, ...(hasCompany ? [] : ['Company Domain', 'Company Name'])];
		if (empty.length === 0) return undefined;
		const needs = [
			names.length > 0 && "the person's first and last name",
			!hasCompany && "the company's domain or name",
		];
		return {
			message: tellEmpty(empty),
			description: `Fill in ${needs.filter(Boolean).join(', and ')}.`,
		};
	},
	identity: (search) => search,
	judgesInput: false,
	singleCustom: 'object',
	...objectEntry,

	columns: {
		who: () => ['fullname'],
		found: ['email'],
		about: ['fullname', 'firstname', 'lastname', 'gender', 'company_domain', 'company_name'],
	},
	echo: (result) => asRecord(result.raw_params) ?? {},
	about(result) {
		const info = asRecord(result.info) ?? {};
		const { firstname, lastname, gender } = info;
		const parts = [firstname, lastname].filter((part) => asText(part) !== undefined);
		return {
			firstname,
			lastname,
			gender,
			fullname: asText(info.fullname) ?? parts.join(' '),
			company_domain: info.company_domain ?? info.domain,
			company_name: info.company_name ?? asRecord(info.companyInfo)?.name,
		};
	},
	toEcho: (search) => ({ raw_params: search }),
	oneResultOfSeveral: false,
	notifiedAs: { single: 'single_search_finished', bulk: 'bulk_search_finished' },
};
