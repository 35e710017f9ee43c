import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { chain, contactData, editFields, items, type NodeSpec } from '../support/n8n/workflows.mts';
import { park, withService } from './parked.mts';

// What a paused execution gives, and what a retry of it pays, where the parameters are expressions that
// only the items of the input can answer.

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;
const harness = useHarness();

/** Called by the node behind: it answers only when it is told to. */
class Behind {
	answers = false;
	private readonly server: Server = createServer((_, response) => {
		if (this.answers) response.end('{}');
	});
	url = '';
	readonly called = once(this.server, 'request');

	async open(): Promise<void> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		const bound = this.server.address();
		if (bound === null || typeof bound === 'string') throw new Error('No port');
		this.url = `http://127.0.0.1:${bound.port}/`;
	}

	close(): void {
		this.server.close();
		this.server.closeAllConnections();
	}

	get node(): NodeSpec {
		const parameters = { url: this.url, options: {} };
		return { name: 'Behind', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
	}
}

const LEADS = ['mustfind ada', 'notfound bob', 'mustfind eve'].map((who, n) => ({
	n,
	who,
	site: 'acme.example',
	company: 'Acme',
	wants: n === 0 ? 'true' : 'false',
	credits_used: 7,
}));

const FIND = {
	resource: 'emailFinder',
	operation: 'submitBulkAndWait',
	waitMode: 'suspend',
	fullname: '={{ $json.who }}',
	companyDomain: '={{ $json.site }}',
	companyName: '={{ $json.company }}',
};

describe('n8n that is killed in the node behind a pause', () => {
	const behind = new Behind();
	beforeAll(async () => await behind.open());
	afterAll(() => behind.close());

	it('is retried on the results: nothing is paid or asked for again', async () => {
		await withService(harness, { bulk: UNTIL_TOLD_MS }, async (sandbox, credential) => {
			const { n8n } = harness;
			const after = editFields('After', { n: "={{ $('Leads').item.json.n }}" });
			const find = contactData('Find', credential, FIND);
			const id = await park(
				harness,
				chain('Killed behind', items('Leads', LEADS), find, after, behind.node),
			);
			sandbox.service.finish();
			await behind.called;
			await n8n.kill();
			behind.answers = true;
			await n8n.restart();
			const retried = await n8n.api.retryExecution(id, { loadWorkflow: true });
			expect(retried.error).toBeUndefined();
			expect(retried.json('Find').map(({ found }) => found)).toEqual([true, false, true]);
			expect(retried.json('After').map(({ n }) => n)).toEqual(['0', '1', '2']);
			expect(sandbox.ledger.totals().searches).toBe(LEADS.length);
			expect(sandbox.ledger.chargedTwice()).toEqual([]);
		});
	});
});

it.concurrent('a pause whose options are expressions of the items gives each its own', async () => {
	await withService(harness, { bulk: UNTIL_TOLD_MS }, async (sandbox, credential) => {
		const options = { retrieveGender: '={{ $json.wants.toBoolean() }}', includeInputFields: true };
		const find = contactData('Find', credential, { ...FIND, options });
		const id = await park(harness, chain('By item', items('Leads', LEADS), find));
		sandbox.service.finish();
		const results = (await harness.n8n.api.waitForEnd(id)).json('Find');
		expect(results).toMatchObject(
			LEADS.map(({ n, who }) => ({
				n,
				credits_used: 7,
				fullname: expect.stringMatching(new RegExp(who, 'i')) as string,
			})),
		);
		expect(results.map(({ found }) => found)).toEqual([true, false, true]);
		expect(results.map((json) => 'gender' in json)).toEqual([true, true, true]);
		expect(new Set(results.map((json) => Object.keys(json).join())).size).toBe(1);
	});
});

it.concurrent('the items of a paused verification have the same columns', async () => {
	await withService(harness, { bulk: UNTIL_TOLD_MS }, async (sandbox, credential) => {
		const emails = ['mustfind.a@acme.example', 'mustfind.b@acme.example', 'nonsense'];
		const verify = contactData('Verify', credential, {
			resource: 'emailVerifier',
			operation: 'submitBulkAndWait',
			waitMode: 'suspend',
			email: '={{ $json.email }}',
		});
		const leads = items(
			'Leads',
			emails.map((email) => ({ email })),
		);
		const id = await park(harness, chain('Columns', leads, verify));
		sandbox.service.finish();
		const results = (await harness.n8n.api.waitForEnd(id)).json('Verify');
		expect(results.map(({ reason }) => reason)).toEqual([null, null, 'no @']);
	});
});
