import { beforeEach, describe, expect, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { chain, contactData, items } from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { privateAddress } from '../support/texts.mts';
import { callbackUrl, park, workflow } from './parked.mts';

// What n8n 3 will change, as far as this n8n can be told to do it already.

describe.skipIf(lacks('its list of what n8n 3 changes'))('n8n 3', () => {
	const harness = useHarness({
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_RUNNERS_TASK_TIMEOUT: '60',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10,64:ff9b::/96,2002::/16',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	});
	/** Of the service under a name that n8n lets requests go to. */
	let allowed: CredentialRef;

	beforeEach(async () => {
		const { baseUrl, apiKey } = harness.sandbox;
		const named = baseUrl.replace('127.0.0.1', 'localhost');
		allowed = await harness.n8n.api.importCredential(credentialFor({ baseUrl: named, apiKey }));
	});

	it('a parked execution is called back, although n8n does not let a node call n8n', async () => {
		const { n8n, sandbox } = harness;
		sandbox.configure({ single: 500, webhooks: { send: 'none' } });
		const id = await park(harness, workflow(allowed, 2));
		const refused = `The results for execution ${id} are there, but n8n did not take the call`;
		await expect.poll(() => n8n.logs(), { timeout: 60_000 }).toContain(refused);
		await n8n.api.waitForStatus(id, (status) => status === 'waiting');
		const lookups = sandbox.ledger.entries.map(({ id: lookup }) => ({ id: lookup }));
		for (const lookup of lookups) {
			await fetch(callbackUrl(sandbox), {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(lookup),
			});
		}
		const execution = await n8n.api.waitForEnd(id);
		expect(execution.status).toBe('success');
		expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1']);
		expect(sandbox.ledger.entries).toHaveLength(2);
	});

	it('a service that n8n does not let requests go to is not charged for, and the error says why', async () => {
		const { n8n, sandbox, credential } = harness;
		for (const operation of ['submit', 'submitBulkAndWait']) {
			const execution = await n8n.api.runWorkflow(
				chain(
					'Blocked',
					items('Leads', people(1)),
					contactData('Find', credential, {
						resource: 'emailFinder',
						operation,
						fullname: '={{ $json.fullname }}',
						companyDomain: 'acme.example',
					}),
				),
			);
			expect(execution.error?.message).toContain(privateAddress);
		}
		expect(sandbox.requests).toEqual([]);
	});
});
