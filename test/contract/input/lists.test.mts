import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';

const bench = useBench();

const LOOKUPS = [
	{ resource: 'emailFinder', field: 'searches', label: 'Searches' },
	{ resource: 'emailVerifier', field: 'verifications', label: 'Verifications' },
	{ resource: 'phoneFinder', field: 'searches', label: 'Searches' },
];

const asList = (field: string, value: INodeParameters[string]): INodeParameters => ({
	inputMode: 'array',
	[field]: value,
});

describe.for(LOOKUPS)("$resource: '$label'", ({ resource, field, label }) => {
	it.for([
		['[{"cut', 'not valid JSON'],
		['', 'not valid JSON'],
		['nonsense', 'not valid JSON'],
		['{"fullname": "Ada"}', 'an object'],
		['7', 'a number'],
		['null', 'empty'],
		['={{ $json.list }}', 'a number'],
		['={{ { a: 1 } }}', 'an object'],
		['={{ "a@acme.com" }}', 'not valid JSON'],
		['={{ false }}', 'a boolean'],
	])('%j is no list', async ([value = '', what]) => {
		for (const operation of ['submitBulk', 'submitBulkAndWait']) {
			const run = await bench().run(resource, operation, {
				parameters: asList(field, value),
				items: [{ list: 7 }],
			});
			expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
				name: 'NodeOperationError',
				message: `'${label}' must be a list, but is ${what}`,
				itemIndex: 0,
			});
		}
		bench().expectNothingSubmitted();
	});

	it('an empty list and one that is too long are refused', async () => {
		const limit = resource === 'phoneFinder' ? 3000 : 5000;
		for (const [length, message] of [
			[0, `'${label}' is an empty list`],
			[limit + 1, `'${label}' has ${limit + 1} entries; one batch takes at most ${limit}`],
		] as const) {
			const run = await bench().run(resource, 'submitBulk', {
				parameters: asList(field, `={{ Array(${length}).fill("a@acme.com") }}`),
			});
			expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({ message, itemIndex: 0 });
		}
		bench().expectNothingSubmitted();
	});

	it('a wrong list harms no other, under Continue', async () => {
		const good = {
			emailFinder: [{ fullname: 'Ada Mustfind', company_domain: 'acme.com' }],
			emailVerifier: ['mustfind@acme.com'],
			phoneFinder: [{ socialprofile_url: 'https://social.example/in/mustfind' }],
		}[resource];
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: asList(field, '={{ $json.list }}'),
			items: [{ list: 'nonsense' }, { list: good }, { list: [] }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(run)).toMatchObject([
			{ error: `'${label}' must be a list, but is not valid JSON` },
			{ found: true },
			{ error: `'${label}' is an empty list` },
		]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	});
});

it('an empty cell of a table is no value, also for custom', async () => {
	const entry = { fullname: 'Ada Mustfind', company_domain: 'acme.com', company_name: null };
	const run = await bench().run('emailFinder', 'submitBulk', {
		parameters: asList('searches', '={{ $json.list }}'),
		items: [{ list: [{ ...entry, custom: null }] }],
	});
	expect(jsonOf(run)).toMatchObject([{ size: 1 }]);
	expect(bench().posts.map(({ body }) => body)).toEqual([
		{ searches: [{ fullname: 'Ada Mustfind', company_domain: 'acme.com' }] },
	]);
});

describe('an entry that the service was bound to refuse', () => {
	const finder = { fullname: 'Ada Mustfind', company_domain: 'acme.com' };
	const phone = { firstname: 'Ada', lastname: 'Mustfind', company_name: 'Acme' };
	const CASES: Array<[resource: string, entry: unknown, message: string]> = [
		['emailFinder', 'Ada', "There is a string in entry 2 of 'Searches'"],
		['emailFinder', null, "There is nothing in entry 2 of 'Searches'"],
		['emailFinder', [], "There is a list in entry 2 of 'Searches'"],
		['emailFinder', {}, "'Full Name' is empty in entry 2 of 'Searches'"],
		[
			'emailFinder',
			{ fullname: 'Ada' },
			"'Company Domain' and 'Company Name' are both empty in entry 2 of 'Searches'",
		],
		[
			'emailFinder',
			{ ...finder, fullname: 7 },
			"'Full Name' must be text, but is a number in entry 2 of 'Searches'",
		],
		[
			'emailFinder',
			{ ...finder, name: 'Ada' },
			`The service does not know the key "name" in entry 2 of 'Searches'`,
		],
		[
			'emailFinder',
			{ ...finder, custom: 7 },
			"'custom' must be text or an object, but is a number in entry 2 of 'Searches'",
		],
		['emailVerifier', 7, "There is a number in entry 2 of 'Verifications'"],
		['emailVerifier', { email: 'a@acme.com' }, "There is an object in entry 2 of 'Verifications'"],
		['emailVerifier', '', "'Email' is empty in entry 2 of 'Verifications'"],
		[
			'emailVerifier',
			'nobody',
			`'Email' must be one email address such as ada@example.com, but is "nobody" in entry 2 of 'Verifications'`,
		],
		['phoneFinder', {}, "'Profile URL' is empty in entry 2 of 'Searches'"],
		['phoneFinder', { ...phone, lastname: '' }, "'Last Name' is empty in entry 2 of 'Searches'"],
		[
			'phoneFinder',
			{ socialprofile_url: 'ada' },
			`'Profile URL' must be the address of a profile page, but is "ada" in entry 2 of 'Searches'`,
		],
		[
			'phoneFinder',
			{ linkedin_url: 'https://social.example/in/ada' },
			`The service does not know the key "linkedin_url" in entry 2 of 'Searches'`,
		],
	];

	it.for(CASES)('%s %j', async ([resource, entry, message]) => {
		const good = { emailFinder: finder, emailVerifier: 'a@acme.com', phoneFinder: phone }[resource];
		const field = resource === 'emailVerifier' ? 'verifications' : 'searches';
		const run = await bench().run(resource, 'submitBulk', {
			parameters: asList(field, '={{ $json.list }}'),
			items: [{ list: [good, entry] }],
		});
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
			name: 'NodeOperationError',
			message,
			itemIndex: 0,
		});
		bench().expectNothingSubmitted();
	});
});
