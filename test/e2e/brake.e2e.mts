import { describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { chain, contactData, items, madeItems } from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { alreadyPaidFor, doesNotCover, mayHaveBeenCharged } from '../support/texts.mts';
import { call, connect } from './mcp.mts';

// What ends the spending, the waiting, and what one chat is told of another.

const harness = useHarness();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const FIND = {
	resource: 'emailFinder',
	fullname: "={{ $('People').item.json.fullname }}",
	companyDomain: 'acme.example',
};
const SEARCHES = 100;
const idsCharged = () => harness.sandbox.ledger.entries.map(({ id }) => id);

describe('where every answer is lost after the charge', () => {
	it.for([
		['submitAndWait', 3],
		['submitBulkAndWait', 1],
	] as const)('%s, and the node after it, pay for %i', async ([operation, most]) => {
		harness.sandbox.faults.add({
			on: 'POST *',
			kind: 'status',
			status: 502,
			accepted: true,
			times: Infinity,
		});
		// Each in a batch of its own.
		const options = operation === 'submitAndWait' ? {} : { custom: '={{ ({ n: $itemIndex }) }}' };
		const workflow = chain(
			`Lost answers, ${operation}`,
			madeItems('People', SEARCHES, `{ fullname: 'Person Number ' + n }`),
			contactData('Find', harness.credential, { ...FIND, operation, options }, CONTINUE),
			contactData(
				'Verify',
				harness.credential,
				{ resource: 'emailVerifier', operation, email: '=ada{{ $itemIndex }}@acme.example' },
				CONTINUE,
			),
		);
		const run = await harness.n8n.api.runWorkflow(workflow);
		expect(run.status).toBe('success');
		const errors = run.json('Find').map(({ error }) => (typeof error === 'string' ? error : ''));
		expect(errors.filter((error) => mayHaveBeenCharged.test(error))).toHaveLength(most);
		expect(errors.filter((error) => error.startsWith('Not started'))).toHaveLength(SEARCHES - most);
		expect(harness.sandbox.ledger.totals().searches).toBe(most);
	});
});

it('a cap is not passed after a batch that was cheap', async () => {
	const { prices } = harness.sandbox.service.account();
	const find = (count: number, maxCredits: number) =>
		chain(
			`Cap of ${maxCredits}`,
			items('People', people(count)),
			contactData(
				'Find',
				harness.credential,
				{ ...FIND, operation: 'submitBulkAndWait', options: { maxCredits } },
				CONTINUE,
			),
		);
	prices.emailFinderBulk = 0.1;
	await harness.n8n.api.runWorkflow(find(5, 0));
	const before = harness.sandbox.ledger.totals().charged;
	prices.emailFinderBulk = 10;
	const run = await harness.n8n.api.runWorkflow(find(100, 50));
	expect(harness.sandbox.ledger.totals().charged - before).toBeLessThanOrEqual(50);
	const results = run.json('Find');
	expect(results.filter(({ found }) => found === true)).toHaveLength(5);
	expect(results.at(-1)?.error).toContain(doesNotCover);
});

it('a list of one chat that still runs is not told to another one', async () => {
	harness.sandbox.configure({ bulk: 600_000 });
	const client = await connect(harness, {
		resource: 'emailFinder',
		operation: 'submitBulkAndWait',
		inputMode: 'array',
		searches: "={{ $fromAI('People', 'A JSON list of searches', 'string') }}",
		options: { timeout: 2 },
	});
	const ask = async (...names: string[]) => {
		const list = names.map((name) => ({
			fullname: `mustfind ${name}`,
			company_domain: 'acme.example',
			custom: { note: `secret of ${name}` },
		}));
		return await call(client, { People: JSON.stringify(list) });
	};
	const first = await ask('ada', 'bea', 'cem', 'dan');
	const [batch = ''] = idsCharged();
	expect(first).toContain(batch);
	harness.sandbox.configure({ bulk: 0 });
	harness.sandbox.service.finish();
	expect(await ask('ada', 'bea', 'cem', 'dan')).toContain(batch);
	expect(idsCharged()).toEqual([batch]);
	const other = await ask('bea');
	expect(other).toContain('mustfind.bea@acme.example');
	expect(other).not.toMatch(/ada|cem|dan/);
	expect(other).not.toContain(batch);
	expect(idsCharged()).toHaveLength(2);
});

describe("a wait ends before the workflow's time limit, and its IDs come out", () => {
	const find = (executionTimeout: number, parameters: object) => {
		const workflow = chain(
			'Time limit',
			items('People', people(2)),
			contactData('Find', harness.credential, {
				...FIND,
				operation: 'submitAndWait',
				options: { timeout: 7200 },
				...parameters,
			}),
		);
		return { ...workflow, settings: { ...workflow.settings, executionTimeout } };
	};

	it('with the error of a timeout, while it keeps running', async () => {
		harness.sandbox.configure({ single: 600_000 });
		const run = await harness.n8n.api.runWorkflow(find(20, {}));
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain("n8n's time limit for this execution");
		expect(run.error?.description).toContain(alreadyPaidFor);
		for (const id of idsCharged()) expect(run.error?.description).toContain(id);
	});

	it('with ongoing items, while it is paused', { tags: 'long', timeout: 330_000 }, async () => {
		harness.sandbox.configure({ single: 600_000 });
		const { api } = harness.n8n;
		const id = await api.startWorkflow(find(205, { waitMode: 'suspend' }));
		await api.waitForStatus(id, (status) => status === 'waiting');
		const run = await api.waitForEnd(id, { timeoutMs: 300_000 });
		expect(run.status).toBe('success');
		expect(run.json('Find').map((item) => item.status)).toEqual(['ongoing', 'ongoing']);
		expect(run.json('Find').map((item) => item.id)).toEqual(idsCharged());
	});
});
