import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { expectChargedOnce, somebody } from '../spending/money.mts';
import { couldNotProcess, mayHaveBeenCharged } from '../../support/texts.mts';

// A model that asks for the same again: the call is of another execution, without the receipts of the
// first. An MCP client does that, and the next turn of a chat. What all nodes remember so:
// `spending/recent.test.mts`.

const bench = useBench();
useFastClock();

const LONG = 3_600_000;
let calls = 0;

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
	['submitAndWait', 'search_id'],
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
});

it('a batch that failed is not started again, and Search Again is named', async () => {
	bench().sandbox.configure({ scenarios: ['batchFailed'] });
	const parameters = { fullname: 'Ada Mustfind', companyDomain: 'acme.example' };
	const find = async (executionId: string, contextData = {}) =>
		await bench().run('emailFinder', 'submitBulkAndWait', {
			tool: 'invoked',
			executionId,
			contextData,
			parameters,
		});
	const first = await find('failed');
	const error: unknown = expect.stringContaining(`${couldNotProcess}batch`);
	expect(jsonOf(first)).toMatchObject([{ error }]);
	expect(jsonOf(await find('failed', first.contextData))).toMatchObject([{ error }]);
	const [another] = jsonOf(await find('another'));
	expect(another?.error).toMatch(new RegExp(`${couldNotProcess}batch.*'Search Again'`));
	expect(bench().posts).toHaveLength(1);
});
