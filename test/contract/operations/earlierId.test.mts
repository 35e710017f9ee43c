import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import {
	jsonOf,
	pairedWith,
	shownError,
	textIn,
	type Given,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES, parametersOf } from '../../support/searches.mts';
import { hintOf } from '../spending/dryRun.mts';
import {
	alreadyPaidFor,
	cannotBeSearched,
	nothingStartedFor,
	noResultForItem,
	notFinishedInTime,
	ofAnotherSearch,
} from '../../support/texts.mts';

// ID of an Earlier Search: what an item's earlier search found is read, and nothing is paid again.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const MINUTE_MS = 60_000;

const SINGLE = { operation: 'submitAndWait', idName: 'search_id' } as const;
const BULK = { operation: 'submitBulkAndWait', idName: 'batch_id' } as const;
type Case = { readonly resource: LookupName } & (typeof SINGLE | typeof BULK);

const single: Case = { resource: 'emailFinder', ...SINGLE };
const bulk: Case = { resource: 'emailFinder', ...BULK };
const verifier: Case = { resource: 'emailVerifier', ...SINGLE };
const phone: Case = { resource: 'phoneFinder', ...BULK };
const CASES: Case[] = LOOKUP_NAMES.flatMap((resource) =>
	[SINGLE, BULK].map((way) => ({ resource, ...way })),
);

/** The item that asks for somebody. */
const lead = (who: string): IDataObject => ({ who });

const BY_ID = { earlierId: '={{ $json.earlier }}' };

/** Runs it with the option, `earlier` being the id of each item. */
async function run({ resource, operation }: Case, given: Given) {
	const options = { ...BY_ID, ...given.options };
	const parameters = { ...parametersOf(resource), ...given.parameters };
	return await bench().run(resource, operation, { ...given, parameters, options });
}

/** Searches them as new ones; returns the input items with the ids that they got. */
async function buy(lookup: Case, words: string[]): Promise<IDataObject[]> {
	const items = words.map(lead);
	const results = jsonOf(await run(lookup, { items }));
	return items.map((item, index) => ({
		...item,
		earlier: textIn(results[index], lookup.idName),
	}));
}

const foundOf = (results: IDataObject[]) => results.map(({ found }) => found);
const searchesCharged = () => bench().sandbox.ledger.totals().searches;

describe.for(CASES)('$resource $operation', (lookup) => {
	it('reads what it has bought before, and sends nothing', async () => {
		const items = await buy(lookup, ['mustfind-a', 'notfound-b', 'mustfind-c']);
		const [charged, posts] = [searchesCharged(), bench().posts.length];
		const looks = bench().looks.length;
		const again = await run(lookup, { items });
		const results = jsonOf(again);
		expect(results.map(({ found }) => found)).toEqual([true, false, true]);
		expect(results.map((result) => result[lookup.idName])).toEqual(
			items.map(({ earlier }) => earlier),
		);
		expect(again.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(searchesCharged()).toBe(charged);
		expect(bench().posts).toHaveLength(posts);
		// A batch is read once for all of its items.
		expect(bench().looks.length - looks).toBe(lookup.operation === 'submitAndWait' ? 3 : 1);
		expect(hintOf(again)).toMatch(/0 credits spent, 3 read from earlier searches/);
	});

	it('searches for the items without one, among the others', async () => {
		const [a, c] = await buy(lookup, ['mustfind-a', 'mustfind-c']);
		const charged = searchesCharged();
		const blanks = [undefined, '', '  ', null];
		const fresh = ['notfound-b', 'mustfind-d', 'mustfind-e', 'notfound-f'].map((word, index) => ({
			...lead(word),
			earlier: blanks[index],
		})) as IDataObject[];
		const items = [fresh[0], a, fresh[1], c, fresh[2], fresh[3]] as IDataObject[];
		const results = jsonOf(await run(lookup, { items }));
		expect(results.map(({ found }) => found)).toEqual([false, true, true, true, true, false]);
		expect(searchesCharged()).toBe(charged + 4);
	});

	it.for(['ends', 'error', 'output'] as const)('waits for one that still runs: %s', async (how) => {
		const JOB_MS = how === 'ends' ? MINUTE_MS : 60 * MINUTE_MS;
		bench().sandbox.configure({ single: JOB_MS, bulk: JOB_MS });
		const item = lead('mustfind-a');
		const first = { items: [item], options: { onTimeout: 'output', timeout: 1 } };
		const [started] = jsonOf(await run(lookup, first));
		const earlier = textIn(started, lookup.idName);
		const options = { onTimeout: how === 'output' ? how : 'error', timeout: 90 };
		const again = await run(lookup, { items: [{ ...item, earlier }], options });
		if (how === 'error') {
			const { message, description } = shownError(again, bench().sandbox.apiKey);
			expect(message).toContain(`${earlier} ${notFinishedInTime}`);
			expect(description).toContain(alreadyPaidFor);
		} else {
			const status = how === 'ends' ? 'completed' : 'ongoing';
			expect(jsonOf(again)).toMatchObject([{ status, [lookup.idName]: earlier }]);
		}
		expect(searchesCharged()).toBe(1);
	});

	it('an id that nobody knows is an error of its item, and is not bought', async () => {
		const [known] = await buy(lookup, ['mustfind-a']);
		const items = [known, { ...lead('mustfind-b'), earlier: 'unknown-id' }];
		const again = await run(lookup, { items: items, settings: CONTINUE });
		const [result, failed] = jsonOf(again);
		expect(result).toMatchObject({ found: true });
		expect(failed?.error).toContain("'ID of an Earlier Search' unknown-id gives no result");
		expect(failed?.error).toContain(nothingStartedFor);
		expect(failed).toMatchObject({
			found: null,
			[lookup.idName]: 'unknown-id',
			status: 'failed',
		});
		expect(searchesCharged()).toBe(1);
	});

	it('what is wrong with the account ends it at once', async () => {
		const [item = {}] = await buy(lookup, ['mustfind-a']);
		const body = { message: 'Your account is blocked' };
		bench().sandbox.faults.add({ kind: 'status', status: 401, body, on: 'GET *', times: Infinity });
		const error = shownError(await run(lookup, { items: [item] }), bench().sandbox.apiKey);
		expect(error.message).toContain('Your account is blocked');
		const refused = bench().sandbox.requests.filter(({ status }) => status === 401);
		expect(refused).toHaveLength(1);
		expect(searchesCharged()).toBe(1);
	});

	it('where the run ends at an error, an id that cannot be read ends it, and tells what was paid for', async () => {
		const items = [lead('mustfind-a'), { ...lead('mustfind-b'), earlier: 'unknown-id' }];
		const first = await run(lookup, { items });
		const error = shownError(first, bench().sandbox.apiKey);
		expect(error.description).toContain('It is item 2.');
		expect(error.message).toContain('unknown-id');
		expect(error.description).toContain(bench().sandbox.ledger.entries[0]?.id);
		const { contextData, flowData } = first;
		await run(lookup, { items, contextData, flowData });
		expect(searchesCharged()).toBe(1);
	});
});

it('ids that stand in the wrong rows: each row has what was found, and the line says so', async () => {
	const items = await buy(single, ['mustfind-anna', 'mustfind-zoe']);
	const [a, b] = items;
	const shifted = [
		{ ...a, earlier: b?.earlier },
		{ ...b, earlier: a?.earlier },
	];
	const parameters = { fullname: "={{ $json.who.split('-')[1] + ' ' + $json.who.split('-')[1] }}" };
	const again = await run(single, { items: shifted, parameters, settings: CONTINUE });
	expect(hintOf(again)).toContain('In 2 rows the person found shares no name');
});

describe('an id of something else', () => {
	it.for([
		['of a batch for a single search', bulk, single],
		['of a single search for a batch', single, bulk],
		['of another lookup', verifier, single],
	] as const)('%s', async ([, then, now]) => {
		const [bought] = await buy(then, ['mustfind-a']);
		const items = [{ ...lead('mustfind-a'), earlier: bought?.earlier }];
		const [result] = jsonOf(await run(now, { items, settings: CONTINUE }));
		expect(result?.error).toMatch(/gives no result/);
		expect(searchesCharged()).toBe(1);
	});

	it('of another account', async () => {
		const apiKey = bench().sandbox.service.addAccount('other');
		const { contactDataApi } = bench().credentials;
		const credentials = { contactDataApi: { ...contactDataApi, apiKey } };
		const items = await buy(single, ['mustfind-a']);
		const [result] = jsonOf(await run(single, { items, credentials, settings: CONTINUE }));
		expect(result?.error).toMatch(/gives no result/);
		expect(searchesCharged()).toBe(1);
	});

	// A single email is of its ID, whomever it has found.
	it.for([bulk, verifier])('of another search: $resource $operation', async (lookup) => {
		const [a, b] = await buy(lookup, ['mustfind-anna', 'mustfind-zoe']);
		const items = [
			{ ...lead('carl'), name: 'Carl Roe', at: 'globex.example', earlier: a?.earlier },
			b,
		];
		const parameters = {
			fullname: "={{ $json.name ?? $json.who + ' Doe' }}",
			companyDomain: "={{ $json.at ?? 'acme.example' }}",
		};
		const again = await run(lookup, { items: items, parameters, settings: CONTINUE });
		const [wrong, right] = jsonOf(again);
		expect(right).toMatchObject({ found: true });
		expect(wrong).toMatchObject({
			error: expect.stringMatching(
				new RegExp(`(${ofAnotherSearch}|${noResultForItem}).*${nothingStartedFor}`),
			) as string,
			[lookup.idName]: a?.earlier,
		});
		expect(searchesCharged()).toBe(2);
	});
});

describe('a batch', () => {
	it('is read once for all its items, though the run has not all of them, in another order', async () => {
		const items = await buy(bulk, ['mustfind-a', 'notfound-b', 'mustfind-c', 'mustfind-d']);
		const some = [items[3], items[1], items[0]] as IDataObject[];
		const looks = bench().looks.length;
		expect(foundOf(jsonOf(await run(bulk, { items: some })))).toEqual([true, false, true]);
		expect(bench().looks.length - looks).toBe(1);
	});

	it('of which some items are equal gives each its result', async () => {
		const items = await buy(bulk, ['mustfind-a', 'notfound-b', 'mustfind-a']);
		expect(foundOf(jsonOf(await run(bulk, { items })))).toEqual([true, false, true]);
	});

	it('of phone searches, some of which are no items any more, does not say so of the others', async () => {
		const items = await buy(phone, ['mustfind-a', 'notfound-b', 'notfound-c']);
		const [found, other] = jsonOf(
			await run(phone, { items: items.slice(0, 2), settings: CONTINUE }),
		);
		expect(found).toMatchObject({ found: true });
		expect(other?.error).toContain(noResultForItem);
	});

	it('of phone searches that does not say how many they were does not say so of the others', async () => {
		const items = await buy(phone, ['mustfind-a', 'notfound-b']);
		bench().sandbox.faults.add({
			on: 'GET /phone/bulk',
			kind: 'changed',
			change: (body) => ({ ...body, stats: undefined }),
			times: Infinity,
		});
		const [found, other] = jsonOf(await run(phone, { items, settings: CONTINUE }));
		expect(found).toMatchObject({ found: true });
		expect(other?.error).toContain(noResultForItem);
	});

	it('of phone searches does not say so of a search that it did not have', async () => {
		const items = await buy(phone, ['mustfind-a', 'notfound-b']);
		const { earlier } = items[0] ?? {};
		const strange = { ...lead('mustfind-c'), earlier };
		const all = await run(phone, {
			items: [...items, strange] as IDataObject[],
			settings: CONTINUE,
		});
		expect(jsonOf(all).map(({ found }) => found)).toEqual([true, null, null]);
		const swapped = await run(phone, {
			items: [strange, items[1]] as IDataObject[],
			settings: CONTINUE,
		});
		expect(jsonOf(swapped).map(({ found }) => found)).toEqual([null, null]);
		expect(searchesCharged()).toBe(2);
	});
});

describe('what is given', () => {
	it('with white space around it or in it, and as a number', async () => {
		const [item] = await buy(single, ['mustfind-a']);
		const items = [
			{ ...item, earlier: `\n ${textIn(item, 'earlier')} ` },
			{ ...lead('mustfind-b'), earlier: 1234 },
			{ ...lead('mustfind-c'), earlier: 'one two ü' },
		] as IDataObject[];
		const [first, second, third] = jsonOf(await run(single, { items, settings: CONTINUE }));
		expect(first).toMatchObject({ found: true });
		expect(second).toMatchObject({ search_id: '1234' });
		expect(second?.error).toMatch(/^'ID of an Earlier Search' 1234 gives no result/);
		expect(third?.error).toMatch(/^'ID of an Earlier Search' one two ü gives no result/);
	});

	it.for([
		['a list', ['a', 'b']],
		['markup', '<b>one</b>'],
		['lost digits', 2 ** 60],
	] as const)('%s is the fault of its item', async ([, earlier]) => {
		const items = [{ ...lead('mustfind-a'), earlier }, lead('mustfind-b')] as IDataObject[];
		const says = "'ID of an Earlier Search' must be one ID";
		const stopped = shownError(await run(single, { items }), bench().sandbox.apiKey);
		expect(stopped.message).toContain(cannotBeSearched(1, 2));
		expect(stopped.message).toContain(says);
		bench().expectNothingSubmitted();
		const [failed, found] = jsonOf(await run(single, { items, settings: CONTINUE }));
		expect(failed?.error).toContain(says);
		expect(found).toMatchObject({ found: true });
		expect(searchesCharged()).toBe(1);
	});

	it('an expression that cannot be resolved is the fault of its item, and no purchase', async () => {
		const options = { earlierId: '={{ $json.missing.toTitleCase() }}' };
		const items = [lead('mustfind-a')];
		const [failed] = jsonOf(await run(single, { items, options, settings: CONTINUE }));
		expect(failed?.error).toMatch(/^toTitleCase/);
		bench().expectNothingSubmitted();
	});
});

describe('with other options', () => {
	it.for([single, bulk])('Max Credits, and an empty account: $operation', async (lookup) => {
		const items = await buy(lookup, ['mustfind-a', 'mustfind-b']);
		bench().sandbox.service.account().credits = 0;
		const options = { maxCredits: 0 };
		expect(foundOf(jsonOf(await run(lookup, { items, options })))).toEqual([true, true]);
	});

	it.for([
		[single, 'custom'],
		[bulk, 'itemCustom'],
	] as const)(
		'Custom: the item has its own of now, and none of then: $1',
		async ([lookup, name]) => {
			const custom = (row: string) => (name === 'custom' ? { row } : row);
			const options = { [name]: '={{ $json.custom }}' };
			const then = [{ ...lead('mustfind-a'), custom: custom('then') }];
			const [bought] = jsonOf(await run(lookup, { items: then, options }));
			expect(bought?.custom).toEqual(custom('then'));
			const again = { ...lead('mustfind-a'), earlier: textIn(bought, lookup.idName) };
			const items = [{ custom: custom('now') }, {}, { custom: custom('later') }].map((more) => ({
				...again,
				...more,
			}));
			const results = jsonOf(await run(lookup, { items, options }));
			const [now, , later] = ['now', '', 'later'].map(custom);
			expect(results.map((result) => result.custom)).toEqual([now, null, later]);
		},
	);
});

it('an equal search without an id is a new one', async () => {
	const [a] = await buy(single, ['mustfind-a']);
	const items = [a, lead('mustfind-a'), lead('mustfind-a')] as IDataObject[];
	const results = jsonOf(await run(single, { items, options: { searchAgain: true } }));
	const [named, fresh, equal] = results.map(({ search_id: id }) => id);
	expect(named).toBe(a?.earlier);
	expect(fresh).toBe(equal);
	expect(fresh).not.toBe(named);
	expect(searchesCharged()).toBe(2);
});

it.for([false, true])(
	'an id that an earlier try got, and which an item names too, is one search; that item first: %s',
	async (isFirst) => {
		const body = { message: 'not allowed' };
		bench().sandbox.faults.add({ kind: 'status', status: 418, body, on: 'POST *', skip: 1 });
		const [a, b] = [lead('mustfind-a'), lead('mustfind-b')];
		const tried = await run(single, { items: [a, b] });
		expect(tried.error).toBeDefined();
		const id = bench().sandbox.ledger.entries[0]?.id;
		const named = { ...a, earlier: id };
		const items = isFirst ? [named, a] : [a, named];
		const again = await run(single, { items, contextData: tried.contextData });
		expect(jsonOf(again)).toMatchObject([
			{ search_id: id, found: true },
			{ search_id: id, found: true },
		]);
		expect(searchesCharged()).toBe(1);
	},
);

it('an id that a run only reads is not in its custom data', async () => {
	const [a] = await buy(single, ['mustfind-a']);
	const { customData } = await run(single, { items: [a ?? {}] });
	expect(customData).not.toHaveProperty('contact_data_ids');
});
