import { asRecord } from '../common/values';
import { companyDomain, companyName, firstName, lastName, objectEntry, tellEmpty } from './people';
import type { Lookup } from './types';

/** The values of 'Identify By'. */
const BY_PROFILE_URL = 'profileUrl';
const BY_NAME_AND_COMPANY = 'nameAndCompany';
const BY_EITHER = 'urlOrName';

/** Finds a phone number (`service-api.md` 4.9 to 4.12). */
export const phoneFinder: Lookup = {
	name: 'phoneFinder',
	title: 'Phone Finder',

	path: '/phone',
	listField: 'searches',
	batchLimit: 3000,
	price: { credits: 50, least: 40, isDocumented: false },
	batchRefunds: true,
	costHint: {
		message:
			"A phone search costs 40 or 50 credits, as your plan says: 'Max Credits' of 100 covers two. 'Dry Run' tells the cost.",
	},
	advice: [
		{
			// `service-api.md` 5.5.
			says: /not allowed to use the phone/i,
			advice: 'Ask the provider to switch phone searches on.',
			remedy: 'again',
		},
	],
	adviceOnValue: (message, { socialprofile_url }) =>
		/linkedin_url/i.test(message) && socialprofile_url !== undefined
			? `The address was sent as ${socialprofile_url}. If that is the person's profile page, ask the provider which addresses it takes, or set 'Identify By' to Name and Company.`
			: undefined,

	noun: { one: 'phone search', many: 'phone searches' },
	words: {
		verb: 'Find',
		task: 'Search',
		goal: 'phone number',
		goals: 'phone numbers',
		each: 'the phone number of each person',
		many: 'the phone numbers of many people',
		subject: 'person',
		subjects: 'people',
		perItem: 'One Search per Item',
		done: 'searched',
		found: 'Found',
		notFound: 'not found',
	},
	choice: {
		property: {
			displayName: 'Identify By',
			name: 'identifyBy',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Name and Company', value: BY_NAME_AND_COMPANY },
				{ name: 'Profile URL', value: BY_PROFILE_URL },
				{
					name: 'Profile URL or Name',
					value: BY_EITHER,
					description: 'The profile URL where an item has a usable one, else name and company',
				},
			],
			default: BY_PROFILE_URL,
			description: 'What you know about the person. The profile URL is recommended.',
		},
		either: BY_EITHER,
	},
	fields: [
		{
			name: 'socialprofile_url',
			otherName: 'linkedin_url',
			parameter: 'socialProfileUrl',
			label: 'Profile URL',
			kind: 'url',
			shownFor: BY_PROFILE_URL,
			mayBeLeftOut: true,
			editor: {
				required: true,
				placeholder: 'e.g. https://www.linkedin.com/in/ada-lovelace',
				description:
					"The web address of the person's page in a professional network such as LinkedIn",
			},
		},
		...[firstName, lastName, companyDomain, companyName].map((field) => ({
			...field,
			shownFor: BY_NAME_AND_COMPANY,
		})),
	],
	options: [],
	list: {
		displayName: 'Searches',
		default: '[\n  { "linkedin_url": "" }\n]',
		description: 'The searches as a JSON list',
		hint: 'Each entry: linkedin_url; or firstname, lastname, and company_domain or company_name. Or drag a list here.',
	},

	missing({ socialprofile_url, firstname, lastname, company_domain, company_name }, isShown) {
		if (socialprofile_url !== undefined) return undefined;
		const named = [firstname, lastname, company_domain ?? company_name];
		if (isShown('socialprofile_url') && named.every((part) => part === undefined)) {
			return {
				message: "'Profile URL' is empty",
				description:
					"Fill in the address of the person's profile page, or set 'Identify By' to Name and Company.",
			};
		}
		const empty = [
			...(firstname === undefined ? ['First Name'] : []),
			...(lastname === undefined ? ['Last Name'] : []),
			...((company_domain ?? company_name) === undefined ? ['Company Domain', 'Company Name'] : []),
		];
		return empty.length === 0
			? undefined
			: {
					message: tellEmpty(empty),
					description:
						'A phone search by name needs the first name, the last name, and the domain or the name of the company.',
				};
	},
	// The profile URL takes precedence when both are present.
	identity: (search) =>
		search.socialprofile_url === undefined
			? search
			: { socialprofile_url: search.socialprofile_url },
	judgesInput: false,
	singleCustom: 'text',
	...objectEntry,

	columns: {
		who: (choice) =>
			choice === BY_NAME_AND_COMPANY ? ['firstname', 'lastname'] : ['socialprofile_url'],
		found: ['number', 'country'],
		about: ['socialprofile_url', 'firstname', 'lastname', 'company_domain', 'company_name'],
	},
	echo(result) {
		const params = asRecord(result.params) ?? {};
		return { ...params, socialprofile_url: params.socialprofile_url ?? params.linkedin_url };
	},
	toEcho: (search) => ({ params: search }),
	unlistedResult: { number: null, qualification: 'not_found' },
	oneResultOfSeveral: true,
	notifiedAs: { single: 'single_phone_search_finished', bulk: 'bulk_phone_search_finished' },
};
