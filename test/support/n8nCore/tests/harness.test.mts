import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runNode } from '../execute.mts';
import { runHook } from '../hooks.mts';
import { listSearch } from '../listSearch.mts';
import { isMissing } from '../missing.mts';
import { ProbeNode } from '../probeNode.mts';
import { loopOverItems, passThrough, setValue, start } from '../testNodes.mts';
import { callWebhook } from '../webhook.mts';
import { resumeWorkflow, runWorkflow } from '../workflow.mts';

/** Echoes path and key; `/broken` answers 400 and `/slow` never. */
const server = createServer(({ url = '', headers }, response) => {
	// On this machine the service is its own proxy, which is asked by the whole URL.
	const path = url.replace(credentials.contactDataApi.baseUrl, '');
	paths.push(path);
	if (path === '/slow') return;
	response.writeHead(path === '/broken' ? 400 : 200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ path, key: headers['x-api-key'] }));
});
const paths: string[] = [];
let credentials: { contactDataApi: { apiKey: string; baseUrl: string } };

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	const baseUrl = `http://127.0.0.1:${address.port}`;
	credentials = { contactDataApi: { apiKey: 'secret', baseUrl } };
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});
beforeEach(() => {
	paths.length = 0;
});

const node = new ProbeNode();
const probe = (operation: string) => ({ node, parameters: { operation }, credentials });

describe('runNode', () => {
	it('sends authenticated requests, with expressions resolved for each item', async () => {
		const parameters = { path: "=/{{ $json.name }}/{{ $('Input').item.json.name }}" };
		const run = await runNode({
			node,
			parameters,
			credentials,
			items: [{ name: 'a' }, { name: 'b' }],
		});
		expect(run.error).toBeUndefined();
		expect(run.items.map((item) => item.json)).toEqual([
			{ path: '/a/a', key: 'secret' },
			{ path: '/b/b', key: 'secret' },
		]);
	});

	it('gives what execute threw', async () => {
		const run = await runNode({ node, parameters: { path: '/broken' }, credentials });
		expect(run.error).toMatchObject({ name: 'NodeApiError', httpCode: '400' });
		expect(run.items).toEqual([]);
	});

	it('lets a node go on after a failed item', async () => {
		const run = await runNode({
			node,
			parameters: { path: '={{ $json.path }}' },
			credentials,
			items: [{ path: '/broken' }, { path: '/good' }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(run.items[0]?.json.error).toBeTypeOf('string');
		expect(run.items[1]?.json.path).toBe('/good');
	});

	it('cancels a request under way', async () => {
		const stop = new AbortController();
		const running = runNode({
			node,
			parameters: { path: '/slow' },
			credentials,
			signal: stop.signal,
		});
		await once(server, 'request');
		stop.abort();
		expect((await running).error).toBeInstanceOf(Error);
	});

	it('hands the signal of a cancelled execution over', async () => {
		const run = await runNode({ ...probe('cancelled'), signal: AbortSignal.abort() });
		expect(run.items[0]?.json).toEqual({ cancelled: true });
	});

	it('keeps the node context between tries', async () => {
		const first = await runNode(probe('failOnce'));
		expect(first.error).toMatchObject({ message: 'First try' });
		const second = await runNode({ ...probe('failOnce'), contextData: first.contextData });
		expect(second.items[0]?.json).toEqual({ tries: 2 });
	});

	it('tells when and with what the node parks the execution', async () => {
		const run = await runNode({
			...probe('park'),
			items: [{}, {}],
			executionId: '7',
			waitingBaseUrl: 'http://127.0.0.1:1/waiting',
		});
		expect(run.waitTill).toEqual(new Date('2030-01-01'));
		expect(run.inputAfter.map((item) => item.json.id)).toEqual(['id-0', 'id-1']);
		expect(run.inputAfter[0]?.json.resumeUrl).toMatch(
			isMissing('signed resume URLs')
				? /^http:\/\/127\.0\.0\.1:1\/waiting\/7$/
				: /^http:\/\/127\.0\.0\.1:1\/waiting\/7\?signature=\w+$/,
		);
	});

	it('runs the node as a tool, in both of the ways n8n has', async () => {
		const type = 'n8n-nodes-contact-data.probeTool';
		const invoked = await runNode({ ...probe('isTool'), tool: 'invoked' });
		expect(invoked.items[0]?.json).toEqual({ rewired: null, type });
		const requested = await runNode({ ...probe('isTool'), tool: 'requested' });
		expect(requested.items[0]?.json).toEqual({ rewired: 'ai_tool', type });
		expect(requested.hints).toEqual([{ message: 'A hint' }]);
	});
});

describe('runWorkflow', () => {
	it('tries again with Retry On Fail and keeps the node context', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const run = await runWorkflow({
			nodes: [start([{}]), { node, parameters: { operation: 'failOnce' }, settings }],
			credentials,
		});
		expect(run.status).toBe('success');
		expect(run.items('Probe')[0]?.json).toEqual({ tries: 2 });
	});

	it('follows paired items through the node', async () => {
		const run = await runWorkflow({
			nodes: [
				start([{ name: 'a' }, { name: 'b' }]),
				{ node, parameters: { operation: 'getReversed', path: '=/{{ $json.name }}' } },
				setValue('After', "={{ $json.path + $('Start').item.json.name }}"),
			],
			credentials,
		});
		expect(run.items('After').map((item) => item.json.value)).toEqual(['/bb', '/aa']);
	});

	it('routes failed items to the error output', async () => {
		const run = await runWorkflow({
			nodes: [
				start([{ path: '/broken' }, { path: '/good' }]),
				{
					node,
					parameters: { path: '={{ $json.path }}' },
					settings: { onError: 'continueErrorOutput' },
				},
				passThrough('Good'),
				passThrough('Bad'),
			],
			edges: [
				{ from: 'Start', to: 'Probe' },
				{ from: 'Probe', to: 'Good' },
				{ from: 'Probe', output: 1, to: 'Bad' },
			],
			credentials,
		});
		expect(run.items('Good').map((item) => item.json.path)).toEqual(['/good']);
		expect(run.items('Bad')).toMatchObject([{ json: { path: '/broken' } }]);
	});

	it('runs the node once for each turn of a loop', async () => {
		const run = await runWorkflow({
			nodes: [
				start([{ name: 'a' }, { name: 'b' }]),
				loopOverItems('Loop'),
				{ node, parameters: { path: '=/{{ $json.name }}' } },
				passThrough('Done'),
			],
			edges: [
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', output: 1, to: 'Probe' },
				{ from: 'Probe', to: 'Loop' },
				{ from: 'Loop', to: 'Done' },
			],
			credentials,
		});
		expect(run.error).toBeUndefined();
		expect(run.tasks('Probe')).toHaveLength(2);
		expect(paths).toEqual(['/a', '/b']);
		expect(run.items('Done')[0]?.json).toEqual({ done: true });
	});

	it('gives the error that ended the execution', async () => {
		const run = await runWorkflow({
			nodes: [start([{}]), { node, parameters: { operation: 'nonsense' } }],
			credentials,
		});
		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('Unknown operation');
	});

	it('can be cancelled', async () => {
		const stop = new AbortController();
		const running = runWorkflow({
			nodes: [start([{}]), { node, parameters: { path: '/slow' } }],
			credentials,
			signal: stop.signal,
		});
		await once(server, 'request');
		stop.abort();
		expect((await running).status).toBe('canceled');
	});
});

describe('a parked execution', () => {
	const workflow = () => ({
		nodes: [
			start([{ name: 'a' }, { name: 'b' }]),
			{ node, parameters: { operation: 'park' } },
			setValue('After', "={{ $json.id }} {{ $json.done }} {{ $('Start').item.json.name }}"),
		],
		credentials,
		executionId: '7',
	});

	it('resumes by a callback with the parked input at hand', async () => {
		const { parked, status, waitTill } = await runWorkflow(workflow());
		expect({ status, waitTill }).toEqual({ status: 'waiting', waitTill: new Date('2030-01-01') });

		const early = await callWebhook({ ...probe('park'), parked, body: {} });
		expect(early).toMatchObject({ response: { status: 200 }, resumed: undefined });

		const last = await callWebhook({ ...probe('park'), parked, body: { want: 'resume' } });
		if (last.resumed === undefined) throw new Error('Not resumed');
		const run = await resumeWorkflow(workflow(), last.resumed);
		expect(run.status).toBe('success');
		expect(run.items('After').map((item) => item.json.value)).toEqual([' id-0 a', ' id-1 b']);
	});

	it('gives its parked input at the deadline', async () => {
		const { parked } = await runWorkflow(workflow());
		if (parked === undefined) throw new Error('Not parked');
		const run = await resumeWorkflow(workflow(), parked);
		expect(run.items('Probe').map((item) => item.json.id)).toEqual(['id-0', 'id-1']);
		expect(run.items('After').map((item) => item.json.value)).toEqual(['id-0  a', 'id-1  b']);
	});
});

describe('callWebhook', () => {
	const call = (body: unknown) =>
		callWebhook({ node, credentials, staticData: { ids: ['old'] }, body });

	it('starts the workflow and keeps static data', async () => {
		const { response, workflowData, staticData } = await call({ want: 'start' });
		expect(response).toMatchObject({ status: 200, body: { message: 'Workflow was started' } });
		expect(workflowData).toEqual([[{ json: { path: '/echo', key: 'secret' } }]]);
		expect(staticData).toEqual({ ids: ['old', 'new'] });
	});

	it('passes on an answer that the node writes itself', async () => {
		const { response, noWebhookResponse } = await call({ want: 'refuse' });
		expect(response).toMatchObject({ status: 503, body: 'Later' });
		expect(noWebhookResponse).toBe(true);
	});

	it('notices that nobody answers', async () => {
		expect(await call({ want: 'hang' })).toMatchObject({ response: undefined, error: undefined });
	});

	it('answers 500 when the node throws', async () => {
		const { response, error } = await call({ want: 'throw' });
		expect(response?.status).toBe(500);
		expect(error).toMatchObject({ message: 'Broken' });
	});

	it('answers 422 to a body that is not what it says, without asking the node', async () => {
		const headers = { 'content-type': 'application/json' };
		const { response } = await callWebhook({ node, credentials, body: '{"cut', headers });
		expect(response?.status).toBe(422);
	});
});

describe('runHook', () => {
	const options = {
		node,
		webhookBaseUrl: 'http://127.0.0.1:1/webhook',
		settings: { webhookId: 'w' },
	};

	it('gives the node its URL and static data', async () => {
		const created = await runHook({ ...options, credentials, hook: 'create' });
		expect(created).toMatchObject({
			result: true,
			staticData: { url: 'http://127.0.0.1:1/webhook/w/webhook' },
		});
		const { staticData } = created;
		const check = { ...options, credentials, staticData, hook: 'checkExists' as const };
		expect(await runHook(check)).toMatchObject({ result: true });
		expect(await runHook({ ...check, activation: 'manual' })).toMatchObject({ result: false });
	});

	it('lets the node send requests', async () => {
		const deleted = await runHook({ ...options, credentials, hook: 'delete' });
		expect(deleted).toMatchObject({ result: true, error: undefined });
		expect(paths).toEqual(['/echo']);
	});
});

describe('listSearch', () => {
	it('passes filter and token, and sends requests', async () => {
		const list = { node, credentials, method: 'searchUrls', filter: 'f', paginationToken: 't' };
		expect(await listSearch(list)).toEqual({ results: [{ name: 'secret f t', value: 'url' }] });
	});
});
