import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { readExample } from '../support/n8n/examples.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { waitForCall } from '../support/n8n/workflows.mts';
import { callbackUrl, IS_SIGNED, looksOf, park, withService, workflow } from './parked.mts';

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;
/** For less than that a node is not parked. */
const LEAST_TIMEOUT_S = 65;
/** The pause is two minutes longer than the Timeout, and n8n looks once a minute for those that are over. */
const RESUME_TIMEOUT_MS = 270_000;

const harness = useHarness();

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describe('a parked execution', () => {
	it.each([
		['stopped', async () => {}],
		['killed', async () => await harness.n8n.kill()],
	])('is called back after n8n was %s and started again', async (_, end) => {
		await withService(harness, { single: UNTIL_TOLD_MS }, async (sandbox, credential) => {
			const { n8n } = harness;
			const id = await park(harness, workflow(credential, 3));
			await end();
			await n8n.restart();
			expect((await n8n.api.getExecution(id)).status).toBe('waiting');
			sandbox.service.finish();
			const execution = await n8n.api.waitForEnd(id);
			expect(execution.status).toBe('success');
			expect(execution.json('After').map(({ n }) => n)).toEqual(numbers(3));
			expect(sandbox.ledger.entries).toHaveLength(3);
		});
	});

	it.concurrent('is not moved by forged, early and late callbacks', async () => {
		await withService(
			harness,
			{ single: UNTIL_TOLD_MS, webhooks: { copies: 2 } },
			async (sandbox, credential) => {
				const { api } = harness.n8n;
				const id = await park(harness, workflow(credential, 1, {}, waitForCall('POST')));
				const url = callbackUrl(sandbox);
				const post = async (to: string, body: string, type = 'application/json') =>
					(await fetch(to, { method: 'POST', body, headers: { 'content-type': type } })).status;

				const unsigned = url.replace(/signature=.*/, 'signature=forged');
				expect(await post(unsigned, '{}')).toBe(IS_SIGNED ? 401 : 200);
				const forged = '{"id":"x","qualification":"valid","email":"e@vil.example"}';
				expect(await post(url, forged)).toBe(200);
				expect(await post(url, 'no JSON', 'text/plain')).toBe(200);
				expect((await api.getExecution(id)).status).toBe('waiting');

				// Both copies come, and the Wait node further on parks the execution again.
				sandbox.service.finish();
				await sandbox.waitFor(() => sandbox.deliveries.length === 2);
				expect(sandbox.deliveries.map(({ outcome }) => outcome)).toContain(200);
				const isAtWait = async () => (await api.getExecution(id)).lastNode === 'Wait';
				while (!(await isAtWait())) await delay(100);
				await api.waitForStatus(id, (status) => status === 'waiting');
				expect(await post(url, '{}')).toBe(404);
				const execution = await api.getExecution(id);
				expect(execution.status).toBe('waiting');
				expect(execution.json('Find')).toMatchObject([{ email: 'mustfind.number.0@acme.example' }]);
				await api.stopExecution(id);
				expect(sandbox.ledger.entries).toHaveLength(1);
			},
		);
	});

	it.concurrent(
		'goes on from its timeout with the example',
		{ tags: 'long', timeout: 360_000 },
		async () => {
			await withService(harness, { bulk: UNTIL_TOLD_MS }, async (sandbox, credential) => {
				const loop = await readExample('continue-after-timeout', credential);
				const find = loop.nodes.find(({ name }) => name === 'Find Emails');
				if (find === undefined) throw new Error('The example has no such node');
				find.parameters = { ...find.parameters, options: { timeout: LEAST_TIMEOUT_S } };
				const { api } = harness.n8n;
				const id = await park(harness, loop);
				const looks = looksOf(sandbox).length;
				const isRunning = (status: string) => status === 'running';
				await api.waitForStatus(id, isRunning, { timeoutMs: RESUME_TIMEOUT_MS });
				await sandbox.waitFor(() => looksOf(sandbox).length > looks);
				sandbox.service.finish();
				const execution = await api.waitForEnd(id);
				expect(execution.error).toBeUndefined();
				expect(execution.json('Find Emails').map(({ status }) => status)).toEqual(
					Array.from({ length: 3 }, () => 'ongoing'),
				);
				expect(execution.json('Results').map(({ status }) => status)).toEqual(
					Array.from({ length: 3 }, () => 'completed'),
				);
				expect(sandbox.ledger.entries).toHaveLength(1);
			});
		},
	);

	it.concurrent('takes a list of 500 as one batch, in the example without its cap', async () => {
		await withService(harness, { bulk: UNTIL_TOLD_MS }, async (sandbox, credential) => {
			const { nodes, ...rest } = await readExample('large-list-with-suspend', credential);
			const large = nodes.map((node) => {
				const { jsCode } = node.parameters;
				if (typeof jsCode === 'string') {
					return { ...node, parameters: { jsCode: jsCode.replace('length: 10', 'length: 500') } };
				}
				const isFind = node.name === 'Find Emails';
				const options = { timeout: 14_400, includeInputFields: true };
				return isFind ? { ...node, parameters: { ...node.parameters, options } } : node;
			});
			const id = await park(harness, { ...rest, nodes: large });
			sandbox.service.finish();
			const execution = await harness.n8n.api.waitForEnd(id);
			expect(execution.error).toBeUndefined();
			const rows = execution.json('Find Emails').map(({ row }) => row);
			expect(rows).toEqual(Array.from({ length: 500 }, (_, row) => row));
			const parts = [...execution.json('Found'), ...execution.json('Not Found')];
			expect(parts).toHaveLength(500);
			expect(sandbox.ledger.entries).toHaveLength(1);
		});
	});
});
