import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import type { WorkflowJson } from '../n8n/api.mts';
import { editFields, triggeredChain, withCredential } from '../n8n/workflows.mts';
import { credentialFor, useHarness } from './harness.mts';
import { contactDataTrigger, notify, startsOf, triggerUrlOf, waitForStart } from './trigger.mts';

const harness = useHarness();

async function example(name: string): Promise<WorkflowJson> {
	const file = new URL(`../../examples/${name}.json`, import.meta.url);
	const workflow = JSON.parse(await readFile(file, 'utf8')) as WorkflowJson;
	return withCredential(workflow, harness.credential);
}

/** A workflow that a notification starts, saved but not published. */
async function listener(webhookId: string, credential = harness.credential): Promise<string> {
	return await harness.n8n.api.importWorkflow(
		triggeredChain(
			webhookId,
			contactDataTrigger(credential, webhookId),
			editFields('After', { event: '={{ $json.event }}' }),
		),
	);
}

/** The ids of the batches that were charged, in order. */
const batches = () => harness.sandbox.ledger.entries.map(({ id }) => id);

describe('publishing', () => {
	it('is refused with a wrong key, and says why', async () => {
		const { api } = harness.n8n;
		const wrong = credentialFor({ ...harness.sandbox, apiKey: 'wrong-key' }, 'Wrong');
		const id = await listener('wrong-key', await api.importCredential(wrong));
		await expect(api.activate(id)).rejects.toThrow('This apikey is not valid');
		expect(await notify(await triggerUrlOf(api, id), { id: 'x' })).toMatchObject({ status: 404 });
	});

	it("tells in n8n's log how the trigger is notified", async () => {
		const { n8n, sandbox } = harness;
		const named = await listener('named');
		await n8n.api.activate(named);
		expect(n8n.logs()).toContain(
			`The account does not have ${await triggerUrlOf(n8n.api, named)} registered`,
		);
		const registered = await listener('registered');
		const url = await triggerUrlOf(n8n.api, registered);
		sandbox.service.account().webhooks = [url];
		await n8n.api.activate(registered);
		expect(n8n.logs()).toContain(`The account notifies ${url} of every finished lookup`);
		expect(n8n.logs()).not.toContain(sandbox.apiKey);
	});
});

describe('the examples', () => {
	it('a batch that is started in one workflow starts another', async () => {
		const { api } = harness.n8n;
		const receiving = await api.importWorkflow(await example('receive-results'));
		await api.activate(receiving);
		const submitting = await example('submit-for-another-workflow');
		const options = submitting.nodes.find(({ name }) => name === 'Start Batch')?.parameters.options;
		Object.assign(options ?? {}, {
			webhook: { __rl: true, mode: 'url', value: await triggerUrlOf(api, receiving) },
		});
		const submitted = await api.runWorkflow(submitting);
		expect(submitted.error).toBeUndefined();
		expect(submitted.json()).toMatchObject([{ status: 'ongoing', size: 5 }]);

		const started = await waitForStart(api, receiving);
		expect(started.error).toBeUndefined();
		expect(started.json('Contact Data Trigger')).toMatchObject([
			{ event: 'emailFinderBulk', status: 'completed', batch_id: batches()[0] },
		]);
		const rows = started.json('Table');
		expect(rows.length).toBeGreaterThan(0);
		for (const row of rows) expect(row).toMatchObject({ list: 'spring' });
	});

	it('one workflow goes on by its own trigger: once, and over a restart of n8n', async () => {
		const { n8n, sandbox } = harness;
		const id = await n8n.api.importWorkflow(await example('submit-and-continue-by-trigger'));

		const early = await n8n.api.runWorkflow(id);
		expect(early.nodeError('Start Batch')?.message).toContain('it is not active');
		expect(batches()).toEqual([]);

		sandbox.configure({ webhooks: { copies: 3 } });
		await n8n.api.activate(id);
		expect((await n8n.api.runWorkflow(id)).error).toBeUndefined();
		const first = await waitForStart(n8n.api, id);
		expect(first.json('Table')).toHaveLength(5);
		expect(first.json('Table')[0]).toMatchObject({ name: 'Amelia Hart', batch: batches()[0] });
		await sandbox.waitFor(() => sandbox.deliveries.length === 3);
		expect(sandbox.deliveries.map(({ outcome }) => outcome)).toEqual([200, 200, 200]);
		expect(sandbox.deliveries[0].url).toBe(
			`${await triggerUrlOf(n8n.api, id)}?event=emailFinderBulk`,
		);

		// The second batch is finished while n8n is down, and n8n starts while the service is.
		expect((await n8n.api.runWorkflow(id)).error).toBeUndefined();
		await n8n.kill();
		await sandbox.waitFor(() => sandbox.deliveries.length === 6);
		sandbox.faults.add({ on: 'GET /account/info', kind: 'status', status: 503, times: 1000 });
		await n8n.restart();
		const url = await triggerUrlOf(n8n.api, id);
		// n8n is ready before its triggers are.
		const redeliver = async () => (await notify(url, { id: batches()[1] })).status;
		await expect.poll(redeliver, { timeout: 30_000 }).toBe(200);
		const second = await waitForStart(n8n.api, id, 2);
		expect(second.json('Table')).toHaveLength(5);
		expect(second.json('Table')[0]).toMatchObject({ batch: batches()[1] });

		for (const batch of batches()) {
			expect(await notify(url, { id: batch })).toEqual({
				status: 200,
				message: 'This id has been seen before',
			});
		}
		expect(await startsOf(n8n.api, id)).toHaveLength(2);
	});
});

describe('listening for a test event', () => {
	it('takes one at the test URL, unpublished', async () => {
		const { n8n, sandbox } = harness;
		const id = await listener('listening');
		const url = await triggerUrlOf(n8n.api, id, 'webhook-test');
		// As the editor does.
		const listening = await n8n.api.rest('POST', `workflows/${id}/run`, {
			triggerToStartFrom: { name: 'Contact Data Trigger' },
		});
		expect(listening).toMatchObject({ waitingForWebhook: true });
		expect(await notify(url, { id: 'unknown' })).toMatchObject({ status: 404 });

		const answer = await fetch(`${sandbox.baseUrl}/phone/single`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': sandbox.apiKey },
			body: JSON.stringify({
				socialprofile_url: 'https://social.example/in/mustfind',
				settings: { webhook: url },
			}),
		});
		expect(answer.status).toBe(201);
		const { id: execution } = await n8n.api.waitForExecution(({ mode }) => mode === 'manual', {
			workflowId: id,
		});
		const started = await n8n.api.waitForEnd(execution);
		expect(started.json('After')).toEqual([{ event: 'phoneFinderSingle' }]);
	});
});
