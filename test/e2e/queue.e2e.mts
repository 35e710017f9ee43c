import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';

import type { ExecutionSummary } from '../support/n8n/api.mts';
import { credentialFor } from '../support/n8n/harness.mts';
import type { N8nProcess } from '../support/n8n/process.mts';
import { describeQueueMode } from '../support/n8n/queueHarness.mts';
import {
	chain,
	code,
	contactData,
	editFields,
	items,
	triggeredChain,
	webhookTrigger,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { runAgent } from './agent.mts';
import { toolResult, toolResults } from './model.mts';
import { expectPaidOnce, FIND } from './paid.mts';
import { park, workflow } from './parked.mts';

const PARKED = 50;
const PEOPLE = 50;
/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 280_000;

describeQueueMode((harness) => {
	const api = () => harness.n8n.main.api;

	it("what the editor's button starts is run by a worker, paused and resumed", async () => {
		const { sandbox, n8n, credential } = harness;
		sandbox.configure({ single: UNTIL_TOLD_MS });
		const id = await park({ n8n: n8n.main }, workflow(credential, 2));
		const ranIt = n8n.workers.filter((worker) => worker.logs().includes(`execution ${id} `));
		expect(ranIt).toHaveLength(1);
		sandbox.service.finish();
		const execution = await api().waitForEnd(id);
		expect(execution.record).toMatchObject({ status: 'success', mode: 'manual' });
		expect(execution.json('Find')).toMatchObject(Array(2).fill({ found: true }));
		expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1']);
		expect(sandbox.ledger.entries).toHaveLength(2);
	});

	it('what was paid is remembered for all workers, for a click, and for a tool', async () => {
		const { sandbox, n8n, credential } = harness;
		const inTable = credentialFor(sandbox, 'Memory', { memory: 'dataTable', memoryDays: 7 });
		await api().updateCredential(credential, inTable);
		const leads = items('Leads', people(PEOPLE));
		const find = (operation: string) =>
			contactData('Find', credential, { ...FIND, operation, options: {} });
		const path = randomUUID();
		const workflowId = await api().importWorkflow(
			triggeredChain(path, webhookTrigger(path), leads, find('submitAndWait')),
		);
		await api().activate(workflowId);
		const executions: string[] = [];
		const hasRun = (worker: N8nProcess) =>
			executions.some((id) => worker.logs().includes(`execution ${id} `));
		while (executions.length < 3 || !n8n.workers.every(hasRun)) {
			await fetch(`${n8n.webhookUrls[0]}webhook/${path}`, { method: 'POST' });
			const isNew = ({ id, mode }: ExecutionSummary) =>
				mode === 'webhook' && !executions.includes(id);
			executions.push((await api().waitForExecution(isNew, { workflowId })).id);
			await api().waitForEnd(executions.at(-1) ?? '');
		}
		executions.push((await api().runWorkflow(chain('Click', leads, find('submitBulkAndWait')))).id);
		for (const id of executions) {
			const found = (await api().getExecution(id)).json('Find').map((json) => json.found);
			expect(found).toEqual(Array(PEOPLE).fill(true));
		}
		const given = { Full_Name: 'mustfind number 7', Company_Domain: 'acme.example' };
		const { requests } = await runAgent({ n8n: n8n.main, credential }, (request) =>
			toolResult(request) === undefined
				? { tool: 'Find_Email', arguments: given }
				: { text: 'I found it.' },
		);
		expect(toolResults(requests[1])).toEqual([expect.stringContaining('"found":true')]);
		expectPaidOnce(sandbox, PEOPLE);
	});

	it(`a worker that is killed while ${PARKED} executions are parked loses none`, async () => {
		const { sandbox, n8n, credential } = harness;
		sandbox.configure({ single: UNTIL_TOLD_MS });
		const path = randomUUID();
		const workflowId = await api().importWorkflow(
			triggeredChain(
				path,
				webhookTrigger(path),
				code('Leads', 'return [{ json: $input.first().json.body }];'),
				contactData('Find', credential, { ...FIND, waitMode: 'suspend' }),
				editFields('After', { n: "={{ $('Leads').item.json.n }}", found: '={{ $json.found }}' }),
			),
		);
		await api().activate(workflowId);
		/** Waits until all executions have this status. */
		const untilAll = async (status: ExecutionSummary['status']) => {
			const count = async () =>
				(await api().listExecutions({ workflowId, status: [status] })).length;
			await expect.poll(count, { timeout: 150_000, interval: 500 }).toBe(PARKED);
		};
		for (let one = 0; one < PARKED; one++) {
			const [lead] = people(1, `execution ${one}`);
			const answer = await fetch(`${n8n.webhookUrls[0]}webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ ...lead, n: one }),
			});
			expect(answer.status).toBe(200);
		}
		await untilAll('waiting');
		const [victim, survivor] = n8n.workers;
		await victim?.end('SIGKILL');
		expect([victim?.isRunning, survivor?.isRunning]).toEqual([false, true]);
		sandbox.service.finish();
		await untilAll('success');
		const numbers = new Set<unknown>();
		for (const { id } of await api().listExecutions({ workflowId })) {
			const [after] = (await api().getExecution(id)).json('After');
			expect(after).toMatchObject({ found: 'true' });
			numbers.add(after?.n);
		}
		expect(numbers.size).toBe(PARKED);
		expect(sandbox.ledger.totals().searches).toBe(PARKED);
		expect(sandbox.ledger.chargedTwice()).toEqual([]);
	}, 300_000);
});
