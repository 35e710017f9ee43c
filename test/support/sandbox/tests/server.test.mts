import { once } from 'node:events';
import https from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { SELF_SIGNED } from '../selfSigned.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../server.mts';

let sandbox: Sandbox;
const begin = async (options?: SandboxOptions) => (sandbox = await startSandbox(options));
afterEach(async () => {
	await sandbox.close();
});

const post = (path: string, body: string, contentType = 'application/json') =>
	fetch(sandbox.baseUrl + path, {
		method: 'POST',
		headers: { 'X-Api-Key': sandbox.apiKey, 'content-type': contentType },
		body,
	});
const get = (path: string, key = sandbox.apiKey) =>
	fetch(sandbox.baseUrl + path, { headers: { 'x-api-key': key } });

describe('bodies over HTTP', () => {
	test.for([
		['/email/find/single', '{"fullname":', 'invalid JSON input'],
		['/email/find/single', '', 'invalid JSON input'],
		['/email/find/bulk', '{"searches":[', 'Error while parsing payload'],
		['/email/find/bulk', '', 'Missing payload'],
		['/email/find/bulk', 'null', 'Missing payload'],
		['/email/verify/single', '{"email"}', 'invalid JSON input'],
		['/email/verify/bulk', '', 'Missing payload'],
		['/phone/bulk', '', 'Missing payload'],
	])('%s %o: %s', async ([path, body, message]) => {
		await begin();
		const response = await post(path, body);
		expect(response.status).toBe(400);
		expect(await response.json()).toEqual({ message });
	});

	test('a body that is not declared as JSON cannot be parsed', async () => {
		await begin();
		const response = await post('/email/find/bulk', '{"searches":[]}', 'text/plain');
		expect(await response.json()).toEqual({ message: 'Error while parsing payload' });
	});

	test('a batch as large as they come, and custom of any kind, come back as sent', async () => {
		await begin({ bulk: 0, scenarios: ['customInEcho'] });
		const custom = 'x'.repeat(3_000);
		const search = { fullname: 'Ada Mustfind', company_domain: 'acme.com', custom };
		const searches = Array.from({ length: 5_000 }, () => search);
		const odd = '{"__proto__":{"a":1},"constructor":"b"}';
		const body = `{"custom":${odd},"searches":${JSON.stringify(searches)}}`;
		expect(body.length).toBeGreaterThan(15_000_000);
		expect((await post('/email/find/bulk', body)).status).toBe(201);
		const [{ id }] = sandbox.ledger.entries;
		const answer = await (await get(`/email/find/bulk?id=${id}`)).text();
		expect(answer).toContain(`"custom":${odd}`);
		expect(answer.split(custom)).toHaveLength(2 * 5_000 + 1);
	});
});

describe('the log of requests', () => {
	test('has what was sent, but no key', async () => {
		await begin();
		const body = '{"email":"ada@acme.com"}';
		await post('/email/verify/single', body);
		await get('/email/verify/single?id=x', 'wrong');
		expect(sandbox.requests).toMatchObject([
			{
				method: 'POST',
				path: '/email/verify/single',
				endpoint: 'POST /email/verify/single',
				keyName: 'demo',
				body: { email: 'ada@acme.com' },
				bytes: body.length,
				status: 200,
				fault: undefined,
				headers: { 'content-type': 'application/json' },
			},
			{ method: 'GET', query: { id: 'x' }, keyName: undefined, status: 401, bytes: 0 },
		]);
		expect(JSON.stringify(sandbox.requests)).not.toContain(sandbox.apiKey);
	});

	test('is bounded, and can be off', async () => {
		await begin({ keepRequests: 2 });
		for (const id of ['1', '2', '3']) await get(`/phone/bulk?id=${id}`);
		expect(sandbox.requests.map(({ query }) => query.id)).toEqual(['2', '3']);
		await sandbox.close();
		await begin({ keepRequests: 0 });
		await get('/account/info');
		expect(sandbox.requests).toEqual([]);
	});

	test('can be looked into without a key, as can the ledger', async () => {
		await begin({ basePath: '/api' });
		await post('/email/verify/single', '{"email":"ada@acme.com"}');
		const { origin } = new URL(sandbox.baseUrl);
		const look = async (name: string): Promise<unknown> =>
			await (await fetch(`${origin}/_sandbox/${name}`)).json();
		expect(await look('ledger')).toMatchObject({
			totals: { searches: 1, charged: 0.25 },
			entries: [{ searches: ['verify|ada@acme.com'] }],
		});
		expect(await look('requests')).toMatchObject([{ endpoint: 'POST /email/verify/single' }]);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('waitFor', () => {
	test('gives what it was waiting for, however late that comes', async () => {
		await begin();
		const entry = sandbox.waitFor(() => sandbox.ledger.entries[0]);
		await get('/account/info');
		await post('/email/verify/single', '{"email":"ada@acme.com"}');
		expect(await entry).toMatchObject({ endpoint: 'POST /email/verify/single' });
	});

	test('rejects when it takes too long, or when the look fails', async () => {
		await begin();
		await expect(sandbox.waitFor(() => sandbox.requests[0], 20)).rejects.toThrow('within 20 ms');
		const failing = sandbox.waitFor(() => {
			throw new Error('no good');
		});
		await expect(failing).rejects.toThrow('no good');
	});
});

describe('the server', () => {
	test('with a path in its base URL', async () => {
		await begin({ basePath: '/api/v1' });
		expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
		expect((await get('/account/info')).status).toBe(200);
		const { origin } = new URL(sandbox.baseUrl);
		expect((await fetch(`${origin}/account/info`)).status).toBe(404);
		expect(sandbox.requests.map(({ path }) => path)).toEqual(['/account/info']);
	});

	test('over TLS, with a certificate that must be trusted by hand', async () => {
		await begin({ tls: SELF_SIGNED });
		expect(sandbox.baseUrl).toMatch(/^https:/);
		await expect(get('/account/info')).rejects.toThrow('fetch failed');
		const headers = { 'x-api-key': sandbox.apiKey };
		const request = https.get(`${sandbox.baseUrl}/account/info`, { headers, ca: SELF_SIGNED.cert });
		const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
		expect(JSON.parse(await text(response))).toEqual({ credits: 100_000 });
	});

	test('reset: as at the start, with the same key', async () => {
		await begin({ account: { credits: 5 }, single: 0 });
		const { apiKey } = sandbox;
		sandbox.configure({ single: 60_000, scenarios: ['ongoingAsState'] });
		sandbox.faults.add({ on: '*', kind: 'empty', times: Infinity });
		const other = sandbox.service.addAccount('other');
		await post('/email/verify/single', '{"email":"ada@acme.com"}');
		const [{ id }] = sandbox.ledger.entries;
		sandbox.reset();
		expect(sandbox).toMatchObject({ apiKey, requests: [], ledger: { entries: [] } });
		expect(sandbox.service.settings).toMatchObject({
			single: 0,
			scenarios: [],
		});
		expect(await (await get('/account/info')).json()).toEqual({ credits: 5 });
		expect((await get('/account/info', other)).status).toBe(401);
		expect((await get(`/email/verify/single?id=${id}`)).status).toBe(500);
		await post('/email/verify/single', '{"email":"ada@acme.com"}');
		expect(sandbox.ledger.entries[0].id).not.toBe(id);
	});

	test('close ends connections that are open, idle or hanging', async () => {
		await begin();
		const idle = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
		await once(idle, 'connect');
		sandbox.faults.add({ on: '*', kind: 'hang' });
		const hanging = expect(get('/account/info')).rejects.toThrow('fetch failed');
		await sandbox.waitFor(() => sandbox.requests.length === 1);
		const ended = once(idle, 'close');
		await sandbox.close();
		await Promise.all([hanging, ended]);
	});

	test('a port in use', async () => {
		await begin();
		const port = Number(new URL(sandbox.baseUrl).port);
		await expect(startSandbox({ port })).rejects.toThrow('EADDRINUSE');
	});
});
