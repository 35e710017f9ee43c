import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	IRequestOptions,
} from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';
import { contactData, jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import type { CredentialValues } from '../../support/n8nCore/credentials.mts';
import { runNode, type RunNodeResult } from '../../support/n8nCore/execute.mts';
import { keyOnlyForBaseUrl } from '../../support/texts.mts';

// Where the API key goes when other nodes use the credential through n8n's request helpers.

const bench = useBench();
useFastClock();

let elsewhere: Elsewhere;
beforeAll(async () => {
	elsewhere = await openElsewhere();
});
beforeEach(() => elsewhere.forget());
afterAll(async () => await elsewhere.close());

const PATH = '/account/info';
const home = () => bench().sandbox.baseUrl;
/** Without its trailing slash. */
const away = () => elsewhere.url.slice(0, -1);

type Send = (this: IExecuteFunctions) => Promise<unknown>;

/** A node of somebody else's that may use the credential. */
function stranger(send: Send): INodeType {
	return {
		description: { ...contactData.description, properties: [], name: 'stranger' },
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return [[{ json: { answer: JSON.stringify(await send.call(this)) } }]];
		},
	};
}

async function run(send: Send, credentials: CredentialValues = bench().credentials) {
	return await runNode({ node: stranger(send), credentials });
}

/** As n8n's HTTP Request asks. */
async function byOlderHelper(
	options: IRequestOptions,
	credentials?: CredentialValues,
): Promise<RunNodeResult> {
	const request = { method: 'GET', headers: {}, json: true, ...options } as const;
	return await run(async function (): Promise<unknown> {
		return await this.helpers.requestWithAuthentication.call(this, 'contactDataApi', request);
	}, credentials);
}

/** As declarative nodes, AI tools and this package ask. */
async function byNewerHelper(
	options: IHttpRequestOptions,
	credentials?: CredentialValues,
): Promise<RunNodeResult> {
	return await run(async function (): Promise<unknown> {
		return await this.helpers.httpRequestWithAuthentication.call(this, 'contactDataApi', options);
	}, credentials);
}

function expectRefused(result: RunNodeResult, says: string | RegExp): void {
	expect(shownError(result, bench().sandbox.apiKey).message).toMatch(says);
	expect(elsewhere.visits).toEqual([]);
}

// All forms of addresses: test/unit/credentials. Here are the ways in which n8n's helpers are given one.
it('a request to somebody else gets no key, and is not sent, by the older helper', async () => {
	expectRefused(await byOlderHelper({ url: away() + PATH }), keyOnlyForBaseUrl);
});

it.for<[string, () => IHttpRequestOptions]>([
	['an address over the right base', () => ({ url: away() + PATH, baseURL: home() })],
	['nothing at another base', () => ({ url: '', baseURL: away() })],
])('nor does %s, as declarative nodes ask', async ([, options]) => {
	expectRefused(await byNewerHelper(options()), keyOnlyForBaseUrl);
});

it('a request to the service is answered', async () => {
	const result = await byNewerHelper({ url: PATH, baseURL: home() });
	expect(jsonOf(result)).toMatchObject([
		{ answer: expect.stringContaining('"credits":') as unknown },
	]);
	expect(bench().sandbox.requests).toMatchObject([{ path: PATH, keyName: 'demo' }]);
});

// Its error holds the headers that were sent, where an expression in the next node can read them. An n8n
// that knows `restrictToSupportedNodes` does not let it come so far.
describe('HTTP Request is refused', () => {
	const REFUSED = /^The API key is not sent for n8n's HTTP Request node.*Header Auth/;

	it.for<[string, () => IRequestOptions]>([
		['the service', () => ({ uri: home() + PATH })],
		['somebody else first', () => ({ uri: away() + PATH, url: home() + PATH })],
		['nobody', () => ({ uri: '' })],
	])('where it asks %s', async ([, options]) => {
		// What a credential says that was saved for HTTP Request, or by n8n's own editor.
		for (const allowedHttpRequestDomains of ['none', 'domains', 'all']) {
			const { contactDataApi } = bench().credentials;
			const credentials = { contactDataApi: { ...contactDataApi, allowedHttpRequestDomains } };
			expectRefused(await byOlderHelper(options(), credentials), REFUSED);
		}
		expect(bench().sandbox.requests).toEqual([]);
	});
});

it.for([301, 308])('a redirect %i takes no key along', async (status) => {
	bench().sandbox.faults.add({ kind: 'redirect', on: '*', to: `${away()}${PATH}`, status });
	await byNewerHelper({ url: home() + PATH, maxRedirects: 21 });
	expect(elsewhere.visits).toEqual([]);
	// By plain http, what is followed would pass the service as its own proxy.
	expect(bench().sandbox.requests).toHaveLength(1);
});
