import { describe, expect, it, vi } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { people } from '../../support/people.mts';
import { cannotBeKept, doesNotCover, mayHaveBeenCharged } from '../../support/texts.mts';
import { FIND, FINDING_AT, newAccount } from './money.mts';

// A price that is not documented, or that changes: what is not known for sure refuses nothing, and
// Max Credits is kept all the same.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const SUBMITS = ['submit', 'submitBulk'] as const;

const CALL = {
	socialProfileUrl: '=https://linkedin.com/in/{{ $json.fullname.replaceAll(" ", "-") }}',
};

const find = async (operation: string, given: Given) =>
	await bench().run('emailFinder', operation, { parameters: FIND, ...given });
const call = async (operation: string, given: Given) =>
	await bench().run('phoneFinder', operation, { parameters: CALL, ...given });

const charged = () => bench().sandbox.ledger.totals().charged;
const phonesAt = (price: number, credits?: number) =>
	newAccount(bench(), { phoneFinderSingle: price, phoneFinderBulk: price }, credits);

describe('the balance', () => {
	it('lets phone searches start that a cheaper plan makes affordable', async () => {
		const { credentials } = phonesAt(10, 40);
		jsonOf(await call('submitBulk', { items: people(4), credentials }));
		expect(charged()).toBe(40);
	});

	it('is compared with no price that was learned: the service decides', async () => {
		const { credentials, held } = newAccount(bench(), { emailFinderSingle: 3 }, 100);
		jsonOf(await find('submit', { items: people(1), credentials }));
		held.prices.emailFinderSingle = 1;
		held.credits = 4;
		jsonOf(await find('submit', { items: people(4, 'cheaper'), credentials }));
		expect(charged()).toBe(3 + 4);
	});

	it('that runs out ends the run in the words of the service, and costs nothing', async () => {
		const { credentials } = newAccount(bench(), { emailFinderSingle: 2 }, 5);
		const run = await find('submit', { items: people(6), credentials, settings: CONTINUE });
		const results = jsonOf(run);
		expect(results.filter(({ status }) => status === 'ongoing')).toHaveLength(2);
		const refused = results.filter(({ error }) => typeof error === 'string');
		expect(refused).toMatchObject(Array(4).fill({ error: 'Insufficient credits' }));
		expect(charged()).toBe(4);
	});
});

describe.for(SUBMITS)('Max Credits: %s', (operation) => {
	it('lets one search tell the price, whatever it costs, and none after it that does not fit', async () => {
		const { credentials } = phonesAt(80);
		const run = await call(operation, {
			items: people(4),
			options: { maxCredits: 60 },
			credentials,
			settings: CONTINUE,
		});
		const [first, ...others] = jsonOf(run);
		expect(first).toMatchObject({ status: 'ongoing' });
		for (const { error, description } of others) {
			expect(error).toMatch(new RegExp(`'Max Credits' of 60 ${doesNotCover} .* 80 credits`));
			expect(description).toContain('80 credits are spent already');
		}
		expect(charged()).toBe(80);
	});

	it('lets all start where it is exactly what they cost, also at 1.1 each', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(1.1));
		const options = { maxCredits: 7.7 };
		expect((await find(operation, { items: people(7), options, credentials })).error).toBe(
			undefined,
		);
		expect(bench().sandbox.ledger.totals().searches).toBe(7);
	});

	it('lets as many start as fit, where something is left over', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(3));
		const options = { maxCredits: 10 };
		await find(operation, { items: people(4), options, credentials, settings: CONTINUE });
		expect(bench().sandbox.ledger.totals().searches).toBe(3);
	});

	it('is kept where the first search did not tell the price, as it was free', async () => {
		const { credentials } = newAccount(bench(), FINDING_AT(20));
		const body = { message: 'Known already', id: 'free 1', credits_used: 0 };
		bench().sandbox.faults.add({ kind: 'status', status: 201, body, on: 'POST *' });
		const options = { maxCredits: 12 };
		const run = await find(operation, { items: people(6), options, credentials });
		expect(run.error).toBeDefined();
		expect(charged()).toBe(20);
	});

	it('is kept where the price has risen since an earlier run', async () => {
		const { credentials, held } = newAccount(bench(), FINDING_AT(1));
		await find(operation, { items: people(1, 'first'), credentials });
		Object.assign(held.prices, FINDING_AT(10));
		const options = { maxCredits: 100 };
		await find(operation, { items: people(100), options, credentials, settings: CONTINUE });
		expect(charged() - 1).toBeLessThanOrEqual(100);
		expect(charged() - 1).toBeGreaterThanOrEqual(10);
	});
});

it('Max Credits is kept where what the first search cost was an exception', async () => {
	const { credentials, held } = newAccount(bench(), FINDING_AT(1));
	const { sandbox } = bench();
	const running = find('submit', {
		items: people(200),
		options: { maxCredits: 100 },
		credentials,
		settings: CONTINUE,
	});
	await sandbox.waitFor(() => sandbox.ledger.entries.length === 1);
	held.prices.emailFinderSingle = 3;
	jsonOf(await running);
	expect(charged()).toBeLessThanOrEqual(100);
});

it('under Max Credits more go at once with each answer, also of an account that pays for results only', async () => {
	const { credentials } = newAccount(bench(), FINDING_AT(1));
	const change = (body: object) => ({ ...body, credits_used: 0 });
	bench().sandbox.faults.add({ kind: 'changed', change, on: 'POST *', times: Infinity });
	const options = { maxCredits: 1000 };
	const run = await find('submitBulkAndWait', { items: people(200), options, credentials });
	expect(jsonOf(run).map(({ found }) => found)).toEqual(people(200).map(() => true));
	const sizes = bench().sandbox.ledger.entries.map(({ searches }) => searches.length);
	let answered = 0;
	for (const size of sizes) {
		expect(size).toBeLessThanOrEqual(Math.max(1, answered));
		answered += size;
	}
	expect(answered).toBe(200);
	// 1, 1, 2, 4, and so on.
	expect(sizes.length).toBeLessThanOrEqual(10);
});

it('under Max Credits one search is sent, and no more when its answer is lost', async () => {
	const { credentials } = newAccount(bench(), FINDING_AT(3));
	bench().sandbox.faults.add({ kind: 'empty', on: 'POST *' });
	const run = await find('submit', {
		items: people(5),
		options: { maxCredits: 10 },
		credentials,
		settings: CONTINUE,
	});
	const [first, ...others] = jsonOf(run);
	expect(first?.error).toMatch(mayHaveBeenCharged);
	expect(others).toHaveLength(4);
	for (const { error } of others) expect(error).toContain(cannotBeKept);
	expect(bench().sandbox.ledger.totals().searches).toBe(1);
});

it('where the service refuses the search that was to tell the price, another one tells it', async () => {
	const { credentials } = newAccount(bench(), FINDING_AT(2));
	const body = { message: 'Error while parsing payload' };
	bench().sandbox.faults.add({ kind: 'status', status: 400, body, on: 'POST *' });
	const options = { maxCredits: 12 };
	const run = await find('submitBulk', {
		items: people(6),
		options,
		credentials,
		settings: CONTINUE,
	});
	expect(jsonOf(run).filter(({ error }) => typeof error === 'string')).toHaveLength(1);
	expect(charged()).toBe(10);
});

it('a price that is told by a batch of an earlier try is that of one of its searches', async () => {
	const { credentials } = newAccount(bench(), FINDING_AT(3));
	const options = { maxCredits: 100, custom: '={{ ({ of: $json.list }) }}' };
	const items = people(5).map((person, n) => ({ ...person, list: n < 4 ? 'one' : 'two' }));
	// All of the first list is taken, and then the second is refused.
	bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *', skip: 3 });
	const first = await find('submitBulk', { items, options, credentials });
	expect(first.error).toBeDefined();
	expect(charged()).toBe(12);

	const newcomers = people(2, 'new').map((person) => ({ ...person, list: 'one' }));
	// The Retry button after n8n was started anew, with a workflow that was changed.
	vi.resetModules();
	const anew = await import('../../../nodes/ContactData/ContactData.node.ts');
	expect(anew.ContactData).not.toBe(ContactData);
	const retry = await runNode({
		...bench().node('emailFinder', 'submitBulk', {
			parameters: FIND,
			options: { ...options, maxCredits: 12 + 3 * 2 },
		}),
		node: new anew.ContactData(),
		items: [...items.slice(1, 2), ...newcomers],
		credentials,
		contextData: first.contextData,
		executionId: '2',
	});
	jsonOf(retry);
	expect(charged()).toBe(12 + 3 * 2);
});
