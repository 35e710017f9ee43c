import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { asSent, eachLookup } from '../../support/searches.mts';
import { ASKED, EMPTY_COLUMNS, OPTIONAL_COLUMNS } from './asked.mts';

const bench = useBench();
useFastClock();

/** The id under which the service was asked for the person of that name. */
function idOf(name: string): string | undefined {
	const { entries } = bench().sandbox.ledger;
	return entries.find(({ searches }) => searches[0]?.toLowerCase().includes(name))?.id;
}

const ids = () => [idOf('mustfind'), idOf('notfound')];

/** For each lookup two items. `told` is what the service tells of them. */
const CASES = eachLookup({
	emailFinder: {
		...ASKED.emailFinder,
		path: '/email/find/single',
		receipt: { message: 'Single search operating', credits_used: 1 },
		told: [
			{
				email: 'ada.mustfind@acme.com',
				info: {
					company_domain: 'acme.com',
					fullname: 'Ada Mustfind',
					firstname: 'Ada',
					lastname: 'Mustfind',
				},
				qualification: 'valid',
				found: true,
			},
			{ email: null, qualification: 'invalid', found: false },
		],
		summary:
			'Found 1 of 2, 1 not found. At most 2 credits spent. Find Many gives back what is not found. The account has at least 99,998 credits left.',
	},
	emailVerifier: {
		...ASKED.emailVerifier,
		path: '/email/verify/single',
		receipt: {
			message: 'Single verification operating',
			credits_used: 0.25,
			credits: { amount: 0.25, source: 'sub', split: { fromSub: 0.25, fromPaygo: 0 } },
		},
		told: ASKED.emailVerifier.results.slice(0, 2),
		summary:
			'Deliverable 1 of 2, 1 not deliverable. 0.5 credits spent. The account has about 99,999.5 credits left.',
	},
	phoneFinder: {
		...ASKED.phoneFinder,
		path: '/phone/single',
		receipt: {
			message: 'Single search operating',
			credits_used: 40,
			credits: { amount: 40, source: 'sub', split: { fromSub: 40, fromPaygo: 0 } },
		},
		told: [
			{
				params: { linkedin_url: 'https://social.example/in/mustfind1' },
				number: '+447224333406',
				country: 'GB',
				qualification: 'found',
				found: true,
			},
			{
				params: { linkedin_url: 'https://social.example/in/notfound' },
				qualification: 'not_found',
				found: false,
			},
		],
		summary:
			'Found 1 of 2, 1 not found. At most 80 credits spent. Find Many gives back what is not found. The account has at least 99,920 credits left.',
	},
}).map(({ items, searches, results, ...one }) => ({
	...one,
	items: items.slice(0, 2),
	searches: searches.slice(0, 2),
	results: results.slice(0, 2),
}));

describe.for(CASES)('$resource', ({ resource, path, parameters, items, searches, ...expected }) => {
	const completed = (result: object, item: number) => ({
		...result,
		id: ids()[item],
		status: 'completed',
	});
	const columns = (result: object, item: number) => ({
		...{ ...result, ...EMPTY_COLUMNS[resource] },
		...{ search_id: ids()[item], batch_id: null, status: 'completed' },
	});

	it('submitAndWait submits each item once and gives its result', async () => {
		const run = await bench().run(resource, 'submitAndWait', { parameters, items });
		expect(bench().posts.map((post) => post.path)).toEqual([path, path]);
		const bodies = new Set<unknown>(searches.map(asSent));
		expect(new Set(bench().posts.map((post) => post.body))).toEqual(bodies);
		expect(bench().looks).toHaveLength(2);
		expect(bench().looks).toEqual(expect.arrayContaining(ids().map((id) => ({ path, id }))));
		expect(jsonOf(run)).toEqual(expected.results.map(columns));
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		expect(run.hints).toEqual([
			{ message: expected.summary, location: 'outputPane', type: 'info' },
		]);
	});

	it('gives what the service tells, where Simplify is off', async () => {
		const run = await bench().run(resource, 'submitAndWait', {
			parameters: { ...parameters, simplify: false },
			items,
		});
		expect(jsonOf(run)).toEqual(expected.told.map(completed));
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
	});

	it('submit gives the receipts and does not look', async () => {
		const run = await bench().run(resource, 'submit', { parameters, items });
		expect(bench().posts.map((post) => post.path)).toEqual([path, path]);
		expect(bench().looks).toEqual([]);
		const credits = expected.receipt.credits_used;
		expect(jsonOf(run)).toMatchObject(
			ids().map((id, n) => ({ ...searches[n], search_id: id, status: 'ongoing', credits })),
		);
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
	});

	it("submit gives the service's receipts, where Simplify is off", async () => {
		const run = await bench().run(resource, 'submit', {
			parameters: { ...parameters, simplify: false },
			items,
		});
		expect(jsonOf(run)).toEqual(
			ids().map((id) => ({ ...expected.receipt, id, status: 'ongoing' })),
		);
	});

	it('getResult reads what submit started, without a charge', async () => {
		bench().sandbox.configure({ single: 0 });
		const started = jsonOf(await bench().run(resource, 'submit', { parameters, items }));
		const charged = [...bench().sandbox.ledger.entries];
		expect(started.map(({ search_id: id }) => id)).toEqual(ids());
		const read = async (given: INodeParameters) =>
			await bench().run(resource, 'getResult', {
				parameters: { lookupId: '={{ $json.search_id }}', ...given },
				items: started,
			});
		const run = await read({});
		const { qualification } = expected.told[1] ?? {};
		const found = { ...columns(expected.results[0] ?? {}, 0), ...OPTIONAL_COLUMNS[resource] };
		const ofAnybody = { search_id: ids()[1], status: 'completed', found: false, qualification };
		// Of whom it does not find the service may not tell who it was.
		expect(jsonOf(run)).toEqual([found, expect.objectContaining(ofAnybody)]);
		expect(Object.keys(jsonOf(run)[1] ?? {})).toEqual(Object.keys(jsonOf(run)[0] ?? {}));
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		expect(jsonOf(await read({ simplify: false }))).toEqual(expected.told.map(completed));
		expect(bench().sandbox.ledger.entries).toEqual(charged);
	});

	it('pays equal searches once and gives the result to all', async () => {
		const [item = {}] = items;
		const run = await bench().run(resource, 'submitAndWait', {
			parameters,
			items: [item, ...items, item],
		});
		expect(bench().posts).toHaveLength(2);
		expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, true, false, true]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
	});
});

describe('what is sent beside the search', () => {
	const finder = { fullname: 'Ada Mustfind', companyDomain: 'acme.com' };

	it('sends JSON with the key of the credential', async () => {
		await bench().run('emailFinder', 'submit', { parameters: finder });
		const [, post] = bench().sandbox.requests;
		expect(post).toMatchObject({
			endpoint: 'POST /email/find/single',
			keyName: 'demo',
			headers: { 'content-type': 'application/json', accept: 'application/json' },
		});
	});

	it('emailFinder has settings and custom data, and their results come out', async () => {
		const run = await bench().run('emailFinder', 'submitAndWait', {
			// Company info has no column.
			parameters: { fullname: ' Ada  Mustfind ', companyName: 'Acme', simplify: false },
			options: {
				custom: '{"list": "spring"}',
				countryCode: 'fr',
				retrieveGender: true,
				retrieveCompanyInfo: true,
			},
		});
		expect(bench().posts).toEqual([
			{
				path: '/email/find/single',
				body: {
					fullname: 'Ada Mustfind',
					company_name: 'Acme',
					custom: { list: 'spring' },
					settings: { country_code: 'FR', retrieve_gender: true, retrieve_company_info: true },
				},
			},
		]);
		expect(jsonOf(run)).toMatchObject([
			{ custom: { list: 'spring' }, info: { gender: 'male', companyInfo: { name: 'Acme' } } },
		]);
	});

	it('does not send settings that are left at their defaults', async () => {
		await bench().run('emailFinder', 'submit', {
			parameters: finder,
			options: { countryCode: '', retrieveGender: false, retrieveCompanyInfo: false, custom: '{}' },
		});
		expect(bench().posts).toEqual([
			{
				path: '/email/find/single',
				body: { fullname: 'Ada Mustfind', company_domain: 'acme.com' },
			},
		]);
	});

	it('takes custom data that differs from item to item', async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: '={{ $json.mail }}' },
			options: { custom: '={{ $json.row ? { row: $json.row } : "" }}' },
			items: [
				{ mail: 'a@acme.com', row: 1 },
				{ mail: 'b@acme.com', row: 2 },
				{ mail: 'c@acme.com' },
			],
		});
		expect(bench().posts.map(({ body }) => body)).toEqual(
			expect.arrayContaining([
				{ email: 'a@acme.com', custom: { row: 1 } },
				{ email: 'b@acme.com', custom: { row: 2 } },
				{ email: 'c@acme.com' },
			]),
		);
		expect(jsonOf(run).map(({ custom }) => custom)).toEqual([{ row: 1 }, { row: 2 }, null]);
	});

	it.for([
		['row 7', 'row 7'],
		['={{ 7 }}', '7'],
	])('phoneFinder has a text as custom data: %s', async ([custom, sent]) => {
		const run = await bench().run('phoneFinder', 'submitAndWait', {
			parameters: { socialProfileUrl: 'https://social.example/in/mustfind' },
			options: { custom },
		});
		expect(bench().posts).toEqual([
			{
				path: '/phone/single',
				body: {
					socialprofile_url: 'https://social.example/in/mustfind',
					linkedin_url: 'https://social.example/in/mustfind',
					custom: sent,
				},
			},
		]);
		expect(jsonOf(run)).toMatchObject([{ custom: sent }]);
	});

	it('phoneFinder identifies by name and company, and then sends no profile URL', async () => {
		const run = await bench().run('phoneFinder', 'submitAndWait', {
			parameters: {
				identifyBy: 'nameAndCompany',
				firstname: 'Ada',
				lastname: 'Mustfind',
				companyDomain: 'acme.com',
				companyName: 'Acme',
				socialProfileUrl: 'https://social.example/in/other',
			},
		});
		const params = {
			firstname: 'Ada',
			lastname: 'Mustfind',
			company_domain: 'acme.com',
			company_name: 'Acme',
		};
		expect(bench().posts).toEqual([{ path: '/phone/single', body: params }]);
		expect(jsonOf(run)).toMatchObject([{ ...params, socialprofile_url: null, found: true }]);
	});
});

describe('a run', () => {
	it('of no items asks nobody anything', async () => {
		for (const operation of [
			'submitAndWait',
			'submit',
			'getResult',
			'submitBulkAndWait',
			'submitBulk',
			'getBulkResult',
		]) {
			const run = await bench().run('emailFinder', operation, { items: [] });
			expect(run).toMatchObject({ outputs: [[]], error: undefined });
		}
		expect(bench().sandbox.requests).toEqual([]);
	});

	it('that ends with an error does not wait for what it has started: the retry does', async () => {
		bench().sandbox.configure({ single: 60_000 });
		bench().sandbox.faults.add({ kind: 'noId', on: 'POST *', skip: 1 });
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: '={{ $json.email }}' },
			items: [{ email: 'mustfind1@acme.com' }, { email: 'mustfind2@acme.com' }],
		});
		const [first] = bench().sandbox.ledger.entries;
		expect(shownError(run, bench().sandbox.apiKey).description).toContain(first?.id);
		expect(bench().looks).toEqual([]);
	});
});
