import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { ownPort } from '../support/ports.mts';
import { park, withService, workflow } from './parked.mts';

// n8n is reached at a path of a proxy, which takes the path away.

const PREFIX = '/automation';
const port = await ownPort();

const harness = useHarness({ WEBHOOK_URL: `http://127.0.0.1:${port}${PREFIX}/` });

const proxied: string[] = [];
const proxy = createServer((incoming, answer) => {
	const { method, headers, url = '' } = incoming;
	proxied.push(url);
	if (!url.startsWith(`${PREFIX}/`)) {
		answer.writeHead(404).end();
		return;
	}
	const to = new URL(url.slice(PREFIX.length), harness.n8n.url);
	const passed = request(to, { method, headers }, (response) => {
		answer.writeHead(response.statusCode ?? 502, response.headers);
		response.pipe(answer);
	});
	incoming.pipe(passed);
});
beforeAll(async () => await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done)));
afterAll(() => proxy.close());

describe('behind a path prefix, a parked execution', () => {
	it.each([
		['is called back by the service', 'all'],
		['is called by its own process', 'none'],
	] as const)('%s', async (_, send) => {
		await withService(
			harness,
			{ single: 1_000, webhooks: { send } },
			async (sandbox, credential) => {
				proxied.length = 0;
				const id = await park(harness, workflow(credential, 2));
				const execution = await harness.n8n.api.waitForEnd(id);
				expect(execution.status).toBe('success');
				expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1']);
				expect(sandbox.ledger.entries).toHaveLength(2);
				const isOwn = new RegExp(`^${PREFIX}/webhook-waiting/${id}/contact-data\\?signature=`);
				expect(proxied.length).toBeGreaterThan(0);
				for (const url of proxied) expect(url).toMatch(isOwn);
			},
		);
	});
});
