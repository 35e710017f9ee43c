import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { withSettings } from '../../../nodes/ContactData/input/envelope.ts';
import type { Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import type { FieldKind } from '../../../nodes/ContactData/values/types.ts';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { contradicts } from '../../../nodes/ContactData/results/whose.ts';
import { FOR_TESTS } from '../../support/lookups.mts';
import { LOOKUP_NAMES, searchOf } from '../../support/searches.mts';
import { noCountry } from '../../support/texts.mts';

const { emailFinder } = lookups;
const ALL: Lookup[] = Object.values(lookups);

describe('a search', () => {
	const INCOMPLETE = LOOKUP_NAMES.flatMap((name) =>
		FOR_TESTS[name].incomplete.map(([search, labels]) => ({ name, search, labels })),
	);

	it.for(INCOMPLETE)('$name with $search lacks $labels', ({ name, search, labels }) => {
		const lookup: Lookup = lookups[name];
		const { message = '' } = lookup.missing(search, () => true) ?? {};
		const named = [...message.matchAll(/'([^']+)'/g)].map(([, label]) => label);
		expect(named).toEqual(labels);
	});

	it.for<[LookupName, Search]>([
		...LOOKUP_NAMES.map((name): [LookupName, Search] => [name, searchOf(name, 'ada')]),
		['emailFinder', { fullname: 'Ada', company_name: 'A' }],
		['emailFinder', { firstname: 'Ada', lastname: 'L', company_name: 'A' }],
		['phoneFinder', { socialprofile_url: 'https://a.com/b' }],
		['phoneFinder', { socialprofile_url: 'https://a.com/b', firstname: 'Ada' }],
		['phoneFinder', { firstname: 'A', lastname: 'L', company_name: 'A' }],
	])('%s with %j lacks nothing', ([name, search]) => {
		const lookup: Lookup = lookups[name];
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

describe.for(ALL)('by the fields of $title, as lookups/types.ts demands,', (lookup) => {
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
			const result = lookup.toEcho(others[position] ?? {});
			expect(contradicts(lookup, search, result), JSON.stringify(search)).toBe(true);
		}
	});
});

describe('the settings of an email search', () => {
	const read = (options: IDataObject) =>
		withSettings({}, emailFinder, (name) => options[name], { company_name: 'Acme' }).settings ?? {};

	it.for([
		[{}, {}],
		[{ countryCode: '', retrieveGender: false, retrieveCompanyInfo: false }, {}],
		[{ countryCode: ' fr ' }, { country_code: 'FR' }],
		[{ countryCode: 'uk' }, { country_code: 'GB' }],
		[{ retrieveGender: true }, { retrieve_gender: true }],
		[{ countryCode: null, retrieveGender: null, retrieveCompanyInfo: '' }, {}],
		[{ countryCode: ' ', retrieveGender: 'false', retrieveCompanyInfo: 0 }, {}],
		// As tables hold them: what was asked for and is not sent would have to be paid again.
		[
			{ retrieveGender: ' TRUE', retrieveCompanyInfo: 1, countryCode: 'FR' },
			{ retrieve_gender: true, retrieve_company_info: true, country_code: 'FR' },
		],
	])('of the options %j are %j', ([options, settings]) => {
		expect(read(options)).toEqual(settings);
	});

	it.for(['1F', 'F', 'F R', 'XX', 'EN', 'EU'])(
		'are refused with the country code %j',
		(countryCode) => {
			expect(() => read({ countryCode })).toThrow(noCountry);
		},
	);

	it.for(['yes', 2, [true]])('are refused with the gender %j', (retrieveGender) => {
		expect(() => read({ retrieveGender })).toThrow("'Retrieve Gender'");
	});
});
