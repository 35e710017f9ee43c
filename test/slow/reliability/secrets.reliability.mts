import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { N8nApi } from '../../support/n8n/api.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import { findKeys } from '../../support/n8n/secrets.mts';
import { chain, contactData, items } from '../../support/n8n/workflows.mts';
import { startSandbox, type Sandbox } from '../../support/sandbox/server.mts';
import { credentialFor } from '../../support/n8n/harness.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';

/** Looks like the key of a sandbox, and is none. */
const DECOY = `sandbox-${'0123456789abcdef'.repeat(2)}`;

let n8n: N8n;
let api: N8nApi;
let sandbox: Sandbox;
let elsewhere: Elsewhere;
beforeAll(async () => {
	[n8n, sandbox, elsewhere] = await Promise.all([
		startN8n({ tarball: inject('tarball') }),
		startSandbox(),
		openElsewhere(),
	]);
	({ api } = n8n);
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	await elsewhere?.close();
});

const find = (credential: { id: string; name: string }, fullname: string) =>
	contactData('Find', credential, {
		resource: 'emailFinder',
		operation: 'submitAndWait',
		fullname,
		companyDomain: 'acme.example',
	});

describe('the search for keys that ends each suite on a real n8n', () => {
	it('finds none after a run', async () => {
		const credential = await api.importCredential(credentialFor(sandbox));
		const run = await api.runWorkflow(chain('Clean', find(credential, 'mustfind ada')));
		expect(run.status).toBe('success');
		expect(await findKeys(n8n)).toEqual([]);
	});

	it('finds one that is let out by hand', async () => {
		await api.runWorkflow(chain('Leak', items('Items', [{ deep: [{ key: DECOY }] }])));
		const places = await findKeys(n8n);
		expect(places).toContain('database: execution_data.data');
		expect(places).toContain('database: workflow_entity.nodes');
	});
});

describe('the base URL and items', () => {
	it('an item is data: an expression in it is not evaluated', async () => {
		const credential = await api.importCredential(credentialFor(sandbox));
		const evil = '={{ $json.url }}{{ 6 * 7 }}';
		const leads = items('Items', [{ fullname: evil, url: elsewhere.url }]);
		const run = await api.runWorkflow(
			chain('Data', leads, find(credential, '={{ $json.fullname }}')),
		);
		expect(run.status).toBe('success');
		const sent = sandbox.requests.filter(({ method }) => method === 'POST').at(-1);
		expect(sent?.body).toMatchObject({ fullname: evil });
		expect(elsewhere.visits).toEqual([]);
	});

	it.for([
		'http://contact-data.example/',
		'http://169.254.169.254/latest/meta-data',
		'file:///etc/passwd',
		'ftp://127.0.0.1/',
		'gopher://127.0.0.1:6379/_',
		'http://127.0.0.1.nip.example/',
		'http://localhost@contact-data.example/',
		'javascript:alert(1)',
		'',
	])('a credential whose base URL comes from an item takes no %j', async (url) => {
		// The editor offers no expressions there, n8n's API does.
		const data = { apiKey: sandbox.apiKey, baseUrl: '={{ $json.url }}', requestsPerSecond: 10 };
		const credential = await api.importCredential({
			name: 'From the item',
			type: 'contactDataApi',
			data,
		});
		const before = sandbox.requests.length;
		const leads = items('Items', [{ fullname: 'mustfind ada', url }]);
		const run = await api.runWorkflow(
			chain('Turned', leads, find(credential, '={{ $json.fullname }}')),
		);
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/^The 'Base URL' of the credential must/);
		expect(JSON.stringify(run.record)).not.toContain(sandbox.apiKey);
		expect(sandbox.requests).toHaveLength(before);
		expect(elsewhere.visits).toEqual([]);
	});

	it('nor an address that would be taken: no item has a say in it', async () => {
		const data = { apiKey: sandbox.apiKey, baseUrl: '={{ $json.url }}', requestsPerSecond: 10 };
		const name = 'From the item';
		const credential = await api.importCredential({ name, type: 'contactDataApi', data });
		const before = sandbox.requests.length;
		const leads = items('Items', [{ fullname: 'mustfind ada', url: sandbox.baseUrl }]);
		const run = await api.runWorkflow(
			chain('Evaluated', leads, find(credential, '={{ $json.fullname }}')),
		);
		expect(run.error?.message).toMatch(/^The 'Base URL' of the credential must/);
		expect(sandbox.requests).toHaveLength(before);
	});
});
