// @module-tag long
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';

import { credentialFor } from '../support/n8n/harness.mts';
import { ensureN8n } from '../support/n8n/install.mts';
import { startN8n } from '../support/n8n/n8n.mts';
import { npmStandIn } from '../support/n8n/npmStandIn.mts';
import {
	notify,
	saveListener,
	startLookup,
	triggerUrlOf,
	waitForStart,
} from '../support/n8n/trigger.mts';
import { startSandbox } from '../support/sandbox/server.mts';

// A container without a volume for n8n's folder of packages: with each start the package is gone.

const { name, version } = JSON.parse(
	await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
) as { name: string; version: string };

const npm = await npmStandIn({ [version]: inject('tarball') });
const PATH = [npm.path, (await ensureN8n()).path].join(delimiter);
const n8n = await startN8n({ env: { PATH, N8N_REINSTALL_MISSING_PACKAGES: 'true' } });
const sandbox = await startSandbox();
afterAll(async () => {
	await n8n.stop();
	await sandbox.close();
	await npm.remove();
});

it('a trigger starts its workflow after a start at which n8n had to install the package again', async () => {
	const { api, url } = n8n;
	await api.rest('POST', 'community-packages', { name, version });
	const credential = await api.importCredential(credentialFor(sandbox));
	const listening = { api, webhookUrl: url };
	const id = await saveListener({ n8n: listening, credential }, 'reinstalled');
	await api.activate(id);
	const webhook = await triggerUrlOf(listening, id);

	await n8n.kill();
	const installed = join(n8n.dataDir, '.n8n/nodes/node_modules', name);
	expect(existsSync(installed)).toBe(true);
	await rm(installed, { recursive: true });
	await n8n.restart();
	expect(existsSync(installed)).toBe(true);

	const lookup = await startLookup(sandbox, 'http://127.0.0.1:9/');
	await sandbox.waitFor(() => sandbox.deliveries.length === 1);
	await expect
		.poll(async () => (await notify(webhook, { id: lookup })).status, { timeout: 60_000 })
		.toBe(200);
	const started = await waitForStart(api, id);
	expect(started.json('After')).toMatchObject([{ id: lookup }]);
});
