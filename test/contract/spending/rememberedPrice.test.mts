import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { doesNotCover } from '../../support/texts.mts';
import { expectChargedOnce, FIND, FINDING_AT, newAccount, pressRetry } from './money.mts';

// What one run has learned of a price, others know: of whichever workflow, with the same key.

const bench = useBench();
useFastClock();

/** The same key in two credentials, which differ in all else. */
function account(price: number) {
	const { apiKey, credentials, held } = newAccount(bench(), FINDING_AT(price));
	const baseUrl = `${bench().sandbox.baseUrl}/`;
	const others = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 900 } };
	const setPrice = (now: number) => Object.assign(held.prices, FINDING_AT(now));
	return { apiKey, credentials, others, setPrice };
}

const find = async (count: number, given: Given) =>
	await bench().run('emailFinder', 'submitBulk', {
		parameters: FIND,
		items: people(count, randomUUID().replace(/\W|\d/g, '')),
		...given,
	});
describe('a price that a run has learned', () => {
	it('refuses before anything is sent what it shows to be too much', async () => {
		const { apiKey, credentials, others } = account(2);
		jsonOf(await find(1, { credentials }));
		const run = await find(5, { credentials: others, options: { maxCredits: 9 } });
		const { message } = shownError(run, apiKey);
		expect(message).toMatch(new RegExp(`${doesNotCover} 5 email searches at 2 credits`));
		expect(bench().posts).toHaveLength(1);
	});

	it('is not that of another key', async () => {
		jsonOf(await find(1, { credentials: account(2).credentials }));
		const { apiKey, credentials } = account(2);
		const run = await find(5, { credentials, options: { maxCredits: 9 } });
		// One goes to learn the price, and then it is known that the others do not fit.
		expect(shownError(run, apiKey).message).toMatch(
			new RegExp(`${doesNotCover} 4 email searches at 2 credits`),
		);
		expect(bench().posts).toHaveLength(2);
	});

	it.for([
		['risen', 1, 3],
		['fallen', 3, 1],
	] as const)('is corrected by the next receipt where it has %s', async ([, before, now]) => {
		const { apiKey, credentials, others, setPrice } = account(before);
		jsonOf(await find(1, { credentials }));
		setPrice(now);
		jsonOf(await find(1, { credentials }));
		const run = await find(2, { credentials: others, options: { maxCredits: 2 } });
		if (now > before) {
			expect(shownError(run, apiKey).message).toMatch(/at 3 credits each/);
			expect(bench().posts).toHaveLength(2);
		} else {
			expect(jsonOf(run)).toMatchObject([{ status: 'ongoing' }, { status: 'ongoing' }]);
		}
	});
});

describe('a list that the cap does not cover', () => {
	const HOUR_MS = 3_600_000;
	const who = people(4, 'hourly');
	const NODE = 'Contact Data';

	/** Start, and the node with such a cap. */
	const workflow = ({ credentials }: ReturnType<typeof account>, maxCredits: number) => {
		const options = { maxCredits };
		const node = bench().node('emailFinder', 'submitAndWait', { parameters: FIND, options });
		return { nodes: [start(who), node], credentials };
	};

	it('of an hourly workflow is paid for by one search a day', async () => {
		const paying = account(50);
		for (let hour = 0; hour < 24; hour++) {
			const run = await runWorkflow(workflow(paying, 60));
			expect(run.error?.message).toContain(doesNotCover);
			expectChargedOnce(bench(), 1);
			skipTime(HOUR_MS);
		}
		await runWorkflow(workflow(paying, 60));
		expect(bench().sandbox.ledger.entries).toHaveLength(2);
	});

	it('under Stop names its ID and what raises the cap, and a retry with that gives all', async () => {
		const paying = account(50);
		const failed = await runWorkflow(workflow(paying, 60));
		const [{ id } = { id: '' }] = bench().sandbox.ledger.entries;
		const description = JSON.stringify(failed.error);
		expect(description).toContain(id);
		expect(description).toContain("Raise 'Max Credits'");

		const same = await pressRetry(workflow(paying, 60), failed);
		expect(JSON.stringify(same.error)).toContain(id);
		expectChargedOnce(bench(), 1);
		// With the workflow as it is saved by then.
		const [waiting] = failed.data.executionData?.nodeExecutionStack ?? [];
		Object.assign(waiting?.node.parameters.options ?? {}, { maxCredits: 200 });
		const raised = await pressRetry(workflow(paying, 200), failed);
		const results = raised.items(NODE).map(({ json }) => json);
		expect(results.map(({ found }) => found)).toEqual([true, true, true, true]);
		expect(results[0]?.id).toBe(id);
		expectChargedOnce(bench(), 4);
	});
});
