import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import type { Fault } from '../../support/sandbox/faults.mts';
import {
	asSent,
	entryOf,
	listParameters,
	lookupOf,
	resultOf,
	searchOf,
} from '../../support/searches.mts';
import { casesOf, WORDS } from './asked.mts';

const bench = useBench();
useFastClock();

const batchIds = () => bench().sandbox.ledger.entries.map(({ id }) => id);

describe.for(casesOf('bulk'))('$resource in array mode', ({ resource, path }) => {
	const lookup = lookupOf(resource);
	const customs = lookup.itemCustom ? ['one', undefined, 'three'] : [];
	const sentOf = (word: string, n: number) =>
		lookup.toListEntry(asSent(searchOf(resource, word)), customs[n]);
	const list = WORDS.map((word, n) => entryOf(resource, word, customs[n])) as IDataObject[];
	const body = { [lookup.listField]: WORDS.map(sentOf) };

	it.for([
		['typed', JSON.stringify(list)],
		['mapped', '={{ $json.list }}'],
		['mapped as text', '={{ JSON.stringify($json.list) }}'],
	])('submitBulkAndWait sends a %s list as it is, one result an item', async ([, value = '']) => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: listParameters(resource, value),
			items: [{ list }],
		});
		expect(bench().posts).toEqual([{ path, body }]);
		const [batchId] = batchIds();
		expect(jsonOf(run)).toMatchObject(
			WORDS.map((word, n) => ({
				...resultOf(resource, 'bulk', word),
				custom: customs[n] ?? null,
				batch_id: batchId,
				status: 'completed',
			})),
		);
		expect(run.items.map(pairedWith)).toEqual([[0], [0], [0]]);
	});

	it('submitBulkAndWait gives one item per list where results are not split', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: { ...listParameters(resource, '={{ $json.list }}'), splitResults: false },
			items: [{ list: list.slice(0, 2) }, { list: [] }, { list: list.slice(2) }],
		});
		// Lists that are sent alike are sent together.
		const [batch_id] = batchIds();
		const ofList = { status: 'completed', error: null };
		expect(bench().posts).toHaveLength(1);
		expect(jsonOf(run)).toMatchObject([
			{ ...ofList, batch_id, results: [{ found: true, error: null, batch_id }, { found: false }] },
			{ ...ofList, batch_id: null, results: [] },
			{ ...ofList, batch_id, results: [{ found: true }] },
		]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(run.hints[0]?.message).toMatch(/^\w+ 2 of 3, [^"]*$/);
	});

	it('submitBulk gives one receipt per batch, with its custom data', async () => {
		const run = await bench().run(resource, 'submitBulk', {
			parameters: listParameters(resource, '={{ $json.list }}'),
			options: { custom: '{"list": "spring"}' },
			items: [{ list }, { list: list.slice(0, 1) }],
		});
		expect(bench().posts).toEqual([{ path, body: { ...body, custom: { list: 'spring' } } }]);
		const [batch_id] = batchIds();
		expect(jsonOf(run)).toMatchObject([{ batch_id, status: 'ongoing', size: 3 }]);
		expect(run.items.map(pairedWith)).toEqual([[0, 1]]);
	});

	it('pays an entry once that is in the lists twice, and gives its result each time', async () => {
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: listParameters(resource, '={{ $json.list }}'),
			items: [{ list: [...list, list[0]] }, { list: list.slice(0, 2) }],
		});
		expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
		expect(bench().posts).toEqual([{ path, body }]);
		expect(jsonOf(run).map(({ found }) => found)).toEqual([true, false, true, true, true, false]);
		expect(run.items.map(pairedWith)).toEqual([[0], [0], [0], [0], [1], [1]]);
	});
});

describe('lists of several items, of which none is passed over', () => {
	const LIST = ['mustfind1@acme.com', 'notfound@acme.com'];

	const verify = async (lists: unknown[], splitResults: boolean, options = {}) =>
		await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}', splitResults },
			items: lists.map((list) => ({ list })) as IDataObject[],
			options,
			settings: { onError: 'continueRegularOutput' },
		});
	const withText = (text: string) => ({ error: expect.stringContaining(text) as string });

	it('each that is wrong has its error, Split Results off', async () => {
		const run = await verify([7, LIST, 'no list'], false);
		const wrong = { ...withText('must be a list'), status: 'failed' };
		expect(jsonOf(run)).toMatchObject([wrong, { status: 'completed' }, wrong]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(bench().posts).toHaveLength(1);
	});

	it.for([true, false])('each of a failed batch has its error (Split: %s)', async (isSplit) => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const run = await verify([LIST, LIST], isSplit);
		const pairs = isSplit ? [[0], [0], [1], [1]] : [[0], [1]];
		expect(run.items.map(pairedWith)).toEqual(pairs);
		const failed = { ...withText('could not process'), batch_id: batchIds()[0], status: 'failed' };
		expect(jsonOf(run)).toMatchObject(pairs.map(() => failed));
	});

	it.for<[string, Fault, string]>([
		['is refused', { kind: 'status', status: 418, body: { message: 'Not now' } }, 'Not now'],
		['may have been taken', { kind: 'cutJson' }, 'may have been charged'],
	])('one whose batch %s has its error, and the others their results', async ([, fault, text]) => {
		bench().sandbox.faults.add({ ...fault, on: 'POST *', skip: 1 });
		const custom = '={{ ({ batch: $itemIndex }) }}';
		const run = await verify([LIST, ['mustfind3@acme.com']], false, { custom });
		expect(jsonOf(run)).toMatchObject([
			{ status: 'completed', results: [{ found: true }, { found: false }] },
			{ ...withText(text), status: 'failed', results: [withText(text)] },
		]);
	});
});
