// @module-tag long
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '../support/n8n/folder.mts';
import { credentialFor } from '../support/n8n/harness.mts';
import { ensureN8n } from '../support/n8n/install.mts';
import { startN8n, type N8n } from '../support/n8n/n8n.mts';
import { npmStandIn } from '../support/n8n/npmStandIn.mts';
import { packPackage } from '../support/packing.mts';
import { startSandbox, type Sandbox } from '../support/sandbox/server.mts';
import { park, workflow } from './parked.mts';

// n8n's own installation, update and removal of the package, as a user does it in the settings.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The last commit of version 0.3.0. */
const OLD = { version: '0.3.0', commit: '33838c5' };
/** What is packed now, whatever version it will be released as. */
const NEW = { version: '99.0.0' };
/** Longer than the test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 3_600_000;

const run = promisify(execFile);

let folders: TemporaryFolder[];
let n8n: N8n;
let sandbox: Sandbox;
let name: string;
beforeAll(async () => {
	({ name } = await readManifest(ROOT));
	const [old, present] = [await temporaryFolder('old'), await temporaryFolder('new')];
	const npm = await npmStandIn({
		[OLD.version]: await packOld(old.path),
		[NEW.version]: await packNew(present.path),
	});
	folders = [old, present, npm];
	const PATH = [npm.path, (await ensureN8n()).path].join(delimiter);
	[n8n, sandbox] = await Promise.all([
		startN8n({ env: { PATH } }),
		startSandbox({ single: UNTIL_TOLD_MS, bulk: UNTIL_TOLD_MS }),
	]);
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	for (const folder of folders ?? []) await folder.remove();
});

async function installedVersion(): Promise<string | undefined> {
	const path = 'community-packages';
	const all = await n8n.api.rest<Array<{ installedVersion: string }>>('GET', path);
	return all[0]?.installedVersion;
}

type Manifest = Record<string, unknown> & { name: string };

async function readManifest(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** n8n updates to another version only: the present one may have the number of the old one still. */
async function packNew(folder: string): Promise<string> {
	await run('tar', ['-xf', inject('tarball'), '-C', folder]);
	const unpacked = join(folder, 'package');
	const manifest = { ...(await readManifest(unpacked)), ...NEW };
	await writeFile(join(unpacked, 'package.json'), JSON.stringify(manifest));
	return await packPackage(unpacked, join(folder, 'packed'));
}

/** Builds the old version in this folder, with the tools of the present one. */
async function packOld(folder: string): Promise<string> {
	const archive = join(folder, 'source.tar');
	await run('git', ['archive', '--output', archive, OLD.commit], { cwd: ROOT });
	const source = join(folder, 'source');
	await mkdir(source);
	await run('tar', ['-xf', archive, '-C', source]);
	await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'));
	await run('npm', ['run', 'build'], { cwd: source });
	return await packPackage(source, join(folder, 'packed'));
}

it('three executions that are paused while the package is updated end right, and pay once', async () => {
	const { api } = n8n;
	const { version } = NEW;
	await api.rest('POST', 'community-packages', { name, version: OLD.version });
	const credential = await api.importCredential(credentialFor(sandbox));
	const paused: string[] = [];
	for (const operation of ['submitAndWait', 'submitAndWait', 'submitBulkAndWait']) {
		const domain = `acme${paused.length}.example`;
		const toRun = workflow(credential, 3, { operation, companyDomain: domain });
		paused.push(await park({ n8n }, toRun));
	}
	const charged = sandbox.ledger.totals().searches;
	expect(charged).toBe(9);
	expect(await installedVersion()).toBe(OLD.version);

	await api.rest('PATCH', 'community-packages', { name, version });
	expect(await installedVersion()).toBe(version);
	sandbox.service.finish();
	for (const id of paused) {
		const execution = await api.waitForEnd(id);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Find')).toMatchObject(Array(3).fill({ found: true }));
		expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1', '2']);
	}
	expect(sandbox.ledger.totals().searches).toBe(charged);
	expect(sandbox.ledger.chargedTwice()).toEqual([]);
});

it('removed, it is gone, and installed again it works', async () => {
	const { api } = n8n;
	const { version } = NEW;
	const credential = await api.importCredential(credentialFor(sandbox, 'Again'));
	sandbox.configure({ single: 0 });
	const find = async () =>
		await api.runWorkflow(workflow(credential, 1, { companyDomain: 'again.example' }));
	await api.rest('DELETE', `community-packages?name=${name}`);
	await expect(find()).rejects.toThrow('Unrecognized node type');
	await api.rest('POST', 'community-packages', { name, version });
	expect((await find()).json('Find')).toMatchObject([{ found: true }]);
});
