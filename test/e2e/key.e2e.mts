import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openElsewhere, type Elsewhere } from '../support/elsewhere.mts';
import type { CredentialRef } from '../support/n8n/api.mts';
import type { Execution } from '../support/n8n/execution.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { chain, contactData, editFields, items, type NodeSpec } from '../support/n8n/workflows.mts';
import { keyOnlyForBaseUrl } from '../support/texts.mts';

// Who may use a credential cannot read its key.

const harness = useHarness();
let elsewhere: Elsewhere;
/** Its editor lets HTTP Request use it. */
let allowing: CredentialRef;
beforeAll(async () => {
	elsewhere = await openElsewhere();
	const credential = credentialFor(harness.sandbox, 'Allowing');
	const data = { ...credential.data, allowedHttpRequestDomains: 'all' };
	allowing = await harness.n8n.api.importCredential({ ...credential, data });
});
beforeEach(() => elsewhere.forget());
afterAll(async () => await elsewhere.close());

/** n8n's own HTTP Request, with the credential as its "Predefined Credential Type". */
function httpRequest(
	url: string,
	parameters: INodeParameters = {},
	settings: Partial<NodeSpec> = {},
): NodeSpec {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'contactDataApi',
			options: {},
			...parameters,
		},
		credentials: { contactDataApi: allowing },
		...settings,
	};
}

/** What a colleague writes who wants to read the key; the key itself is not to be saved. */
const HIDES_REQUEST = lacks('the request in an error of its HTTP Request node');
const SEES_ITEMS = lacks('credentials whose expressions see no items');
const READS_KEY = editFields('Read', {
	length: "={{ ($json.error?.cause?.options?.headers?.['x-api-key'] ?? '').length }}",
});

async function run(node: NodeSpec, input: IDataObject = {}): Promise<Execution> {
	return await harness.n8n.api.runWorkflow(chain(node.name, items('Input', [input]), node));
}

const home = () => `${harness.sandbox.baseUrl}/account/info`;

describe("n8n's HTTP Request node", () => {
	it('is answered by the service', async () => {
		const execution = await run(httpRequest(home()));
		expect(execution.error).toBeUndefined();
		expect(execution.json()).toEqual([{ credits: 100_000 }]);
		expect(harness.sandbox.requests).toMatchObject([{ keyName: 'demo' }]);
	});

	it('may not use a credential that does not allow it, and whose key it would show', async () => {
		const credentials = { contactDataApi: harness.credential };
		const url = `${harness.sandbox.baseUrl}/nope`;
		const refusals: unknown[] = [];
		// This n8n refuses it itself; in older ones it is ours to refuse, as contract tests show.
		for (const typeVersion of [2, 4.2]) {
			const refused = httpRequest(url, {}, { credentials, typeVersion });
			refusals.push((await run(refused)).error?.message);
			const node = { ...refused, onError: 'continueRegularOutput' } as const;
			const workflow = chain(node.name, items('Input', [{}]), node, READS_KEY);
			const execution = await harness.n8n.api.runWorkflow(workflow);
			expect(execution.json('Read')).toEqual([{ length: '0' }]);
		}
		const refusal: unknown = expect.stringContaining(
			'This credential is configured to prevent use',
		);
		expect(refusals).toEqual([refusal, refusal]);
		expect(harness.sandbox.requests).toEqual([]);
	});

	// SECURITY.md says so, and the credential.
	it.skipIf(HIDES_REQUEST)(
		'shows the key, where it is allowed, to whoever writes an expression',
		async () => {
			const onError = 'continueRegularOutput';
			const node = httpRequest(`${harness.sandbox.baseUrl}/nope`, {}, { onError });
			const workflow = chain(node.name, items('Input', [{}]), node, READS_KEY);
			const execution = await harness.n8n.api.runWorkflow(workflow);
			const length = String(String(harness.sandbox.apiKey).length);
			expect(execution.json('Read')).toEqual([{ length }]);
		},
	);

	it('sends no key to anybody else', async () => {
		const execution = await run(httpRequest(`${elsewhere.url}steal`));
		expect(elsewhere.visits).toEqual([]);
		expect(execution.error?.message).toContain(keyOnlyForBaseUrl);
	});

	it('sends none to whom an item names', async () => {
		const execution = await run(httpRequest('={{ $json.url }}'), { url: elsewhere.url });
		expect(elsewhere.visits).toEqual([]);
		expect(execution.error?.message).toContain(keyOnlyForBaseUrl);
	});

	it('sends none to whom the service points', async () => {
		harness.sandbox.faults.add({ kind: 'redirect', on: '*', to: elsewhere.url, status: 302 });
		await run(httpRequest(home()));
		expect(elsewhere.visits).toEqual([]);
		expect(harness.sandbox.requests).toHaveLength(1);
	});

	it('sends none to the address of a next page', async () => {
		const pagination = {
			paginationMode: 'responseContainsNextURL',
			nextURL: `={{ $pageCount === 0 ? '${home()}' : '${elsewhere.url}' }}`,
			paginationCompleteWhen: 'other',
			completeExpression: '={{ $pageCount === 2 }}',
			limitPagesFetched: true,
			maxRequests: 2,
		};
		const execution = await run(httpRequest(home(), { options: { pagination: { pagination } } }));
		expect(elsewhere.visits).toEqual([]);
		expect(harness.sandbox.requests).toHaveLength(1);
		expect(execution.error?.message).toContain(keyOnlyForBaseUrl);
	});

	it('sends none through a proxy that could read it', async () => {
		const proxy = elsewhere.url.slice(0, -1);
		const options = { proxy, allowUnauthorizedCerts: true };
		const refused = await run(httpRequest(home(), { options }));
		expect(refused.error?.message).toContain('certificate');
		const direct = await run(httpRequest(home(), { options: { proxy } }));
		expect(direct.json()).toEqual([{ credits: 100_000 }]);
		expect(elsewhere.visits).toEqual([]);
	});

	// Where the key is looked for at the end of this file.
	it('shows no key when it fails', async () => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			harness.sandbox.faults.add({ kind: 'status', on: '*', status: 400, body: { message: 'No' } });
			await run(httpRequest(home(), {}, { onError }));
			harness.sandbox.faults.add({ kind: 'reset', on: '*', when: 'before' });
			await run(httpRequest(home(), {}, { onError }));
		}
		expect(harness.sandbox.requests).toHaveLength(4);
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
		const execution = await run(node, { base: harness.sandbox.baseUrl });
		expect(execution.json()).toEqual([{ credits: 100_000, webhooks: [] }]);
	},
);
