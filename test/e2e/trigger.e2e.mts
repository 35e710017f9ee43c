import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';
import {
	notify,
	removeCap,
	saveListener,
	sendTo,
	setWebhook,
	startLookup,
	startsOf,
	testUrlOf,
	triggerUrlOf,
	waitForStart,
} from '../support/n8n/trigger.mts';
import { publishFirst, seenBefore, workflowStarted } from '../support/texts.mts';

const STARTED = { status: 200, message: workflowStarted };
const SEEN = { status: 200, message: seenBefore };
const MB = 1024 * 1024;

const typed = (type: string, body: RequestInit['body']): RequestInit => ({
	headers: { 'content-type': type },
	body,
});
const packed = (body: Buffer<ArrayBuffer>): RequestInit => ({
	headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
	body,
});

const harness = useHarness();

describe('a notification', () => {
	it('starts the workflow once, also when three come at once (the two examples)', async () => {
		const { n8n, sandbox, credential } = harness;
		const { api } = n8n;
		const receiving = await api.importWorkflow(await readExample('receive-results', credential));
		await api.activate(receiving);
		const url = await triggerUrlOf(n8n, receiving);
		const submitting = await readExample('submit-for-another-workflow', credential);
		setWebhook(submitting, 'Start Batch', url);
		removeCap(submitting, 'Start Batch');
		sandbox.configure({ webhooks: { copies: 3 } });
		const submitted = await api.runWorkflow(submitting);
		expect(submitted.error).toBeUndefined();
		expect(submitted.json()).toMatchObject([{ status: 'ongoing', size: 3 }]);

		const started = await waitForStart(api, receiving);
		expect(started.error).toBeUndefined();
		const [batch] = sandbox.ledger.entries;
		const rows = started.json('Table');
		expect(rows).toHaveLength(sandbox.ledger.totals().net);
		for (const item of started.json('Contact Data Trigger')) {
			const batch_id = batch.id;
			expect(item).toMatchObject({ event: 'emailFinderBulk', status: 'completed', batch_id });
		}
		for (const row of rows) expect(row).toMatchObject({ list: 'spring' });
		await sandbox.waitFor(() => sandbox.deliveries.length === 3);
		expect(sandbox.deliveries.map(({ outcome }) => outcome)).toEqual([200, 200, 200]);
		expect(await notify(url, { id: batch.id })).toEqual(SEEN);
		expect(await startsOf(api, receiving)).toHaveLength(1);
	});

	it('is known after n8n was killed, and one that came meanwhile can come again', async () => {
		const { n8n, sandbox, credential } = harness;
		const id = await saveListener(n8n.api, credential, 'restarted');
		await n8n.api.activate(id);
		const url = await triggerUrlOf(n8n, id);
		const before = await startLookup(sandbox, url);
		await waitForStart(n8n.api, id);

		await n8n.kill();
		const meanwhile = await startLookup(sandbox, url);
		await sandbox.waitFor(() => sandbox.deliveries.length === 2);
		expect(sandbox.deliveries[1].outcome).toHaveProperty('error');
		// n8n is started while the service is down: the workflow listens all the same.
		sandbox.faults.add({ on: 'GET /account/info', kind: 'status', status: 503, times: 1000 });
		await n8n.restart();

		// n8n is ready before its triggers are.
		const again = async () => (await notify(url, { id: before })).status;
		await expect.poll(again, { timeout: 30_000 }).toBe(200);
		expect(await notify(url, { id: before })).toEqual(SEEN);
		expect(await notify(url, { id: meanwhile })).toEqual(STARTED);
		const second = await waitForStart(n8n.api, id, 2);
		expect(second.json('After')).toEqual([{ event: 'phoneFinderSingle', id: meanwhile }]);
		expect(await notify(url, { id: meanwhile })).toEqual(SEEN);
		expect(await startsOf(n8n.api, id)).toHaveLength(2);
	});

	it('is answered, whatever is in it', async () => {
		const { n8n, credential } = harness;
		const id = await saveListener(n8n.api, credential, 'anything');
		await n8n.api.activate(id);
		const url = await triggerUrlOf(n8n, id);
		const form = new FormData();
		form.set('id', 'in-parts');
		// The 422 and 500 are n8n's own: the node does not see these.
		const expected: Array<[what: string, status: number, request: RequestInit]> = [
			['nothing', 400, {}],
			['JSON that is cut off', 422, typed('application/json', '{"id":')],
			['JSON without an id', 400, typed('application/json', '[{"a":1}]')],
			['an unknown id', 404, typed('application/json', '{"id":"as-json"}')],
			['an unknown id as text', 404, typed('text/plain', '{"id":"as-text"}')],
			['an unknown id as XML', 404, typed('text/xml', '<id>as-xml</id>')],
			['an unknown id in a form', 404, { body: new URLSearchParams({ id: 'in-a-form' }) }],
			['an unknown id in parts', 404, { body: form }],
			['an unknown id, packed', 404, packed(gzipSync('{"id":"packed"}'))],
			['what is not packed, as packed', 500, packed(Buffer.from('{"id":"unknown"}'))],
			['an unknown id, of no type', 404, { body: Buffer.from('{"id":"untyped"}') }],
			['an unknown id in bytes', 404, typed('application/octet-stream', '{"id":"as-bytes"}')],
			['bytes of any type', 400, typed('application/octet-stream', new Uint8Array(1000))],
			['100,000 levels', 400, typed('application/json', '['.repeat(1e5) + ']'.repeat(1e5))],
			['20 MB', 500, typed('application/json', `"${'x'.repeat(20 * MB)}"`)],
		];
		const answered: typeof expected = [];
		for (const [what, , request] of expected) {
			answered.push([what, (await sendTo(url, request)).status, request]);
		}
		expect(answered).toEqual(expected);
		expect(await startsOf(n8n.api, id)).toEqual([]);
	});
});

describe('listening for a test event', () => {
	it('takes one at the test URL, unpublished', async () => {
		const { n8n, sandbox, credential } = harness;
		const { api } = n8n;
		const id = await saveListener(n8n.api, credential, 'listening');
		const url = await testUrlOf(api, id);
		const listening = await api.listen(id, 'Contact Data Trigger');
		expect(listening).toMatchObject({ waitingForWebhook: true });
		expect(await notify(url, { id: 'unknown' })).toMatchObject({ status: 404 });

		const lookup = await startLookup(sandbox, url);
		const { id: execution } = await api.waitForExecution(({ mode }) => mode === 'manual', {
			workflowId: id,
		});
		const started = await api.waitForEnd(execution);
		expect(started.json('After')).toEqual([{ event: 'phoneFinderSingle', id: lookup }]);
		expect(await notify(await triggerUrlOf(n8n, id), { id: lookup })).toMatchObject({
			status: 404,
		});
	});
});

describe('the trigger of the same workflow as webhook', () => {
	it('is known while it is published (the example)', async () => {
		const { n8n, sandbox, credential } = harness;
		const { api } = n8n;
		const example = await readExample('submit-and-continue-by-trigger', credential);
		removeCap(example, 'Start Batch');
		const id = await api.importWorkflow(example);
		const expectRefused = async () => {
			const refused = await api.runWorkflow(id);
			expect(refused.nodeError('Start Batch')?.message).toContain(publishFirst);
		};
		await expectRefused();
		expect(sandbox.ledger.entries).toEqual([]);

		await api.activate(id);
		expect((await api.runWorkflow(id)).error).toBeUndefined();
		const started = await waitForStart(api, id);
		const [batch] = sandbox.ledger.entries;
		expect(started.json('Contact Data Trigger')).toHaveLength(3);
		expect(started.json('Table')).toHaveLength(sandbox.ledger.totals().net);
		expect(started.json('Table')[0]).toMatchObject({ name: 'Amelia Hart', batch: batch.id });
		expect(sandbox.deliveries.map(({ url }) => url)).toEqual([
			`${await triggerUrlOf(n8n, id)}?event=emailFinderBulk`,
		]);

		await api.deactivate(id);
		await expectRefused();
		expect(sandbox.ledger.entries).toHaveLength(1);
		expect(await startsOf(api, id)).toHaveLength(1);
	});
});
