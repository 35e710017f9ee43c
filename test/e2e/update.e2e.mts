// @module-tag long
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '../support/n8n/folder.mts';
import { credentialFor } from '../support/n8n/harness.mts';
import { ensureN8n } from '../support/n8n/install.mts';
import { startN8n, type N8n } from '../support/n8n/n8n.mts';
import { npmStandIn } from '../support/n8n/npmStandIn.mts';
import {
	notify,
	saveListener,
	startLookup,
	triggerUrlOf,
	waitForStart,
} from '../support/n8n/trigger.mts';
import { packPackage } from '../support/packing.mts';
import { startSandbox, type Sandbox } from '../support/sandbox/server.mts';
import { park, workflow } from './parked.mts';

// n8n's own installation and update of the package, as a user does it in the settings.

/** The same package as another version: n8n updates to no equal one. */
const LATER = '99.0.0';
/** Longer than the test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 3_600_000;
const run = promisify(execFile);

let folders: TemporaryFolder[] = [];
let n8n: N8n;
let sandbox: Sandbox;
let name: string;
beforeAll(async () => {
	const folder = await temporaryFolder('update');
	await run('tar', ['-xf', inject('tarball'), '-C', folder.path]);
	const unpacked = join(folder.path, 'package');
	const file = join(unpacked, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as { name: string; version: string };
	({ name } = manifest);
	await writeFile(file, JSON.stringify({ ...manifest, version: LATER }));
	const npm = await npmStandIn({
		[manifest.version]: inject('tarball'),
		[LATER]: await packPackage(unpacked, join(folder.path, 'packed')),
	});
	folders = [folder, npm];
	const PATH = [npm.path, (await ensureN8n()).path].join(delimiter);
	n8n = await startN8n({ env: { PATH, N8N_REINSTALL_MISSING_PACKAGES: 'true' } });
	sandbox = await startSandbox({ single: UNTIL_TOLD_MS, bulk: UNTIL_TOLD_MS });
	await n8n.api.rest('POST', 'community-packages', { name, version: manifest.version });
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	for (const folder of folders) await folder.remove();
});

it('executions that are paused while the package is updated end right, and pay once', async () => {
	const { api } = n8n;
	const credential = await api.importCredential(credentialFor(sandbox));
	const paused: string[] = [];
	for (const operation of ['submitAndWait', 'submitBulkAndWait']) {
		const companyDomain = `${operation}.example`;
		paused.push(await park({ n8n }, workflow(credential, 3, { operation, companyDomain })));
	}
	await api.rest('PATCH', 'community-packages', { name, version: LATER });
	const path = 'community-packages';
	const installed = await api.rest<Array<{ installedVersion: string }>>('GET', path);
	expect(installed).toMatchObject([{ installedVersion: LATER }]);
	sandbox.service.finish();
	for (const id of paused) {
		const execution = await api.waitForEnd(id);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Find')).toMatchObject(Array(3).fill({ found: true }));
		expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1', '2']);
	}
	expect(sandbox.ledger.totals().searches).toBe(6);
	expect(sandbox.ledger.chargedTwice()).toEqual([]);
});

// A container without a volume for n8n's folder of packages: with each start the package is gone.
it('a trigger starts its workflow after a start at which n8n had to install the package again', async () => {
	const { api } = n8n;
	sandbox.configure({ single: 0 });
	const credential = await api.importCredential(credentialFor(sandbox, 'Again'));
	const id = await saveListener(api, credential, 'reinstalled');
	await api.activate(id);
	const webhook = await triggerUrlOf(n8n, id);

	await n8n.kill();
	const installed = join(n8n.dataDir, '.n8n/nodes/node_modules', name);
	expect(existsSync(installed)).toBe(true);
	await rm(installed, { recursive: true });
	await n8n.restart();
	expect(existsSync(installed)).toBe(true);

	const lookup = await startLookup(sandbox, 'http://127.0.0.1:9/');
	await expect
		.poll(async () => (await notify(webhook, { id: lookup })).status, { timeout: 60_000 })
		.toBe(200);
	const started = await waitForStart(api, id);
	expect(started.json('After')).toMatchObject([{ id: lookup }]);
});
