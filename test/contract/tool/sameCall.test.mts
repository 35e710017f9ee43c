import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce, newAccount } from '../spending/money.mts';
import { couldNotProcess, mayHaveBeenCharged } from '../../support/texts.mts';

// A model that asks for the same again: the call is of another execution, without the receipts of the
// first. An MCP client does that, and the next turn of a chat.

const bench = useBench();
useFastClock();

const LONG = 3_600_000;
const HOURS = 3_600_000;
let calls = 0;

/** Somebody whom no other test has looked for. */
const somebody = () => `mustfind.${++calls}@acme.com`;

/** A call in an execution of its own. */
async function call(operation: string, given: Given) {
	const executionId = String(++calls);
	const run = await bench().run('emailVerifier', operation, {
		tool: 'invoked',
		executionId,
		...given,
	});
	return jsonOf(run)[0] ?? {};
}

describe.for([
	['submitAndWait', 'id'],
	['submitBulkAndWait', 'batch_id'],
] as const)('%s', ([operation, field]) => {
	// One of n8n's native agents, inline, has no execution.
	it.for(['invoked', 'inline'] as const)('goes on with what is paid for: %s', async (tool) => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const given = { parameters: { email: somebody() }, tool };
		const first = await call(operation, given);
		const second = await call(operation, given);
		expect(second).toMatchObject({ [field]: textIn(first, field), credits_spent: 0 });
		bench().sandbox.service.finish();
		const third = await call(operation, given);
		expect(third).toMatchObject({ [field]: textIn(first, field), found: true, credits_spent: 0 });
		expectChargedOnce(bench(), 1);
	});

	it('is free for a day, and no longer', async () => {
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		skipTime(24 * HOURS - 60_000);
		const second = await call(operation, { parameters });
		expect(second).toMatchObject({ [field]: textIn(first, field), found: true, credits_spent: 0 });
		skipTime(60_000);
		await call(operation, { parameters });
		await call(operation, { parameters });
		expect(bench().posts).toHaveLength(2);
	});

	it('waits for the same that is on its way', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 30_000, on: 'POST *' });
		const parameters = { email: somebody() };
		const [first, second] = await Promise.all([
			call(operation, { parameters }),
			(async () => {
				while (bench().posts.length === 0) await new Promise((resolve) => setImmediate(resolve));
				return await call(operation, { parameters });
			})(),
		]);
		expect(first).toMatchObject({ found: true });
		expect(second).toMatchObject({ [field]: textIn(first, field), found: true });
		expectChargedOnce(bench(), 1);
	});

	it.for(['invoked', 'inline'] as const)(
		'pays once for equal calls at the same moment: %s',
		async (tool) => {
			const parameters = { email: somebody() };
			const answers = await Promise.all(
				[1, 2, 3].map(async () => await call(operation, { parameters, tool })),
			);
			for (const answer of answers) expect(answer).toMatchObject({ found: true });
			expectChargedOnce(bench(), 1);
		},
	);

	it('sends nothing again of which nobody knows whether it was taken', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		expect(first).toMatchObject({ credits_spent: 0, searches_maybe_charged: 1 });
		const second = await call(operation, { parameters });
		expect(second).toMatchObject({
			error: expect.stringMatching(mayHaveBeenCharged) as string,
		});
		expect(second).not.toHaveProperty('searches_maybe_charged');
		expectChargedOnce(bench(), 1);
	});

	it('is sent again where it surely was not taken', async () => {
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *' });
		const parameters = { email: somebody() };
		await call(operation, { parameters });
		expect(await call(operation, { parameters })).toMatchObject({ found: true });
	});

	it('is of one account', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const { credentials } = newAccount(bench());
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		const other = await call(operation, { parameters, credentials });
		expect(other[field]).not.toBe(first[field]);
	});
});

it.for(['submit', 'submitBulk'])('%s is an order, and is sent each time', async (operation) => {
	const parameters = { email: somebody() };
	const first = await call(operation, { parameters });
	const second = await call(operation, { parameters });
	expect(second.id).not.toBe(textIn(first, 'id'));
	expect(bench().posts).toHaveLength(2);
});

it('a dry run knows what the same call has paid for', async () => {
	const parameters = { email: somebody() };
	await call('submitAndWait', { parameters });
	const dry = await call('submitAndWait', { parameters, options: { dryRun: true } });
	expect(dry).toMatchObject({ dry_run: true, action: 'read' });
});

const list = (...verifications: string[]) => ({
	parameters: { inputMode: 'array', verifications },
});

it('a part of a list is not read from the batch of another chat, which has other people in it', async () => {
	const [one, two] = [somebody(), somebody()];
	const first = await call('submitBulkAndWait', list(one, two));
	const part = await call('submitBulkAndWait', list(two));
	expect(part.batch_id).not.toBe(textIn(first, 'batch_id'));
	expect(bench().posts).toHaveLength(2);
});

it('a list whose price was not known is known again as a whole', async () => {
	const { credentials } = newAccount(bench());
	const searches = [1, 2, 3].map((n) => ({
		fullname: `Ada Mustfind${n}`,
		company_domain: `company${++calls}.example`,
	}));
	const given = {
		parameters: { inputMode: 'array', searches: JSON.stringify(searches) },
		options: { maxCredits: 100 },
		credentials,
		tool: 'invoked',
	} as const;
	await bench().run('emailFinder', 'submitBulkAndWait', { ...given, executionId: 'first' });
	const { posts } = bench();
	expect(posts.length).toBeGreaterThan(1);
	const run = await bench().run('emailFinder', 'submitBulkAndWait', {
		...given,
		executionId: 'second',
	});
	expect(jsonOf(run)).toMatchObject(searches.map(() => ({ found: true, credits_spent: 0 })));
	expect(bench().posts).toHaveLength(posts.length);
});

it('a batch that failed may be started again, by a call of another execution', async () => {
	bench().sandbox.configure({ scenarios: ['batchFailed'] });
	const parameters = { fullname: 'Ada Mustfind', companyDomain: `company${++calls}.example` };
	const find = async (executionId: string, contextData = {}) =>
		await bench().run('emailFinder', 'submitBulkAndWait', {
			tool: 'invoked',
			executionId,
			contextData,
			parameters,
		});
	const first = await find('failed');
	const error = jsonOf(first)[0]?.error;
	expect(error).toContain(`${couldNotProcess}batch`);
	expect(jsonOf(await find('failed', first.contextData))[0]?.error).toBe(error);
	expect(bench().posts).toHaveLength(1);
	bench().sandbox.configure({ scenarios: [] });
	expect(jsonOf(await find('another'))).toMatchObject([{ found: true }]);
	expect(bench().posts).toHaveLength(2);
});

it('is still known after many calls for others', async () => {
	const email = somebody();
	await call('submitAndWait', { parameters: { email } });
	for (let n = 0; n < 100; n++) await call('submit', { parameters: { email: somebody() } });
	const { length } = bench().posts;
	await call('submitAndWait', { parameters: { email } });
	expect(bench().posts).toHaveLength(length);
});
