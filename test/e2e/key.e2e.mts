import { describe, expect, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import {
	calledByOthers,
	chain,
	editFields,
	items,
	triggeredChain,
	type NodeSpec,
} from '../support/n8n/workflows.mts';

// Who may use a credential cannot read its key.

const harness = useHarness();

/** What a colleague writes who wants to read the key; the key itself is not to be saved. */
const READS_KEY = editFields('Read', {
	length: "={{ ($json.error?.cause?.options?.headers?.['x-api-key'] ?? '').length }}",
});
/** Whether an older n8n leaves it to what the credential says of domains, and to the credential itself. */
const LETS_OTHERS_ASK = lacks('credentials that only their own nodes may use');

/** n8n's own HTTP Request, with the credential as its "Predefined Credential Type". */
function httpRequest(credential: CredentialRef, more: Partial<NodeSpec> = {}): NodeSpec {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${harness.sandbox.baseUrl}/nope`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'contactDataApi',
			options: {},
		},
		credentials: { contactDataApi: credential },
		...more,
	};
}

/** Nodes in a workflow that is the text of a parameter, so that n8n does not check it when it is saved. */
function unchecked(...nodes: NodeSpec[]): NodeSpec {
	return {
		name: 'Sub',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'parameter',
			workflowJson: JSON.stringify(triggeredChain('Inner', calledByOthers, ...nodes)),
		},
	};
}

describe("n8n's HTTP Request node", () => {
	it.skipIf(LETS_OTHERS_ASK)('cannot be saved with the credential, nor find it', async () => {
		const { n8n, credential } = harness;
		const workflow = chain('Saved', items('Input', [{}]), httpRequest(credential));
		await expect(n8n.api.importWorkflow(workflow)).rejects.toThrow('cannot use credential type');

		// By this the editor knows which nodes to offer it in.
		const { headers } = n8n.api;
		const answer = await fetch(`${n8n.url}types/credentials.json`, { headers });
		const types = (await answer.json()) as Array<{ name: string; supportedNodes?: string[] }>;
		const ours = types.find(({ name }) => name === 'contactDataApi');
		expect(ours).toMatchObject({ restrictToSupportedNodes: true });
		expect(ours?.supportedNodes).toEqual(
			['contactData', 'contactDataTrigger'].map((node) => `n8n-nodes-contact-data.${node}`),
		);
	});

	const REFUSED = LETS_OTHERS_ASK
		? /is configured to prevent use|The API key is not sent for/
		: /is restricted to specific nodes/;

	it.for(['none', 'all'])('is sent no key in a run, where the credential says %s', async (all) => {
		const { api } = harness.n8n;
		const { data, ...credential } = credentialFor(harness.sandbox, `Says ${all}`);
		const said = { ...data, allowedHttpRequestDomains: all };
		const ref = await api.importCredential({ ...credential, data: said });
		const run = async (...nodes: NodeSpec[]) =>
			await api.runWorkflow(chain('Asks', items('Input', [{}]), unchecked(...nodes)));
		for (const typeVersion of [2, 4.2]) {
			const node = httpRequest(ref, { typeVersion });
			expect((await run(node)).error?.message).toMatch(REFUSED);
			const goesOn = { ...node, onError: 'continueRegularOutput' } as const;
			expect((await run(goesOn, READS_KEY)).json('Sub')).toEqual([{ length: '0' }]);
		}
		expect(harness.sandbox.requests).toEqual([]);
	});
});
