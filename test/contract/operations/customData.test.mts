import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';

// Custom data where one search is for several items, or was sent by an earlier try.

const bench = useBench();
useFastClock();

const MINUTE_MS = 60_000;

/** The custom data of each result; `undefined` where none has any. */
async function customsOf(resource: string, given: Given): Promise<unknown[]> {
	const run = await bench().run(resource, 'submitBulkAndWait', given);
	return jsonOf(run).map(({ custom }) => custom);
}

describe('of a whole batch', () => {
	const items = [{ mail: 'mustfind.ada@acme.example' }, { mail: 'mustfind.eve@acme.example' }];
	const given = (list: string): Given => ({
		parameters: { email: '={{ $json.mail }}' },
		options: { custom: { list } },
		items,
	});

	/** The service puts it into each of the results, which `service-api.md` does not say. */
	const putIntoResults = (custom: IDataObject) =>
		bench().sandbox.faults.add({
			on: 'GET /email/verify/bulk',
			kind: 'changed',
			change: ({ results, ...body }) => ({
				...body,
				results: Array.isArray(results)
					? results.map((result: IDataObject) => ({ ...result, custom }))
					: results,
			}),
			times: Infinity,
		});

	it('is in the results where the service puts it there', async () => {
		putIntoResults({ list: 'spring' });
		expect(await customsOf('emailVerifier', given('spring'))).toEqual([
			{ list: 'spring' },
			{ list: 'spring' },
		]);
	});

	it.for([
		['puts it there: that of now', true, { list: 'autumn' }],
		['does not: none', false, undefined],
	] as const)('after a retry, where the service %s', async ([, isThere, expected]) => {
		bench().sandbox.configure({ bulk: MINUTE_MS });
		const first = given('spring');
		const { contextData, error } = await bench().run('emailVerifier', 'submitBulkAndWait', {
			...first,
			options: { ...first.options, timeout: 1 },
		});
		expect(error).toBeDefined();
		if (isThere) putIntoResults({ list: 'spring' });
		const customs = await customsOf('emailVerifier', { ...given('autumn'), contextData });
		expect(customs).toEqual([expected, expected]);
		expect(bench().posts).toHaveLength(1);
	});
});

it('of the service, where nothing was given, is left as it is', async () => {
	const change = (body: object) => ({ ...body, custom: { theirs: true } });
	bench().sandbox.faults.add({ kind: 'changed', change, on: 'GET /email/*', times: Infinity });
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'mustfind@acme.example' },
	});
	expect(jsonOf(run)).toMatchObject([{ found: true, custom: { theirs: true } }]);
});

it.for(['mustfind', 'notfound'])(
	'of an item is its own where several ask for the same: %s',
	async (who) => {
		const customs = await customsOf('phoneFinder', {
			parameters: { socialProfileUrl: '=https://linkedin.com/in/{{ $json.who }}' },
			options: { itemCustom: '={{ $json.row }}' },
			items: ['one', 'two', ''].map((row) => ({ who, row })),
		});
		expect(customs).toEqual(['one', 'two', null]);
		expect(bench().sandbox.ledger.totals().searches).toBe(1);
	},
);
