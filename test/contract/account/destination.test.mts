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
import {
	contactData,
	jsonOf,
	shownError,
	useBench,
	watchReadings,
} from '../../support/n8nCore/contactData.mts';
import type { CredentialValues } from '../../support/n8nCore/credentials.mts';
import { runNode, type RunNodeResult } from '../../support/n8nCore/execute.mts';
import { SELF_SIGNED } from '../../support/sandbox/selfSigned.mts';
import { startSandbox, type Sandbox } from '../../support/sandbox/server.mts';
import { keyOnlyForBaseUrl, unreachable } from '../../support/texts.mts';

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
const port = () => new URL(away()).port;

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

/** The credential, where its editor lets HTTP Request use it. */
const allowing = (): CredentialValues => {
	const { contactDataApi } = bench().credentials;
	return { contactDataApi: { ...contactDataApi, allowedHttpRequestDomains: 'all' } };
};

const olderHelper = (request: IRequestOptions): Send =>
	async function (): Promise<unknown> {
		return await this.helpers.requestWithAuthentication.call(this, 'contactDataApi', request);
	};

/** As n8n's HTTP Request asks. */
async function byOlderHelper(
	options: IRequestOptions,
	credentials = allowing(),
): Promise<RunNodeResult> {
	const request = { method: 'GET', headers: {}, json: true, ...options } as const;
	return await run(olderHelper(request), credentials);
}

/** As declarative nodes, AI tools and this package ask. */
async function byNewerHelper(options: IHttpRequestOptions): Promise<RunNodeResult> {
	return await run(async function (): Promise<unknown> {
		return await this.helpers.httpRequestWithAuthentication.call(this, 'contactDataApi', options);
	});
}

function expectRefused(result: RunNodeResult, says: string | RegExp): void {
	expect(shownError(result, bench().sandbox.apiKey).message).toMatch(says);
	expect(elsewhere.visits).toEqual([]);
}

function expectAnswered(result: RunNodeResult): void {
	expect(jsonOf(result)).toMatchObject([
		{ answer: expect.stringContaining('"credits":') as unknown },
	]);
	expect(bench().sandbox.requests).toMatchObject([{ path: PATH, keyName: 'demo' }]);
	expect(elsewhere.visits).toEqual([]);
}

const ONLY_HOME = keyOnlyForBaseUrl;

// All forms of addresses: test/unit/credentials. Here are the ways in which n8n's helpers are given one.
describe('a request to somebody else gets no key, and is not sent', () => {
	it.for<[string, () => IRequestOptions]>([
		['an address', () => ({ uri: away() + PATH })],
		['an address in the other field', () => ({ url: away() + PATH })],
		['both fields, the second wins', () => ({ uri: home() + PATH, url: away() + PATH })],
		['both fields, the first wins', () => ({ url: home() + PATH, uri: away() + PATH })],
		['a path at another base', () => ({ baseURL: away(), uri: PATH })],
		['a base alone', () => ({ baseURL: away() })],
		['the service as the user name', () => ({ uri: `${home()}@localhost:${port()}${PATH}` })],
		[
			'the address of a host without scheme',
			() => ({ uri: `//localhost:${port()}${PATH}`, baseURL: home() }),
		],
	])('%s, as HTTP Request asks', async ([, options]) => {
		expectRefused(await byOlderHelper(options()), ONLY_HOME);
	});

	it.for<[string, () => IHttpRequestOptions]>([
		['an address', () => ({ url: away() + PATH })],
		['an address over the right base', () => ({ url: away() + PATH, baseURL: home() })],
		['a path at another base', () => ({ url: PATH, baseURL: away() })],
		['nothing at another base', () => ({ url: '', baseURL: away() })],
	])('%s, as declarative nodes ask', async ([, options]) => {
		expectRefused(await byNewerHelper(options()), ONLY_HOME);
	});

	it('the next page of a list', async () => {
		const result = await run(async function (): Promise<unknown> {
			return await this.helpers.requestWithAuthenticationPaginated.call(
				this,
				{ uri: home() + PATH, method: 'GET', json: true },
				0,
				{
					continue: '={{ $pageCount < 2 }}',
					request: { url: `={{ $pageCount === 0 ? '${home()}${PATH}' : '${away()}${PATH}' }}` },
					requestInterval: 0,
				},
				'contactDataApi',
			);
		}, allowing());
		expectRefused(result, ONLY_HOME);
		expect(bench().sandbox.requests).toMatchObject([{ path: PATH, keyName: 'demo' }]);
	});
});

describe('a request to the service is answered', () => {
	it('as HTTP Request asks', async () => {
		expectAnswered(await byOlderHelper({ uri: home() + PATH }));
	});

	it('as HTTP Request asks page by page', async () => {
		const result = await run(async function (): Promise<unknown> {
			const pages: unknown = await this.helpers.requestWithAuthenticationPaginated.call(
				this,
				{ uri: home() + PATH, method: 'GET', json: true },
				0,
				{ continue: false, request: { qs: { page: 1 } }, requestInterval: 0 },
				'contactDataApi',
			);
			return Array.isArray(pages) && pages.map(({ body }: { body: unknown }) => body);
		}, allowing());
		expectAnswered(result);
	});

	it('as declarative nodes ask', async () => {
		expectAnswered(await byNewerHelper({ url: PATH, baseURL: home() }));
	});

	it('with the key of the credential, whatever key the request has', async () => {
		const headers = { 'X-API-Key': 'mine', 'X-Api-Key': 'mine' };
		expectAnswered(await byOlderHelper({ uri: home() + PATH, headers }));
	});
});

// Its error holds the headers that were sent, where an expression in the next node can read them.
describe('HTTP Request, whose error would hold the key, is refused', () => {
	it.for<[string, CredentialValues[string]]>([
		['where the credential says nothing of it', {}],
		['where it says None', { allowedHttpRequestDomains: 'none' }],
		['where it says what only n8n checks', { allowedHttpRequestDomains: 'domains' }],
	])('%s', async ([, setting]) => {
		const { contactDataApi } = bench().credentials;
		const credentials = { contactDataApi: { ...contactDataApi, ...setting } };
		for (const path of [PATH, '/nope']) {
			const result = await byOlderHelper({ uri: home() + path }, credentials);
			expectRefused(result, /^The API key is not sent for n8n's HTTP Request node/);
		}
		const paged = await byOlderHelper({ uri: home() + PATH, url: home() + PATH }, credentials);
		expectRefused(paged, /^The API key is not sent for n8n's HTTP Request node/);
		expect(bench().sandbox.requests).toEqual([]);
	});
});

describe('a redirect', () => {
	it.for([301, 302, 303, 307, 308])('%i of the service takes no key along', async (status) => {
		const redirect = () =>
			bench().sandbox.faults.add({ kind: 'redirect', on: '*', to: `${away()}${PATH}`, status });
		redirect();
		// What HTTP Request says when it follows redirects, which is its default.
		const follow = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
		await byOlderHelper({ uri: home() + PATH, ...follow });
		redirect();
		await byNewerHelper({ url: home() + PATH, maxRedirects: 21 });
		expect(elsewhere.visits).toEqual([]);
		// By plain http, what is followed would pass the service as its own proxy.
		expect(bench().sandbox.requests).toHaveLength(2);
	});
});

describe('what would let others read the key on the way is refused', () => {
	let secure: Sandbox;
	beforeAll(async () => {
		secure = await startSandbox({ tls: SELF_SIGNED });
	});
	afterAll(async () => await secure.close());

	it.for<[string, Partial<IRequestOptions>]>([
		['unchecked certificates', { rejectUnauthorized: false }],
		['an authority of their own', { agentOptions: { ca: SELF_SIGNED.cert } }],
	])('%s, as HTTP Request asks', async ([, options]) => {
		const { baseUrl, apiKey } = secure;
		const request = { method: 'GET', uri: baseUrl + PATH, json: true, ...options } as const;
		const result = await run(olderHelper(request), {
			contactDataApi: { ...allowing().contactDataApi, baseUrl, apiKey },
		});
		expect(shownError(result, apiKey).message).toMatch(
			/^The API key is only sent where .*certificate/,
		);
		expect(secure.requests).toEqual([]);
	});
});

const CHANGED = `${unreachable}: the credential has changed, and its API key is no longer for this address`;

describe('a base URL that is another one at the second reading', () => {
	it.for([
		['emailVerifier', 'submit'],
		['account', 'getInfo'],
	])('gets nothing: %s %s', async ([resource = '', operation = '']) => {
		const { contactDataApi } = bench().credentials;
		const readings = watchReadings();
		let times = 0;
		readings.mockImplementation(async () => ({
			...contactDataApi,
			baseUrl: times++ === 0 ? home() : away(),
		}));
		const result = await bench().run(resource, operation, {
			parameters: { email: 'a@acme.com' },
		});
		const shown = shownError(result, bench().sandbox.apiKey);
		expect(shown.message).toBe(CHANGED);
		expect(times).toBeGreaterThan(1);
		expect(bench().sandbox.requests).toEqual([]);
		expect(elsewhere.visits).toEqual([]);
	});

	it('which comes between two submissions is nothing that may have been charged', async () => {
		const { contactDataApi } = bench().credentials;
		const readings = watchReadings();
		readings.mockImplementation(async () => ({
			...contactDataApi,
			baseUrl: bench().posts.length === 0 ? home() : away(),
		}));
		const result = await bench().run('emailVerifier', 'submit', {
			parameters: { email: '={{ $json.n }}@acme.com' },
			items: [{ n: 1 }, { n: 2 }],
			settings: { onError: 'continueRegularOutput' },
		});
		const [first, second] = jsonOf(result);
		expect(first).toMatchObject({ status: 'ongoing' });
		expect(second?.error).toBe(CHANGED);
		expect(bench().posts).toHaveLength(1);
		expect(elsewhere.visits).toEqual([]);
	});
});
