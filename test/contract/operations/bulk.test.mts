import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { setValue, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import {
	asSent,
	bodyOf,
	items,
	lookupOf,
	parametersOf,
	searchOf,
} from '../../support/searches.mts';
import { lineOf } from '../answers/facts.mts';
import { casesOf, columnsFor, receiptOf, told, WORDS } from './asked.mts';

const bench = useBench();
useFastClock();

const batchId = () => bench().sandbox.ledger.entries[0]?.id;

describe.for(casesOf('bulk'))('$resource', ({ resource, path, definition }) => {
	const parameters = parametersOf(resource);
	const given = { parameters, items: items(...WORDS) };
	const asTold = { ...given, parameters: { ...parameters, simplify: false } };
	const body = bodyOf({ lookup: lookupOf(resource), size: 'bulk' }, WORDS);
	const results = (isRead = false) =>
		WORDS.map((word) => {
			return { ...columnsFor(resource, 'bulk', word, isRead), batch_id: batchId() };
		});
	/** A phone batch lists only whom it found. */
	const { unlistedResult } = lookupOf(resource);
	const isListed = (_: unknown, n: number) => n !== 1 || unlistedResult === undefined;
	const completed = (result: object) => ({ ...result, batch_id: batchId(), status: 'completed' });
	const listed = () => {
		const { results: all } = told(bench(), path, batchId());
		return (all as Array<{ qualification: string }>).map((one) => {
			return completed({ ...one, found: /^(valid|found)$/.test(one.qualification) });
		});
	};

	it('submitBulkAndWait makes one batch and gives each item its result', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', given);
		expect(bench().posts).toEqual([{ path, body }]);
		expect(bench().looks).toEqual([{ path, id: batchId() }]);
		expect(jsonOf(run)).toEqual(results());
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		const people = [{ isFound: true }, { isFound: false }, { isFound: true }];
		const price = bench().sandbox.service.account().prices[definition.kind];
		const message = lineOf(definition.kind, people, price);
		expect(run.hints).toEqual([{ message, location: 'outputPane', type: 'info' }]);
	});

	it('gives what the service tells, where Simplify is off', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', asTold);
		const search = lookupOf(resource).toEcho(searchOf(resource, 'notfound'));
		const unlisted = completed({ ...search, ...unlistedResult, found: false });
		const expected = listed();
		if (unlistedResult !== undefined) expected.splice(1, 0, unlisted);
		expect(jsonOf(run)).toEqual(expected);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	});

	it('submitBulk gives one receipt, paired with all items in the batch', async () => {
		const run = await bench().run(resource, 'submitBulk', given);
		expect(bench().posts).toEqual([{ path, body }]);
		expect(bench().looks).toEqual([]);
		const { credits_used: credits, ...receipt } = receiptOf(definition, bench(), 3);
		const batch_id = batchId();
		expect(jsonOf(run)).toMatchObject([{ batch_id, status: 'ongoing', size: 3, credits }]);
		expect(run.items.map(pairedWith)).toEqual([[0, 1, 2]]);
		const again = await bench().run(resource, 'submitBulk', asTold);
		const id = bench().sandbox.ledger.entries[1]?.id;
		const ofService = { ...receipt, credits_used: credits, id, estimated_duration: 1 };
		expect(jsonOf(again)).toEqual([{ ...ofService, batch_id: id, status: 'ongoing', size: 3 }]);
	});

	it('getBulkResult gives one item per result, or one per batch', async () => {
		bench().sandbox.configure({ bulk: 0 });
		const started = jsonOf(await bench().run(resource, 'submitBulk', given));
		const read = (more: INodeParameters) =>
			bench().run(resource, 'getBulkResult', {
				parameters: { batchId: '={{ $json.batch_id }}', ...more },
				items: started,
			});
		const split = await read({ splitResults: true });
		const simple = results(true).filter(isListed);
		expect(jsonOf(split)).toEqual(simple);
		expect(split.items.map(pairedWith)).toEqual(simple.map(() => [0]));
		expect(jsonOf(await read({ splitResults: true, simplify: false }))).toEqual(listed());

		const whole = await read({ splitResults: false });
		const { stats } = told(bench(), path, batchId());
		const batch = { batch_id: batchId(), status: 'completed', error: null };
		expect(jsonOf(whole)).toEqual([{ ...batch, stats, results: simple }]);
		expect(whole.items.map(pairedWith)).toEqual([[0]]);
		expect(bench().posts).toHaveLength(1);
	});

	it('sends equal searches once and gives the result to all', async () => {
		const [first = '', second = '', third = ''] = WORDS;
		const twice = { parameters, items: items(first, second, first, third, second) };
		const run = await bench().run(resource, 'submitBulkAndWait', twice);
		expect(bench().posts).toEqual([{ path, body }]);
		const [one, two, three] = results();
		expect(jsonOf(run)).toEqual([one, two, one, three, two]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3], [4]]);
		const receipt = await bench().run(resource, 'submitBulk', twice);
		expect(receipt.items.map(pairedWith)).toEqual([[0, 1, 2, 3, 4]]);
		expect(jsonOf(receipt)).toMatchObject([{ size: 3 }]);
	});

	it('makes batches of their own for items with other custom data or settings', async () => {
		const options = { custom: '={{ $itemIndex === 1 ? { list: "b" } : { list: "a" } }}' };
		const run = await bench().run(resource, 'submitBulkAndWait', { ...given, options });
		const bodies = bench().posts.map((post) => post.body);
		expect(bodies).toHaveLength(2);
		expect(bodies).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ custom: { list: 'a' } }),
				expect.objectContaining({ custom: { list: 'b' } }),
			]),
		);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, false, true]);
		expect(new Set(jsonOf(run).map((json) => json.batch_id)).size).toBe(2);
	});
});

describe('custom data and settings of a batch', () => {
	const rows = [{ row: 1 }, { row: 2 }];

	it('emailFinder: of the batch, of each search, and the settings', async () => {
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			// Company info has no column.
			parameters: {
				fullname: 'Ada Mustfind',
				companyName: '=Acme {{ $json.row }}',
				simplify: false,
			},
			options: {
				custom: '{"list": "spring"}',
				itemCustom: '=item {{ $itemIndex }}',
				countryCode: 'fr',
				retrieveGender: true,
				retrieveCompanyInfo: true,
			},
			items: rows,
		});
		expect(bench().posts).toEqual([
			{
				path: '/email/find/bulk',
				body: {
					searches: [
						{ fullname: 'Ada Mustfind', company_name: 'Acme 1', custom: 'item 0' },
						{ fullname: 'Ada Mustfind', company_name: 'Acme 2', custom: 'item 1' },
					],
					custom: { list: 'spring' },
					settings: { country_code: 'FR', retrieve_gender: true, retrieve_company_info: true },
				},
			},
		]);
		expect(jsonOf(run)).toMatchObject([
			{ custom: 'item 0', info: { gender: 'female', companyInfo: { name: 'Acme 1' } } },
			{ custom: 'item 1', info: { companyInfo: { name: 'Acme 2' } } },
		]);
	});

	it('emailVerifier: of the batch', async () => {
		await bench().run('emailVerifier', 'submitBulk', {
			parameters: { email: 'a@acme.com' },
			options: { custom: { list: 'spring' } },
		});
		expect(bench().posts).toEqual([
			{
				path: '/email/verify/bulk',
				body: { verifications: ['a@acme.com'], custom: { list: 'spring' } },
			},
		]);
	});

	it.for([true, false])(
		'phoneFinder: of the batch and of each search (Simplify %s)',
		async (simplify) => {
			const run = await bench().run('phoneFinder', 'submitBulkAndWait', {
				parameters: {
					socialProfileUrl: '=https://social.example/in/mustfind{{ $json.row }}',
					simplify,
				},
				options: { custom: '{"list": "spring"}', itemCustom: '={{ $json.row }}' },
				items: rows,
			});
			const searches = ['1', '2'].map((custom) => {
				return asSent({ socialprofile_url: `https://social.example/in/mustfind${custom}`, custom });
			});
			const body = { searches, custom: { list: 'spring' } };
			expect(bench().posts).toEqual([{ path: '/phone/bulk', body }]);
			expect(jsonOf(run)).toMatchObject([{ custom: '1' }, { custom: '2' }]);
		},
	);

	it.for(['mustfind', 'notfound'])(
		'of an item is its own where several ask for the same: %s',
		async (who) => {
			const run = await bench().run('phoneFinder', 'submitBulkAndWait', {
				parameters: { socialProfileUrl: '=https://linkedin.com/in/{{ $json.who }}' },
				options: { itemCustom: '={{ $json.row }}' },
				items: ['one', 'two', ''].map((row) => ({ who, row })),
			});
			expect(jsonOf(run).map(({ custom }) => custom)).toEqual(['one', 'two', null]);
			expect(bench().sandbox.ledger.totals().searches).toBe(1);
		},
	);
});

it('results in another order are paired so that later nodes find the items that they come from', async () => {
	bench().sandbox.configure({ scenarios: ['resultsReversed'] });
	const people = items(...WORDS);
	const run = await runWorkflow({
		nodes: [
			start(people),
			bench().node('phoneFinder', 'submitBulkAndWait', { parameters: parametersOf('phoneFinder') }),
			setValue('After', "={{ $('Start').item.json }}"),
		],
		credentials: bench().credentials,
	});
	expect(run.items('After').map(({ json }) => json.value)).toEqual(people);
});
