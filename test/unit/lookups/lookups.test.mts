import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../../../nodes/ContactData/input/envelope.ts';
import { toCountryCode } from '../../../nodes/ContactData/lookups/countries.ts';
import type { FieldKind, Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { searchKey } from '../../../nodes/ContactData/lookups/same.ts';
import { belongsTo } from '../../../nodes/ContactData/results/otherSearch.ts';
import { searchOf } from '../../support/searches.mts';
import { noCountry } from '../../support/texts.mts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;
const ALL: Lookup[] = Object.values(lookups);

describe('a search', () => {
	it.for<[Lookup, Search, string[]]>([
		[emailFinder, {}, ['Full Name', 'Company Domain', 'Company Name']],
		[emailFinder, { company_domain: 'a.com' }, ['Full Name']],
		[emailFinder, { fullname: 'Ada' }, ['Company Domain', 'Company Name']],
		[emailFinder, { firstname: 'Ada' }, ['Last Name', 'Company Domain', 'Company Name']],
		[emailFinder, { lastname: 'L', company_name: 'A' }, ['First Name']],
		[emailVerifier, {}, ['Email']],
		[phoneFinder, {}, ['Profile URL']],
		[phoneFinder, { lastname: 'L', company_name: 'A' }, ['First Name']],
		[phoneFinder, { company_domain: 'a.com' }, ['First Name', 'Last Name']],
		[phoneFinder, { firstname: 'A' }, ['Last Name', 'Company Domain', 'Company Name']],
		[phoneFinder, { firstname: 'A', company_domain: 'a.com' }, ['Last Name']],
		[phoneFinder, { firstname: 'A', lastname: 'L' }, ['Company Domain', 'Company Name']],
	])('$0.name with $1 lacks $2', ([lookup, search, labels]) => {
		const { message = '' } = lookup.missing(search, () => true) ?? {};
		const named = [...message.matchAll(/'([^']+)'/g)].map(([, label]) => label);
		expect(named).toEqual(labels);
	});

	it.for<[Lookup, Search]>([
		...ALL.map((lookup): [Lookup, Search] => [lookup, searchOf(lookup.name, 'ada')]),
		[emailFinder, { fullname: 'Ada', company_name: 'A' }],
		[emailFinder, { firstname: 'Ada', lastname: 'L', company_name: 'A' }],
		[phoneFinder, { socialprofile_url: 'https://a.com/b' }],
		[phoneFinder, { socialprofile_url: 'https://a.com/b', firstname: 'Ada' }],
		[phoneFinder, { firstname: 'A', lastname: 'L', company_name: 'A' }],
	])('$0.name with $1 lacks nothing', ([lookup, search]) => {
		expect(lookup.missing(search, () => true)).toBeUndefined();
	});
});

/** All searches that can be made of a lookup's fields, with these values. */
function searchesOf(lookup: Lookup, values: Readonly<Record<FieldKind, string>>): Search[] {
	const all = lookup.fields.reduce<Search[]>(
		(searches, { name, kind }) => [
			...searches,
			...searches.map((search) => ({ ...search, [name]: values[kind] })),
		],
		[{}],
	);
	return all.filter((search) => lookup.missing(search, () => true) === undefined);
}

describe.for(ALL)('by the fields of $title', (lookup) => {
	const ours = {
		name: 'Ada',
		company: 'Acme',
		domain: 'acme.example',
		email: 'ada@acme.example',
		url: 'https://www.linkedin.com/in/ada',
	};
	const theirs = {
		name: 'Zoe',
		company: 'Zink',
		domain: 'zink.example',
		email: 'zoe@zink.example',
		url: 'https://www.linkedin.com/in/zoe',
	};

	it.for(lookup.fields)('a search is told apart, not by what it may lack: $name', ({ name }) => {
		const needing = searchesOf(lookup, ours).filter(({ [name]: left, ...others }) => {
			return left !== undefined && lookup.missing(others, () => true) !== undefined;
		});
		expect(needing).not.toEqual([]);
	});

	it("another's result is told from one's own", () => {
		const others = searchesOf(lookup, theirs);
		for (const [position, search] of searchesOf(lookup, ours).entries()) {
			const sought = { search, key: searchKey(lookup, search) };
			const result = lookup.toEcho(others[position] ?? {});
			expect(belongsTo(lookup, sought, result, true), JSON.stringify(search)).toBe('no');
		}
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

	it.for(['FRA', '1F', 'F', 'F R', 'XX', 'EU', 'EN', 'XK', 7])(
		'are refused with the country code %j',
		(countryCode) => {
			expect(() => read({ countryCode })).toThrow(noCountry);
		},
	);

	it.for(['yes', 2, [true]])('are refused with the gender %j', (retrieveGender) => {
		expect(() => read({ retrieveGender })).toThrow("'Retrieve Gender'");
	});
});
