import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	jsonOf,
	pairedWith,
	shownError,
	textIn,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { matchesNoItem } from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const LONG_MS = 60_000;
const EMAIL = 'mustfind@acme.com';
const RESOURCE = 'emailVerifier';

async function startVerification(operation: 'submit' | 'submitBulk', custom?: string) {
	const run = await bench().run(RESOURCE, operation, {
		parameters: { email: EMAIL },
		options: custom === undefined ? {} : { custom },
	});
	return textIn(jsonOf(run)[0], 'id');
}

describe('Get Result', () => {
	it('gives the items of a wait the custom data that each was asked with', async () => {
		bench().sandbox.configure({ single: 0 });
		const id = await startVerification('submit', '{ "row": "first" }');
		const waiting = { id, status: 'ongoing', email: EMAIL };
		const run = await bench().run(RESOURCE, 'getResult', {
			parameters: { lookupId: '={{ $json.id }}' },
			items: [
				{ ...waiting, custom: { row: 'first' } },
				{ ...waiting, custom: { row: 'second' } },
				{ id, custom: { row: 'of the workflow' } },
			],
		});
		expect(jsonOf(run).map(({ custom }) => custom)).toEqual([
			{ row: 'first' },
			{ row: 'second' },
			{ row: 'first' },
		]);
	});
});

describe('Get Bulk Results', () => {
	it('guesses at nothing where the results are of other searches', async () => {
		bench().sandbox.configure({ bulk: 0 });
		const batchId = await startVerification('submitBulk');
		const run = await bench().run(RESOURCE, 'getBulkResult', {
			parameters: { batchId },
			items: [{ batch_id: batchId, status: 'ongoing', index: 0, email: 'other@acme.com' }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(run)).toMatchObject([
			{
				error: `No result in batch ${batchId} ${matchesNoItem}`,
				batch_id: batchId,
			},
		]);
	});

	it('gives each item of a wait its own result, also beside columns as a receipt has them', async () => {
		bench().sandbox.configure({ bulk: LONG_MS });
		const names = ['mustfind one', 'notfound two', 'mustfind three'];
		const waiting = await bench().run('emailFinder', 'submitBulkAndWait', {
			parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
			items: names.map((fullname) => ({ fullname, credits_used: 5, index: 7 })),
			options: { includeInputFields: true, timeout: 1, onTimeout: 'output' },
		});
		bench().sandbox.service.finish();
		const run = await bench().run('emailFinder', 'getBulkResult', {
			parameters: { batchId: '={{ $json.batch_id }}' },
			items: jsonOf(waiting),
		});
		expect(run.items.map(pairedWith)).toEqual([[0], [1], [2]]);
		expect(jsonOf(run)).toMatchObject([
			{ email: 'mustfind.one@acme.example', found: true },
			{ email: null, found: false, fullname: 'notfound two' },
			{ email: 'mustfind.three@acme.example', found: true },
		]);
	});

	it('keeps the index of the items of a wait alone', async () => {
		bench().sandbox.configure({ bulk: LONG_MS });
		const batchId = await startVerification('submitBulk');
		const run = await bench().run(RESOURCE, 'getBulkResult', {
			parameters: { batchId },
			items: [{ index: 5 }],
		});
		expect(jsonOf(run)).toEqual([
			{
				email: null,
				found: null,
				qualification: null,
				id: null,
				batch_id: batchId,
				status: 'ongoing',
			},
		]);
	});
});

describe('a run that ends with an error', () => {
	it('does not wait for what it has started: the retry does', async () => {
		bench().sandbox.configure({ single: LONG_MS });
		bench().sandbox.faults.add({ kind: 'noId', on: 'POST *', skip: 1 });
		const run = await bench().run(RESOURCE, 'submitAndWait', {
			parameters: { email: '={{ $json.email }}' },
			items: [{ email: 'mustfind1@acme.com' }, { email: 'mustfind2@acme.com' }],
		});
		const [first] = bench().sandbox.ledger.entries;
		expect(shownError(run, bench().sandbox.apiKey).description).toContain(first?.id);
		expect(bench().looks).toEqual([]);
	});
});
