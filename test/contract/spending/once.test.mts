import { describe, expect, it } from 'vitest';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce } from './money.mts';

const bench = useBench();

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

const EQUAL: Case[] = [
	{
		what: 'letter case of an address, white space around it',
		resource: 'emailVerifier',
		parameters: { email: '={{ $json.mail }}' },
		items: [{ mail: 'ada@acme.com' }, { mail: ' ADA@Acme.Com\n' }, { mail: 'ada@ACME.com' }],
	},
	{
		what: 'forms of a domain',
		resource: 'emailFinder',
		parameters: FINDER,
		items: [
			'acme.com',
			'https://www.acme.com/about?x=1',
			'ACME.com',
			'www.acme.com',
			'acme.com:443',
		].map((domain) => ({ name: 'Ada Lovelace', domain })),
	},
	{
		what: 'white space in a name',
		resource: 'emailFinder',
		parameters: FINDER,
		items: ['Ada Lovelace', ' Ada  Lovelace ', 'Ada\tLovelace'].map((name) => ({
			name,
			domain: 'acme.com',
		})),
	},
	{
		what: 'letter case of a name',
		resource: 'emailFinder',
		parameters: FINDER,
		items: ['Ada Hart', 'ADA HART', 'ada  hart', 'Ada&nbsp;Hart'].map((name) => ({
			name,
			domain: 'acme.com',
		})),
	},
	{
		what: 'letter case and forms of accents of a name and a company',
		resource: 'emailFinder',
		parameters: BY_COMPANY,
		items: [
			{ name: 'Zo\u00eb Hart', company: 'M\u00fcller AG' },
			{ name: 'ZOE\u0308 HART', company: 'MU\u0308LLER ag' },
			{ name: 'zo&euml; hart', company: ' m\u00fcller  AG' },
		],
	},
	{
		what: 'letter case of a first name beside a domain',
		resource: 'phoneFinder',
		parameters: BY_NAME,
		items: ['Ada', 'ADA', ' ada '].map((first) => ({ first, domain: 'acme.com' })),
	},
	{
		what: 'white space around a profile URL',
		resource: 'phoneFinder',
		parameters: PHONE,
		items: [{ url: 'https://linkedin.com/in/ada' }, { url: ' https://linkedin.com/in/ada ' }],
	},
	{
		what: 'spellings of a profile URL',
		resource: 'phoneFinder',
		parameters: PHONE,
		items: [
			'https://www.linkedin.com/in/ada',
			'http://www.linkedin.com/in/ada',
			'linkedin.com/in/ada',
			'https://www.LinkedIn.com/in/ada',
			'https://www.linkedin.com/in/ada/',
			'https://www.linkedin.com/in/ada?trk=people',
			'https://www.linkedin.com/in/ada#about',
			'https://uk.linkedin.com/in/ada',
			'https://linkedin.com/in/Ada',
		].map((url) => ({ url })),
	},
	{
		what: 'characters of a profile URL, as browsers copy them',
		resource: 'phoneFinder',
		parameters: PHONE,
		items: [
			'https://linkedin.com/in/jos\u00e9',
			'https://linkedin.com/in/jos%C3%A9',
			'https://linkedin.com/in/jos%c3%a9/',
			'https://linkedin.com/in/jose\u0301',
			'https://linkedin.com/in/jose%CC%81',
		].map((url) => ({ url })),
	},
	{
		what: 'forms of a domain beside a name',
		resource: 'phoneFinder',
		parameters: BY_NAME,
		items: [
			{ first: 'Ada', domain: 'acme.com' },
			{ first: 'Ada ', domain: 'http://ACME.com/' },
		],
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
		what: 'spellings of an address elsewhere',
		resource: 'phoneFinder',
		parameters: PHONE,
		items: [{ url: 'https://www.facebook.com/ada' }, { url: 'https://facebook.com/ada' }],
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

const waitsFor = ['submitAndWait', 'submitBulkAndWait'] as const;

describe.for(waitsFor)('%s', (operation) => {
	it.for(EQUAL)('pays once for $what', async ({ resource, parameters, items }) => {
		const run = await bench().run(resource, operation, { parameters, items });
		const results = jsonOf(run);
		expect(results).toHaveLength(items.length);
		expect(new Set(results.map(({ id, batch_id: batch }) => id ?? batch)).size).toBe(1);
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

it('gives each of two equal searches its own custom data', async () => {
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'ada@acme.com' },
		options: { custom: '={{ ({ row: $json.row }) }}' },
		items: [{ row: 'one' }, { row: 'two' }],
	});
	expect(jsonOf(run).map(({ custom }) => custom)).toEqual([{ row: 'one' }, { row: 'two' }]);
	expectChargedOnce(bench(), 1);
});

it('sends a name as the first item spells it, also over a retry that spells it in another way', async () => {
	bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
	const given = (...names: string[]) => ({
		parameters: FINDER,
		items: names.map((name) => ({ name, domain: 'acme.com' })),
	});
	const first = await bench().run(
		'emailFinder',
		'submit',
		given('Ada Hart', 'ADA HART', 'Bea Low'),
	);
	expect(first.error).toBeDefined();
	const again = await bench().run('emailFinder', 'submit', {
		...given('ada hart', 'Ada  Hart', 'BEA LOW'),
		contextData: first.contextData,
	});
	expect(jsonOf(again)).toHaveLength(3);
	const taken = bench().sandbox.ledger.entries.flatMap(({ searches }) => searches);
	expect(taken).toEqual(['find|Ada Hart|acme.com', 'find|BEA LOW|acme.com']);
});

it('sends the profile URL as the first item spells it', async () => {
	const run = await bench().run('phoneFinder', 'submit', {
		parameters: PHONE,
		items: [{ url: ' http://UK.linkedin.com/in/Ada/?trk=x ' }, { url: 'linkedin.com/in/Ada' }],
	});
	expect(jsonOf(run)).toHaveLength(2);
	expect(bench().posts.map(({ body }) => body)).toEqual([
		{ socialprofile_url: 'http://UK.linkedin.com/in/Ada/?trk=x' },
	]);
});

it('pays once over a retry that spells a profile in another way', async () => {
	bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
	const items = ['https://linkedin.com/in/ada', 'https://linkedin.com/in/eve'];
	const given = { parameters: PHONE, items: items.map((url) => ({ url })) };
	const first = await bench().run('phoneFinder', 'submit', given);
	expect(first.error).toBeDefined();
	const again = await bench().run('phoneFinder', 'submit', {
		parameters: PHONE,
		items: items.map((url) => ({ url: `${url}/?trk=x` })),
		contextData: first.contextData,
	});
	expect(jsonOf(again)).toHaveLength(2);
	expect(bench().sandbox.ledger.totals().searches).toBe(2);
});
