import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { listParameters } from '../../support/searches.mts';

const bench = useBench();
useFastClock();

const ALL = {
	fullname: 'Ada Hart',
	companyName: 'Acme',
	email: 'a@acme.com',
	socialProfileUrl: 'https://social.example/in/a',
};

it.for([
	['emailFinder', { countryCode: 'Nowhere' }, "'Country Code'"],
	['emailFinder', { countryCode: '={{ 33 }}' }, "'Country Code'"],
	['emailFinder', { countryCode: '={{ ["FR", "DE"] }}' }, "'Country Code'"],
	['emailFinder', { countryCode: 'null' }, "'Country Code'"],
	['emailFinder', { custom: '{cut' }, "'Custom Data'"],
	['emailVerifier', { custom: '[1]' }, "'Custom Data'"],
	['emailVerifier', { custom: '={{ 7 }}' }, "'Custom Data'"],
	['phoneFinder', { custom: '={{ { a: 1 } }}' }, "'Custom Data'"],
	['emailVerifier', { timeout: 0 }, "'Timeout'"],
	['emailVerifier', { timeout: '={{ "soon" }}' }, "'Timeout'"],
	['emailVerifier', { maxCredits: -5 }, "'Max Credits'"],
	['emailVerifier', { maxCredits: '={{ [1] }}' }, "'Max Credits'"],
] as const)('%s with %j is refused before anything is sent', async ([resource, options, label]) => {
	const given = { parameters: ALL, options: { ...options } };
	const run = await bench().run(resource, 'submitAndWait', given);
	expect(shownError(run, bench().sandbox.apiKey).message).toContain(`${label} must be`);
	bench().expectNothingSubmitted();
});

const OTHER_NAMES: Record<string, unknown[]> = {
	AE: ['UAE', 'U.A.E.'],
	BA: ['Bosnia and Herzegovina', 'Bosnia & Herzegovina', 'Bosnia-Herzegovina'],
	BO: ['Bolivia, Plurinational State of'],
	CD: ['DR Congo', 'Congo, The Democratic Republic of the'],
	CG: ['Congo', 'Republic of the Congo'],
	CI: ['Ivory Coast', "Cote d'Ivoire"],
	CZ: ['Czech Republic', 'CZE'],
	DE: ['germany', ' Deutschland ', 'DEU', 'Alemania', 'Federal Republic of Germany'],
	ES: ['España', 'Espana', 'Spanien'],
	FI: ['Suomi'],
	FR: [' fr ', 'France (FR)', 'FR - France', ['FR'], [{ value: 'France' }], { name: 'France' }],
	GB: [
		'UK',
		'u.k.',
		'gb',
		'GBR',
		'Great Britain',
		'England',
		'Royaume-Uni',
		'United Kingdom (UK)',
		'Großbritannien',
	],
	HK: ['Hong Kong'],
	IR: ['Iran (Islamic Republic of)'],
	KP: ["Korea, Democratic People's Republic of"],
	KR: ['South Korea', 'Korea, Republic of', 'Republic of Korea'],
	LC: ['Saint Lucia', 'St. Lucia'],
	NL: ['The Netherlands', 'Holland'],
	SA: ['KSA', 'Kingdom of Saudi Arabia'],
	TR: ['Turkey', 'Türkiye', 'Turkiye'],
	TW: ['Taiwan', 'Republic of China', 'Republic of China (Taiwan)', 'Taiwan, Province of China'],
	VN: ['Viet Nam'],
};
const ASSUMED = ['US', 'USA', 'U.S.', 'United States of America', 'USA (United States)', 'EE.UU.'];
const BLANK = ['', ' ', '-', 'N/A', '#N/A', 'NULL', 'Unknown', '(blank)', [], ['N/A'], null];

/** What is sent as `settings` with the search of each value of 'Country Code', by the company's name. */
async function countriesSent(values: unknown[]): Promise<unknown[]> {
	await bench().run('emailFinder', 'submit', {
		parameters: { ...ALL, fullname: '=Ada {{ $json.n }}' },
		options: { countryCode: '={{ $json.value }}' },
		items: values.map((value, n) => ({ n, value })) as IDataObject[],
	});
	return bench().posts.map(({ body }) => (isRecord(body) ? body.settings : undefined));
}

it('countries are taken by their codes, and by the names that lists have', async () => {
	const given = Object.entries(OTHER_NAMES).flatMap(([code, names]) =>
		names.map((name) => ({ name, country_code: code })),
	);
	const sent = await countriesSent(given.map(({ name }) => name));
	expect(sent).toEqual(given.map(({ country_code }) => ({ country_code })));
});

it('a country that the service assumes, or that nobody knows, is not sent', async () => {
	const values = [...ASSUMED, ...BLANK];
	expect(await countriesSent(values)).toEqual(values.map(() => undefined));
});

it('beside a domain a country is neither sent nor an error', async () => {
	const values = ['DE', 'FR', 'Nowhere', ['FR', 'DE'], 33];
	const run = await bench().run('emailFinder', 'submitBulk', {
		parameters: { fullname: '=Ada {{ $json.n }}', companyDomain: 'acme.com' },
		options: {
			countryCode: '={{ $json.value }}',
			retrieveCompanyInfo: '={{ $json.value === 33 }}',
		},
		items: values.map((value, n) => ({ n, value })),
	});
	expect(run.error).toBeUndefined();
	expect(bench().posts).toHaveLength(1);
	expect(bench().posts[0]?.body).not.toHaveProperty('settings');
});

it.for([
	['FR', { country_code: 'FR', retrieve_company_info: true }],
	['DE', undefined],
	['', undefined],
])(
	'company information is asked for where the country is FR, also beside a domain: %j',
	async ([countryCode, settings]) => {
		await bench().run('emailFinder', 'submit', {
			parameters: { fullname: 'Ada Hart', companyDomain: 'acme.com' },
			options: { countryCode, retrieveCompanyInfo: true },
		});
		expect(bench().posts.map(({ body }) => (isRecord(body) ? body.settings : body))).toEqual([
			settings,
		]);
	},
);

it('rows of a list by domain and by name have settings of their own', async () => {
	const searches = [{ company_domain: 'acme.com' }, { company_name: 'Acme' }].map((company) => ({
		fullname: 'Ada Hart',
		...company,
	}));
	await bench().run('emailFinder', 'submitBulk', {
		parameters: listParameters('emailFinder', JSON.stringify(searches)),
		options: { countryCode: 'Germany' },
	});
	expect(bench().posts.map(({ body }) => body)).toEqual([
		{ searches: [searches[0]] },
		{ searches: [searches[1]], settings: { country_code: 'DE' } },
	]);
});

it('a name that breaks the JSON of Custom Data: the advice shows what takes any text', async () => {
	const run = await bench().run('emailFinder', 'submit', {
		parameters: ALL,
		options: { custom: '={"name": "{{ $json.name }}"}' },
		items: [{ name: 'Ada "Countess" Hart' }],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(jsonOf(run)[0]?.error).toContain('{{ { name: $json.name } }}');
	bench().expectNothingSubmitted();
});

it('Custom Data per Item of a finder may be an object', async () => {
	const run = await bench().run('emailFinder', 'submitBulkAndWait', {
		parameters: { ...ALL, fullname: '={{ $json.name }}' },
		items: [{ name: 'mustfind ada', row: 7 }],
		options: { itemCustom: '={{ { row: $json.row } }}' },
	});
	expect(jsonOf(run)).toMatchObject([{ custom: { row: 7 } }]);
});

it.for<[name: string, right: string, value: string | number | boolean]>([
	['max_credits', 'maxCredits', 1],
	['dry_run', 'dryRun', true],
	['earlier_id', 'earlierId', 'x'],
])('an option %s is refused, and the error names %s', async ([name, right, value]) => {
	const run = await bench().run('emailFinder', 'submitBulkAndWait', {
		parameters: { ...ALL, fullname: '={{ $json.name }}' },
		options: { [name]: value },
		items: [{ name: 'mustfind ada' }, { name: 'mustfind bea' }],
	});
	const { message, description } = shownError(run, bench().sandbox.apiKey);
	expect(message).toBe(`There is no option ${name}`);
	expect(description).toContain(`It is called ${right}: `);
	bench().expectNothingSubmitted();
});

it('Options as one expression are refused: a Dry Run in it would pay', async () => {
	for (const options of ['={{ { dryRun: true } }}', '{"dryRun": true}']) {
		const { node } = bench().node('emailVerifier', 'submit');
		const run = await runNode({
			node,
			parameters: { resource: 'emailVerifier', operation: 'submit', ...ALL, options },
			credentials: bench().credentials,
		});
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toContain("'Options' must be a list of single options");
		expect(description).toContain('Nothing was started');
		bench().expectNothingSubmitted();
	}
});
