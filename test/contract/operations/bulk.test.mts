import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { setValue, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { asSent, eachLookup } from '../../support/searches.mts';
import { ASKED, EMPTY_COLUMNS, OPTIONAL_COLUMNS } from './asked.mts';

const bench = useBench();
useFastClock();

const anId = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;

const batchId = () => bench().sandbox.ledger.entries[0]?.id;

const foundPerson = (index: string, firstname: string) => ({
	index,
	qualification: 'valid',
	email: `${firstname.toLowerCase()}.mustfind@acme.com`,
	info: { domain: 'acme.com', firstname, lastname: 'Mustfind', companyInfo: { name: 'Acme' } },
	raw_params: { fullname: `${firstname} Mustfind`, company_domain: 'acme.com' },
	found: true,
});
const foundNumber = (index: number, slug: string, number: string) => ({
	index,
	number,
	country: 'GB',
	params: { linkedin_url: `https://social.example/in/${slug}` },
	qualification: 'found',
	found: true,
});

/** For each lookup three items. `told` is what the service tells of them. */
const CASES = eachLookup({
	emailFinder: {
		...ASKED.emailFinder,
		path: '/email/find/bulk',
		body: { searches: ASKED.emailFinder.searches },
		receipt: { message: 'Bulk search operating', credits_used: 3 },
		// Only batches tell the company's name unasked.
		results: ASKED.emailFinder.results.map((result) => ({
			...result,
			company_name: result.found ? 'Acme' : null,
		})),
		told: [
			foundPerson('0', 'Ada'),
			{
				index: '1',
				qualification: 'invalid',
				email: null,
				raw_params: { fullname: 'Bob Notfound', company_domain: 'acme.com' },
				found: false,
			},
			foundPerson('2', 'Eve'),
		],
		listed: 3,
		stats: {
			finished: 3,
			requested: 3,
			valid: 2,
			credits_cost: { initial: 3, refunded: 1, final: 2 },
		},
		summary:
			'Found 2 of 3, 1 not found. 3 credits spent, 1 refunded. The account has about 99,998 credits left.',
	},
	emailVerifier: {
		...ASKED.emailVerifier,
		path: '/email/verify/bulk',
		body: { verifications: ['mustfind1@acme.com', 'notfound@acme.com', 'mustfind2@acme.com'] },
		receipt: {
			message: 'Bulk verification operating',
			credits_used: 0.75,
			credits: { amount: 0.75, source: 'sub', split: { fromSub: 0.75, fromPaygo: 0 } },
		},
		told: ASKED.emailVerifier.results.map((result) => ({ ...result, index: anId })),
		listed: 3,
		stats: { credits_cost: 0.75, requested: 3, valid: 2 },
		summary:
			'Deliverable 2 of 3, 1 not deliverable. 0.75 credits spent. The account has about 99,999.25 credits left.',
	},
	phoneFinder: {
		...ASKED.phoneFinder,
		path: '/phone/bulk',
		body: { searches: ASKED.phoneFinder.searches.map(asSent) },
		receipt: {
			message: 'Bulk search operating',
			credits_used: 120,
			credits: { amount: 120, source: 'sub', split: { fromSub: 120, fromPaygo: 0 } },
		},
		told: [
			foundNumber(0, 'mustfind1', '+447224333406'),
			{
				params: { socialprofile_url: 'https://social.example/in/notfound' },
				number: null,
				qualification: 'not_found',
				found: false,
			},
			foundNumber(2, 'mustfind2', '+447495823862'),
		],
		listed: 2,
		stats: { credits_cost: 120, credits_to_refund: 40, found: 2, requested: 3 },
		summary:
			'Found 2 of 3, 1 not found. 120 credits spent, 40 refunded. The account has about 99,920 credits left.',
	},
});

describe.for(CASES)('$resource', ({ resource, path, parameters, items, ...expected }) => {
	const completed = (result: object) => ({ ...result, batch_id: batchId(), status: 'completed' });
	const columns = (result: object) =>
		completed({ ...result, ...EMPTY_COLUMNS[resource], search_id: null });
	/** What the service lists: a phone batch only whom it found. */
	const isListed = (_: object, index: number) => 'index' in (expected.told[index] ?? {});

	it('submitBulkAndWait makes one batch and gives each item its result', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', { parameters, items });
		expect(bench().posts).toEqual([{ path, body: expected.body }]);
		expect(bench().looks).toEqual([{ path, id: batchId() }]);
		expect(jsonOf(run)).toEqual(expected.results.map(columns));
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(run.hints).toEqual([
			{ message: expected.summary, location: 'outputPane', type: 'info' },
		]);
	});

	it('gives what the service tells, where Simplify is off', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: { ...parameters, simplify: false },
			items,
		});
		expect(jsonOf(run)).toEqual(expected.told.map(completed));
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	});

	it('submitBulk gives one receipt, paired with all items in the batch', async () => {
		const run = await bench().run(resource, 'submitBulk', { parameters, items });
		expect(bench().posts).toEqual([{ path, body: expected.body }]);
		expect(bench().looks).toEqual([]);
		expect(jsonOf(run)).toMatchObject([
			{
				batch_id: batchId(),
				status: 'ongoing',
				size: 3,
				credits: expected.receipt.credits_used,
			},
		]);
		expect(run.items.map(pairedWith)).toEqual([[0, 1, 2]]);
	});

	it("submitBulk gives the service's receipt, where Simplify is off", async () => {
		const run = await bench().run(resource, 'submitBulk', {
			parameters: { ...parameters, simplify: false },
			items,
		});
		expect(jsonOf(run)).toEqual([
			{
				...expected.receipt,
				id: batchId(),
				batch_id: batchId(),
				estimated_duration: 1,
				status: 'ongoing',
				size: 3,
			},
		]);
		expect(run.items.map(pairedWith)).toEqual([[0, 1, 2]]);
	});

	it('getBulkResult gives one item per result, or one per batch', async () => {
		bench().sandbox.configure({ bulk: 0 });
		const started = jsonOf(await bench().run(resource, 'submitBulk', { parameters, items }));
		const read = (given: INodeParameters) =>
			bench().run(resource, 'getBulkResult', {
				parameters: { batchId: '={{ $json.batch_id }}', ...given },
				items: started,
			});
		const split = await read({ splitResults: true });
		const listed = expected.told.filter(isListed);
		expect(listed).toHaveLength(expected.listed);
		const simple = expected.results
			.filter(isListed)
			.map((one) => ({ ...columns(one), ...OPTIONAL_COLUMNS[resource] }));
		expect(jsonOf(split)).toEqual(simple);
		expect(split.items.map(pairedWith)).toEqual(listed.map(() => [0]));
		const asTold = await read({ splitResults: true, simplify: false });
		expect(jsonOf(asTold)).toEqual(listed.map(completed));

		const whole = await read({ splitResults: false });
		const batch = { batch_id: batchId(), status: 'completed', error: null };
		expect(jsonOf(whole)).toEqual([{ ...batch, stats: expected.stats, results: simple }]);
		expect(whole.items.map(pairedWith)).toEqual([[0]]);
		expect(bench().posts).toHaveLength(1);
	});

	it('sends equal searches once and gives the result to all', async () => {
		const [first = {}, second = {}, third = {}] = items;
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters,
			items: [first, second, first, third, second],
		});
		expect(bench().posts).toEqual([{ path, body: expected.body }]);
		const [one, two, three] = expected.results.map(columns);
		expect(jsonOf(run)).toEqual([one, two, one, three, two]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3], [4]]);
		const receipt = await bench().run(resource, 'submitBulk', {
			parameters,
			items: [first, second, first, third, second],
		});
		expect(receipt.items.map(pairedWith)).toEqual([[0, 1, 2, 3, 4]]);
		expect(jsonOf(receipt)).toMatchObject([{ size: 3 }]);
	});

	it('makes batches of their own for items with other custom data or settings', async () => {
		const options = { custom: '={{ $itemIndex === 1 ? { list: "b" } : { list: "a" } }}' };
		const run = await bench().run(resource, 'submitBulkAndWait', { parameters, options, items });
		const customs = bench().posts.map(({ body }) => body);
		expect(customs).toHaveLength(2);
		expect(customs).toEqual(
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
	const [, , { resource, parameters, items }] = CASES;
	bench().sandbox.configure({ scenarios: ['resultsReversed'] });
	const run = await runWorkflow({
		nodes: [
			start(items),
			bench().node(resource, 'submitBulkAndWait', { parameters }),
			setValue('After', "={{ $('Start').item.json }}"),
		],
		credentials: bench().credentials,
	});
	expect(run.items('After').map(({ json }) => json.value)).toEqual(items);
});
