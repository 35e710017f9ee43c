import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContactDataApi } from '../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../nodes/ContactData/ContactDataTrigger.node.ts';
import { ROOT } from './setup.mts';

const readJson = async (path: string): Promise<unknown> =>
	JSON.parse(await readFile(join(ROOT, path), 'utf8'));

const manifest = await readJson('package.json');

test('nothing is installed with the package, and nothing runs when it is', () => {
	for (const field of [
		'dependencies',
		'optionalDependencies',
		'bundledDependencies',
		'bundleDependencies',
		'overrides',
	]) {
		expect(manifest).not.toHaveProperty(field);
	}
	for (const script of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']) {
		expect(manifest).not.toHaveProperty(['scripts', script]);
	}
	expect(manifest).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
});

test('development dependencies are pinned', () => {
	expect(manifest).toHaveProperty('devDependencies');
	const { devDependencies } = manifest as { devDependencies: Record<string, string> };
	const exact = /^\d+\.\d+\.\d+$/;
	expect(Object.entries(devDependencies).filter(([, version]) => !exact.test(version))).toEqual([]);
});

test.for(['package-lock.json', 'test/support/n8n/package-lock.json'])(
	'%s has checksums, and the address of no registry',
	async (path) => {
		const lock = await readFile(join(ROOT, path), 'utf8');
		expect(lock).toContain('"integrity"');
		expect(lock).not.toContain('"resolved"');
	},
);

test('a plain npm install brings no other package', () => {
	expect(manifest).toMatchObject({ peerDependenciesMeta: { 'n8n-workflow': { optional: true } } });
});

test('every link that users see is the homepage of package.json', async () => {
	const { homepage } = manifest as { homepage: string };
	const links = { primaryDocumentation: [{ url: homepage }] };
	for (const node of ['ContactData', 'ContactDataTrigger']) {
		expect(await readJson(`nodes/ContactData/${node}.node.json`)).toMatchObject({
			node: `n8n-nodes-contact-data.${node[0].toLowerCase()}${node.slice(1)}`,
			resources: { ...links, credentialDocumentation: [{ url: homepage }] },
		});
	}
	expect(new ContactDataApi().documentationUrl).toBe(homepage);
	expect(new ContactData().description.documentationUrl).toBe(homepage);
	expect(new ContactDataTrigger().description.documentationUrl).toBe(homepage);
});
