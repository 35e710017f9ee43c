// @module-tag long
import { createServer, request, type Server } from 'node:http';
import { expect, inject, it } from 'vitest';

import { credentialFor } from '../support/n8n/harness.mts';
import { startN8n } from '../support/n8n/n8n.mts';
import { ownPort } from '../support/ports.mts';
import { startSandbox } from '../support/sandbox/server.mts';
import { expectPaidOnce } from './paid.mts';
import { park, workflow } from './parked.mts';

// A proxy in front of n8n, by which the service calls it.

/** The service calls for each of three, and n8n itself after 0, 5, 15, 35, 75 and 155 s: that is five minutes until the next. */
const CALLS_WITHOUT_N8N = 9;
const TIMEOUT_MS = 480_000;

/** Passes on what is not refused. @param refuses whether it answers this call of a paused execution itself */
function proxyTo(target: string, refuses: () => boolean): Server {
	return createServer((asked, answer) => {
		const { method, headers, url = '/' } = asked;
		if (url.includes('/webhook-waiting/') && refuses()) {
			answer.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
			return;
		}
		const passed = request(new URL(url, target), { method, headers }, (got) => {
			answer.writeHead(got.statusCode ?? 502, got.headers);
			got.pipe(answer);
		});
		passed.on('error', () => answer.writeHead(502).end());
		asked.pipe(passed);
	});
}

it(
	'which knows no n8n for five minutes: the paused execution goes on afterwards',
	{ timeout: TIMEOUT_MS },
	async () => {
		const port = await ownPort();
		const front = await ownPort();
		let isAway = false;
		let refused = 0;
		const proxy = proxyTo(`http://127.0.0.1:${port}`, () => {
			if (isAway) refused++;
			return isAway && refused <= CALLS_WITHOUT_N8N;
		}).listen(front, '127.0.0.1');
		const sandbox = await startSandbox({ single: 240_000 });
		const env = { WEBHOOK_URL: `http://127.0.0.1:${front}/` };
		const n8n = await startN8n({ tarball: inject('tarball'), port, env });
		try {
			const credential = await n8n.api.importCredential(credentialFor(sandbox));
			const id = await park({ n8n }, workflow(credential, 3));
			isAway = true;
			sandbox.service.finish();
			const execution = await n8n.api.waitForEnd(id, { timeoutMs: TIMEOUT_MS });
			expect(execution.json('Find')).toMatchObject(Array(3).fill({ found: true }));
			expect(refused).toBeGreaterThan(CALLS_WITHOUT_N8N);
			expectPaidOnce(sandbox, 3);
		} finally {
			await n8n.stop();
			await sandbox.close();
			proxy.closeAllConnections();
			proxy.close();
		}
	},
);
