import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { expect, inject, test } from 'vitest';
import { runNode } from '../support/n8nCore/execute.mts';
import { startSandbox } from '../support/sandbox/server.mts';

// How n8n serves the files of a package's folder.
const ICON_ROOT = 'icons/n8n-nodes-contact-data/';

const unpacked = inject('unpacked');
const loader = new PackageDirectoryLoader(unpacked);
await loader.loadAll();

test('n8n loads both nodes and the credential', () => {
	expect(Object.keys(loader.nodeTypes).sort()).toEqual(['contactData', 'contactDataTrigger']);
	expect(Object.keys(loader.credentialTypes)).toEqual(['contactDataApi']);
	expect(loader.known.credentials.contactDataApi.supportedNodes?.sort()).toEqual([
		'contactData',
		'contactDataTrigger',
	]);
});

test('all have an icon for light and for dark', () => {
	const owners = [...loader.types.nodes, ...loader.types.credentials];
	expect(owners).toHaveLength(3);
	for (const { name, iconUrl } of owners) {
		if (typeof iconUrl !== 'object') throw new Error(`${name} has no themed icon`);
		expect(iconUrl.light).not.toBe(iconUrl.dark);
		for (const url of [iconUrl.light, iconUrl.dark]) {
			expect(existsSync(join(unpacked, url.replace(ICON_ROOT, ''))), url).toBe(true);
		}
	}
});

test('the built node runs', async () => {
	const { type: node } = loader.nodeTypes.contactData;
	if (!('execute' in node)) throw new Error('Not the node');
	const sandbox = await startSandbox({ single: 20 });
	const { items, error } = await runNode({
		node,
		parameters: {
			resource: 'emailVerifier',
			operation: 'submitAndWait',
			email: '={{ $json.email }}',
			options: { pollInterval: 0.1 },
		},
		credentials: { contactDataApi: { apiKey: sandbox.apiKey, baseUrl: sandbox.baseUrl } },
		items: [{ email: 'mustfind@a.example' }, { email: 'notfound@b.example' }],
	}).finally(async () => await sandbox.close());
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.found)).toEqual([true, false]);
});
