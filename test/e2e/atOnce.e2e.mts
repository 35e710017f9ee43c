import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';

import type { ExecutionStatus } from 'n8n-workflow';
import type { CredentialRef } from '../support/n8n/api.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { saveListener, triggerUrlOf } from '../support/n8n/trigger.mts';
import {
	chain,
	contactData,
	items,
	triggeredChain,
	webhookTrigger,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import type { FaultRule } from '../support/sandbox/faults.mts';
import { expectPaidOnce, FIND } from './paid.mts';
import { withService } from './parked.mts';

// The service calls about many searches in one second, and a read takes a second. Nobody promises a second call.

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;
const MANY_MS = 90_000;
const SLOW: FaultRule = { on: 'GET /email/*', kind: 'delay', ms: 1_000, times: 1_000 };

const harness = useHarness();

/** How many executions of a workflow have this status. */
async function countOf(workflowId: string, status: ExecutionStatus, mode: string): Promise<number> {
	const filter = JSON.stringify({ workflowId, status: [status], mode });
	const path = `executions?limit=1&filter=${encodeURIComponent(filter)}`;
	return (await harness.n8n.api.rest<{ count: number }>('GET', path)).count;
}

it('60 notifications start 60 workflows', async () => {
	await withService(harness, { single: UNTIL_TOLD_MS }, async (sandbox, credential) => {
		const { n8n } = harness;
		const id = await saveListener(n8n.api, credential, 'at-once');
		await n8n.api.activate(id);
		const url = await triggerUrlOf(n8n, id);
		const start = contactData('Start Search', credential, {
			...FIND,
			operation: 'submit',
			options: { webhook: { __rl: true, mode: 'url', value: url } },
		});
		await n8n.api.runWorkflow(chain('Starts', items('Leads', people(60)), start));
		sandbox.faults.add(SLOW);
		sandbox.service.finish();
		await sandbox.waitFor(() => sandbox.deliveries.length === 60);
		expect(new Set(sandbox.deliveries.map(({ outcome }) => outcome))).toEqual(new Set([200]));
		await expect
			.poll(async () => await countOf(id, 'success', 'webhook'), { timeout: MANY_MS })
			.toBe(60);
		expectPaidOnce(sandbox, 60);
	});
});

/** Finds the email of whom the call names, and pauses meanwhile. */
async function saveFinder(credential: CredentialRef): Promise<{ id: string; url: string }> {
	const { api, url } = harness.n8n;
	const path = randomUUID();
	const find = contactData('Find', credential, {
		...FIND,
		waitMode: 'suspend',
		fullname: '={{ $json.body.fullname }}',
	});
	const id = await api.importWorkflow(triggeredChain('Finder', webhookTrigger(path), find));
	await api.activate(id);
	return { id, url: `${url}webhook/${path}` };
}

it('120 paused executions go on after n8n was started again', { tags: 'long' }, async () => {
	await withService(harness, { single: UNTIL_TOLD_MS }, async (sandbox, credential) => {
		const { n8n } = harness;
		const { id, url } = await saveFinder(credential);
		for (const { fullname } of people(120)) {
			const body = JSON.stringify({ fullname });
			await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
		}
		const countPaused = async () => await countOf(id, 'waiting', 'webhook');
		await expect.poll(countPaused, { timeout: MANY_MS }).toBe(120);
		await n8n.kill();
		await n8n.restart();
		sandbox.faults.add(SLOW);
		sandbox.service.finish();
		await sandbox.waitFor(() => sandbox.deliveries.length === 120, MANY_MS);
		expect(new Set(sandbox.deliveries.map(({ outcome }) => outcome))).toEqual(new Set([200]));
		await expect
			.poll(async () => await countOf(id, 'success', 'webhook'), { timeout: MANY_MS })
			.toBe(120);
		expectPaidOnce(sandbox, 120);
	});
});
