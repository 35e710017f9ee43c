import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { asSent, items, parametersOf, resultOf, searchOf } from '../../support/searches.mts';
import { lineOf } from '../answers/facts.mts';
import { casesOf, columnsFor, receiptOf, told, WORDS } from './asked.mts';

const bench = useBench();
useFastClock();

/** The id under which the service was asked for a word. */
function idOf(word: string): string | undefined {
	const { entries } = bench().sandbox.ledger;
	return entries.find(({ searches }) => searches[0]?.includes(word))?.id;
}

const words = WORDS.slice(0, 2);
const ids = () => words.map(idOf);

describe.for(casesOf('single'))('$resource', ({ resource, path, definition }) => {
	const parameters = parametersOf(resource);
	const given = { parameters, items: items(...words) };
	const asTold = { ...given, parameters: { ...parameters, simplify: false } };
	const results = (isRead = false) =>
		words.map((word) => {
			const columns = columnsFor(resource, 'single', word, isRead);
			return { ...columns, search_id: idOf(word) };
		});
	const completed = () =>
		ids().map((id, n) => {
			const result = told(bench(), path, id);
			return { ...result, id, status: 'completed', found: n === 0 };
		});

	it('submitAndWait submits each item once and gives its result', async () => {
		const run = await bench().run(resource, 'submitAndWait', given);
		expect(bench().posts.map((post) => post.path)).toEqual([path, path]);
		const bodies = words.map((word) => asSent(searchOf(resource, word)));
		expect(new Set(bench().posts.map((post) => post.body))).toEqual(new Set(bodies));
		expect(bench().looks).toHaveLength(2);
		expect(bench().looks).toEqual(expect.arrayContaining(ids().map((id) => ({ path, id }))));
		expect(jsonOf(run)).toEqual(results());
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		const people = [{ isFound: true }, { isFound: false }];
		const price = bench().sandbox.service.account().prices[definition.kind];
		const message = lineOf(definition.kind, people, price);
		expect(run.hints).toEqual([{ message, location: 'outputPane', type: 'info' }]);
	});

	it('gives what the service tells, where Simplify is off', async () => {
		const run = await bench().run(resource, 'submitAndWait', asTold);
		expect(jsonOf(run)).toEqual(completed());
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
	});

	it('submit gives the receipts and does not look', async () => {
		const run = await bench().run(resource, 'submit', given);
		expect(bench().posts.map((post) => post.path)).toEqual([path, path]);
		expect(bench().looks).toEqual([]);
		const { credits_used: credits, ...receipt } = receiptOf(definition, bench());
		expect(jsonOf(run)).toMatchObject(
			words.map((word) => {
				return { ...searchOf(resource, word), search_id: idOf(word), status: 'ongoing', credits };
			}),
		);
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		const again = await bench().run(resource, 'submit', asTold);
		expect(jsonOf(again)).toEqual(
			bench()
				.sandbox.ledger.entries.slice(2)
				.map(({ id }) => ({ ...receipt, credits_used: credits, id, status: 'ongoing' })),
		);
	});

	it('getResult reads what submit started, without a charge', async () => {
		bench().sandbox.configure({ single: 0 });
		const started = jsonOf(await bench().run(resource, 'submit', given));
		const charged = [...bench().sandbox.ledger.entries];
		const read = async (more: INodeParameters) =>
			await bench().run(resource, 'getResult', {
				parameters: { lookupId: '={{ $json.search_id }}', ...more },
				items: started,
			});
		const run = await read({});
		const [found] = results(true);
		const { qualification } = resultOf(resource, 'single', 'notfound');
		// Of whom it does not find the service may not tell who it was.
		const ofAnybody = { search_id: idOf('notfound'), status: 'completed', found: false };
		expect(jsonOf(run)).toEqual([found, expect.objectContaining({ ...ofAnybody, qualification })]);
		expect(Object.keys(jsonOf(run)[1] ?? {})).toEqual(Object.keys(jsonOf(run)[0] ?? {}));
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		expect(jsonOf(await read({ simplify: false }))).toEqual(completed());
		expect(bench().sandbox.ledger.entries).toEqual(charged);
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
