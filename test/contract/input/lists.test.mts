import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { entryOf, listParameters, LOOKUP_NAMES, lookupOf } from '../../support/searches.mts';
import {
	companyMissing,
	mustBeText,
	nameAndCompanyMissing,
	noProfilePage,
} from '../../support/texts.mts';

// Lists in one item.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

const BY_DOMAIN = { fullname: 'Bob Stone', company_domain: 'acme.com' };
const PROFILE = 'https://social.example/in/bob';

const run = async (resource: LookupName, entries: unknown[], settings = {}) =>
	await bench().run(resource, 'submitBulkAndWait', {
		parameters: listParameters(resource, '={{ $json.list }}'),
		items: [{ list: entries }] as IDataObject[],
		settings,
	});

it.for([
	['[{"cut', 'not valid JSON'],
	['', 'empty'],
	['{"fullname": "Ada"}', 'an object with fullname'],
	['null', 'empty'],
	['={{ $json.list }}', 'a number'],
	['={{ { a: 1 } }}', 'an object with a'],
	['={{ "a@acme.com" }}', 'not valid JSON'],
])('%j is no list', async ([value = '', what]) => {
	const given = { parameters: listParameters('emailFinder', value), items: [{ list: 7 }] };
	const { message } = shownError(
		await bench().run('emailFinder', 'submitBulk', given),
		bench().sandbox.apiKey,
	);
	expect(message).toBe(`'Searches' must be a list, but is ${what}`);
	bench().expectNothingSubmitted();
});

it.for(LOOKUP_NAMES)('%s: a wrong list harms no other, under Continue', async (resource) => {
	const label = lookupOf(resource).list.displayName;
	const good = entryOf(resource, 'mustfind');
	const result = await bench().run(resource, 'submitBulkAndWait', {
		parameters: listParameters(resource, '={{ $json.list }}'),
		items: [{ list: 'nonsense' }, { list: [good] }, { list: null }, { list: [] }] as IDataObject[],
		settings: CONTINUE,
	});
	const because = (what: string): unknown =>
		expect.stringContaining(`'${label}' must be a list, but is ${what}`);
	expect(jsonOf(result)).toMatchObject([
		{ error: because('not valid JSON') },
		{ found: true },
		{ error: because('empty') },
	]);
	expect(result.items.map(pairedWith)).toEqual([[0], [1], [2]]);
});

describe('an entry that cannot be searched', () => {
	const finder = { fullname: 'Ada Mustfind', company_domain: 'acme.com' };
	const profile = { socialprofile_url: 'https://social.example/in/ada' };
	const CASES: Array<[resource: LookupName, entry: unknown, problem: string]> = [
		['emailFinder', 'Ada', 'is text'],
		['emailFinder', null, 'is empty'],
		['emailFinder', {}, nameAndCompanyMissing],
		['emailFinder', { fullname: 'Ada' }, companyMissing],
		['emailFinder', { ...finder, fullname: 7 }, `'Full Name' ${mustBeText}`],
		['emailFinder', { ...finder, custom: [7] }, `'custom' ${mustBeText}`],
		['emailVerifier', 7, `'Email' ${mustBeText}`],
		['emailVerifier', ['a@acme.com', 'b@acme.com'], "'Email' must be one value"],
		['emailVerifier', { mail: 'a@acme.com' }, "'Email' is empty"],
		['phoneFinder', {}, "'Profile URL' is empty"],
		['phoneFinder', { ...profile, custom: { row: 1 } }, `'custom' ${mustBeText}`],
		['phoneFinder', { firstname: 'Ada', company_name: 'Acme' }, "'Last Name' is empty"],
		['phoneFinder', { socialprofile_url: 'ada' }, `'Profile URL' ${noProfilePage}`],
	];

	it.for(CASES)('%s %j: stops the run before anything is sent', async (row) => {
		const [resource, entry, problem] = row;
		const label = lookupOf(resource).list.displayName;
		const good = entryOf(resource, 'mustfind');
		const shown = shownError(await run(resource, [good, entry]), bench().sandbox.apiKey);
		expect(shown.message).toMatch(/^1 of 2 entries /);
		expect(shown.message).toContain(`Entry 2 of '${label}'`);
		expect(shown.message).toContain(problem);
		bench().expectNothingSubmitted();
	});

	it('is an error of that entry, where On Error goes on', async () => {
		const entries = [
			finder,
			{ ...finder, fullname: '#N/A' },
			{ ...finder, fullname: 'mustfind b' },
		];
		const error: unknown = expect.stringContaining("Entry 2 of 'Searches'");
		expect(jsonOf(await run('emailFinder', entries, CONTINUE))).toMatchObject([
			{ found: true },
			{ error, found: null, status: 'failed' },
			{ found: true },
		]);
	});
});

it.for<[LookupName, IDataObject, unknown]>([
	['emailFinder', { 'Full Name': 'Bob Stone', Company_Domain: 'acme.com' }, BY_DOMAIN],
	['emailFinder', { fullName: 'Bob Stone', companyDomain: 'acme.com' }, BY_DOMAIN],
	[
		'emailFinder',
		{ first_name: 'Bob', 'last-name': 'Stone', 'company domain ': 'acme.com' },
		BY_DOMAIN,
	],
	[
		'emailFinder',
		{ fullname: '', 'Full Name': 'Bob Stone', company_domain: 'acme.com' },
		BY_DOMAIN,
	],
	['emailFinder', { ...BY_DOMAIN, 'Full Name': 'Ada Hart' }, BY_DOMAIN],
	['emailVerifier', { Email: 'a@acme.com' }, 'a@acme.com'],
	['emailVerifier', { 'E-Mail': 'a@acme.com' }, 'a@acme.com'],
	['phoneFinder', { 'LinkedIn URL': PROFILE }, { socialprofile_url: PROFILE }],
	['phoneFinder', { 'Profile URL': PROFILE }, { socialprofile_url: PROFILE }],
	['phoneFinder', { socialProfileUrl: PROFILE }, { socialprofile_url: PROFILE }],
])(
	'%s: the keys of an entry may be spelled in the usual ways: %j',
	async ([resource, entry, sent]) => {
		await run(resource, [entry]);
		expect(bench().posts).toMatchObject([{ body: { [lookupOf(resource).listField]: [sent] } }]);
	},
);

const FINDER_TAKES = 'An entry takes fullname, firstname, lastname, company_domain, company_name.';
it.for<[LookupName, IDataObject, string]>([
	[
		'emailFinder',
		{ name: 'Bob Stone', domain: 'acme.com' },
		`${FINDER_TAKES} This one has name, domain.`,
	],
	['emailFinder', {}, `${FINDER_TAKES} This one has no keys.`],
	['emailVerifier', { mail: 'a@acme.com' }, 'An entry takes email. This one has mail.'],
	[
		'phoneFinder',
		{ linkedin: PROFILE },
		'An entry takes linkedin_url, firstname, lastname, company_domain, company_name. This one has linkedin.',
	],
])('%s: the error names the keys that an entry takes, and those of %j', async (row) => {
	const [resource, entry, text] = row;
	const { description } = shownError(await run(resource, [entry]), bench().sandbox.apiKey);
	expect(description).toBe(`${text} Nothing was sent.`);
	bench().expectNothingSubmitted();
});

const NAMED = { firstname: 'Bob', lastname: 'Stone' };

it.for<[LookupName, IDataObject]>([
	['emailFinder', { fullname: 'Bob Stone', company_name: 'Acme', custom: 'two' }],
	['emailFinder', { fullname: 'Bob Stone', company_domain: 'acme.com', custom: { row: 1 } }],
	['phoneFinder', { ...NAMED, company_domain: 'acme.com' }],
	['phoneFinder', { ...NAMED, company_name: 'Acme', custom: 'three' }],
])('%s: an entry is sent as it is: %j', async ([resource, entry]) => {
	await run(resource, [entry]);
	expect(bench().posts).toMatchObject([{ body: { searches: [entry] } }]);
});

it('columns that are not searched by and empty cells are not sent', async () => {
	const sent = ['ada', 'bea'].map((who) => ({
		fullname: `mustfind ${who}`,
		company_domain: 'acme.example',
	}));
	const empty = { company_name: null, custom: null };
	const entries = sent.map((entry, row) => ({
		row_number: row + 2,
		Notes: 'x',
		...entry,
		...empty,
	}));
	expect(jsonOf(await run('emailFinder', entries))).toHaveLength(2);
	expect(bench().posts).toEqual([{ path: '/email/find/bulk', body: { searches: sent } }]);
});

it('verifications may be objects with email, and what CRMs give for an address', async () => {
	const entries = [
		{ email: 'mustfind.a@x.example', row_number: 2, value: 7 },
		'mustfind.b@x.example',
		['mustfind.c@x.example'],
		{ value: 'mustfind.d@x.example', primary: true },
	];
	const found = entries.map(() => ({ found: true }));
	expect(jsonOf(await run('emailVerifier', entries))).toMatchObject(found);
});
