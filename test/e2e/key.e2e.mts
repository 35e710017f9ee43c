import { describe, expect, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { chain, contactData, editFields, items, type NodeSpec } from '../support/n8n/workflows.mts';

// Who may use a credential cannot read its key.

const harness = useHarness();

/** What a colleague writes who wants to read the key; the key itself is not to be saved. */
const READS_KEY = editFields('Read', {
	length: "={{ ($json.error?.cause?.options?.headers?.['x-api-key'] ?? '').length }}",
});
const SEES_ITEMS = lacks('credentials whose expressions see no items');
const LETS_OTHERS_ASK = lacks('credentials that only their own nodes may use');

/** n8n's own HTTP Request, with the credential as its "Predefined Credential Type". */
function httpRequest(
	credential: CredentialRef,
	{
		nodeCredentialType = 'contactDataApi',
		...more
	}: { nodeCredentialType?: string } & Partial<NodeSpec>,
): NodeSpec {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${harness.sandbox.baseUrl}/nope`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType,
			options: {},
		},
		credentials: { contactDataApi: credential },
		...more,
	};
}

describe("n8n's HTTP Request node", () => {
	it.skipIf(LETS_OTHERS_ASK)('cannot be saved with the credential, nor find it', async () => {
		const { n8n, credential } = harness;
		const workflow = chain('Saved', items('Input', [{}]), httpRequest(credential, {}));
		await expect(n8n.api.importWorkflow(workflow)).rejects.toThrow('cannot use credential type');

		// By this the editor knows which nodes to offer it in.
		const { headers } = n8n.api;
		const answer = await fetch(`${n8n.url}types/credentials.json`, { headers });
		const types = (await answer.json()) as Array<{ name: string; supportedNodes?: string[] }>;
		const ours = types.find(({ name }) => name === 'contactDataApi');
		expect(ours).toMatchObject({ restrictToSupportedNodes: true });
		expect(ours?.supportedNodes).toEqual(
			expect.arrayContaining(
				['contactData', 'contactDataTool', 'contactDataTrigger'].map(
					(node) => `n8n-nodes-contact-data.${node}`,
				),
			),
		);
		expect(ours?.supportedNodes?.filter((node) => !node.includes('contactData'))).toEqual([]);
	});

	// An older n8n refuses by what the credential says of domains, or the credential does.
	it.for(['none', 'all'])('is sent no key in a run, where the credential says %s', async (all) => {
		const { api } = harness.n8n;
		const { data, ...credential } = credentialFor(harness.sandbox, `Says ${all}`);
		const said = { ...data, allowedHttpRequestDomains: all };
		const ref = await api.importCredential({ ...credential, data: said });
		for (const typeVersion of [2, 4.2]) {
			// Where n8n checks a workflow that is saved, it does not see what this comes to.
			const node = httpRequest(ref, { nodeCredentialType: "={{ 'contactDataApi' }}", typeVersion });
			const refused = await api.runWorkflow(chain('Refused', items('Input', [{}]), node));
			expect(refused.error?.message).toMatch(
				/is restricted to specific nodes|is configured to prevent use|API key is not sent for/,
			);
			const goesOn = { ...node, onError: 'continueRegularOutput' } as const;
			const workflow = chain('Read', items('Input', [{}]), goesOn, READS_KEY);
			expect((await api.runWorkflow(workflow)).json('Read')).toEqual([{ length: '0' }]);
		}
		expect(harness.sandbox.requests).toEqual([]);
	});
});

// SECURITY.md says so; n8n takes one equals sign away and evaluates the rest.
it.skipIf(SEES_ITEMS)(
	'who may edit a credential may let the items say where the key goes',
	async () => {
		const { api } = harness.n8n;
		const credential = credentialFor({ ...harness.sandbox, baseUrl: '=={{ $json.base }}' });
		const ref = await api.importCredential(credential);
		const node = contactData('Info', ref, { resource: 'account', operation: 'getInfo' });
		const workflow = chain(node.name, items('Input', [{ base: harness.sandbox.baseUrl }]), node);
		const execution = await api.runWorkflow(workflow);
		expect(execution.json()).toEqual([{ credits: 100_000, webhooks: [] }]);
	},
);
