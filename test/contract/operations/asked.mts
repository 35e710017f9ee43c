import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';

const COMPANY = 'acme.com';
const NAMES = ['Ada Mustfind', 'Bob Notfound', 'Eve Mustfind'];
const EMAILS = ['mustfind1@acme.com', 'notfound@acme.com', 'mustfind2@acme.com'];
const SLUGS = ['mustfind1', 'notfound', 'mustfind2'];
const NUMBERS = ['+447224333406', null, '+447495823862'];

const isFound = (word: string) => word.toLowerCase().includes('mustfind');
const profileOf = (slug: string) => `https://social.example/in/${slug}`;

/** What a phone search by a profile is not asked with. */
const NO_NAME = { firstname: null, lastname: null, company_domain: null, company_name: null };

function emailOf(fullname: string) {
	const [firstname = '', lastname = ''] = fullname.split(' ');
	const email = `${firstname}.${lastname}@${COMPANY}`.toLowerCase();
	return isFound(fullname)
		? { email, found: true, qualification: 'valid', firstname, lastname }
		: { email: null, found: false, qualification: 'invalid', firstname: null, lastname: null };
}

interface Asked {
	parameters: INodeParameters;
	items: IDataObject[];
	/** As the service is asked. */
	searches: IDataObject[];
	/** The columns of the results that say something, but for the ids and the status. */
	results: IDataObject[];
}

/** What each lookup is asked for: of three the second is not found. */
export const ASKED = {
	emailFinder: {
		parameters: { fullname: '={{ $json.name }}', companyDomain: '={{ $json.company }}' },
		items: NAMES.map((name) => ({ name, company: COMPANY })),
		searches: NAMES.map((fullname) => ({ fullname, company_domain: COMPANY })),
		results: NAMES.map((fullname) => ({
			...emailOf(fullname),
			fullname,
			company_domain: COMPANY,
			company_name: null,
		})),
	},
	emailVerifier: {
		parameters: { email: '={{ $json.mail }}' },
		items: EMAILS.map((mail) => ({ mail })),
		searches: EMAILS.map((email) => ({ email })),
		results: EMAILS.map((email) => ({
			email,
			found: isFound(email),
			qualification: isFound(email) ? 'valid' : 'invalid',
		})),
	},
	phoneFinder: {
		parameters: { socialProfileUrl: '=https://social.example/in/{{ $json.slug }}' },
		items: SLUGS.map((slug) => ({ slug })),
		searches: SLUGS.map((slug) => ({ socialprofile_url: profileOf(slug) })),
		results: SLUGS.map((slug, n) => ({
			...NO_NAME,
			number: NUMBERS[n] ?? null,
			country: isFound(slug) ? 'GB' : null,
			found: isFound(slug),
			qualification: isFound(slug) ? 'found' : 'not_found',
			socialprofile_url: profileOf(slug),
		})),
	},
} satisfies Record<LookupName, Asked>;

/** Columns of a result that say nothing as a rule. */
export const EMPTY_COLUMNS = {
	emailFinder: { error: null },
	emailVerifier: { error: null, reason: null },
	phoneFinder: { error: null },
} satisfies Record<LookupName, object>;
/** Those that are there where nobody knows with which options a search was started. */
export const OPTIONAL_COLUMNS = {
	emailFinder: { gender: null, custom: null },
	emailVerifier: { custom: null },
	phoneFinder: { custom: null },
} satisfies Record<LookupName, object>;
