import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { namesOf } from '../../support/sandbox/scenarios/index.mts';
import { PROGRESS } from '../../support/sandbox/scenarios/progress.mts';
import {
	jsonOf,
	pairedWith,
	shownError,
	textIn,
	type Bench,
	useBench,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import { notFinishedInTime, stillRunning } from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const LONG_MS = 60_000;
/** A second and more after the first look, when nothing tells how long a lookup will take. */
const UNTIL_SECOND_LOOK_MS = 700;

const SINGLES = [
	{
		resource: 'emailFinder',
		path: '/email/find/single',
		parameters: { fullname: 'Ada Mustfind', companyDomain: 'acme.com' },
	},
	{
		resource: 'emailVerifier',
		path: '/email/verify/single',
		parameters: { email: 'mustfind@acme.com' },
	},
	{
		resource: 'phoneFinder',
		path: '/phone/single',
		parameters: { socialProfileUrl: 'https://social.example/in/mustfind' },
	},
];

const BATCHES = SINGLES.map(({ resource, path, parameters }) => ({
	resource,
	path: path.replace('single', 'bulk'),
	parameters,
}));

const FORMS = namesOf(PROGRESS);
const SINGLE_FORMS = [undefined, ...FORMS.filter((name) => name.startsWith('ongoingA'))];
const BATCH_FORMS = FORMS.filter((name) => !name.startsWith('ongoingA'));

/** Starts one lookup, and gives its id. */
async function started(at: Bench, resource: string, operation: string, parameters: object) {
	const run = await at.run(resource, operation, { parameters: { ...parameters } });
	const [receipt] = jsonOf(run);
	return textIn(receipt, 'id');
}

/** It was looked at until it was over, and not over and over. */
function expectWaited(looks: unknown[]) {
	expect(looks.length).toBeGreaterThan(1);
	expect(looks.length).toBeLessThanOrEqual(4);
}

describe('a lookup in progress', () => {
	it.for(SINGLE_FORMS)('single, told in the form %s', async (form) => {
		bench().sandbox.configure({ single: LONG_MS, scenarios: form && [form] });
		for (const { resource, path, parameters } of SINGLES) {
			const id = await started(bench(), resource, 'submit', parameters);
			const run = await bench().run(resource, 'getResult', { parameters: { lookupId: id } });
			expect(jsonOf(run)).toEqual([{ id, status: 'ongoing' }]);
			expect(run.items.map(pairedWith)).toEqual([[0]]);
			expect(bench().looks.at(-1)).toEqual({ path, id });
		}
		expect(bench().looks).toHaveLength(3);
	});

	it.for([false, true])('batch, as documented, with Split Results %s', async (splitResults) => {
		bench().sandbox.configure({ bulk: LONG_MS });
		for (const { resource, path, parameters } of BATCHES) {
			const batchId = await started(bench(), resource, 'submitBulk', parameters);
			const run = await bench().run(resource, 'getBulkResult', {
				parameters: { batchId, splitResults },
			});
			expect(jsonOf(run)).toEqual([
				{ batch_id: batchId, status: 'ongoing', stats: { finished: 0, requested: 1 } },
			]);
			expect(run.items.map(pairedWith)).toEqual([[0]]);
			expect(bench().looks.at(-1)).toEqual({ path, id: batchId });
		}
	});

	it.for(BATCH_FORMS)('verifier batch, told in the form %s', async (form) => {
		bench().sandbox.configure({ bulk: LONG_MS, scenarios: [form] });
		const parameters = { email: 'mustfind@acme.com' };
		const batchId = await started(bench(), 'emailVerifier', 'submitBulk', parameters);
		const run = await bench().run('emailVerifier', 'getBulkResult', { parameters: { batchId } });
		expect(jsonOf(run)).toMatchObject([{ batch_id: batchId, status: 'ongoing' }]);
		expect(run.items).toHaveLength(1);
	});
});

describe('waitForResult', () => {
	it.for(SINGLE_FORMS)('waits for singles whose progress is told as %s', async (form) => {
		const scenarios = form && [form];
		await withBench({ single: UNTIL_SECOND_LOOK_MS, scenarios }, async (at) => {
			await Promise.all(
				SINGLES.map(async ({ resource, path, parameters }) => {
					const id = await started(at, resource, 'submit', parameters);
					const run = await at.run(resource, 'getResult', {
						parameters: { lookupId: id },
						options: { waitForResult: true },
					});
					expect(jsonOf(run)).toMatchObject([{ id, status: 'completed', found: true }]);
					expectWaited(at.looks.filter((look) => look.path === path));
				}),
			);
			expect(at.posts).toHaveLength(3);
		});
	});

	it.for(BATCH_FORMS)('waits for batches; progress is told as %s', async (form) => {
		await withBench({ bulk: UNTIL_SECOND_LOOK_MS, scenarios: [form] }, async (at) => {
			await Promise.all(
				BATCHES.map(async ({ resource, path, parameters }) => {
					const batchId = await started(at, resource, 'submitBulk', parameters);
					const run = await at.run(resource, 'getBulkResult', {
						parameters: { batchId },
						options: { waitForResult: true },
					});
					const expected = { batch_id: batchId, status: 'completed', found: true };
					expect(jsonOf(run)).toMatchObject([expected]);
					expectWaited(at.looks.filter((look) => look.path === path));
				}),
			);
		});
	});

	it('gives ongoing items at the timeout, when asked', async () => {
		await withBench({ single: LONG_MS, bulk: LONG_MS }, async (at) => {
			const options = { waitForResult: true, timeout: 1, onTimeout: 'output' };
			await Promise.all([
				...SINGLES.map(async ({ resource, parameters }) => {
					const id = await started(at, resource, 'submit', parameters);
					const run = await at.run(resource, 'getResult', {
						parameters: { lookupId: id },
						options,
					});
					expect(jsonOf(run)).toEqual([{ id, status: 'ongoing' }]);
				}),
				...BATCHES.map(async ({ resource, parameters }) => {
					const batchId = await started(at, resource, 'submitBulk', parameters);
					const run = await at.run(resource, 'getBulkResult', { parameters: { batchId }, options });
					expect(jsonOf(run)).toMatchObject([{ batch_id: batchId, status: 'ongoing' }]);
				}),
			]);
		});
	});

	it('fails at the timeout with the id and how to go on', async () => {
		await withBench({ single: LONG_MS, bulk: LONG_MS }, async (at) => {
			const options = { waitForResult: true, timeout: 1 };
			const parameters = { email: 'mustfind@acme.com' };
			const lookupId = await started(at, 'emailVerifier', 'submit', parameters);
			const batchId = await started(at, 'emailVerifier', 'submitBulk', parameters);
			const [single, batch] = await Promise.all([
				at.run('emailVerifier', 'getResult', { parameters: { lookupId }, options }),
				at.run('emailVerifier', 'getBulkResult', { parameters: { batchId }, options }),
			]);
			const { apiKey } = at.sandbox;
			const ofSingle = shownError(single, apiKey);
			expect(ofSingle).toMatchObject({
				message: `The email verification ${lookupId} ${notFinishedInTime} 1 s: ${stillRunning}`,
				itemIndex: 0,
			});
			expect(ofSingle.description).toContain(`'Search ID' ${lookupId}, 'Wait for Result' on)`);
			const ofBatch = shownError(batch, apiKey);
			expect(ofBatch).toMatchObject({
				message: `The batch of email verifications ${batchId} ${notFinishedInTime} 1 s: ${stillRunning}`,
				itemIndex: 0,
			});
			expect(ofBatch.description).toContain(`'Batch ID' ${batchId}, 'Wait for Result' on)`);
		});
	});
});

describe('several items', () => {
	it('ask for each id once, and keep their order', async () => {
		bench().sandbox.configure({ single: 0 });
		const ids = await Promise.all(
			['mustfind1', 'notfound', 'mustfind2'].map((name) =>
				started(bench(), 'emailVerifier', 'submit', { email: `${name}@acme.com` }),
			),
		);
		const [one, two, three] = ids;
		const run = await bench().run('emailVerifier', 'getResult', {
			parameters: { lookupId: '={{ $json.id }}' },
			items: [{ id: two }, { id: one }, { id: two }, { id: ` ${three} ` }],
		});
		expect(jsonOf(run).map(({ id, found }) => ({ id, found }))).toEqual([
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
		const parameters = { email: 'mustfind@acme.com' };
		const batchId = await started(bench(), 'emailVerifier', 'submitBulk', parameters);
		for (const splitResults of [true, false]) {
			const run = await bench().run('emailVerifier', 'getBulkResult', {
				parameters: { batchId, splitResults },
				items: [{}, {}],
			});
			const result = splitResults ? { found: true } : { results: [{ email: 'mustfind@acme.com' }] };
			expect(jsonOf(run)).toMatchObject([{ batch_id: batchId, status: 'completed', ...result }]);
			expect(run.items.map(pairedWith)).toEqual([[0]]);
		}
		expect(bench().looks).toHaveLength(2);
	});

	it.for([4711, ' 4711 '])('may give an id as %j', async (lookupId) => {
		const body = { qualification: 'valid', email: 'a@acme.com' };
		bench().sandbox.faults.add({ kind: 'status', on: 'GET /email/*', status: 200, body });
		const run = await bench().run('emailVerifier', 'getResult', {
			parameters: { lookupId: `={{ ${JSON.stringify(lookupId)} }}` },
		});
		expect(jsonOf(run)).toMatchObject([{ id: '4711', found: true }]);
		expect(bench().looks).toEqual([{ path: '/email/verify/single', id: '4711' }]);
	});

	it('of which one has no id are refused before anything is asked', async () => {
		for (const [operation, parameter, label, field] of [
			['getResult', 'lookupId', 'Search ID', 'id'],
			['getBulkResult', 'batchId', 'Batch ID', 'batch_id'],
		]) {
			const run = await bench().run('phoneFinder', String(operation), {
				parameters: { [String(parameter)]: '={{ $json.id }}' },
				items: [{ id: 'a' }, { id: ' ' }],
			});
			expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
				name: 'NodeOperationError',
				message: `'${label}' is empty`,
				description: `Give the ID that an earlier run gave, for example with the expression {{ $json.${field} }}.`,
				itemIndex: 1,
			});
		}
		expect(bench().sandbox.requests).toEqual([]);
	});
});

describe('the items of a wait that timed out', () => {
	const people = ['Ada Mustfind', 'Bob Notfound', 'Eve Mustfind', 'Ada Mustfind'];
	const items = people.map((name) => ({ name }));
	const parametersOf: Record<string, Record<string, string>> = {
		emailFinder: { fullname: '={{ $json.name }}', companyDomain: 'acme.com' },
		emailVerifier: { email: '={{ $json.name.replace(" ", ".") }}@acme.com' },
		phoneFinder: {
			identifyBy: 'nameAndCompany',
			firstname: '={{ $json.name.split(" ")[0] }}',
			lastname: '={{ $json.name.split(" ")[1] }}',
			companyName: 'Acme',
		},
	};
	const timedOut = { timeout: 1, onTimeout: 'output' };

	it.for(Object.keys(parametersOf))('%s: singles are picked up', async (resource) => {
		await withBench({ single: 4000 }, async (at) => {
			const parameters = parametersOf[resource];
			const waiting = await at.run(resource, 'submitAndWait', {
				parameters,
				options: timedOut,
				items,
			});
			expect(jsonOf(waiting)).toMatchObject(people.map(() => ({ status: 'ongoing' })));
			expect(waiting.hints[0]?.message).toContain('4 still running');
			const run = await at.run(resource, 'getResult', {
				parameters: { lookupId: '={{ $json.id }}' },
				options: { waitForResult: true },
				items: jsonOf(waiting),
			});
			expect(jsonOf(run).map(({ found }) => found)).toEqual([true, false, true, true]);
			expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
			expect(at.posts).toHaveLength(3);
		});
	});

	it.for(Object.keys(parametersOf))(
		'%s: each item of a batch gets its own result',
		async (resource) => {
			const scenarios = ['resultsReversed', 'indexFrom1'] as const;
			await withBench({ bulk: 4000, scenarios }, async (at) => {
				const parameters = parametersOf[resource];
				const waiting = await at.run(resource, 'submitBulkAndWait', {
					parameters,
					options: timedOut,
					items,
				});
				const [batch] = at.sandbox.ledger.entries;
				expect(jsonOf(waiting)).toMatchObject(
					[0, 1, 2, 0].map((index) => ({ batch_id: batch?.id, status: 'ongoing', index })),
				);
				const ask = (options: Record<string, boolean>) =>
					at.run(resource, 'getBulkResult', {
						parameters: { batchId: '={{ $json.batch_id }}' },
						options,
						items: jsonOf(waiting),
					});
				// Still running: the items are as they were, so that they can be asked for once more.
				const early = jsonOf(await ask({}));
				for (const [index, json] of jsonOf(waiting).entries()) {
					expect(early[index]).toMatchObject(json);
				}
				const run = await ask({ waitForResult: true });
				expect(jsonOf(run).map(({ found }) => found)).toEqual([true, false, true, true]);
				expect(run.items.map(pairedWith)).toEqual([[0], [1], [2], [3]]);
				const texts = jsonOf(run).map((json) => JSON.stringify(json).toLowerCase());
				people.forEach((name, index) => {
					for (const part of name.toLowerCase().split(' ')) expect(texts[index]).toContain(part);
				});
				expect(at.posts).toHaveLength(1);
			});
		},
	);
});
