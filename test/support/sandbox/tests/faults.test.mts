import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Faults, type Fault, type RequestPattern } from '../faults.mts';
import { startSandbox, type Sandbox } from '../server.mts';

describe('when a fault strikes', () => {
	const kinds = (faults: Faults, count: number, method = 'GET', path = '/account/info') =>
		Array.from({ length: count }, () => faults.next(method, path)?.kind ?? '-').join(' ');

	test('once by default, after those it spares', () => {
		const faults = new Faults();
		const handle = faults.add({ on: '*', kind: 'empty', skip: 2 });
		expect(kinds(faults, 5)).toBe('- - empty - -');
		expect(handle.hits).toBe(1);
	});

	test('as often as told, until it is removed; then the next rule', () => {
		const faults = new Faults();
		const handle = faults.add({ on: '*', kind: 'empty', times: Infinity });
		faults.add({ on: '*', kind: 'noId', times: 2 });
		expect(kinds(faults, 3)).toBe('empty empty empty');
		handle.remove();
		expect(kinds(faults, 3)).toBe('noId noId -');
		faults.add({ on: '*', kind: 'empty', times: Infinity });
		faults.clear();
		expect(kinds(faults, 1)).toBe('-');
	});

	test('by chance, the same for the same seed', () => {
		const run = (seed: number) => {
			const faults = new Faults(seed);
			faults.add({ on: '*', kind: 'empty', times: Infinity, chance: 0.3 });
			return kinds(faults, 1_000);
		};
		expect(run(1)).toBe(run(1));
		expect(run(1)).not.toBe(run(2));
		const hits = run(1).split('empty').length - 1;
		expect(hits).toBeGreaterThan(250);
		expect(hits).toBeLessThan(350);
	});

	test.for<[RequestPattern, string[]]>([
		['*', ['GET /phone/bulk', 'POST /phone/bulk', 'POST /phone/single', 'GET /account/info']],
		['POST *', ['POST /phone/bulk', 'POST /phone/single']],
		['GET *', ['GET /phone/bulk', 'GET /account/info']],
		['POST /phone/*', ['POST /phone/bulk', 'POST /phone/single']],
		['GET /phone/bulk', ['GET /phone/bulk']],
	])('on %s', ([on, struck]) => {
		const requests = [
			'GET /phone/bulk',
			'POST /phone/bulk',
			'POST /phone/single',
			'GET /account/info',
		];
		const faults = new Faults();
		faults.add({ on, kind: 'empty', times: Infinity });
		expect(
			requests.filter((request) => {
				const [method, path = ''] = request.split(' ');
				return faults.next(method, path) !== undefined;
			}),
		).toEqual(struck);
	});
});

describe('what the client sees over HTTP', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ single: 0 });
	});
	beforeEach(() => {
		sandbox.reset();
	});
	afterAll(async () => {
		await sandbox.close();
	});

	const post = (init: RequestInit = {}) =>
		fetch(`${sandbox.baseUrl}/email/verify/single`, {
			method: 'POST',
			headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ email: 'ada@acme.com' }),
			redirect: 'manual',
			...init,
		});

	/** Makes a request under the fault, and gives what was seen and what was charged. */
	const under = async (fault: Fault) => {
		sandbox.faults.add({ on: 'POST *', ...fault });
		const response = await post();
		const text = await response.text();
		return { response, text, charged: sandbox.ledger.entries.length };
	};

	test.each([false, true])('status, accepted: %s', async (accepted) => {
		const body = { message: 'try later' };
		const headers = { 'retry-after': '7' };
		const seen = await under({ kind: 'status', status: 503, body, headers, accepted });
		expect(seen).toMatchObject({ text: JSON.stringify(body), charged: accepted ? 1 : 0 });
		expect(seen.response.status).toBe(503);
		expect(seen.response.headers.get('retry-after')).toBe('7');
	});

	test('status with a body that is not JSON', async () => {
		const seen = await under({
			kind: 'status',
			status: 500,
			body: 'Oops',
			contentType: 'text/plain',
		});
		expect(seen.text).toBe('Oops');
		expect(seen.response.headers.get('content-type')).toContain('text/plain');
	});

	test.each(['before', 'after'] as const)('reset %s acceptance', async (when) => {
		sandbox.faults.add({ on: '*', kind: 'reset', when });
		await expect(post()).rejects.toThrow('fetch failed');
		expect(sandbox.ledger.entries).toHaveLength(when === 'after' ? 1 : 0);
		expect(sandbox.requests).toMatchObject([{ fault: 'reset', status: undefined }]);
	});

	test('delay: accepted at once, answered late', async () => {
		sandbox.faults.add({ on: '*', kind: 'delay', ms: 150 });
		const start = performance.now();
		const answer = post();
		await sandbox.waitFor(() => sandbox.ledger.entries.length === 1);
		expect((await answer).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThanOrEqual(149);
	});

	test('trickle: the body comes in small pieces', async () => {
		sandbox.faults.add({ on: '*', kind: 'trickle', bytesPerSecond: 1_000 });
		const start = performance.now();
		const response = await post();
		const chunks: number[] = [];
		const reader = response.body?.getReader();
		for (;;) {
			const value: unknown = (await reader?.read())?.value;
			if (!(value instanceof Uint8Array)) break;
			chunks.push(value.length);
		}
		const bytes = Number(response.headers.get('content-length'));
		expect(chunks.reduce((sum, length) => sum + length, 0)).toBe(bytes);
		expect(Math.max(...chunks)).toBeLessThan(bytes);
		expect(performance.now() - start).toBeGreaterThan((bytes - 100) * 0.9);
		expect(sandbox.ledger.entries).toHaveLength(1);
	});

	test('truncated: the connection breaks within the body', async () => {
		sandbox.faults.add({ on: '*', kind: 'truncated' });
		const response = await post();
		expect(response.status).toBe(200);
		await expect(response.text()).rejects.toThrow('terminated');
		expect(sandbox.ledger.entries).toHaveLength(1);
	});

	test('cutJson: complete, but no JSON', async () => {
		const { text, charged } = await under({ kind: 'cutJson' });
		expect(text).toMatch(/^\{"message"/);
		expect(() => void JSON.parse(text)).toThrow();
		expect(charged).toBe(1);
	});

	test.each([false, true])("html: a proxy's page, accepted: %s", async (accepted) => {
		const { response, text, charged } = await under({ kind: 'html', status: 504, accepted });
		expect(response.status).toBe(504);
		expect(response.headers.get('content-type')).toContain('text/html');
		expect(text).toContain('<h1>504</h1>');
		expect(charged).toBe(accepted ? 1 : 0);
	});

	test('empty, and noId', async () => {
		const empty = await under({ kind: 'empty' });
		expect(empty.response.status).toBe(200);
		expect(empty).toMatchObject({ text: '', charged: 1 });
		const noId = await under({ kind: 'noId' });
		expect(noId.response.status).toBe(200);
		expect(JSON.parse(noId.text)).toMatchObject({ credits_used: 0.25 });
		expect(noId.text).not.toContain('"id"');
		expect(noId.charged).toBe(2);
	});

	test('changed', async () => {
		const change = (body: object) => ({ ...body, id: 'another' });
		const { text, charged } = await under({ kind: 'changed', change });
		expect(JSON.parse(text)).toMatchObject({ id: 'another', credits_used: 0.25 });
		expect(charged).toBe(1);
	});

	test('changed, with another status', async () => {
		const change = () => ({ message: 'Down' });
		const fault = { kind: 'changed', status: 503, change } as const;
		const { response, text, charged } = await under(fault);
		expect([response.status, text, charged]).toEqual([503, '{"message":"Down"}', 1]);
		sandbox.service.account().credits = 0;
		expect((await under(fault)).response.status).toBe(402);
	});

	test('empty leaves a refusal as it is', async () => {
		sandbox.service.account().credits = 0;
		const { response, charged } = await under({ kind: 'empty' });
		expect(response.status).toBe(402);
		expect(charged).toBe(0);
	});

	test('huge: padded to the length asked for', async () => {
		const { text, charged } = await under({ kind: 'huge', bytes: 3_000_001 });
		expect(text).toHaveLength(3_000_001);
		expect(JSON.parse(text)).toMatchObject({ credits_used: 0.25 });
		expect(charged).toBe(1);
	});

	test('redirect', async () => {
		const to = 'https://elsewhere.example.com/';
		const { response, charged } = await under({ kind: 'redirect', to });
		expect(response.status).toBe(307);
		expect(response.headers.get('location')).toBe(to);
		expect(charged).toBe(0);
	});

	test.each([false, true])('hang until the client leaves, accepted: %s', async (accepted) => {
		sandbox.faults.add({ on: '*', kind: 'hang', accepted });
		const client = new AbortController();
		const answer = post({ signal: client.signal });
		await sandbox.waitFor(() => sandbox.requests.some(({ fault }) => fault === 'hang'));
		client.abort();
		await expect(answer).rejects.toThrow('aborted');
		expect(sandbox.ledger.entries).toHaveLength(accepted ? 1 : 0);
	});
});
