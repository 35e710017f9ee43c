import type { GenericValue } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import { namesOf } from '../../support/sandbox/scenarios/index.mts';
import { PROGRESS } from '../../support/sandbox/scenarios/progress.mts';
import { LOOKUP_NAMES, OPERATIONS, parametersOf } from '../../support/searches.mts';
import {
	jsonOf,
	pairedWith,
	shownError,
	textIn,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import { notFinishedInTime, stillRunning } from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const LONG_MS = 60_000;
/** Still over at a few looks, however its progress is told. */
const SOON_MS = 5_000;

const FORMS = namesOf(PROGRESS);
const SINGLE_FORMS = [undefined, ...FORMS.filter((name) => name.startsWith('ongoingA'))];
const BATCH_FORMS = FORMS.filter((name) => !name.startsWith('ongoingA'));

type Size = keyof typeof OPERATIONS;

/** Starts one lookup, and gives its id. */
async function started(resource: LookupName, operation: string, who = 'mustfind') {
	const parameters = parametersOf(resource);
	const run = await bench().run(resource, operation, { parameters, items: [{ who }] });
	return textIn(jsonOf(run)[0], operation === 'submit' ? 'search_id' : 'batch_id');
}

/** Each lookup is told as ongoing, then waited for until it is over, without being started again. */
async function expectWaited(size: Size) {
	const { start, read, parameter: id, idName } = OPERATIONS[size];
	for (const resource of LOOKUP_NAMES) {
		const lookup = await started(resource, start);
		const given = { parameters: { [id]: lookup } };
		const early = await bench().run(resource, read, given);
		expect(jsonOf(early)).toMatchObject([{ [idName]: lookup, status: 'ongoing' }]);
		expect(early.items.map(pairedWith)).toEqual([[0]]);
		const before = bench().looks.length;
		const late = await bench().run(resource, read, { ...given, options: { waitForResult: true } });
		const completed = { [idName]: lookup, status: 'completed', found: true };
		expect(jsonOf(late)).toMatchObject([completed]);
		expect(bench().looks.length - before).toBeLessThanOrEqual(10);
	}
	expect(bench().posts).toHaveLength(LOOKUP_NAMES.length);
}

describe('a lookup in progress is told as ongoing, and waited for when asked', () => {
	it.for(SINGLE_FORMS)('single, told in the form %s', async (form) => {
		bench().sandbox.configure({ single: SOON_MS, scenarios: form && [form] });
		await expectWaited('single');
	});

	it.for([undefined, ...BATCH_FORMS])('batch, told in the form %s', async (form) => {
		bench().sandbox.configure({ bulk: SOON_MS, scenarios: form && [form] });
		await expectWaited('bulk');
	});

	it.for([false, true])('a batch is one item, with Split Results %s', async (splitResults) => {
		bench().sandbox.configure({ bulk: LONG_MS });
		for (const resource of LOOKUP_NAMES) {
			const batchId = await started(resource, 'submitBulk');
			const given = { parameters: { batchId, splitResults } };
			expect(jsonOf(await bench().run(resource, 'getBulkResult', given))).toMatchObject([
				{
					batch_id: batchId,
					status: 'ongoing',
					...(splitResults
						? { found: null }
						: { stats: { finished: 0, requested: 1 }, results: [] }),
				},
			]);
		}
	});
});

describe('waitForResult', () => {
	it.for(['single', 'bulk'] as const)(
		'gives an ongoing item at the timeout, when asked: %s',
		async (size) => {
			bench().sandbox.configure({ single: LONG_MS, bulk: LONG_MS });
			const { start, read, parameter: id, idName } = OPERATIONS[size];
			const lookup = await started('emailVerifier', start);
			const run = await bench().run('emailVerifier', read, {
				parameters: { [id]: lookup },
				options: { waitForResult: true, timeout: 1, onTimeout: 'output' },
			});
			expect(jsonOf(run)).toMatchObject([{ [idName]: lookup, status: 'ongoing' }]);
		},
	);

	it.for([
		['single', 'Search ID'],
		['bulk', 'Batch ID'],
	] as const)('fails at the timeout with the id and how to go on: %s', async ([size, label]) => {
		bench().sandbox.configure({ single: LONG_MS, bulk: LONG_MS });
		const { start, read, parameter: id } = OPERATIONS[size];
		const lookup = await started('emailVerifier', start);
		const run = await bench().run('emailVerifier', read, {
			parameters: { [id]: lookup },
			options: { waitForResult: true, timeout: 1 },
		});
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toContain(`${lookup} ${notFinishedInTime} 1 s: ${stillRunning}`);
		expect(description).toContain(`'${label}' ${lookup}`);
		expect(description).toContain("'Wait for Result'");
	});
});

describe('several items', () => {
	it('ask for each id once, and keep their order', async () => {
		bench().sandbox.configure({ single: 0 });
		const ids = await Promise.all(
			['mustfind1', 'notfound', 'mustfind2'].map((who) => started('emailVerifier', 'submit', who)),
		);
		const [one, two, three] = ids;
		const run = await bench().run('emailVerifier', 'getResult', {
			parameters: { lookupId: '={{ $json.id }}' },
			items: [{ id: two }, { id: one }, { id: two }, { id: ` ${three} ` }],
		});
		expect(jsonOf(run).map(({ search_id: id, found }) => ({ id, found }))).toEqual([
			{ id: two, found: false },
			{ id: one, found: true },
			{ id: two, found: false },
			{ id: three, found: true },
		]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
		expect(bench().looks).toHaveLength(3);
	});

	it('of one batch give its results once, or one item for all', async () => {
		bench().sandbox.configure({ bulk: 0 });
		const batchId = await started('emailVerifier', 'submitBulk');
		for (const splitResults of [true, false]) {
			const run = await bench().run('emailVerifier', 'getBulkResult', {
				parameters: { batchId, splitResults },
				items: [{}, {}],
			});
			const result = splitResults
				? { found: true }
				: { results: [{ email: 'mustfind@acme.example' }] };
			expect(jsonOf(run)).toMatchObject([{ batch_id: batchId, status: 'completed', ...result }]);
			// It is of none of them alone.
			expect(run.items.map(pairedWith)).toEqual([[0, 1]]);
			expect(run.hints.map(({ message }) => message).join()).toContain(
				"'Verify Many' with the batch as 'ID of an Earlier Search' gives each item its own",
			);
		}
		expect(bench().looks).toHaveLength(2);
	});

	it('of one batch for each item has the same columns also where an item has no id', async () => {
		bench().sandbox.configure({ bulk: 0 });
		const batchId = await started('emailVerifier', 'submitBulk');
		const run = await bench().run('emailVerifier', 'getBulkResult', {
			parameters: { batchId: '={{ $json.batch }}', splitResults: false },
			items: [{ batch: batchId }, { batch: '' }],
			settings: { onError: 'continueRegularOutput' },
		});
		const [whole, none] = jsonOf(run);
		expect(Object.keys(none ?? {})).toEqual(Object.keys(whole ?? {}));
		expect(none).toMatchObject({ batch_id: null, status: 'failed', results: [] });
	});

	it.for([4711, ' 4711 '])('may give an id as %j', async (lookupId) => {
		const body = { qualification: 'valid', email: 'a@acme.com' };
		bench().sandbox.faults.add({ kind: 'status', on: 'GET /email/*', status: 200, body });
		const run = await bench().run('emailVerifier', 'getResult', {
			parameters: { lookupId: `={{ ${JSON.stringify(lookupId)} }}` },
		});
		expect(jsonOf(run)).toMatchObject([{ search_id: '4711', found: true }]);
		expect(bench().looks).toEqual([{ path: '/email/verify/single', id: '4711' }]);
	});

	it.for<[id: GenericValue, is: string]>([
		[' ', 'is empty'],
		[undefined, 'is empty'],
		[null, 'is empty'],
		[[], 'is empty'],
		[{}, 'must be one ID, but is an object with no field'],
		[true, 'must be one ID, but is a boolean'],
	])('of which one has %j as its id are refused before anything is asked', async ([id, is]) => {
		for (const [operation, parameter, label] of [
			['getResult', 'lookupId', 'Search ID'],
			['getBulkResult', 'batchId', 'Batch ID'],
		] as const) {
			const run = await bench().run('phoneFinder', operation, {
				parameters: { [parameter]: '={{ $json.id }}' },
				items: [{ id: 'a' }, { id }],
			});
			const { message, description } = shownError(run, bench().sandbox.apiKey);
			expect(message).toBe(`'${label}' ${is}`);
			expect(description).toMatch(/^It is item 2\. /);
		}
		expect(bench().sandbox.requests).toEqual([]);
	});
});

describe('the line above the output', () => {
	const people = ['mustfind', 'notfound'].map((who) => ({ who }));

	it.for([
		['submit', 'getResult', 'lookupId', 'search_id', '2 still running'],
		['submitBulk', 'getBulkResult', 'batchId', 'batch_id', '1 batch still running'],
	] as const)(
		'of %s and %s counts, and says how to wait',
		async ([start, read, name, field, ongoing]) => {
			await withBench({ single: 4000, bulk: 4000 }, async (at) => {
				const started = await at.run('emailFinder', start, {
					parameters: parametersOf('emailFinder'),
					items: people,
				});
				const look = async (options?: { waitForResult: true }) => {
					const parameters = { [name]: `={{ $json.${field} }}` };
					const run = await at.run('emailFinder', read, {
						items: jsonOf(started),
						parameters,
						options,
					});
					return run.hints.map(({ message }) => message);
				};
				expect(await look()).toEqual([
					`${ongoing}. With 'Wait for Result' on, the node waits until all are finished.`,
				]);
				expect(await look({ waitForResult: true })).toEqual(['Found 1 of 2, 1 not found.']);
			});
		},
	);
});

it.for(LOOKUP_NAMES)('the items of a wait that timed out are picked up: %s', async (resource) => {
	bench().sandbox.configure({ single: 4000 });
	const whos = ['mustfind-ada', 'notfound-bob', 'mustfind-eve'];
	const waiting = await bench().run(resource, 'submitAndWait', {
		parameters: parametersOf(resource),
		options: { timeout: 1, onTimeout: 'output' },
		items: whos.map((who) => ({ who })),
	});
	expect(jsonOf(waiting)).toMatchObject(whos.map(() => ({ status: 'ongoing' })));
	expect(waiting.hints[0]?.message).toContain('3 still running');
	// The default of Search ID takes them.
	const run = await bench().run(resource, 'getResult', {
		options: { waitForResult: true },
		items: jsonOf(waiting),
	});
	expect(jsonOf(run).map(({ found }) => found)).toEqual([true, false, true]);
	expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	expect(bench().posts).toHaveLength(3);
});
