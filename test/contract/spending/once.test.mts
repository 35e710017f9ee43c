import { describe, expect, it } from 'vitest';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce } from './money.mts';

const bench = useBench();
useFastClock();

/** Searches by the two values `a` and `b` of an item. */
const BY = {
	email: ['emailVerifier', { email: '={{ $json.a }}' }],
	domain: ['emailFinder', { fullname: '={{ $json.a }}', companyDomain: '={{ $json.b }}' }],
	company: ['emailFinder', { fullname: '={{ $json.a }}', companyName: '={{ $json.b }}' }],
	profile: ['phoneFinder', { socialProfileUrl: '={{ $json.a }}' }],
	person: [
		'phoneFinder',
		{
			identifyBy: 'nameAndCompany',
			firstname: '={{ $json.a }}',
			lastname: 'Hart',
			companyDomain: '={{ $json.b }}',
		},
	],
} satisfies Record<string, [resource: string, parameters: INodeParameters]>;

async function findMany(
	by: keyof typeof BY,
	items: IDataObject[],
	options: INodeParameters = {},
): Promise<IDataObject[]> {
	const [resource, parameters] = BY[by];
	const run = await bench().run(resource, 'submitBulkAndWait', { parameters, items, options });
	expect(jsonOf(run)).toHaveLength(items.length);
	return jsonOf(run);
}

const searches = () => bench().sandbox.ledger.totals().searches;

it.for([
	['emailFinder', { fullname: 'Ada Hart' }],
	['phoneFinder', { identifyBy: 'nameAndCompany', firstname: 'Ada', lastname: 'Hart' }],
] as const)(
	'%s: a person at one domain is searched once, however the company is called',
	async ([resource, person]) => {
		const company = { companyDomain: '={{ $json.domain }}', companyName: '={{ $json.company }}' };
		const items = ['Acme', 'Acme, Inc.', ''].map((name) => ({ domain: 'acme.com', company: name }));
		const other = { domain: '', company: 'Acme' };
		const given = { parameters: { ...person, ...company }, items: [...items, other] };
		const run = await bench().run(resource, 'submitBulkAndWait', given);
		expect(jsonOf(run)).toHaveLength(4);
		expect(searches()).toBe(2);
	},
);

/** Spellings of one profile have a test of their own, in `unit/values/sameProfile.test.mts`. */
const EQUAL: Array<[what: string, by: keyof typeof BY, values: Array<[a: string, b?: string]>]> = [
	[
		'letter case of an address, white space around it',
		'email',
		[['ada@acme.com'], [' ADA@Acme.Com\n'], ['ada@ACME.com']],
	],
	[
		'forms of a domain, white space and letter case of a name',
		'domain',
		[
			['Ada Hart', 'acme.com'],
			[' ADA  Hart ', 'https://www.acme.com/about?x=1'],
			['ada\thart', 'ACME.com'],
			['Ada&nbsp;Hart', 'acme.com:443'],
		],
	],
	[
		'letter case and forms of accents of a name and a company',
		'company',
		[
			['Zo\u00eb Hart', 'M\u00fcller AG'],
			['ZOE\u0308 HART', 'MU\u0308LLER ag'],
			['zo&#235; hart', ' m\u00fcller  AG'],
		],
	],
	[
		'a letter of a name that is two as a capital',
		'company',
		[
			['Ελένη Ραΐση', 'Acme'],
			['Ελένη Ραΐση'.toUpperCase(), 'Acme'],
		],
	],
	[
		'letter case of a first name, forms of a domain',
		'person',
		[
			['Ada', 'acme.com'],
			[' ADA ', 'http://ACME.com/'],
		],
	],
	[
		'spellings of a profile URL',
		'profile',
		[['https://www.linkedin.com/in/ada'], [' linkedin.com/in/Ada/ ']],
	],
];

const DIFFERENT: typeof EQUAL = [
	[
		'a subdomain, another ending',
		'domain',
		['acme.com', 'eu.acme.com', 'acme.co'].map((domain) => ['Ada Hart', domain]),
	],
	[
		'letters without their accents, names in one word or two',
		'company',
		[
			['Jose Hart', 'Acme'],
			['José Hart', 'Acme'],
			['Jo Se Hart', 'Acme'],
			['Jose Hart', 'Ac me'],
		],
	],
	[
		'tags and dots of an address',
		'email',
		[['ada@acme.com'], ['ada+x@acme.com'], ['a.da@acme.com']],
	],
	[
		'what names the person in a query, another network',
		'profile',
		['facebook.com/profile.php?id=1', 'facebook.com/profile.php?id=2', 'xing.com/ada'].map(
			(url) => [`https://${url}`],
		),
	],
];

const toItem = ([a, b]: [a: string, b?: string]): IDataObject => ({ a, b });

describe('equal searches', () => {
	it.for(EQUAL)('pays once for %s', async ([, by, values]) => {
		const results = await findMany(by, values.map(toItem));
		expect(new Set(results.map(({ found }) => found)).size).toBe(1);
		expectChargedOnce(bench(), 1);
	});

	it.for(DIFFERENT)('takes %s for different', async ([, by, values]) => {
		await findMany(by, values.map(toItem));
		expect(searches()).toBe(values.length);
	});

	const BY_COUNTRY = { countryCode: '={{ $json.value }}' };

	// By `service-api.md` 4.1.
	it.for<[string, 'domain' | 'company', INodeParameters, unknown[], number]>([
		['the country assumed', 'company', BY_COUNTRY, ['', 'US', ' us ', null, undefined], 1],
		['the country of a company by its domain', 'domain', BY_COUNTRY, ['US', 'FR', 'no', ''], 1],
		['the country of a company by its name', 'company', BY_COUNTRY, ['US', 'FR', 'DE'], 3],
		[
			'company information',
			'domain',
			{ ...BY_COUNTRY, retrieveCompanyInfo: true },
			['US', 'FR', 'DE'],
			2,
		],
		[
			'company information that there is not',
			'company',
			{ countryCode: 'DE', retrieveCompanyInfo: '={{ $json.value }}' },
			[false, true],
			1,
		],
		['the gender', 'domain', { retrieveGender: '={{ $json.value }}' }, [false, true], 2],
	])('with different options: %s', async ([, by, options, values, paid]) => {
		const items = values.map((value) => ({ a: 'Ada Hart', b: 'acme.com', value }) as IDataObject);
		await findMany(by, items, options);
		expect(searches()).toBe(paid);
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
	const [resource, parameters] = BY.domain;
	const start = async (names: string[], contextData = {}) =>
		await bench().run(resource, 'submit', {
			parameters,
			items: names.map((name) => toItem([name, 'acme.com'])),
			contextData,
		});
	const { error, contextData } = await start(['Ada Hart', 'ADA HART', 'Bea Low']);
	expect(error).toBeDefined();
	const again = await start(['ada hart', 'Ada  Hart', 'BEA LOW'], contextData);
	expect(jsonOf(again)).toHaveLength(3);
	const taken = bench().sandbox.ledger.entries.flatMap((entry) => entry.searches);
	expect(taken).toEqual(['find|Ada Hart|acme.com', 'find|BEA LOW|acme.com']);
});
