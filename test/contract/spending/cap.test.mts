import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import {
	jsonOf,
	pairedWith,
	shownError,
	type Given,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import {
	cannotBeKept,
	doesNotCover,
	mayHaveBeenCharged,
	nothingCharged,
} from '../../support/texts.mts';
import {
	addresses,
	expectChargedOnce,
	failsWith,
	FIND,
	FINDING_AT,
	MAIL,
	newAccount,
	pressRetry,
} from './money.mts';

// Max Credits and the balance, as runs keep them. Their figures: `unit/orders/limits.test.mts`.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const PROFILE = { socialProfileUrl: '=https://linkedin.com/in/number-{{ $json.n }}' };

const verify = async (operation: string, given: Given) =>
	await bench().run('emailVerifier', operation, { parameters: MAIL, ...given });
const find = async (operation: string, given: Given) =>
	await bench().run('emailFinder', operation, { parameters: FIND, ...given });
const callPhones = async (operation: string, price: number, given: Given) => {
	const { credentials } = newAccount(bench(), { phoneFinderSingle: price, phoneFinderBulk: price });
	return await bench().run('phoneFinder', operation, {
		parameters: PROFILE,
		credentials,
		...given,
	});
};

const totals = () => bench().sandbox.ledger.totals();
const messageOf = (run: Parameters<typeof shownError>[0]) =>
	shownError(run, bench().sandbox.apiKey).message;

describe.for(['submit', 'submitBulk'])('%s: nothing is sent of what does not fit', (operation) => {
	it('by the cap, with the figures', async () => {
		const run = await verify(operation, { items: addresses(10), options: { maxCredits: 2 } });
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toBe(
			`'Max Credits' of 2 ${doesNotCover} 10 email verifications at 0.25 credits each (2.5 credits)`,
		);
		expect(description).toContain(
			`${nothingCharged} for those. Raise 'Max Credits' in Options to 2.5,`,
		);
		bench().expectNothingSubmitted();
	});

	it('by the balance, where the price is documented', async () => {
		bench().sandbox.service.account().credits = 1;
		expect(messageOf(await verify(operation, { items: addresses(5) }))).toMatch(
			new RegExp(`balance of 1 credit ${doesNotCover} 5 .*1\\.25 credits`),
		);
		bench().expectNothingSubmitted();
	});

	it('by the usual price of a phone search, until a plan is seen to be dearer', async () => {
		const given = { items: people(4), options: { maxCredits: 60 } };
		expect(messageOf(await callPhones(operation, 80, given))).toContain(
			'4 phone searches at the usual 50 credits each',
		);
		bench().expectNothingSubmitted();
		const [first, ...others] = jsonOf(
			await callPhones(operation, 80, { ...given, settings: CONTINUE }),
		);
		expect(first).toMatchObject({ status: 'ongoing' });
		expect(others).toHaveLength(3);
		for (const { error } of others)
			expect(error).toContain('has spent 80, and the other 3 phone searches would cost 240');
		expect(totals().charged).toBe(80);
	});
});

/** A hundred rows at a credit each, with a cap of ten, under Continue: what came of them. */
async function findHundred(operation: string, isRemembered: boolean) {
	const { credentials } = newAccount(bench(), FINDING_AT(1));
	const run = async (items: ReturnType<typeof people>) =>
		await find(operation, {
			items,
			executionId: randomUUID(),
			options: { maxCredits: 10 },
			settings: CONTINUE,
			credentials,
		});
	if (isRemembered) await run(people(1, 'before'));
	const before = { posts: bench().posts.length, searches: totals().searches };
	const { items } = await run(people(100));
	expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
	return {
		started: totals().searches - before.searches,
		// A receipt of a batch is of all its rows.
		rows: items.flatMap((item) => (typeof item.json.error === 'string' ? [] : pairedWith(item))),
		errors: items.filter(({ json }) => typeof json.error === 'string').length,
		posts: bench().posts.length - before.posts,
	};
}

// What this process remembers of prices, a restart of n8n forgets: the answer is the same. One search goes
// first to tell a price, and then all that fit.
it.for([
	['submit', { remembered: 10, learned: 10 }],
	['submitAndWait', { remembered: 10, learned: 10 }],
	['submitBulk', { remembered: 1, learned: 2 }],
	['submitBulkAndWait', { remembered: 1, learned: 2 }],
] as const)(
	'%s: a cap starts as many as fit, whether the price is remembered or was just learned',
	async ([operation, posts]) => {
		const fitting = { started: 10, rows: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], errors: 90 };
		expect({
			learned: await findHundred(operation, false),
			remembered: await findHundred(operation, true),
		}).toEqual({
			learned: { ...fitting, posts: posts.learned },
			remembered: { ...fitting, posts: posts.remembered },
		});
	},
);

describe('a cap where the price is not known', () => {
	const capped = async (maxCredits: number, price: number, given: Given, operation = 'submit') =>
		await find(operation, {
			credentials: newAccount(bench(), FINDING_AT(price)).credentials,
			options: { maxCredits },
			settings: CONTINUE,
			...given,
		});

	it('under Stop one search tells it, and the others are not begun where they do not all fit', async () => {
		const run = await capped(9, 2, { items: people(5), settings: {} }, 'submitBulk');
		expect(messageOf(run)).toBe(
			"'Max Credits' of 9 is reached: this run has spent 2, and the other 4 email searches would cost 8",
		);
		expectChargedOnce(bench(), 1);
	});

	it('no more is sent when the answer of the first one is lost', async () => {
		bench().sandbox.faults.add({ kind: 'empty', on: 'POST *' });
		const [first, ...others] = jsonOf(await capped(10, 3, { items: people(5) }));
		expect(first?.error).toMatch(mayHaveBeenCharged);
		expect(others).toHaveLength(4);
		for (const { error } of others) expect(error).toContain(cannotBeKept);
		expectChargedOnce(bench(), 1);
	});

	it('where the first one is refused, another one tells it', async () => {
		bench().sandbox.faults.add({ kind: 'status', status: 400, on: 'POST *' });
		const run = await capped(12, 2, { items: people(6) }, 'submitBulk');
		expect(jsonOf(run).filter(({ error }) => typeof error === 'string')).toHaveLength(1);
		expect(totals().charged).toBe(10);
	});

	it('is not opened by a search that was free, in this run or before', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(1));
		const change = (body: object) => ({ ...body, credits_used: 0 });
		bench().sandbox.faults.add({ kind: 'changed', change, on: 'POST *', times: 2 });
		await find('submit', { items: people(1, 'trial'), credentials });
		for (const maxCredits of [0, 10]) {
			const given = { items: people(30, `cap ${maxCredits}`), options: { maxCredits } };
			await find('submitBulkAndWait', { ...given, settings: CONTINUE, credentials });
		}
		// Two of them were free.
		expect(totals().searches).toBe(1 + 11);
	});

	it('is not opened by a batch of which only a part was charged', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(1));
		const change = (body: object) => ({ ...body, credits_used: 10 });
		bench().sandbox.faults.add({ kind: 'changed', change, on: 'POST *' });
		await find('submitBulk', { items: people(100), credentials });
		const given = { items: people(400, 'new'), options: { maxCredits: 100 }, settings: CONTINUE };
		await find('submitBulkAndWait', { ...given, credentials });
		expect(totals().searches).toBe(100 + 100);
	});

	it('is told to be impossible where the service never says what it charged', async () => {
		const change = (body: object) => ({ ...body, credits_used: undefined });
		bench().sandbox.faults.add({ kind: 'changed', change, on: 'POST *', times: Infinity });
		const [first, second] = jsonOf(await capped(10, 1, { items: people(2) }));
		expect(first).toMatchObject({ status: 'ongoing' });
		expect(second?.error).toContain("take 'Max Credits' out of Options");
	});

	it('is kept where what the first one cost was an exception', async () => {
		const { credentials, held } = newAccount(bench(), FINDING_AT(1));
		const running = capped(100, 1, { items: people(200), credentials });
		await bench().sandbox.waitFor(() => bench().sandbox.ledger.entries.length === 1);
		Object.assign(held.prices, FINDING_AT(3));
		jsonOf(await running);
		expect(totals().charged).toBeLessThanOrEqual(100);
		expect(totals().charged).toBeGreaterThan(90);
	});

	it('counts what earlier tries were charged', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(3));
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 1 });
		const given = { credentials, settings: {} };
		const { error, contextData } = await capped(8, 3, { ...given, items: people(2) });
		expect(error).toBeDefined();
		const again = await capped(8, 3, { ...given, items: people(3), contextData });
		expect(messageOf(again)).toContain('has spent 3, and the other 2 email searches would cost 6');
		expectChargedOnce(bench(), 1);
	});
});

describe('a price that was learned', () => {
	/** The same key in two credentials, which differ in all else. */
	function account(price: number) {
		const { apiKey, credentials, held } = newAccount(bench(), FINDING_AT(price));
		const baseUrl = `${bench().sandbox.baseUrl}/`;
		const others = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 900 } };
		return { credentials, others, prices: held.prices };
	}

	it('refuses before anything is sent what it shows to be too much, whoever has learned it', async () => {
		const { credentials, others } = account(2);
		jsonOf(await find('submitBulk', { items: people(1), credentials }));
		const given = { items: people(5, 'other'), options: { maxCredits: 9 } };
		const run = await find('submit', { ...given, credentials: others });
		expect(messageOf(run)).toContain(`${doesNotCover} 5 email searches at 2 credits each`);
		expect(bench().posts).toHaveLength(1);
	});

	it.for([
		['risen', 1, 3, 3],
		['fallen', 3, 1, 9],
	] as const)('is that of the next receipt where it has %s', async ([, before, now, started]) => {
		const { credentials, prices } = account(before);
		jsonOf(await find('submit', { items: people(1, 'before'), credentials }));
		Object.assign(prices, FINDING_AT(now));
		const given = { items: people(20), options: { maxCredits: 9 }, settings: CONTINUE };
		await find('submit', { ...given, credentials });
		expect(totals().searches - 1).toBe(started);
	});

	it('judges no balance: the service decides, in its words, and at no cost', async () => {
		const { credentials, held } = newAccount(bench(), FINDING_AT(3), 100);
		jsonOf(await find('submit', { items: people(1), credentials }));
		Object.assign(held, { credits: 5, prices: FINDING_AT(2) });
		const given = { items: people(6, 'cheaper'), credentials, settings: CONTINUE };
		const results = jsonOf(await find('submit', given));
		expect(results.filter(({ status }) => status === 'ongoing')).toHaveLength(2);
		const refused = results.filter(failsWith('Insufficient credits'));
		expect(refused).toHaveLength(4);
		expect(totals().charged).toBe(3 + 4);
	});
});

it('stops when the service charges more than it documents', async () => {
	const { credentials } = newAccount(bench(), { emailVerifierSingle: 1 });
	const given = { items: addresses(40), options: { maxCredits: 10 }, settings: CONTINUE };
	await verify('submit', { ...given, credentials });
	expect(totals().charged).toBe(10);
});

// A limit that an expression was to give, and did not, is no reason to spend without one.
describe('Max Credits that comes to nothing', () => {
	const limited = (maxCredits: unknown, limit?: unknown): Given => ({
		items: addresses(2).map((item, n) => ({ ...people(2)[n], ...item, limit: limit as string })),
		options: { maxCredits } as INodeParameters,
	});
	const BY_FIELD = '={{ $json.limit }}';

	it.for<[string, unknown, unknown]>([
		['a field that is missing', '={{ $json.noSuchField }}', 1],
		['null', BY_FIELD, null],
		['a blank text', BY_FIELD, '  '],
		['an emptied field of the editor', '', 1],
	])('is an error before anything is sent: %s', async ([, maxCredits, limit]) => {
		const run = await verify('submitBulkAndWait', limited(maxCredits, limit));
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toBe("'Max Credits' is empty");
		expect(description).toContain("Give a number, or remove 'Max Credits'");
		bench().expectNothingSubmitted();
	});

	it.for<[unknown, unknown]>([
		[0, undefined],
		[BY_FIELD, '0'],
	])('lets nothing be spent where it is %j, with %j in the item', async ([maxCredits, limit]) => {
		for (const resource of ['emailVerifier', 'emailFinder']) {
			const given = { parameters: { ...MAIL, ...FIND }, ...limited(maxCredits, limit) };
			const { message, description } = shownError(
				await bench().run(resource, 'submit', given),
				bench().sandbox.apiKey,
			);
			expect(message).toMatch(/^'Max Credits' of 0 /);
			expect(description).toContain('0 lets nothing be spent');
		}
		bench().expectNothingSubmitted();
	});
});

describe('a list that the cap does not cover', () => {
	const workflow = (credentials: Given['credentials'], maxCredits: number) => {
		const options = { maxCredits };
		const node = bench().node('emailFinder', 'submitAndWait', { parameters: FIND, options });
		return { nodes: [start(people(4, 'hourly')), node], credentials };
	};

	it('of an hourly workflow is paid for by one search a day', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(50));
		for (let hour = 0; hour < 25; hour++) {
			const run = await runWorkflow(workflow(credentials, 60));
			expect(run.error?.message).toContain("'Max Credits' of 60");
			expect(totals().searches).toBe(hour < 24 ? 1 : 2);
			skipTime(3_600_000);
		}
	});

	it('under Stop names its ID and what raises the cap, and a retry with that gives all', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(50));
		const failed = await runWorkflow(workflow(credentials, 60));
		const id = bench().sandbox.ledger.entries[0]?.id ?? 'none';
		expect(failed.error?.description).toContain("Raise 'Max Credits'");
		expect(failed.error?.description).toContain(id);
		const same = await pressRetry(workflow(credentials, 60), failed);
		expect(same.error?.description).toContain(id);
		expectChargedOnce(bench(), 1);
		// With the workflow as it is saved by then.
		const [waiting] = failed.data.executionData?.nodeExecutionStack ?? [];
		Object.assign(waiting?.node.parameters.options ?? {}, { maxCredits: 200 });
		const raised = await pressRetry(workflow(credentials, 200), failed);
		const results = raised.items('Contact Data').map(({ json }) => json);
		expect(results.map(({ found }) => found)).toEqual([true, true, true, true]);
		expect(results[0]?.search_id).toBe(id);
		expectChargedOnce(bench(), 4);
	});
});
