import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../../../nodes/ContactData/input/envelope.ts';
import { toCountryCode } from '../../../nodes/ContactData/lookups/countries.ts';
import type { FieldKind, Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import { findLookup, lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { searchOf } from '../../support/searches.mts';
import { noCountry } from '../../support/texts.mts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;
const ALL: Lookup[] = Object.values(lookups);

/** `service-api.md` sections 4 and 8, and the words of the editor. */
interface Documented {
	path: string;
	listField: string;
	batchLimit: number;
	price: number | undefined;
	singleCustom: 'object' | 'text';
	itemCustom: boolean;
	fields: Array<[name: string, kind: FieldKind]>;
	words: [one: string, many: string, found: string];
}

const DOCUMENTED: Record<LookupName, Documented> = {
	emailFinder: {
		path: '/email/find',
		listField: 'searches',
		batchLimit: 5000,
		price: undefined,
		singleCustom: 'object',
		itemCustom: true,
		fields: [
			['fullname', 'name'],
			['company_domain', 'domain'],
			['company_name', 'company'],
		],
		words: ['email search', 'email searches', 'Found'],
	},
	emailVerifier: {
		path: '/email/verify',
		listField: 'verifications',
		batchLimit: 5000,
		price: 0.25,
		singleCustom: 'object',
		itemCustom: false,
		fields: [['email', 'email']],
		words: ['email verification', 'email verifications', 'Deliverable'],
	},
	phoneFinder: {
		path: '/phone',
		listField: 'searches',
		batchLimit: 3000,
		price: undefined,
		singleCustom: 'text',
		itemCustom: true,
		fields: [
			['socialprofile_url', 'url'],
			['firstname', 'name'],
			['lastname', 'name'],
			['company_domain', 'domain'],
			['company_name', 'company'],
		],
		words: ['phone search', 'phone searches', 'Found'],
	},
};

describe('a lookup is as it is documented, under its resource', () => {
	it.for(Object.entries(DOCUMENTED))('%s', ([resource, documented]) => {
		const { price, fields, words, ...others } = documented;
		const lookup = findLookup(resource);
		expect(lookup).toMatchObject(others);
		expect(lookup?.documentedPrice).toBe(price);
		expect(lookup?.fields.map(({ name, kind }) => [name, kind])).toEqual(fields);
		expect([lookup?.noun.one, lookup?.noun.many, lookup?.words.found]).toEqual(words);
	});
});

describe('a search', () => {
	const NAME_NEEDS =
		'A phone search by name needs the first name, the last name, and the domain or the name of the company.';

	it.for<[Lookup, Search, string, string]>([
		[
			emailFinder,
			{},
			"'Full Name', 'Company Domain' and 'Company Name' are empty",
			"Fill in the person's first and last name, and the domain or the name of the company.",
		],
		[
			emailFinder,
			{ company_domain: 'a.com' },
			"'Full Name' is empty",
			"Fill in the person's first and last name, for example Ada Lovelace.",
		],
		[
			emailFinder,
			{ fullname: 'Ada' },
			"'Company Domain' and 'Company Name' are both empty",
			'Fill in at least one of them.',
		],
		[emailVerifier, {}, "'Email' is empty", 'Fill in the email address to verify.'],
		[
			phoneFinder,
			{},
			"'Profile URL' is empty",
			"Fill in the address of the person's profile page, or set 'Identify By' to Name and Company.",
		],
		[phoneFinder, { lastname: 'L', company_name: 'A' }, "'First Name' is empty", NAME_NEEDS],
		[
			phoneFinder,
			{ company_domain: 'a.com' },
			"'First Name' and 'Last Name' are both empty",
			NAME_NEEDS,
		],
		[
			phoneFinder,
			{ firstname: 'A' },
			"'Last Name', 'Company Domain' and 'Company Name' are empty",
			NAME_NEEDS,
		],
		[phoneFinder, { firstname: 'A', company_domain: 'a.com' }, "'Last Name' is empty", NAME_NEEDS],
		[
			phoneFinder,
			{ firstname: 'A', lastname: 'L' },
			"'Company Domain' and 'Company Name' are both empty",
			NAME_NEEDS,
		],
	])('$0.name with $1 lacks something', ([lookup, search, message, description]) => {
		expect(lookup.missing(search)).toEqual({ message, description });
	});

	it.for<[Lookup, Search]>([
		...ALL.map((lookup): [Lookup, Search] => [lookup, searchOf(lookup.name, 'ada')]),
		[emailFinder, { fullname: 'Ada', company_name: 'A' }],
		[phoneFinder, { socialprofile_url: 'https://a.com/b' }],
		[phoneFinder, { socialprofile_url: 'https://a.com/b', firstname: 'Ada' }],
		[phoneFinder, { firstname: 'A', lastname: 'L', company_name: 'A' }],
	])('$0.name with $1 lacks nothing', ([lookup, search]) => {
		expect(lookup.missing(search)).toBeUndefined();
	});

	it.for(ALL)('of nothing is not complete: $name', (lookup) => {
		expect(lookup.missing({})).toBeDefined();
	});

	it('by a profile URL is the same whatever else it says', () => {
		const url = { socialprofile_url: 'https://a.com/b' };
		const names = { firstname: 'A', lastname: 'L', company_name: 'A' };
		expect(phoneFinder.identity({ ...url, ...names })).toEqual(url);
		expect(phoneFinder.identity(names)).toEqual(names);
	});
});

describe('the settings of an email search', () => {
	const read = (options: IDataObject) =>
		readEnvelope(
			{ lookup: emailFinder, size: 'single' },
			(name) => options[name],
			undefined,
			(problem) => {
				throw Object.assign(new Error(problem.message), problem);
			},
		).settings ?? {};

	it.for([
		[{}, {}],
		[{ countryCode: '', retrieveGender: false, retrieveCompanyInfo: false }, {}],
		[{ countryCode: ' fr ' }, { country_code: 'FR' }],
		[{ retrieveGender: true }, { retrieve_gender: true }],
		[{ retrieveCompanyInfo: true }, { retrieve_company_info: true }],
		[{ countryCode: null, retrieveGender: null, retrieveCompanyInfo: '' }, {}],
		[{ countryCode: ' ', retrieveGender: 'false', retrieveCompanyInfo: 0 }, {}],
		// As tables hold them: what was asked for and is not sent would have to be paid again.
		[
			{ retrieveGender: ' TRUE', retrieveCompanyInfo: 1 },
			{ retrieve_gender: true, retrieve_company_info: true },
		],
	])('of the options %j are %j', ([options, settings]) => {
		expect(read(options)).toEqual(settings);
	});

	it('may be of each of the 249 countries', () => {
		const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
		const pairs = letters.flatMap((one) => letters.map((other) => one + other));
		const codes = pairs.filter((pair) => toCountryCode(pair) === pair);
		const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
		expect(codes.filter((code) => names.of(code) === undefined)).toEqual([]);
		expect(codes).toHaveLength(249);
		expect(toCountryCode(' uk ')).toBe('GB');
	});

	it.for([
		['FRA', '"FRA"'],
		['1F', '"1F"'],
		['F', '"F"'],
		['F R', '"F R"'],
		['XX', '"XX"'],
		['EU', '"EU"'],
		['EN', '"EN"'],
		['XK', '"XK"'],
		[7, 'a number'],
	])('are refused with the country code %j', ([countryCode, shown]) => {
		expect(() => read({ countryCode })).toThrowError(
			expect.objectContaining({
				message: `'Country Code' ${noCountry}, but is ${shown}`,
				description: "Give the two-letter code (ISO 3166-1) of the company's country.",
			}),
		);
	});

	it.for([
		['yes', '"yes"'],
		[2, 'a number'],
		[[true], 'a list'],
	])('are refused with the gender %j', ([retrieveGender, shown]) => {
		expect(() => read({ retrieveGender })).toThrowError(
			expect.objectContaining({
				message: `'Retrieve Gender' must be true or false, but is ${shown}`,
				description: "Correct the expression of 'Retrieve Gender'.",
			}),
		);
	});
});

describe('the entry of a list', () => {
	const search = { fullname: 'Ada' };

	const withCustom = ALL.filter(({ itemCustom }) => itemCustom);

	it.for(withCustom)('of $name holds the search and its custom', (lookup) => {
		expect(lookup.toListEntry(search, undefined)).toEqual(search);
		expect(lookup.toListEntry(search, 'x')).toEqual({ fullname: 'Ada', custom: 'x' });
		expect(lookup.fromListEntry({ fullname: 'Ada', custom: 'x' })).toEqual({
			fields: search,
			custom: 'x',
		});
		expect(lookup.fromListEntry('Ada')).toBeUndefined();
	});

	it('of emailVerifier is the address, or has it as email', () => {
		expect(emailVerifier.toListEntry({ email: 'a@b.cc' }, 'x')).toBe('a@b.cc');
		expect(emailVerifier.fromListEntry('a@b.cc')).toEqual({ fields: { email: 'a@b.cc' } });
		expect(emailVerifier.fromListEntry({ email: 'a@b.cc', row: 2 })).toMatchObject({
			fields: { email: 'a@b.cc' },
		});
	});
});

describe('the search that a result repeats', () => {
	it.for(ALL)('is found where the service puts it: $name', (lookup) => {
		const search = searchOf(lookup.name, 'ada');
		expect(lookup.echo(lookup.toEcho(search))).toEqual(search);
	});

	it.for(ALL)('of $name may be missing', (lookup) => {
		expect(lookup.echo({})).toEqual({});
		expect(lookup.echo({ raw_params: 'x', params: 'x' })).toEqual({});
	});

	it('is not needed where a batch leaves out who was not found', () => {
		expect(phoneFinder.unlistedResult).toEqual({ qualification: 'not_found' });
	});
});
