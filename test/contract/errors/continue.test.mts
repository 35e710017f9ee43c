import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	expectNoKey,
	jsonOf,
	pairedWith,
	textIn,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { passThrough, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { failsWith } from '../spending/money.mts';
import { notFinishedInTime, notReadable } from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

describe('a wrong item among three', () => {
	const parameters = { email: '={{ $json.mail }}' };
	const items = ['mustfind1@acme.com', WRONG_EMAIL, 'mustfind2@acme.com'].map((mail) => ({ mail }));
	const error: unknown = expect.stringContaining(`'Email' ${notReadable} "${WRONG_EMAIL}"`);
	const failed = { error, status: 'failed' };

	it.for<[operation: string, neighbours: IDataObject]>([
		['submitAndWait', { found: true }],
		['submitBulkAndWait', { found: true }],
		['submit', { status: 'ongoing' }],
	])('%s gives the neighbours theirs when it goes on', async ([operation, neighbours]) => {
		const run = await bench().run('emailVerifier', operation, { parameters, items, ...CONTINUE });
		expect(jsonOf(run)).toMatchObject([neighbours, failed, neighbours]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(bench().sandbox.ledger.totals()).toMatchObject({ searches: 2 });
	});

	it('submitBulk gives one receipt of the neighbours, and the error', async () => {
		const run = await bench().run('emailVerifier', 'submitBulk', {
			parameters,
			items,
			...CONTINUE,
		});
		expect(jsonOf(run)).toMatchObject([{ status: 'ongoing', size: 2 }, failed]);
		expect(run.items.map(pairedWith)).toEqual([[0, 2], [1]]);
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'%s routes it to the error output, and its neighbours to the other',
		async (operation) => {
			const settings = { onError: 'continueErrorOutput' as const };
			const run = await runWorkflow({
				nodes: [
					start(items),
					bench().node('emailVerifier', operation, { parameters, settings }),
					passThrough('Good'),
					passThrough('Bad'),
				],
				edges: [
					{ from: 'Start', to: 'Contact Data' },
					{ from: 'Contact Data', to: 'Good' },
					{ from: 'Contact Data', output: 1, to: 'Bad' },
				],
				credentials: bench().credentials,
			});
			expect(run.status).toBe('success');
			expect(run.items('Good')).toMatchObject([
				{ json: { found: true }, pairedItem: { item: 0 } },
				{ json: { found: true }, pairedItem: { item: 1 } },
			]);
			expect(run.items('Bad')).toMatchObject([{ json: failed }]);
			expectNoKey(run.data.resultData, bench().sandbox.apiKey);
		},
	);
});

describe('a failure after the submission', () => {
	const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
	const parameters = { email: '=mustfind{{ $json.n }}@acme.com' };

	it('keeps the id, and leaves the neighbours unharmed', async () => {
		// One that the service has lost.
		const body = { message: 'ok', id: 'lost', credits_used: 0.25 };
		bench().sandbox.faults.add({ kind: 'status', on: 'POST *', skip: 1, status: 200, body });
		const given = { parameters, options: { timeout: 1 }, items, ...CONTINUE };
		const run = await bench().run('emailVerifier', 'submitAndWait', given);
		const json = jsonOf(run);
		expect(json.filter(({ found }) => found === true)).toHaveLength(2);
		expect(json.filter(({ error }) => error !== null)).toMatchObject([{ search_id: 'lost' }]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	});

	it('of the account stops the submissions, and each item says why', async () => {
		const body = { message: 'This apikey is not valid' };
		const refusal = { kind: 'status', status: 401, body, times: Infinity } as const;
		bench().sandbox.faults.add({ ...refusal, on: 'POST *', skip: 10 });
		const json = jsonOf(
			await bench().run('emailVerifier', 'submitAndWait', {
				parameters,
				items: Array.from({ length: 100 }, (_, n) => ({ n })),
				...CONTINUE,
			}),
		);
		expect(json).toHaveLength(100);
		expect(json.filter(failsWith(body.message))).toHaveLength(90);
		expect(json.filter(({ found }) => found === true)).toHaveLength(10);
		// n8n sends a request twice that is answered by 401.
		expect(bench().posts.length).toBeLessThan(100);
	});
});

it('a timeout gives an error item with the id for each item', async () => {
	bench().sandbox.configure({ single: 60_000, bulk: 60_000 });
	const given = {
		parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.com' },
		options: { timeout: 1, searchAgain: true },
		items: [{ name: 'Ada' }, { name: 'Eve' }],
		...CONTINUE,
	};
	const singles = jsonOf(await bench().run('emailFinder', 'submitAndWait', given));
	for (const json of singles) {
		const id = textIn(json, 'search_id');
		expect(json.error).toContain(`${id} ${notFinishedInTime} 1 s`);
		expect(json.error).toContain(`'Search ID' ${id}`);
	}
	expect(new Set(singles.map(({ search_id: id }) => id)).size).toBe(2);
	const batch = jsonOf(await bench().run('emailFinder', 'submitBulkAndWait', given));
	const error: unknown = expect.stringContaining(notFinishedInTime);
	const failed = { batch_id: bench().sandbox.ledger.entries[2]?.id, error };
	expect(batch).toMatchObject([failed, failed]);
});

it('what concerns the whole run is an error item for each input item, under Continue', async () => {
	const { credentials } = bench();
	credentials.contactDataApi.apiKey = 'guessed-key';
	for (const [resource, operation] of [
		['emailVerifier', 'submitAndWait'],
		['emailVerifier', 'getResult'],
		['account', 'getInfo'],
	] as const) {
		const run = await bench().run(resource, operation, {
			parameters: { email: 'a@acme.com', lookupId: 'x' },
			items: [{}, {}],
			credentials,
			...CONTINUE,
		});
		const error: unknown = expect.stringMatching(/^This apikey is not valid\b/);
		const first = Object.keys(jsonOf(run)[0] ?? {})[resource === 'account' ? 0 : 2];
		expect(first).toBe('error');
		expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1]]);
		expectNoKey(run.items, 'guessed-key');
	}
});

it.for([
	['submit', 'getResult', 'lookupId', 'search_id'],
	['submitBulk', 'getBulkResult', 'batchId', 'batch_id'],
] as const)(
	'%s, then %s under Continue: a read fails for its own item only, and keeps the id',
	async ([begin, operation, parameter, field]) => {
		bench().sandbox.configure({ single: 0, bulk: 0 });
		const parameters = { email: 'mustfind@acme.com' };
		const [receipt] = jsonOf(await bench().run('emailVerifier', begin, { parameters }));
		const id = textIn(receipt, field);
		const run = await bench().run('emailVerifier', operation, {
			parameters: { [parameter]: '={{ $json.id }}' },
			items: [{ id: 'unknown' }, { id }, { id: '' }],
			...CONTINUE,
		});
		const error: unknown = expect.any(String);
		const noId: unknown = expect.stringMatching(/^'(Search|Batch) ID' is empty\./);
		expect(jsonOf(run)).toMatchObject([
			{ error, [field]: 'unknown' },
			{ [field]: id, found: true },
			{ error: noId },
		]);
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
	},
);
