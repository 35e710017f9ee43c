import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { chain, contactData, editFields, items } from '../support/n8n/workflows.mts';
import { ownPort } from '../support/ports.mts';
import { park, withService } from './parked.mts';

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;
const harness = useHarness();

/** What the node behind the pause calls. */
const port = await ownPort();
let answers = false;
const behind = createServer((_, response) => {
	if (answers) response.end('{}');
}).listen(port, '127.0.0.1');
const called = once(behind, 'request');
afterAll(() => {
	behind.close();
	behind.closeAllConnections();
});

it('n8n that is killed in the node behind a pause is retried on the results, and pays nothing again', async () => {
	const leads = ['mustfind ada', 'notfound bob', 'mustfind eve'].map((who, n) => ({ n, who }));
	await withService(harness, { bulk: UNTIL_TOLD_MS }, async (sandbox, credential) => {
		const { n8n } = harness;
		const find = contactData('Find', credential, {
			resource: 'emailFinder',
			operation: 'submitBulkAndWait',
			waitMode: 'suspend',
			// Only the items of the input can answer it.
			fullname: '={{ $json.who }}',
			companyDomain: 'acme.example',
		});
		const call = {
			name: 'Behind',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
		};
		const after = editFields('After', { n: "={{ $('Leads').item.json.n }}" });
		const workflow = chain('Killed behind', items('Leads', leads), find, after, call);
		const id = await park(harness, workflow);
		sandbox.service.finish();
		await called;
		await n8n.kill();
		answers = true;
		await n8n.restart();
		const retried = await n8n.api.retryExecution(id, { loadWorkflow: true });
		expect(retried.error).toBeUndefined();
		expect(retried.json('Find').map(({ found }) => found)).toEqual([true, false, true]);
		expect(retried.json('After').map(({ n }) => n)).toEqual(['0', '1', '2']);
		expect(sandbox.ledger.totals().searches).toBe(leads.length);
		expect(sandbox.ledger.chargedTwice()).toEqual([]);
	});
});
