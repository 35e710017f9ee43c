import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench, type Given } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce } from '../spending/money.mts';
import { couldNotProcess, mayHaveBeenCharged } from '../../support/texts.mts';

// A model that asks again for what was not there in time: the call is of another execution, without
// the receipts of the first. An MCP client does that, and the next turn of a chat.

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

it.for([
	['submit', 'id'],
	['submitBulk', 'batch_id'],
] as const)('%s gives a receipt again that came too late for the client to hear', async (given) => {
	const [operation, field] = given;
	bench().sandbox.faults.add({ kind: 'delay', ms: 4_000, on: 'GET /account/info' });
	bench().sandbox.faults.add({ kind: 'delay', ms: 58_000, on: 'POST *' });
	const parameters = { email: somebody() };
	const first = await call(operation, { parameters });
	const second = await call(operation, { parameters });
	expect(second).toMatchObject({ [field]: textIn(first, field), credits_spent: 0 });
	expectChargedOnce(bench(), 1);
});

describe.for([
	['submitAndWait', 'id'],
	['submitBulkAndWait', 'batch_id'],
] as const)('%s', ([operation, field]) => {
	it('goes on with what is paid for, whichever call it was', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		const second = await call(operation, { parameters });
		expect(second).toMatchObject({ [field]: textIn(first, field), credits_spent: 0 });
		bench().sandbox.service.finish();
		const third = await call(operation, { parameters });
		expect(third).toMatchObject({ [field]: textIn(first, field), found: true, credits_spent: 0 });
		expectChargedOnce(bench(), 1);
	});

	it('is a new search once a call has given the result', async () => {
		const parameters = { email: somebody() };
		await call(operation, { parameters });
		await call(operation, { parameters });
		expect(bench().posts).toHaveLength(2);
	});

	it('goes on with what came too late for the client to hear', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 58_000, on: 'POST *' });
		bench().sandbox.faults.add({ kind: 'delay', ms: 4_000, on: 'GET *' });
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		const second = await call(operation, { parameters });
		expect(second).toMatchObject({ [field]: textIn(first, field), found: true });
		expectChargedOnce(bench(), 1);
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

	it('pays once where the same waits for its next turn', async () => {
		const headers = { 'retry-after': '5' };
		bench().sandbox.faults.add({ kind: 'status', status: 429, headers, on: 'POST *' });
		const parameters = { email: somebody() };
		await Promise.all([
			call(operation, { parameters }),
			(async () => {
				await new Promise((resolve) => setTimeout(resolve, 2_000));
				expect(bench().posts).toHaveLength(1);
				return await call(operation, { parameters });
			})(),
		]);
		expectChargedOnce(bench(), 1);
	});

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

	it('is forgotten after two hours', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const parameters = { email: somebody() };
		await call(operation, { parameters });
		skipTime(2 * HOURS);
		await call(operation, { parameters });
		expect(bench().posts).toHaveLength(2);
	});

	it('is of one account', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const apiKey = bench().sandbox.service.addAccount('other', { requestsPerSecond: 10_000 });
		const { contactDataApi } = bench().credentials;
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		const credentials = { contactDataApi: { ...contactDataApi, apiKey } };
		const other = await call(operation, { parameters, credentials });
		expect(other[field]).not.toBe(first[field]);
	});

	it('is of one tool: that of another workflow has its own, also under the same name', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const parameters = { email: somebody() };
		const first = await call(operation, { parameters });
		const other = await call(operation, { parameters, workflowId: 'other' });
		expect(other[field]).not.toBe(first[field]);
		const again = await call(operation, { parameters });
		expect(again[field]).toBe(first[field]);
	});

	it('is of tools alone: a workflow that is run again searches anew', async () => {
		bench().sandbox.configure({ single: LONG, bulk: LONG });
		const parameters = { email: somebody() };
		await call(operation, { parameters });
		bench().sandbox.configure({ single: 0, bulk: 0 });
		const run = await bench().run('emailVerifier', operation, { parameters });
		expect(jsonOf(run)).toMatchObject([{ found: true }]);
		expect(bench().posts).toHaveLength(2);
	});
});

it("goes on with what one of n8n's native agents has paid for, which has no execution", async () => {
	bench().sandbox.configure({ single: LONG });
	const given = { parameters: { email: somebody() }, tool: 'inline' as const };
	const first = await call('submitAndWait', given);
	bench().sandbox.service.finish();
	const second = await call('submitAndWait', given);
	expect(second).toMatchObject({ id: textIn(first, 'id'), found: true });
	expectChargedOnce(bench(), 1);
});

it('searches in several batches at the same moment are paid once', async () => {
	const [one, two, three] = [somebody(), somebody(), somebody()];
	const list = (verifications: string[]) => ({
		parameters: { inputMode: 'array', verifications },
	});
	await Promise.all([
		call('submitBulkAndWait', list([one, two])),
		call('submitBulkAndWait', list([two, three])),
	]);
	expectChargedOnce(bench(), 3);
});

it.for(['submit', 'submitBulk'])('%s starts anew: its caller has the id', async (operation) => {
	const parameters = { email: somebody() };
	const first = await call(operation, { parameters });
	const second = await call(operation, { parameters });
	expect(second.id).not.toBe(first.id);
});

it('a batch is known by each of its searches', async () => {
	bench().sandbox.configure({ bulk: LONG });
	const [one, two, three] = [somebody(), somebody(), somebody()];
	const list = (verifications: string[]) => ({
		parameters: { inputMode: 'array', verifications },
	});
	const first = await call('submitBulkAndWait', list([one, two]));
	bench().sandbox.service.finish();
	bench().sandbox.configure({ bulk: 50 });
	const second = await call('submitBulkAndWait', list([two, three]));
	expect(second).toMatchObject({ email: two, batch_id: textIn(first, 'batch_id'), found: true });
	expectChargedOnce(bench(), 3);
});

it('a batch that failed is not started again: a model asks at once for what it did not get', async () => {
	bench().sandbox.configure({ variants: { batchOutcome: 'failed' } });
	const parameters = { fullname: 'Ada Mustfind', companyDomain: `company${++calls}.example` };
	const find = async () => {
		const run = await bench().run('emailFinder', 'submitBulkAndWait', {
			tool: 'invoked',
			executionId: String(++calls),
			parameters,
		});
		return jsonOf(run)[0]?.error;
	};
	const error = await find();
	expect(error).toContain(`${couldNotProcess}batch`);
	expect(await find()).toBe(error);
	expect(bench().posts).toHaveLength(1);
});
