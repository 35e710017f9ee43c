import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup } from '../../../nodes/ContactData/lookups/types.ts';
import { echoedSearch } from '../../../nodes/ContactData/results/whose.ts';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { pairsOf, resultsOf, Suspended } from '../pausing/suspended.mts';
import { SEARCH_BY_NAME } from '../spending/money.mts';
import { eachLookup } from '../../support/searches.mts';
import { finishedWithoutResult, matchesNoItem, noResultForItem } from '../../support/texts.mts';

// A batch that is finished, and does not list every search.

const JOB_MS = 600_000;

const bench = useBench({ bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const CONTINUE = { onError: 'continueRegularOutput' as const };
const WHOS = ['mustfind-one', 'mustfind-two', 'mustfind-three'];

interface Case {
	resource: LookupName;
	path: `/${string}`;
	/** The n-th search as the batch lists it. */
	listed: (n: number) => IDataObject;
	stats: (found: number) => IDataObject;
}

const items = WHOS.map((who) => ({ who }));
const url = (who?: string) => `https://linkedin.com/in/${who}`;
const CASES: Record<LookupName, Omit<Case, 'resource'>> = {
	emailFinder: {
		path: '/email/find/bulk',
		listed: (n) => ({
			index: String(n),
			qualification: 'valid',
			email: `${n}@acme.example`,
			raw_params: { fullname: `${WHOS[n]} Doe`, company_domain: 'acme.example' },
		}),
		stats: (found) => ({ finished: 3, requested: 3, valid: found }),
	},
	emailVerifier: {
		path: '/email/verify/bulk',
		listed: (n) => ({
			index: String(n),
			qualification: 'valid',
			email: `${WHOS[n]}@acme.example`,
		}),
		stats: (found) => ({ requested: 3, valid: found }),
	},
	phoneFinder: {
		path: '/phone/bulk',
		listed: (n) => ({
			index: n,
			qualification: 'found',
			number: `+4412345${n}`,
			params: { socialprofile_url: url(WHOS[n]) },
		}),
		stats: (found) => ({ requested: 3, found }),
	},
};
const ALL = eachLookup(CASES);
/** Whose batches list everybody. */
const LISTING_ALL = ALL.filter(({ resource }) => lookups[resource].unlistedResult === undefined);
const phone: Case = { resource: 'phoneFinder', ...CASES.phoneFinder };

const batchId = () => bench().sandbox.ledger.entries[0]?.id ?? '';
const unlisted = () => `Batch ${batchId()} is finished, but ${noResultForItem}`;

function answerWith({ path }: Case, body: object): void {
	const fault = { kind: 'status', status: 200, times: Infinity } as const;
	const completed = { general: { status: 'completed' }, ...body };
	bench().sandbox.faults.add({ ...fault, on: `GET ${path}`, body: completed });
}

/** Makes the batch end so: it lists these of its searches, and says that so many were found. */
function endWith(lookup: Case, positions: number[], found: number): void {
	answerWith(lookup, { stats: lookup.stats(found), results: positions.map(lookup.listed) });
}

function findMany({ resource }: Case, more: object = {}) {
	const parameters = SEARCH_BY_NAME[resource];
	return bench().run(resource, 'submitBulkAndWait', { parameters, items, ...more });
}

describe.for(LISTING_ALL)('a finished batch of the $resource', (lookup) => {
	it('that leaves one out gives an error for it, and the others their results', async () => {
		endWith(lookup, [2, 0], 2);
		const [one, two, three] = items;
		const run = await findMany(lookup, { items: [one, two, three, two], settings: CONTINUE });
		const error = { error: unlisted(), batch_id: batchId() };
		expect(jsonOf(run)).toMatchObject([{ found: true }, error, { found: true }, error]);
		expect(jsonOf(run)[1]).toHaveProperty('found', null);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
	});

	it('that lists nothing, and found nothing, gives errors', async () => {
		endWith(lookup, [], 0);
		const run = await findMany(lookup, { settings: CONTINUE });
		const error = { error: unlisted(), batch_id: batchId() };
		expect(jsonOf(run)).toMatchObject([error, error, error]);
	});

	it('that leaves one out ends a run that stops on errors, and names the batch', async () => {
		endWith(lookup, [0, 2], 2);
		const shown = shownError(await findMany(lookup), bench().sandbox.apiKey);
		expect(shown).toMatchObject({ message: unlisted(), itemIndex: 1 });
		expect(shown.description).toContain(batchId());
		expect(shown.description).toContain('Get Bulk Results');
	});

	it('that leaves one out gives an error for it to Get Bulk Results too', async () => {
		const options = { timeout: 1, onTimeout: 'output' };
		const waiting = jsonOf(await findMany(lookup, { options }));
		expect(waiting).toMatchObject(WHOS.map(() => ({ status: 'ongoing' })));
		endWith(lookup, [0, 2], 2);
		const again = { parameters: { batchId: '={{ $json.batch_id }}' }, items: waiting };
		const { resource } = lookup;
		const run = await bench().run(resource, 'getBulkResult', { ...again, settings: CONTINUE });
		const error = { error: unlisted(), batch_id: batchId() };
		expect(jsonOf(run)).toMatchObject([{ found: true }, error, { found: true }]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		const stopped = await bench().run(resource, 'getBulkResult', again);
		expect(shownError(stopped, bench().sandbox.apiKey)).toMatchObject({ message: unlisted() });
	});

	it.for(['stopWorkflow', 'continueErrorOutput'] as const)(
		'that leaves one out is resumed with an error for it (%s)',
		async (onError) => {
			const { resource } = lookup;
			const given = { items, parameters: SEARCH_BY_NAME[resource], settings: { onError } };
			const execution = new Suspended(bench(), resource, 'submitBulkAndWait', given);
			const parked = await execution.park();
			skipTime(JOB_MS);
			endWith(lookup, [0, 2], 2);
			const run = await execution.resume(parked);
			const results = resultsOf(run);
			if (onError === 'continueErrorOutput') {
				expect(results).toMatchObject([{ found: true }, { found: true }]);
				expect(JSON.stringify(resultsOf(run, 1))).toContain(unlisted());
			} else {
				const error = { error: unlisted(), batch_id: batchId() };
				expect(results).toMatchObject([{ found: true }, error, { found: true }]);
				expect(pairsOf(run)).toEqual([0, 1, 2]);
			}
		},
	);

	it('of a list that leaves one out says so, with the batch', async () => {
		endWith(lookup, [0, 2], 2);
		const { resource } = lookup;
		const of: Lookup = lookups[resource];
		const list = WHOS.map((_, n) =>
			of.toListEntry(echoedSearch(of, lookup.listed(n)), undefined),
		) as IDataObject[];
		const run = await bench().run(resource, 'submitBulkAndWait', {
			parameters: { inputMode: 'array', [of.listField]: '={{ $json.list }}' },
			items: [{ list }],
			settings: CONTINUE,
		});
		const json = jsonOf(run);
		expect(json.filter(({ found }) => found === true)).toHaveLength(2);
		expect(json.filter(({ found }) => found === false)).toEqual([]);
		expect(json).toContainEqual(
			expect.objectContaining({ error: unlisted(), batch_id: batchId() }),
		);
	});
});

describe('a finished phone batch', () => {
	it.for([
		[{ found: 1 }, true],
		[{ found: 2 }, false],
		[{ credits_cost: 150, credits_to_refund: 100 }, true],
		[{ credits_cost: 50, credits_to_refund: 100 }, false],
		[{ credits_cost: 150, credits_to_refund: 50 }, false],
		[{ credits_to_refund: 100 }, false],
		[{ found: 2, credits_cost: 150, credits_to_refund: 100 }, false],
		[{ finished: 1, found: 1 }, false],
		[{}, false],
	] as const)('says so by its counts or its refund: %j is %s', async ([stats, isSaid]) => {
		answerWith(phone, { stats: { requested: 3, ...stats }, results: [phone.listed(1)] });
		const run = await findMany(phone, { settings: CONTINUE });
		const other = isSaid ? { found: false } : { error: unlisted(), batch_id: batchId() };
		expect(jsonOf(run)).toMatchObject([other, { found: true }, other]);
	});

	it('may list its results by their index', async () => {
		answerWith(phone, { stats: phone.stats(1), results: { 1: phone.listed(1) } });
		expect(jsonOf(await findMany(phone)).map(({ found }) => found)).toEqual([false, true, false]);
	});

	it.for([null, undefined, {}])(
		'that found one, with results %j, is waited for',
		async (results) => {
			answerWith(phone, { stats: phone.stats(1), results });
			const { message } = shownError(await findMany(phone), bench().sandbox.apiKey);
			expect(message).toContain(finishedWithoutResult);
			expect(bench().looks.length).toBeGreaterThan(3);
		},
	);

	it('with a result of nobody here does not say of the others that they were not found', async () => {
		const { listed, stats } = phone;
		const stranger = { ...listed(0), index: 7, params: { socialprofile_url: url('stranger') } };
		answerWith(phone, { stats: stats(2), results: [listed(1), stranger] });
		const json = jsonOf(await findMany(phone, { settings: CONTINUE }));
		const error = {
			error: `No result in batch ${batchId()} ${matchesNoItem}`,
			batch_id: batchId(),
		};
		expect(json).toMatchObject([error, { found: true }, error]);
	});

	it('that found more than it lists gives errors to Get Bulk Results and after a suspend', async () => {
		const { resource } = phone;
		const given = { items, parameters: SEARCH_BY_NAME[resource], settings: CONTINUE };
		const execution = new Suspended(bench(), resource, 'submitBulkAndWait', given);
		const parked = await execution.park();
		const waiting = resultsOf(await execution.reachDeadline(parked));
		skipTime(JOB_MS);
		endWith(phone, [1], 2);
		const error = { error: unlisted(), batch_id: batchId() };
		const run = await execution.resume(parked);
		expect(resultsOf(run)).toMatchObject([error, { found: true }, error]);
		const again = await bench().run(resource, 'getBulkResult', {
			parameters: { batchId: '={{ $json.batch_id }}' },
			items: waiting,
			settings: CONTINUE,
		});
		expect(jsonOf(again)).toMatchObject([error, { found: true }, error]);
	});
});
