import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { eachLookup } from '../../support/searches.mts';

const bench = useBench();

const batchIds = () => bench().sandbox.ledger.entries.map(({ id }) => id);

/** For each lookup a list of three entries, as the service takes it; the second is not found. */
const CASES = eachLookup({
	emailFinder: {
		path: '/email/find/bulk',
		field: 'searches',
		list: [
			{ fullname: 'Ada Mustfind', company_domain: 'acme.com', custom: { row: 1 } },
			{ fullname: 'Bob Notfound', company_name: 'Acme', custom: 'two' },
			{ fullname: 'Eve Mustfind', company_domain: 'acme.com', company_name: 'Acme' },
		],
	},
	emailVerifier: {
		path: '/email/verify/bulk',
		field: 'verifications',
		list: ['mustfind1@acme.com', 'notfound@acme.com', 'mustfind2@acme.com'],
	},
	phoneFinder: {
		path: '/phone/bulk',
		field: 'searches',
		list: [
			{ socialprofile_url: 'https://social.example/in/mustfind', custom: 'one' },
			{ firstname: 'Bob', lastname: 'Notfound', company_domain: 'acme.com' },
			{ firstname: 'Eve', lastname: 'Mustfind', company_name: 'Acme' },
		],
	},
});

describe.for(CASES)('$resource in array mode', ({ resource, path, field, list }) => {
	const asParameters = (value: INodeParameters[string]): INodeParameters => ({
		inputMode: 'array',
		[field]: value,
	});

	it.for([
		['typed', JSON.stringify(list)],
		['mapped', '={{ $json.list }}'],
		['mapped as text', '={{ JSON.stringify($json.list) }}'],
	])('submitBulkAndWait sends a %s list as it is, one result an item', async ([, value = '']) => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: asParameters(value),
			items: [{ list }],
		});
		expect(bench().posts).toEqual([{ path, body: { [field]: list } }]);
		const [batchId] = batchIds();
		expect(jsonOf(run)).toMatchObject(
			list.map((entry, position) => ({
				...(typeof entry === 'string' ? { email: entry } : { custom: null, ...entry }),
				batch_id: batchId,
				status: 'completed',
				found: position !== 1,
			})),
		);
		expect(run.items.map(pairedWith)).toEqual([[0], [0], [0]]);
	});

	it('submitBulkAndWait gives one item per batch where results are not split', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: { ...asParameters('={{ $json.list }}'), splitResults: false },
			items: [{ list: list.slice(0, 2) }, { list: list.slice(2) }],
		});
		const json = jsonOf(run);
		expect(json).toMatchObject([
			{ general: { status: 'completed' }, status: 'completed', stats: { requested: 2 } },
			{ general: { status: 'completed' }, status: 'completed', stats: { requested: 1 } },
		]);
		expect(new Set(json.map((batch) => batch.batch_id))).toEqual(new Set(batchIds()));
		expect(json[0]?.results).toHaveLength(resource === 'phoneFinder' ? 1 : 2);
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		expect(run.hints[0]?.message).toMatch(/^\w+ 2 of 3, [^"]*$/);
	});

	it('submitBulk gives one receipt per list, with custom data of the batch', async () => {
		const run = await bench().run(resource, 'submitBulk', {
			parameters: asParameters('={{ $json.list }}'),
			options: { custom: '{"list": "spring"}' },
			items: [{ list }],
		});
		expect(bench().posts).toEqual([{ path, body: { [field]: list, custom: { list: 'spring' } } }]);
		const [batchId] = batchIds();
		expect(jsonOf(run)).toMatchObject([
			{ id: batchId, batch_id: batchId, status: 'ongoing', size: 3 },
		]);
		expect(run.items.map(pairedWith)).toEqual([[0]]);
	});

	it('pays an entry once that is in the lists twice, and gives its result each time', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: asParameters('={{ $json.list }}'),
			items: [{ list: [...list, list[0]] }, { list: list.slice(0, 2) }],
		});
		expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
		expect(bench().posts).toEqual([{ path, body: { [field]: list } }]);
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, false, true, true, true, false]);
		expect(run.items.map(pairedWith)).toEqual([[0], [0], [0], [0], [1], [1]]);
	});
});

describe('lists of several items, of which none is passed over', () => {
	const CONTINUE = { onError: 'continueRegularOutput' } as const;
	const LIST = ['mustfind1@acme.com', 'notfound@acme.com'];

	const verify = async (lists: Array<unknown>, splitResults: boolean) =>
		await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}', splitResults },
			items: lists.map((list) => ({ list })) as IDataObject[],
			settings: CONTINUE,
		});

	it('each that is wrong has its error, Split Results off', async () => {
		const run = await verify([7, LIST, 'no list'], false);
		const errors = run.items.filter(({ json }) => typeof json.error === 'string');
		expect(errors.map(pairedWith)).toEqual([[0], [2]]);
		expect(bench().posts).toHaveLength(1);
	});

	it('one that repeats an earlier one has its batch, too', async () => {
		const run = await verify([LIST, LIST], false);
		expect(bench().posts).toHaveLength(1);
		const batch = { batch_id: batchIds()[0], status: 'completed', stats: { requested: 2 } };
		expect(jsonOf(run)).toMatchObject([batch, batch]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
	});

	it.for([true, false])(
		'one that repeats an earlier one has its error, too (Split Results: %s)',
		async (split) => {
			bench().sandbox.configure({ scenarios: ['batchFailed'] });
			const run = await verify([LIST, LIST], split);
			expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
			const [batch_id] = batchIds();
			const failed = { error: expect.stringContaining('could not process') as string, batch_id };
			expect(jsonOf(run)).toMatchObject([failed, failed]);
		},
	);
});
