import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import type { CredentialRef, WorkflowJson } from '../n8n/api.mts';
import { startQueueModeN8n, type QueueModeN8n } from '../n8n/queue.mts';
import { findQueuePrograms } from '../n8n/queueServers.mts';
import {
	code,
	contactData,
	editFields,
	triggeredChain,
	withCredential,
	type NodeSpec,
} from '../n8n/workflows.mts';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { credentialFor } from './harness.mts';

const EXAMPLE = new URL('../../examples/submit-and-continue-by-trigger.json', import.meta.url);
const PARKED = 50;

const programs = await findQueuePrograms();
if ('missing' in programs) {
	console.log(`Queue mode is not tested: ${programs.missing} is not installed.`);
}

describe.skipIf('missing' in programs)('n8n in queue mode', () => {
	let n8n: QueueModeN8n;
	let sandbox: Sandbox;
	let credential: CredentialRef;

	beforeAll(async () => {
		if ('missing' in programs) return;
		sandbox = await startSandbox();
		n8n = await startQueueModeN8n(programs, inject('tarball'));
		credential = await n8n.main.api.importCredential(credentialFor(sandbox));
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	function webhookNode(name: string, path: string): NodeSpec {
		return {
			name,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path, options: {} },
			webhookId: path,
		};
	}

	/** Starts an execution on a worker, by way of the webhook processor. */
	async function startBy(path: string, body: object): Promise<void> {
		const answer = await fetch(`${n8n.webhookUrl}webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(answer.status).toBe(200);
	}

	/** A published workflow; each POST to the URL that it gives starts an execution on a worker. */
	async function publish(parameters: INodeParameters) {
		const path = randomUUID();
		const workflow = triggeredChain(
			path,
			webhookNode('Webhook', path),
			code('Leads', 'return $input.first().json.body.map((lead) => ({ json: lead }));'),
			contactData('Find', credential, {
				resource: 'emailFinder',
				fullname: '={{ $json.fullname }}',
				companyDomain: 'acme.example',
				...parameters,
			}),
			editFields('After', { n: "={{ $('Leads').item.json.n }}", found: '={{ $json.found }}' }),
		);
		const { api } = n8n.main;
		const workflowId = await api.importWorkflow(workflow);
		await api.activate(workflowId);
		const start = async (leads: object[]) => await startBy(path, leads);
		return { workflowId, start };
	}

	const people = (count: number, mark = '') =>
		Array.from({ length: count }, (_, n) => ({ fullname: `mustfind ${mark} ${n}`, n }));

	async function countOf(workflowId: string, status: 'waiting' | 'success'): Promise<number> {
		return (await n8n.main.api.listExecutions({ workflowId, status: [status] })).length;
	}

	async function untilAll(count: number, workflowId: string, status: 'waiting' | 'success') {
		await expect
			.poll(async () => await countOf(workflowId, status), { timeout: 150_000, interval: 500 })
			.toBe(count);
	}

	it.for([
		{ waitMode: 'poll', operation: 'submitAndWait', jobMs: 4_000 },
		{ waitMode: 'poll', operation: 'submitBulkAndWait', jobMs: 4_000 },
		{ waitMode: 'suspend', operation: 'submitAndWait', jobMs: 20_000 },
		{ waitMode: 'suspend', operation: 'submitBulkAndWait', jobMs: 20_000 },
	])('$operation waits by $waitMode', async ({ waitMode, operation, jobMs }) => {
		sandbox.configure({ single: jobMs, bulk: jobMs });
		const { workflowId, start } = await publish({ operation, waitMode });
		await start(people(5));
		const { id } = await n8n.main.api.waitForExecution(({ status }) => status === 'success', {
			workflowId,
		});
		const execution = await n8n.main.api.getExecution(id);
		expect(execution.json('After')).toEqual(
			people(5).map(({ n }) => ({ n: String(n), found: 'true' })),
		);
		expect(sandbox.ledger.entries).toHaveLength(operation === 'submitAndWait' ? 5 : 1);
	});

	it('a workflow goes on by its trigger, over a worker and the webhook processor', async () => {
		const { api } = n8n.main;
		const example = JSON.parse(await readFile(EXAMPLE, 'utf8')) as WorkflowJson;
		const workflow = withCredential(example, credential);
		const path = randomUUID();
		const find = (name: string) => workflow.nodes.find((node) => node.name === name);
		const [manual] = workflow.nodes;
		Object.assign(manual ?? {}, webhookNode(manual?.name ?? '', path));
		// n8n's workers load no static data, in which the URL would be found: it is given here.
		const url = `${n8n.webhookUrl}webhook/${find('Contact Data Trigger')?.webhookId}/webhook`;
		const options = { webhook: { __rl: true, mode: 'url', value: url } };
		Object.assign(find('Start Batch')?.parameters ?? {}, { options });
		const workflowId = await api.importWorkflow(workflow);
		await api.activate(workflowId);
		await startBy(path, []);
		const submitted = await api.waitForExecution(({ status }) => status === 'success', {
			workflowId,
		});
		const started = await api.waitForExecution(
			({ id, status }) => status === 'success' && id !== submitted.id,
			{ workflowId },
		);
		const execution = await api.getExecution(started.id);
		expect(execution.json('Table')).toHaveLength(5);
		expect(sandbox.ledger.entries).toHaveLength(1);
	});

	it(`a worker that is killed while ${PARKED} executions are parked loses none`, async () => {
		const account = sandbox.service.account();
		expect(account.credits).toBeGreaterThan(PARKED);
		let endsAt = Infinity;
		sandbox.configure({ single: () => Math.max(0, endsAt - Date.now()) });
		endsAt = Date.now() + 90_000;
		const { workflowId, start } = await publish({
			operation: 'submitAndWait',
			waitMode: 'suspend',
		});
		for (let one = 0; one < PARKED; one++) {
			const [lead] = people(1, `execution ${one}`);
			await start([{ ...lead, n: one }]);
		}
		await untilAll(PARKED, workflowId, 'waiting');
		const [victim, survivor] = n8n.workers;
		await victim?.end('SIGKILL');
		expect([victim?.isRunning, survivor?.isRunning]).toEqual([false, true]);
		const left = endsAt - Date.now();
		expect(left).toBeGreaterThan(0);

		await untilAll(PARKED, workflowId, 'success');
		const executions = await n8n.main.api.listExecutions({ workflowId });
		expect(executions).toHaveLength(PARKED);
		const numbers = new Set<unknown>();
		for (const { id } of executions) {
			const after = (await n8n.main.api.getExecution(id)).json('After');
			expect(after).toMatchObject([{ found: 'true' }]);
			numbers.add(after[0]?.n);
		}
		expect(numbers.size).toBe(PARKED);
		const searched = sandbox.ledger.entries.flatMap(({ searches }) => searches);
		expect(searched).toHaveLength(PARKED);
		expect(new Set(searched).size).toBe(PARKED);
		console.log(`${PARKED} parked, worker killed ${Math.round(left / 1000)} s before the results`);
	}, 300_000);
});
