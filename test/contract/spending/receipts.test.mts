import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { expectNoKey, jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow, type WorkflowOptions } from '../../support/n8nCore/workflow.mts';
import { notFinishedInTime } from '../../support/texts.mts';
import { addresses, expectChargedOnce, MAIL, pressRetry } from './money.mts';

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const REFUSED = { kind: 'status', status: 418, body: { message: 'Not now' } } as const;
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** With Search Again nothing but the receipts knows what is paid for. */
function workflow(items: number, settings: object = {}, options = {}): WorkflowOptions {
	const node = bench().node('emailVerifier', 'submitAndWait', {
		parameters: MAIL,
		options: { searchAgain: true, ...options },
		settings,
	});
	return { nodes: [start(addresses(items)), node], credentials: bench().credentials };
}

const founds = (run: Awaited<ReturnType<typeof runWorkflow>>) =>
	run.items(NODE).map(({ json }) => json.found);

describe('Retry On Fail', () => {
	it('goes on where the third submission failed', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 2 });
		const run = await runWorkflow(workflow(5, RETRY_ON_FAIL));
		expect(run.status).toBe('success');
		expect(founds(run)).toEqual([true, true, true, true, true]);
		expectChargedOnce(bench(), 5);
	});

	it('goes on under Continue, when the first item failed', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *' });
		const run = await runWorkflow(
			workflow(4, { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' }),
		);
		expect(founds(run)).toEqual([true, true, true, true]);
		expectChargedOnce(bench(), 4);
	});
});

describe('the Retry button', () => {
	it('goes on from the saved execution', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 2 });
		const failed = await runWorkflow(workflow(5));
		expect(failed.status).toBe('error');
		const charged = bench().sandbox.ledger.totals().searches;
		expect(charged).toBeGreaterThanOrEqual(2);

		const retried = await pressRetry(workflow(5), failed);
		expect(retried.status).toBe('success');
		expect(founds(retried)).toEqual([true, true, true, true, true]);
		expectChargedOnce(bench(), 5);
	});

	it('goes on with lookups that were not finished in time', async () => {
		bench().sandbox.configure({ single: 3000 });
		const options = workflow(2, {}, { timeout: 2 });
		const failed = await runWorkflow(options);
		expect(failed.error?.message).toContain(notFinishedInTime);
		const retried = await pressRetry(options, failed);
		expect(founds(retried)).toEqual([true, true]);
		expectChargedOnce(bench(), 2);
	});
});

describe('receipts', () => {
	it('of the turns of a loop are kept apart', async () => {
		// No turn has its result in time, so the receipts of the first one are there in the second.
		bench().sandbox.configure({ single: 60_000 });
		const same = [{ mail: 'mustfind@acme.com' }, { mail: 'mustfind@acme.com' }];
		const node = bench().node('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			options: { timeout: 1, searchAgain: true },
			settings: { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' },
		});
		const run = await runWorkflow({
			nodes: [start(same), loopOverItems('Loop'), node],
			edges: [
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', to: NODE, output: 1 },
				{ from: NODE, to: 'Loop' },
			],
			credentials: bench().credentials,
		});
		expect(run.tasks(NODE)).toHaveLength(2);
		const ids = [0, 1].map((turn) => run.items(NODE, { run: turn })[0].json.search_id);
		expect(ids).toEqual(bench().sandbox.ledger.entries.map(({ id }) => id));
	});

	it('of two nodes are kept apart', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 1 });
		const given = {
			parameters: { email: 'mustfind@acme.com' },
			options: { searchAgain: true },
			settings: RETRY_ON_FAIL,
		};
		const one = { ...bench().node('emailVerifier', 'submitAndWait', given), name: 'One' };
		const other = { ...bench().node('emailVerifier', 'submitAndWait', given), name: 'Other' };
		const run = await runWorkflow({
			nodes: [start([{}]), one, other],
			credentials: bench().credentials,
		});
		const ids = [run.items('One')[0].json.search_id, run.items('Other')[0].json.search_id];
		expect(new Set(ids).size).toBe(2);
		expect(bench().sandbox.ledger.entries).toHaveLength(2);
	});

	it('are small, and hold no key and no result', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 20 });
		const contactDataApi = { ...bench().credentials.contactDataApi, requestsPerSecond: 50 };
		const run = await bench().run('phoneFinder', 'submit', {
			parameters: { socialProfileUrl: '=https://linkedin.com/in/{{ $json.mail.split("@")[0] }}' },
			items: addresses(40),
			credentials: { contactDataApi },
		});
		expect(run.error).toBeDefined();
		const text = JSON.stringify(run.contextData);
		expect(text.length / bench().sandbox.ledger.entries.length).toBeLessThan(300);
		expectNoKey(run.contextData, bench().sandbox.apiKey);
		expect(text).not.toContain('linkedin');
	});

	it('are gone when every item has its result', async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			items: addresses(5),
		});
		expect(jsonOf(run)).toHaveLength(5);
		expect(JSON.stringify(run.contextData)).not.toContain(bench().sandbox.ledger.entries[0]?.id);
	});
});
