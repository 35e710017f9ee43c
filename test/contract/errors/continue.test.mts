import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	expectNoKey,
	jsonOf,
	pairedWith,
	shownError,
	textIn,
	type Given,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import { passThrough, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import {
	cannotBeSearched,
	couldNotProcess,
	mayHaveBeenCharged,
	mustBeText,
	nameMissing,
	noName,
	notFinishedInTime,
	notReadable,
	stillRunning,
} from '../../support/texts.mts';

const bench = useBench();
useFastClock();

describe('a run that stops at bad items says of how many, and both ways on', () => {
	const parameters = { fullname: '={{ $json.name }}', companyDomain: 'acme.com' };
	const errorOf = async (names: string[], given: Given = {}) => {
		const items = names.map((name) => ({ name }));
		const run = await bench().run('emailFinder', 'submit', { parameters, items, ...given });
		bench().expectNothingSubmitted();
		return shownError(run, bench().sandbox.apiKey);
	};

	it('several of many, with the first and its value', async () => {
		const { message, description, itemIndex } = await errorOf(['Ada Hart', '#N/A', 'Bea Low', '7']);
		expect(message).toBe(
			`${cannotBeSearched(2, 4)}. The first is item 1: 'Full Name' ${noName} "#N/A"`,
		);
		expect(description).toMatch(
			/^"#N\/A" is what .* Correct the value of 'Full Name', .* No item was sent\. Mend them, or set 'On Error' in the settings of the node to Continue: then the others are searched\.$/,
		);
		expect(itemIndex).toBe(1);
	});

	it('all of them, of which Continue would search none', async () => {
		const { message, description } = await errorOf(['7', '8']);
		expect(message).toMatch(new RegExp(`^${cannotBeSearched(2, 2)}\\. The first is item 0: `));
		expect(description).toMatch(/ No item was sent\. Mend them\.$/);
		expect(description).not.toContain('On Error');
	});

	it('the only one, without a count', async () => {
		expect((await errorOf(['7'])).message).toMatch(new RegExp(`^'Full Name' ${noName} "7"`));
	});

	it('lists, each of which is an item', async () => {
		const good = { fullname: 'Ada Hart', company_domain: 'acme.com' };
		const lists = [
			[good, good, good],
			[good, { ...good, fullname: 'N/A' }],
		];
		const run = await bench().run('emailFinder', 'submitBulk', {
			parameters: { inputMode: 'array', searches: '={{ $json.list }}' },
			items: lists.map((list) => ({ list })),
		});
		const { message } = shownError(run, bench().sandbox.apiKey);
		expect(message).toMatch(new RegExp(`^${cannotBeSearched(1, 2)}\\. It is item 1: Entry 2 of `));
		bench().expectNothingSubmitted();
	});

	it('an expression that cannot be resolved', async () => {
		const { message, itemIndex } = await errorOf(['Ada Hart', ''], {
			parameters: { ...parameters, fullname: '={{ $json.name || $("Nobody").item.json.name }}' },
		});
		expect(message).toMatch(new RegExp(`^${cannotBeSearched(1, 2)}\\. It is item 1: \\S`));
		expect(itemIndex).toBe(1);
	});
});

const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

/** Three items, of which the middle one is wrong. */
const CASES = [
	{
		resource: 'emailFinder',
		parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.com' },
		items: [{ name: 'Ada Mustfind' }, { name: '' }, { name: 'Eve Mustfind' }],
		error: nameMissing,
	},
	{
		resource: 'emailVerifier',
		parameters: { email: '={{ $json.name }}' },
		items: [{ name: 'mustfind1@acme.com' }, { name: WRONG_EMAIL }, { name: 'mustfind2@acme.com' }],
		error: `'Email' ${notReadable} "${WRONG_EMAIL}" has a broken letter (U+FFFD)`,
	},
	{
		resource: 'phoneFinder',
		parameters: { socialProfileUrl: '={{ $json.name }}' },
		items: [
			{ name: 'https://social.example/in/mustfind1' },
			{ name: 7 },
			{ name: 'https://social.example/in/mustfind2' },
		],
		error: `'Profile URL' ${mustBeText}, but is a number`,
	},
];

describe.for(CASES)('$resource with a wrong item', ({ resource, parameters, items, error }) => {
	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		'%s sends nothing at all when it stops at errors',
		async (operation) => {
			const run = await bench().run(resource, operation, { parameters, items });
			const done = resource === 'emailVerifier' ? 'verified' : 'searched';
			const shown = shownError(run, bench().sandbox.apiKey);
			expect(shown).toMatchObject({
				name: 'NodeOperationError',
				message: `${cannotBeSearched(1, 3, done)}. It is item 1: ${error}`,
				itemIndex: 1,
			});
			expect(shown.description).toMatch(
				new RegExp(
					` No item was sent\\. Mend it, or set 'On Error' .* to Continue: then the others are ${done}\\.$`,
				),
			);
			bench().expectNothingSubmitted();
		},
	);

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'%s gives the neighbours their results when it goes on',
		async (operation) => {
			const run = await bench().run(resource, operation, { parameters, items, ...CONTINUE });
			expect(jsonOf(run)).toMatchObject([{ found: true }, { error }, { found: true }]);
			const description: unknown = expect.any(String);
			expect(run.items[1]?.json).toEqual({ error, description, item: 1 });
			expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
			expect(bench().sandbox.ledger.totals()).toMatchObject({ searches: 2 });
		},
	);

	it('submit gives the neighbours their receipts', async () => {
		const run = await bench().run(resource, 'submit', { parameters, items, ...CONTINUE });
		expect(jsonOf(run)).toMatchObject([{ status: 'ongoing' }, { error }, { status: 'ongoing' }]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	});

	it('submitBulk gives one receipt of the neighbours, and the error', async () => {
		const run = await bench().run(resource, 'submitBulk', { parameters, items, ...CONTINUE });
		expect(jsonOf(run)).toMatchObject([{ status: 'ongoing', size: 2 }, { error }]);
		expect(run.items.map(pairedWith)).toEqual([[0, 2], [1]]);
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'%s routes the item to the error output, and its neighbours to the other',
		async (operation) => {
			const { credentials } = bench();
			const run = await runWorkflow({
				nodes: [
					start(items),
					{
						...bench().node(resource, operation, { parameters }),
						settings: { onError: 'continueErrorOutput' },
					},
					passThrough('Good'),
					passThrough('Bad'),
				],
				edges: [
					{ from: 'Start', to: 'Contact Data' },
					{ from: 'Contact Data', to: 'Good' },
					{ from: 'Contact Data', output: 1, to: 'Bad' },
				],
				credentials,
			});
			expect(run.status).toBe('success');
			expect(run.items('Good')).toMatchObject([
				{ json: { found: true }, pairedItem: { item: 0 } },
				{ json: { found: true }, pairedItem: { item: 1 } },
			]);
			expect(run.items('Bad')).toMatchObject([
				{ json: { error, description: expect.any(String) as string } },
			]);
			expectNoKey(run.data.resultData, bench().sandbox.apiKey);
		},
	);
});

describe('a failure after the submission', () => {
	const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
	const parameters = { email: '=mustfind{{ $json.n }}@acme.com' };

	it('keeps the id, and leaves the neighbours unharmed', async () => {
		await withBench({}, async (at) => {
			// One lookup that cannot be read: the service has lost it.
			at.sandbox.faults.add({
				kind: 'status',
				on: 'POST *',
				skip: 1,
				status: 200,
				body: { message: 'ok', id: 'lost', credits_used: 0.25 },
			});
			const run = await at.run('emailVerifier', 'submitAndWait', {
				parameters,
				options: { timeout: 1 },
				items,
				...CONTINUE,
			});
			const json = jsonOf(run);
			expect(json.map(({ found }) => found).filter(Boolean)).toHaveLength(2);
			const [failed] = json.filter((result) => 'error' in result);
			expect(failed).toMatchObject({ id: 'lost' });
			expect(textIn(failed, 'error')).toContain('Could not retrieve single verification results');
			expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		});
	});

	it('of a batch keeps the batch id in each of its items', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			parameters,
			items,
			...CONTINUE,
		});
		const [entry] = bench().sandbox.ledger.entries;
		const error = `${couldNotProcess}batch ${entry?.id}`;
		expect(jsonOf(run)).toMatchObject(items.map(() => ({ error, batch_id: entry?.id })));
	});

	it('names in an error that ends the run all ids that are paid for', async () => {
		bench().sandbox.faults.add({ kind: 'html', on: 'POST *', skip: 2, times: Infinity });
		const run = await bench().run('emailVerifier', 'submitAndWait', { parameters, items });
		const shown = shownError(run, bench().sandbox.apiKey);
		expect(shown.message).toMatch(mayHaveBeenCharged);
		const ids = bench().sandbox.ledger.entries.map(({ id }) => id);
		expect(ids).toHaveLength(2);
		for (const id of ids) expect(shown.description).toContain(id);
	});

	it('of one submission leaves the others to go on', async () => {
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', skip: 1, status: 418 });
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters,
			items,
			...CONTINUE,
		});
		const json = jsonOf(run);
		expect(json.filter(({ found }) => found === true)).toHaveLength(2);
		expect(json.filter(({ error }) => error === 'Sandbox fault')).toHaveLength(1);
	});

	it('of the account stops the submissions, and each item says why', async () => {
		const many = Array.from({ length: 100 }, (_, n) => ({ n }));
		const body = { message: 'This apikey is not valid' };
		bench().sandbox.faults.add({
			kind: 'status',
			on: 'POST *',
			skip: 10,
			status: 401,
			body,
			times: Infinity,
		});
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters,
			items: many,
			...CONTINUE,
		});
		const json = jsonOf(run);
		expect(json).toHaveLength(100);
		const failed = json.filter(({ error }) => error === body.message);
		expect(failed).toHaveLength(90);
		expect(json.filter(({ found }) => found === true)).toHaveLength(10);
		// n8n sends a request twice that is answered by 401.
		expect(bench().posts.length).toBeLessThan(100);
	});
});

describe('a timeout', () => {
	const items: IDataObject[] = [{ name: 'Ada' }, { name: 'Eve' }];
	const parameters = { fullname: '={{ $json.name }}', companyDomain: 'acme.com' };

	it('gives an error item with the id for each item', async () => {
		await withBench({ single: 60_000, bulk: 60_000 }, async (at) => {
			const given = { parameters, options: { timeout: 1 }, items, ...CONTINUE };
			const [singles, batch] = await Promise.all([
				at.run('emailFinder', 'submitAndWait', given),
				at.run('emailFinder', 'submitBulkAndWait', given),
			]);
			for (const json of jsonOf(singles)) {
				const id = textIn(json, 'id');
				expect(json.error).toBe(`The email search ${id} ${notFinishedInTime} 1 s: ${stillRunning}`);
				expect(json.description).toContain(`'Search ID' ${id}`);
				// n8n retries no execution that has succeeded.
				expect(json.description).toMatch(
					/ on\), or with 'ID of an Earlier Search'\. To wait longer /,
				);
			}
			expect(new Set(jsonOf(singles).map(({ id }) => id)).size).toBe(2);
			const entry = at.sandbox.ledger.entries.find(({ endpoint }) => endpoint.endsWith('bulk'));
			const error = `The batch of email searches ${entry?.id} ${notFinishedInTime} 1 s: ${stillRunning}`;
			expect(jsonOf(batch)).toMatchObject([
				{ error, batch_id: entry?.id },
				{ error, batch_id: entry?.id },
			]);
		});
	});

	it('ends the run with an error that has all ids, by default', async () => {
		await withBench({ single: 60_000 }, async (at) => {
			const run = await at.run('emailFinder', 'submitAndWait', {
				parameters,
				options: { timeout: 1 },
				items,
			});
			const shown = shownError(run, at.sandbox.apiKey);
			expect(shown.itemIndex).toBe(0);
			for (const { id } of at.sandbox.ledger.entries) {
				expect(`${shown.message} ${String(shown.description)}`).toContain(id);
			}
		});
	});

	it('gives ongoing items with their search, when asked', async () => {
		await withBench({ single: 60_000, bulk: 60_000 }, async (at) => {
			const options = { timeout: 1, onTimeout: 'output' };
			const [singles, batch] = await Promise.all([
				at.run('emailFinder', 'submitAndWait', { parameters, options, items }),
				at.run('emailFinder', 'submitBulkAndWait', { parameters, options, items }),
			]);
			const searches = ['Ada', 'Eve'].map((fullname) => ({ fullname, company_domain: 'acme.com' }));
			expect(jsonOf(singles)).toEqual(
				searches.map((search, index) => ({
					id: singles.items[index]?.json.id,
					status: 'ongoing',
					raw_params: search,
				})),
			);
			expect(jsonOf(batch)).toEqual(
				searches.map((search, index) => ({
					batch_id: batch.items[0]?.json.batch_id,
					status: 'ongoing',
					index,
					raw_params: search,
				})),
			);
			// The two runs go at the same time, and each counts from the balance that it has read.
			expect(batch.hints[0]?.message).toMatch(
				/^Found 0 of 2, 2 credits spent, 2 still running\. The account has about 99,99[68] credits left\.$/,
			);
		});
	});
});

describe('what concerns the whole run, under Continue', () => {
	it('is an error item for each input item', async () => {
		const credentials = bench().credentials;
		credentials.contactDataApi.apiKey = 'guessed-key';
		for (const [resource, operation] of [
			['emailVerifier', 'submitAndWait'],
			['emailVerifier', 'getResult'],
			['account', 'getInfo'],
		] as const) {
			const run = await bench().run(resource, operation, {
				parameters: operation === 'getResult' ? { lookupId: 'x' } : { email: 'a@acme.com' },
				items: [{}, {}],
				credentials,
				...CONTINUE,
			});
			const error = 'This apikey is not valid';
			expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
			expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
			expectNoKey(run.items, 'guessed-key');
		}
	});
});

describe('a read under Continue', () => {
	it('fails for its own item only, and keeps the id', async () => {
		bench().sandbox.configure({ single: 0, bulk: 0 });
		const parameters = { email: 'mustfind@acme.com' };
		const [single] = jsonOf(await bench().run('emailVerifier', 'submit', { parameters }));
		const [batch] = jsonOf(await bench().run('emailVerifier', 'submitBulk', { parameters }));
		const ids = (good: string) => [{ id: 'unknown' }, { id: good }, { id: '' }];
		const [singles, batches] = await Promise.all([
			bench().run('emailVerifier', 'getResult', {
				parameters: { lookupId: '={{ $json.id }}' },
				items: ids(textIn(single, 'id')),
				...CONTINUE,
			}),
			bench().run('emailVerifier', 'getBulkResult', {
				parameters: { batchId: '={{ $json.id }}' },
				items: ids(textIn(batch, 'batch_id')),
				...CONTINUE,
			}),
		]);
		expect(jsonOf(singles)).toMatchObject([
			{ error: 'Could not retrieve single verification results', id: 'unknown' },
			{ id: single?.id, found: true },
			{ error: "'Search ID' is empty" },
		]);
		expect(jsonOf(batches)).toMatchObject([
			{ error: 'Could not retrieve bulk verification results', batch_id: 'unknown' },
			{ batch_id: batch?.batch_id, found: true },
			{ error: "'Batch ID' is empty" },
		]);
		for (const run of [singles, batches]) {
			expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		}
	});
});
