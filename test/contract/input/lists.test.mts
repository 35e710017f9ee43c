import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import {
	companyMissing,
	mustBeText,
	nameAndCompanyMissing,
	nameMissing,
	noProfilePage,
	notReadable,
} from '../../support/texts.mts';

const bench = useBench();

const LOOKUPS = [
	{ resource: 'emailFinder', field: 'searches', label: 'Searches' },
	{ resource: 'emailVerifier', field: 'verifications', label: 'Emails' },
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
				description: 'Give a JSON list, as in the example of the field.',
				itemIndex: 0,
			});
		}
		bench().expectNothingSubmitted();
	});

	it('an empty list is refused', async () => {
		const run = await bench().run(resource, 'submitBulk', { parameters: asList(field, '=[]') });
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
			message: `'${label}' is an empty list`,
			description: 'Add at least one entry.',
			itemIndex: 0,
		});
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
		['emailFinder', 'Ada', "Entry 2 of 'Searches' is text"],
		['emailFinder', null, "Entry 2 of 'Searches' is empty"],
		['emailFinder', [], "Entry 2 of 'Searches' is a list"],
		['emailFinder', {}, `Entry 2 of 'Searches': ${nameAndCompanyMissing}`],
		['emailFinder', { company_domain: 'acme.com' }, `Entry 2 of 'Searches': ${nameMissing}`],
		['emailFinder', { fullname: 'Ada' }, `Entry 2 of 'Searches': ${companyMissing}`],
		[
			'emailFinder',
			{ ...finder, fullname: 7 },
			`Entry 2 of 'Searches': 'Full Name' ${mustBeText}, but is a number`,
		],
		[
			'emailFinder',
			{ ...finder, custom: 7 },
			`Entry 2 of 'Searches': 'custom' ${mustBeText} or an object, but is a number`,
		],
		['emailVerifier', 7, `Entry 2 of 'Emails': 'Email' ${mustBeText}, but is a number`],
		['emailVerifier', ['a@acme.com'], `Entry 2 of 'Emails': 'Email' ${mustBeText}, but is a list`],
		['emailVerifier', '', "Entry 2 of 'Emails': 'Email' is empty"],
		['emailVerifier', { mail: 'a@acme.com' }, "Entry 2 of 'Emails': 'Email' is empty"],
		['emailVerifier', { email: 7 }, `Entry 2 of 'Emails': 'Email' ${mustBeText}, but is a number`],
		[
			'emailVerifier',
			WRONG_EMAIL,
			`Entry 2 of 'Emails': 'Email' ${notReadable} "${WRONG_EMAIL}" has a broken letter (U+FFFD)`,
		],
		['phoneFinder', {}, "Entry 2 of 'Searches': 'Profile URL' is empty"],
		['phoneFinder', { ...phone, lastname: '' }, "Entry 2 of 'Searches': 'Last Name' is empty"],
		[
			'phoneFinder',
			{ socialprofile_url: 'ada' },
			`Entry 2 of 'Searches': 'Profile URL' ${noProfilePage}, but is "ada"`,
		],
		[
			'phoneFinder',
			{ linkedin_url: 'https://social.example/in/ada' },
			"Entry 2 of 'Searches': 'Profile URL' is empty",
		],
	];

	it.for([
		[
			'emailFinder',
			'Ada',
			'Each entry must be an object with fullname, company_domain, company_name.',
		],
		[
			'emailVerifier',
			7,
			"Correct the value of 'Email', or take it out of the input. Nothing was started for it.",
		],
		['emailFinder', { ...finder, custom: 7 }, 'Correct the entry. It was not started.'],
		[
			'emailFinder',
			{ ...finder, fullname: 7 },
			"Correct the value of 'Full Name', or take it out of the input. Nothing was started for it.",
		],
	] as const)('%s %j: says how to mend it', async ([resource, entry, description]) => {
		const field = resource === 'emailVerifier' ? 'verifications' : 'searches';
		const run = await bench().run(resource, 'submitBulk', {
			parameters: asList(field, '={{ $json.list }}'),
			items: [{ list: [entry] }],
		});
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({ description, itemIndex: 0 });
	});

	it.for(CASES)('%s %j', async ([resource, entry, message]) => {
		const good = { emailFinder: finder, emailVerifier: 'a@acme.com', phoneFinder: phone }[resource];
		const field = resource === 'emailVerifier' ? 'verifications' : 'searches';
		const run = await bench().run(resource, 'submitBulk', {
			parameters: asList(field, '={{ $json.list }}'),
			items: [{ list: [good, entry] }],
		});
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(/^1 of 2 entries cannot be (searched|verified)\. /) as string,
			itemIndex: 0,
		});
		expect(shownError(run, bench().sandbox.apiKey).message).toContain(message);
		bench().expectNothingSubmitted();
	});
});
