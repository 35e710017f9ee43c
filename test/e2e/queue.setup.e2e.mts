// @module-tag long
import { readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import { startFront } from '../support/n8n/front.mts';
import { credentialFor } from '../support/n8n/harness.mts';
import { ensureN8n } from '../support/n8n/install.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { npmStandIn } from '../support/n8n/npmStandIn.mts';
import type { N8nProcess } from '../support/n8n/process.mts';
import { describeQueueMode } from '../support/n8n/queueHarness.mts';
import {
	notify,
	saveListener,
	startLookup,
	startsOf,
	triggerUrlOf,
	waitForStart,
} from '../support/n8n/trigger.mts';
import { people } from '../support/people.mts';
import { publishFinder, type Finder, untilAll } from './queueWorkflow.mts';

// The steps of docs/queue-mode.md: each process has a folder of its own, as in a container.

const { name: PACKAGE, version } = JSON.parse(
	await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
) as { name: string; version: string };
/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 280_000;
const OTHER_KEY = { N8N_ENCRYPTION_KEY: 'another' };
const KEY_IS_CHECKED = !lacks('a check of the encryption key at its start');
const INSTALLED = `Community package installed: ${PACKAGE}`;

const npm = await npmStandIn({ [version]: inject('tarball') });
let webhookUrls: readonly string[] = [];
const front = await startFront('/automation', () => webhookUrls);
afterAll(async () => {
	front.close();
	await npm.remove();
});

const env = {
	PATH: [npm.path, (await ensureN8n()).path].join(delimiter),
	WEBHOOK_URL: front.url,
	N8N_REINSTALL_MISSING_PACKAGES: 'true',
};

describeQueueMode(
	(harness) => {
		let isInstalled = false;
		let credential: CredentialRef;
		const api = () => harness.n8n.main.api;
		const publish = async (waitMode: 'poll' | 'suspend'): Promise<Finder> =>
			await publishFinder(api(), front.url, credential, { operation: 'submitAndWait', waitMode });

		beforeAll(() => {
			webhookUrls = harness.n8n.webhookUrls;
		});

		beforeEach(async () => {
			if (isInstalled) credential = await api().importCredential(credentialFor(harness.sandbox));
		});

		it('what is installed once, in the settings, comes to all processes', async () => {
			const { workers, webhookProcessors } = harness.n8n;
			const others = [...workers, ...webhookProcessors];
			expect(others).toHaveLength(4);
			await api().rest('POST', 'community-packages', { name: PACKAGE, version });
			for (const { logs } of others.map((one) => ({ logs: () => one.logs() }))) {
				await expect.poll(logs, { timeout: 60_000 }).toContain(INSTALLED);
			}
			isInstalled = true;
		});

		it.for(['poll', 'suspend'] as const)('a workflow waits by %s', async (waitMode) => {
			const { sandbox } = harness;
			sandbox.configure({ single: waitMode === 'poll' ? 2_000 : UNTIL_TOLD_MS });
			const { workflowId, start } = await publish(waitMode);
			front.paths.length = 0;
			await start(people(3));
			if (waitMode === 'suspend') {
				await untilAll(api(), 1, workflowId, 'waiting');
				sandbox.service.finish();
			}
			await untilAll(api(), 1, workflowId, 'success');
			expect(sandbox.ledger.entries).toHaveLength(3);
			const callbacks = front.paths.filter((path) => path.includes('/webhook-waiting/'));
			expect(callbacks.length > 0).toBe(waitMode === 'suspend');
		});

		it('the trigger starts its workflow once, where a path always goes to the same processor', async () => {
			const { sandbox } = harness;
			const id = await saveListener(
				{ n8n: { ...harness.n8n, api: api() }, credential },
				'in-front',
			);
			await api().activate(id);
			const url = await triggerUrlOf({ api: api(), webhookUrl: front.url }, id);
			const lookup = await startLookup(sandbox, 'http://127.0.0.1:9/');
			await sandbox.waitFor(() => sandbox.deliveries.length === 1);
			const calls = Array.from({ length: 6 }, async () => await notify(url, { id: lookup }));
			for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
			await waitForStart(api(), id);
			expect(await startsOf(api(), id)).toHaveLength(1);
		});

		describe('a worker that is added later', () => {
			/** What comes of an execution on a worker that is the only one. */
			async function runOn(worker: N8nProcess, status: 'success' | 'error') {
				const { workflowId, start } = await publish('poll');
				await start(people(1));
				await untilAll(api(), 1, workflowId, status);
				const [{ id }] = await api().listExecutions({ workflowId });
				await worker.end('SIGTERM');
				return await api().getExecution(id);
			}

			beforeAll(async () => {
				for (const worker of harness.n8n.workers) await worker.end('SIGTERM');
			});

			it('installs what is missing', async () => {
				const worker = await harness.n8n.addWorker();
				expect(worker.logs()).toContain(INSTALLED);
				const execution = await runOn(worker, 'success');
				expect(execution.json('After')).toEqual([{ n: '0', found: 'true' }]);
			});

			it('spends nothing without the package, and says why', async () => {
				const worker = await harness.n8n.addWorker({ N8N_REINSTALL_MISSING_PACKAGES: 'false' });
				const execution = await runOn(worker, 'error');
				expect(execution.error?.message).toContain('Unrecognized node type');
				expect(harness.sandbox.ledger.entries).toEqual([]);
			});

			it.skipIf(KEY_IS_CHECKED)('spends nothing with another encryption key', async () => {
				const worker = await harness.n8n.addWorker(OTHER_KEY);
				const execution = await runOn(worker, 'error');
				expect(execution.error?.message).toContain('could not be decrypted');
				expect(harness.sandbox.ledger.entries).toEqual([]);
			});

			it.runIf(KEY_IS_CHECKED)('does not start with another encryption key', async () => {
				const started = harness.n8n.addWorker(OTHER_KEY);
				await expect(started).rejects.toThrow('cannot be read with this instance encryption key');
			});
		});
	},
	{ isInstalled: false, webhookProcessors: 2, ownFolders: true, env },
);
