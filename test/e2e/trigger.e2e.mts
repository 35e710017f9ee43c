import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { ensureN8n } from '../support/n8n/install.mts';
import { lacks } from '../support/n8n/lacks.mts';
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
	type TriggerStage,
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

const stage = (): TriggerStage => ({
	...harness,
	n8n: { ...harness.n8n, webhookUrl: harness.n8n.url },
});

describe('a notification', () => {
	it('starts the workflow once, also when three come at once (the two examples)', async () => {
		const { n8n, sandbox, credential } = stage();
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
		const { n8n, sandbox } = stage();
		const id = await saveListener(stage(), 'restarted');
		await n8n.api.activate(id);
		const url = await triggerUrlOf(n8n, id);
		const before = await startLookup(sandbox, url);
		await waitForStart(n8n.api, id);

		await harness.n8n.kill();
		const meanwhile = await startLookup(sandbox, url);
		await sandbox.waitFor(() => sandbox.deliveries.length === 2);
		expect(sandbox.deliveries[1].outcome).toHaveProperty('error');
		// n8n is started while the service is down: the workflow listens all the same.
		sandbox.faults.add({ on: 'GET /account/info', kind: 'status', status: 503, times: 1000 });
		await harness.n8n.restart();

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

	it('whose result takes long to read is taken, though its sender has gone', async () => {
		const { n8n, sandbox } = stage();
		const id = await saveListener(stage(), 'slow');
		await n8n.api.activate(id);
		const url = `${await triggerUrlOf(n8n, id)}?event=phoneFinderSingle`;
		const lookup = await startLookup(sandbox, 'https://elsewhere.example/');
		sandbox.faults.add({ on: 'GET /phone/single', kind: 'delay', ms: 6_000, times: Infinity });
		const gone = { body: JSON.stringify({ id: lookup }), signal: AbortSignal.timeout(1_000) };
		const headers = { 'content-type': 'application/json' };
		await expect(sendTo(url, { headers, ...gone })).rejects.toThrow();
		const started = await waitForStart(n8n.api, id);
		expect(started.json('After')).toEqual([{ event: 'phoneFinderSingle', id: lookup }]);
	});

	it.skipIf(lacks('an answer to a webhook after the start'))(
		'comes again where a locked database did not let n8n start the workflow',
		async () => {
			const { n8n, sandbox } = stage();
			const id = await saveListener(stage(), 'locked');
			await n8n.api.activate(id);
			const url = await triggerUrlOf(n8n, id);
			sandbox.configure({ webhooks: { retries: 100 } });
			const unlock = await lockDatabase(harness.n8n.dataDir);
			const lookup = await startLookup(sandbox, url);
			await sandbox.waitFor(() => sandbox.deliveries.length === 2);
			await unlock();
			const started = await waitForStart(n8n.api, id);
			expect(started.json('After')).toEqual([{ event: 'phoneFinderSingle', id: lookup }]);
			await sandbox.waitFor(() => sandbox.deliveries.at(-1)?.outcome === 200);
			expect(sandbox.deliveries.slice(0, 2).map(({ outcome }) => outcome)).toEqual([500, 500]);
			expect(await notify(url, { id: lookup })).toEqual(SEEN);
			expect(await startsOf(n8n.api, id)).toHaveLength(1);
		},
	);

	it.for([undefined, 'application/octet-stream'])(
		'starts the workflow as JSON of the content type %s',
		async (type) => {
			const { n8n, sandbox } = stage();
			const id = await saveListener(stage(), `type-${type?.length}`);
			await n8n.api.activate(id);
			const url = await triggerUrlOf(n8n, id);
			const lookup = await startLookup(sandbox, 'http://127.0.0.1:9/');
			await sandbox.waitFor(() => sandbox.deliveries.length === 1);
			// Of a text, `fetch` adds the type by itself.
			const body = Buffer.from(JSON.stringify({ id: lookup }));
			const headers = { ...(type !== undefined && { 'content-type': type }) };
			const answer = await sendTo(url, { headers, body });
			expect(await answer.json()).toMatchObject({ message: workflowStarted });
			const started = await waitForStart(n8n.api, id);
			expect(started.json('After')).toEqual([{ event: 'phoneFinderSingle', id: lookup }]);
		},
	);

	it('is answered, whatever is in it', async () => {
		const { n8n } = stage();
		const id = await saveListener(stage(), 'anything');
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

/** Lets nobody write to n8n's database, as a backup may, until it is told to end. */
async function lockDatabase(dataDir: string): Promise<() => Promise<void>> {
	const { node } = await ensureN8n();
	const script =
		'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("BEGIN IMMEDIATE"); console.log("locked"); process.stdin.resume()';
	const database = join(dataDir, '.n8n', 'database.sqlite');
	const locking = spawn(node, ['-e', script, database], { stdio: ['pipe', 'pipe', 'inherit'] });
	await once(locking.stdout, 'data');
	return async () => {
		locking.stdin.end();
		await once(locking, 'exit');
	};
}

describe('listening for a test event', () => {
	it('takes one at the test URL, unpublished', async () => {
		const { n8n, sandbox } = stage();
		const { api } = n8n;
		const id = await saveListener(stage(), 'listening');
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
			`${await triggerUrlOf(stage().n8n, id)}?event=emailFinderBulk`,
		]);

		await api.deactivate(id);
		await expectRefused();
		expect(sandbox.ledger.entries).toHaveLength(1);
		expect(await startsOf(api, id)).toHaveLength(1);
	});
});
