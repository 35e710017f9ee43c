import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { companyMissing, mustBeText, noCountry, nothingStarted } from '../../support/texts.mts';

const bench = useBench();

const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

/** All answers to submissions that were no success: there must be none. */
const refusals = () =>
	bench().sandbox.requests.filter(({ method, status }) => method === 'POST' && status !== 200);

describe('values that are taken', () => {
	const finder = { fullname: '={{ $json.name }}', companyDomain: '={{ $json.domain }}' };

	it.for([
		['Zoë 🦊 Müller', 'Zoë 🦊 Müller'],
		['محمد بن موسى الخوارزمي', 'محمد بن موسى الخوارزمي'],
		['עדה לאבלייס', 'עדה לאבלייס'],
		['  Ada \t\n Lovelace ', 'Ada Lovelace'],
		["Jean-Luc O'Neill, Jr.", "Jean-Luc O'Neill, Jr."],
		['"quoted" \\ name', '"quoted" \\ name'],
		['=7 * 7 Ada', '=7 * 7 Ada'],
	])('name %j', async ([name, sent]) => {
		const run = await bench().run('emailFinder', 'submitAndWait', {
			parameters: finder,
			items: [{ name, domain: 'acme.com' }],
		});
		expect(jsonOf(run)).toMatchObject([{ status: 'completed' }]);
		expect(bench().posts.map(({ body }) => body)).toEqual([
			{ fullname: sent, company_domain: 'acme.com' },
		]);
	});

	it.for([
		'acme.com',
		'ACME.com',
		'www.acme.com',
		'https://www.Acme.com:8080/about?x=1#top',
		'http://user@acme.com/',
		' //acme.com '.replaceAll('/', ''),
		'acme.com.',
	])('domain %j is acme.com', async (domain) => {
		await bench().run('emailFinder', 'submit', {
			parameters: finder,
			items: [{ name: 'Ada', domain }],
		});
		expect(bench().posts.map(({ body }) => body)).toEqual([
			{ fullname: 'Ada', company_domain: 'acme.com' },
		]);
	});

	it('a company that is called by a number', async () => {
		await bench().run('emailFinder', 'submit', {
			parameters: { fullname: 'Ada', companyName: '={{ $json.company }}' },
			items: [{ company: 1912 }],
		});
		expect(bench().posts.map(({ body }) => body)).toEqual([
			{ fullname: 'Ada', company_name: '1912' },
		]);
	});

	it.for([
		'https://social.example/in/ada',
		'http://social.example/in/ada?x=1',
		'HTTPS://Social.Example/x',
	])('profile URL %j as it is', async (url) => {
		await bench().run('phoneFinder', 'submit', { parameters: { socialProfileUrl: url } });
		expect(bench().posts.map(({ body }) => body)).toEqual([{ socialprofile_url: url }]);
	});
});

/** Values that are no text, and what our message calls them. */
const NOT_TEXT: Array<[value: unknown, name: string]> = [
	[7, 'a number'],
	[true, 'a boolean'],
	[['Ada'], 'a list'],
	[{ first: 'Ada' }, 'an object'],
];

const LONG = 'x'.repeat(10_240);

/** Each field of each lookup: the parameters that make it the one that is wrong, and its label. */
const FIELDS = [
	{
		resource: 'emailFinder',
		label: 'Full Name',
		parameters: { fullname: '={{ $json.value }}', companyDomain: 'acme.com' },
	},
	{
		resource: 'emailFinder',
		label: 'Company Domain',
		parameters: { fullname: 'Ada', companyDomain: '={{ $json.value }}' },
	},
	{ resource: 'emailVerifier', label: 'Email', parameters: { email: '={{ $json.value }}' } },
	{
		resource: 'phoneFinder',
		label: 'Profile URL',
		parameters: { socialProfileUrl: '={{ $json.value }}' },
	},
	{
		resource: 'phoneFinder',
		label: 'First Name',
		parameters: {
			identifyBy: 'nameAndCompany',
			firstname: '={{ $json.value }}',
			lastname: 'Lovelace',
			companyDomain: 'acme.com',
		},
	},
	{
		resource: 'phoneFinder',
		label: 'Last Name',
		parameters: {
			identifyBy: 'nameAndCompany',
			firstname: 'Ada',
			lastname: '={{ $json.value }}',
			companyDomain: 'acme.com',
		},
	},
];

describe.for(FIELDS)("$resource '$label'", ({ resource, label, parameters }) => {
	it.for(['submit', 'submitBulk'])(
		'%s refuses what is no text, with its item',
		async (operation) => {
			for (const [value, name] of NOT_TEXT) {
				const run = await bench().run(resource, operation, {
					parameters,
					items: [{ value }] as IDataObject[],
				});
				expect(shownError(run, bench().sandbox.apiKey)).toEqual({
					name: 'NodeOperationError',
					message: `'${label}' ${mustBeText}, but is ${name}`,
					description: `Correct the value of '${label}', or take it out of the input. ${nothingStarted} for it.`,
					itemIndex: 0,
					httpCode: undefined,
				});
			}
			bench().expectNothingSubmitted();
		},
	);

	it.for([null, '', '   ', undefined])('refuses %j as empty', async (value) => {
		const run = await bench().run(resource, 'submit', { parameters, items: [{ value }] });
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({ itemIndex: 0 });
		expect(shownError(run, bench().sandbox.apiKey).message).toMatch(
			label === 'Company Domain'
				? new RegExp(`^${companyMissing}$`)
				: new RegExp(`^'${label}' is empty$`),
		);
		bench().expectNothingSubmitted();
	});
});

// An email address is not refused: that it is too long is its result.
it.for(FIELDS.filter(({ label }) => label !== 'Email'))(
	"$resource '$label' refuses 10 kB of text, without repeating it",
	async ({ resource, label, parameters }) => {
		const run = await bench().run(resource, 'submitBulk', { parameters, items: [{ value: LONG }] });
		expect(shownError(run, bench().sandbox.apiKey).message).toBe(
			`'${label}' must be at most 500 characters long, but has 10240`,
		);
		bench().expectNothingSubmitted();
	},
);

describe('expressions that cannot be resolved', () => {
	// A node that is not there: n8n itself fails, and not just with an empty value.
	const NOBODY = '$("Nobody").item.json.mail';
	const parameters = { email: `={{ $json.mail ?? ${NOBODY} }}` };
	const items = [{ mail: 'mustfind1@acme.com' }, { mail: null }, { mail: 'mustfind2@acme.com' }];

	it('stop the run before anything is sent, and name the item', async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', { parameters, items });
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
			name: 'NodeOperationError',
			itemIndex: 1,
		});
		bench().expectNothingSubmitted();
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'are the error of their item alone, under Continue: %s',
		async (operation) => {
			const run = await bench().run('emailVerifier', operation, {
				parameters,
				items,
				...CONTINUE,
			});
			expect(jsonOf(run)).toMatchObject([
				{ found: true },
				{ error: expect.any(String) as unknown },
				{ found: true },
			]);
		},
	);

	it('in an option', async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: '={{ $itemIndex }}@acme.com' },
			options: { custom: `={{ { mail: $json.mail ?? ${NOBODY} } }}` },
			items,
			...CONTINUE,
		});
		expect(jsonOf(run).map(({ error }) => typeof error)).toEqual([
			'undefined',
			'string',
			'undefined',
		]);
	});
});

describe('options', () => {
	it.for([
		['emailFinder', { countryCode: 'France' }, `'Country Code' ${noCountry}, but is "France"`],
		['emailFinder', { countryCode: '={{ 33 }}' }, `'Country Code' ${noCountry}, but is a number`],
		['emailFinder', { custom: '{cut' }, `'Custom Data' must be a JSON object, but is "{cut"`],
		['emailVerifier', { custom: '[1]' }, "'Custom Data' must be a JSON object, but is a list"],
		[
			'emailVerifier',
			{ custom: '={{ 7 }}' },
			"'Custom Data' must be a JSON object, but is a number",
		],
		['phoneFinder', { custom: '={{ { a: 1 } }}' }, "'Custom Data' must be text, but is an object"],
	] as const)('%s %j are refused', async ([resource, options, message]) => {
		const run = await bench().run(resource, 'submit', {
			parameters: {
				fullname: 'Ada',
				companyDomain: 'acme.com',
				email: 'a@acme.com',
				socialProfileUrl: 'https://social.example/in/a',
			},
			options: { ...options },
		});
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({ message, itemIndex: 0 });
		bench().expectNothingSubmitted();
	});

	it.for([
		[{ timeout: 0 }, "'Timeout' must be a number of at least 1"],
		[{ timeout: '={{ "soon" }}' }, "'Timeout' must be a number of at least 1"],
		[{ pollInterval: -1 }, "'First Check After' must be a number of at least 0.1"],
		[{ maxCredits: -5 }, "'Max Credits' must be a number of at least 0"],
		[{ maxCredits: '={{ [1] }}' }, "'Max Credits' must be a number of at least 0"],
	] as const)('%j of the run are refused', async ([options, message]) => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'a@acme.com' },
			options: { ...options },
		});
		expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({ message });
		bench().expectNothingSubmitted();
	});
});

describe('any input whatever', () => {
	/** Texts of which some are good, and values of which none is. */
	const value = (good: string[]) =>
		fc.oneof(
			fc.constantFrom(...good),
			fc.string({ unit: 'binary', maxLength: 40 }),
			fc.constantFrom('', ' ', '\u0000', LONG, '{{ 1 }}', '=1+1', '🦊', 'محمد'),
			fc.jsonValue({ maxDepth: 2 }),
		);
	const record = fc.record({
		name: value(['Ada Lovelace', 'عدا']),
		domain: value(['acme.com', 'https://www.acme.com/x']),
		company: value(['Acme', 'Müller & Söhne']),
		mail: value(['ada@acme.com', 'eve@acme.com']),
		url: value(['https://social.example/in/ada', 'social.example/in/eve']),
	});
	const byName = {
		identifyBy: 'nameAndCompany',
		firstname: '={{ $json.name }}',
		lastname: '={{ $json.name }}',
		companyDomain: '={{ $json.domain }}',
		companyName: '={{ $json.company }}',
	};
	const CASES = [
		{
			resource: 'emailFinder',
			parameters: {
				fullname: '={{ $json.name }}',
				companyDomain: '={{ $json.domain }}',
				companyName: '={{ $json.company }}',
			},
		},
		{ resource: 'emailVerifier', parameters: { email: '={{ $json.mail }}' } },
		{ resource: 'phoneFinder', parameters: { socialProfileUrl: '={{ $json.url }}' } },
		{ resource: 'phoneFinder', parameters: byName },
	].flatMap((lookup) => ['submit', 'submitBulk'].map((operation) => ({ ...lookup, operation })));

	it.for(CASES)(
		'$resource $operation: an answer for each item, and nothing sent in vain',
		async ({ resource, operation, parameters }) => {
			bench().sandbox.service.account().credits = 1e9;
			await fc.assert(
				fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
					const run = await bench().run(resource, operation, {
						parameters,
						items: records.map((json) => ({ json: { ...json } })),
						...CONTINUE,
					});
					const json = jsonOf(run);
					const answered = run.items.flatMap(pairedWith).sort((a, b) => a - b);
					expect(answered).toEqual(records.map((_, item) => item));
					for (const { error, description } of json.filter((item) => 'error' in item)) {
						expect(error).toMatch(/^'[A-Z][\w ]+' (and '[\w ]+' are both empty|must be|is empty)/);
						expect(error).not.toMatch(/\n\s+at |undefined|\[object/);
						expect(description).toBeTypeOf('string');
						expect(error).toSatisfy((text: string) => text.length < 200);
					}
				}),
				{ numRuns: 25 },
			);
			// Emails and profiles are finer things than what anybody can tell from their form.
			const told = refusals().map(({ status }) => status);
			expect(told.filter((status) => status !== 201)).toEqual([]);
		},
	);
});
