import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { LookupName } from '../../nodes/ContactData/lookups/index.ts';
import type { Search, Size } from '../../nodes/ContactData/lookups/types.ts';
import { phoneNumber } from './sandbox/answers.mts';

/**
 * What tests need of a lookup. All is about a word: the sandbox finds one that begins with `mustfind`, and
 * never one that begins with `notfound`. No error says of `\ufffd` that it can be searched.
 */
interface ForTests {
	/** The search for it, under the service's names. */
	search(word: string): Search;
	/** The node's parameters for that search: the word is the JavaScript in their expressions. */
	parameters(word: string): INodeParameters;
	/** Searches that lack something, and what that is, by the labels of the fields. */
	incomplete: ReadonlyArray<[search: Search, labels: string[]]>;
	/** The columns of what is found that are not empty, but for ids, status and `found`. */
	found(word: string, size: Size): IDataObject;
	/** The same of what is not found. */
	notFound(word: string): IDataObject;
}

/** In an expression: the word with text around it, and nothing where there is no word. */
const around = (before: string, word: string, after: string) =>
	`={{ ${word} ? "${before}" + ${word} + "${after}" : "" }}`;
const AT = 'acme.example';
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const profile = (word: string) => `https://linkedin.com/in/${word}`;

/** The one list of lookups that a new one has to be added to, but for the names that workflows save. */
export const FOR_TESTS: Readonly<Record<LookupName, ForTests>> = {
	emailFinder: {
		search: (word) => ({ fullname: `${word} Doe`, company_domain: AT }),
		parameters: (word) => ({ fullname: around('', word, ' Doe'), companyDomain: AT }),
		incomplete: [
			[{}, ['Full Name', 'Company Domain', 'Company Name']],
			[{ company_domain: 'a.com' }, ['Full Name']],
			[{ fullname: 'Ada' }, ['Company Domain', 'Company Name']],
			[{ firstname: 'Ada' }, ['Last Name', 'Company Domain', 'Company Name']],
			[{ lastname: 'L', company_name: 'A' }, ['First Name']],
		],
		found: (word, size) => ({
			email: `${word}.doe@${AT}`,
			qualification: 'valid',
			fullname: `${capitalized(word)} Doe`,
			firstname: capitalized(word),
			lastname: 'Doe',
			company_domain: AT,
			// Only batches tell it unasked.
			...(size === 'bulk' && { company_name: 'Acme' }),
		}),
		notFound: (word) => ({
			qualification: 'invalid',
			fullname: `${word} Doe`,
			company_domain: AT,
		}),
	},
	emailVerifier: {
		search: (word) => ({ email: `${word}@${AT}` }),
		parameters: (word) => ({ email: around('', word, `@${AT}`) }),
		incomplete: [[{}, ['Email']]],
		found: (word) => ({ email: `${word}@${AT}`, qualification: 'valid' }),
		notFound: (word) => ({ email: `${word}@${AT}`, qualification: 'invalid' }),
	},
	phoneFinder: {
		search: (word) => ({ socialprofile_url: profile(word) }),
		parameters: (word) => ({ socialProfileUrl: around(profile(''), word, '') }),
		incomplete: [
			[{}, ['Profile URL']],
			[{ lastname: 'L', company_name: 'A' }, ['First Name']],
			[{ company_domain: 'a.com' }, ['First Name', 'Last Name']],
			[{ firstname: 'A' }, ['Last Name', 'Company Domain', 'Company Name']],
			[{ firstname: 'A', company_domain: 'a.com' }, ['Last Name']],
			[{ firstname: 'A', lastname: 'L' }, ['Company Domain', 'Company Name']],
		],
		found: (word) => ({
			...phoneNumber(`phone|${profile(word)}`),
			qualification: 'found',
			socialprofile_url: profile(word),
		}),
		notFound: (word) => ({ qualification: 'not_found', socialprofile_url: profile(word) }),
	},
};
