import { describe, expect, it } from 'vitest';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce } from './money.mts';

const bench = useBench();
useFastClock();

interface Case {
	readonly what: string;
	readonly resource: string;
	readonly parameters: INodeParameters;
	readonly items: IDataObject[];
}

const FINDER = { fullname: '={{ $json.name }}', companyDomain: '={{ $json.domain }}' };
const BY_COMPANY = { fullname: '={{ $json.name }}', companyName: '={{ $json.company }}' };
const PHONE = { socialProfileUrl: '={{ $json.url }}' };
const BY_NAME = {
	identifyBy: 'nameAndCompany',
	firstname: '={{ $json.first }}',
	lastname: 'Lovelace',
	companyDomain: '={{ $json.domain }}',
};

/** Spellings of one profile have a test of their own, in `unit/lookups/sameProfile.test.mts`. */
const EQUAL: Case[] = [
	{
		what: 'letter case of an address, white space around it',
		resource: 'emailVerifier',
		parameters: { email: '={{ $json.mail }}' },
		items: [{ mail: 'ada@acme.com' }, { mail: ' ADA@Acme.Com\n' }, { mail: 'ada@ACME.com' }],
	},
	{
		what: 'forms of a domain, white space and letter case of a name',
		resource: 'emailFinder',
		parameters: FINDER,
		items: [
			{ name: 'Ada Hart', domain: 'acme.com' },
			{ name: ' ADA  Hart ', domain: 'https://www.acme.com/about?x=1' },
			{ name: 'ada\thart', domain: 'ACME.com' },
			{ name: 'Ada&nbsp;Hart', domain: 'acme.com:443' },
		],
	},
	{
		what: 'letter case and forms of accents of a name and a company',
		resource: 'emailFinder',
		parameters: BY_COMPANY,
		items: [
			{ name: 'Zo\u00eb Hart', company: 'M\u00fcller AG' },
			{ name: 'ZOE\u0308 HART', company: 'MU\u0308LLER ag' },
			{ name: 'zo&#235; hart', company: ' m\u00fcller  AG' },
		],
	},
	{
		what: 'a letter of a name that is two as a capital',
		resource: 'emailFinder',
		parameters: BY_COMPANY,
		items: ['Ελένη Ραΐση', 'Ελένη Ραΐση'.toUpperCase()].map((name) => ({ name, company: 'Acme' })),
	},
	{
		what: 'letter case of a first name, forms of a domain',
		resource: 'phoneFinder',
		parameters: BY_NAME,
		items: [
			{ first: 'Ada', domain: 'acme.com' },
			{ first: ' ADA ', domain: 'http://ACME.com/' },
		],
	},
	{
		what: 'spellings of a profile URL',
		resource: 'phoneFinder',
		parameters: PHONE,
		items: [
			'https://www.linkedin.com/in/ada',
			' linkedin.com/in/Ada/ ',
			'https://uk.linkedin.com/in/ada?trk=people',
		].map((url) => ({ url })),
	},
];

const DIFFERENT: Case[] = [
	{
		what: 'a subdomain, another ending',
		resource: 'emailFinder',
		parameters: FINDER,
		items: ['acme.com', 'eu.acme.com', 'acme.co'].map((domain) => ({
			name: 'Ada Lovelace',
			domain,
		})),
	},
	{
		what: 'letters without their accents, names in one word or two',
		resource: 'emailFinder',
		parameters: BY_COMPANY,
		items: [
			{ name: 'Jose Lovelace', company: 'Acme' },
			{ name: 'José Lovelace', company: 'Acme' },
			{ name: 'Jo Se Lovelace', company: 'Acme' },
			{ name: 'Jose Lovelace', company: 'Ac me' },
		],
	},
	{
		what: 'tags and dots of an address',
		resource: 'emailVerifier',
		parameters: { email: '={{ $json.mail }}' },
		items: [{ mail: 'ada@acme.com' }, { mail: 'ada+x@acme.com' }, { mail: 'a.da@acme.com' }],
	},
	{
		what: 'what names the person in a query, another network',
		resource: 'phoneFinder',
		parameters: PHONE,
		items: ['facebook.com/profile.php?id=1', 'facebook.com/profile.php?id=2', 'xing.com/ada'].map(
			(url) => ({ url: `https://${url}` }),
		),
	},
];

/** What the items say of the country, as Options; equal or different, by `service-api.md` 4.1. */
const BY_COUNTRY = { countryCode: '={{ $json.country }}' };
const COUNTRIES: Array<Case & { options: INodeParameters; searches: number }> = [
	{
		what: 'the country that the service assumes',
		resource: 'emailFinder',
		parameters: BY_COMPANY,
		options: BY_COUNTRY,
		items: ['', 'US', ' us ', null, undefined].map((country) => ({ country })),
		searches: 1,
	},
	{
		what: 'the country of a company that its domain names',
		resource: 'emailFinder',
		parameters: FINDER,
		options: BY_COUNTRY,
		items: ['US', 'FR', ''].map((country) => ({ country, domain: 'acme.com' })),
		searches: 2,
	},
	{
		what: 'the country of a company that is known by its name',
		resource: 'emailFinder',
		parameters: BY_COMPANY,
		options: BY_COUNTRY,
		items: ['US', 'FR', 'DE'].map((country) => ({ country })),
		searches: 3,
	},
	{
		what: 'company information',
		resource: 'emailFinder',
		parameters: FINDER,
		options: { ...BY_COUNTRY, retrieveCompanyInfo: true },
		items: ['US', 'FR', 'DE'].map((country) => ({ country, domain: 'acme.com' })),
		searches: 3,
	},
	{
		what: 'the gender, which is there on demand only',
		resource: 'emailFinder',
		parameters: FINDER,
		options: { retrieveGender: '={{ $json.gender }}' },
		items: [false, true].map((gender) => ({ gender, domain: 'acme.com' })),
		searches: 2,
	},
];

describe('equal searches', () => {
	const operation = 'submitBulkAndWait';

	it.for(EQUAL)('pays once for $what', async ({ resource, parameters, items }) => {
		const run = await bench().run(resource, operation, { parameters, items });
		const results = jsonOf(run);
		expect(results).toHaveLength(items.length);
		expect(new Set(results.map(({ found }) => found)).size).toBe(1);
		expectChargedOnce(bench(), 1);
	});

	it.for(COUNTRIES)('pays $searches times for $what', async (given) => {
		const { resource, parameters, options, searches } = given;
		const items = given.items.map((item) => ({ name: 'Ada Lovelace', company: 'Acme', ...item }));
		const run = await bench().run(resource, operation, { parameters, options, items });
		expect(jsonOf(run)).toHaveLength(items.length);
		expect(bench().sandbox.ledger.totals().searches).toBe(searches);
	});

	it.for(DIFFERENT)('takes $what for different', async ({ resource, parameters, items }) => {
		const run = await bench().run(resource, operation, { parameters, items });
		expect(jsonOf(run)).toHaveLength(items.length);
		expect(bench().sandbox.ledger.totals().searches).toBe(items.length);
	});
});

it('single searches are paid once, too, and each item gets its own custom data', async () => {
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'ada@acme.com' },
		options: { custom: '={{ ({ row: $json.row }) }}' },
		items: [{ row: 'one' }, { row: 'two' }],
	});
	expect(jsonOf(run).map(({ custom }) => custom)).toEqual([{ row: 'one' }, { row: 'two' }]);
	expectChargedOnce(bench(), 1);
});

it('sends what the first item spells, and pays once over a retry that spells it in another way', async () => {
	bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
	const given = (...names: string[]) => ({
		parameters: FINDER,
		items: names.map((name) => ({ name, domain: 'acme.com' })),
	});
	const asked = given('Ada Hart', 'ADA HART', 'Bea Low');
	const { error, contextData } = await bench().run('emailFinder', 'submit', asked);
	expect(error).toBeDefined();
	const again = await bench().run('emailFinder', 'submit', {
		...given('ada hart', 'Ada  Hart', 'BEA LOW'),
		contextData,
	});
	expect(jsonOf(again)).toHaveLength(3);
	const taken = bench().sandbox.ledger.entries.flatMap(({ searches }) => searches);
	expect(taken).toEqual(['find|Ada Hart|acme.com', 'find|BEA LOW|acme.com']);
});
