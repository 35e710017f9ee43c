import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { code, contactData, editFields, triggeredChain } from '../support/n8n/workflows.mts';
import { describeQueueMode } from '../support/n8n/queueHarness.mts';
import { people } from '../support/people.mts';

const PARKED = 50;
/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 280_000;

describeQueueMode((harness) => {
	/** A published workflow; each POST to the URL that it gives starts an execution on a worker. */
	async function publish(parameters: INodeParameters) {
		const path = randomUUID();
		const workflow = triggeredChain(
			path,
			{
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				parameters: { httpMethod: 'POST', path, options: {} },
				webhookId: path,
			},
			code('Leads', 'return $input.first().json.body.map((lead) => ({ json: lead }));'),
			contactData('Find', harness.credential, {
				resource: 'emailFinder',
				fullname: '={{ $json.fullname }}',
				companyDomain: 'acme.example',
				...parameters,
			}),
			editFields('After', { n: "={{ $('Leads').item.json.n }}", found: '={{ $json.found }}' }),
		);
		const { main, webhookUrl } = harness.n8n;
		const workflowId = await main.api.importWorkflow(workflow);
		await main.api.activate(workflowId);
		const start = async (leads: object[]) => {
			const answer = await fetch(`${webhookUrl}webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(leads),
			});
			expect(answer.status).toBe(200);
		};
		return { workflowId, start };
	}

	async function countOf(workflowId: string, status: 'waiting' | 'success'): Promise<number> {
		return (await harness.n8n.main.api.listExecutions({ workflowId, status: [status] })).length;
	}

	async function untilAll(count: number, workflowId: string, status: 'waiting' | 'success') {
		await expect
			.poll(async () => await countOf(workflowId, status), { timeout: 150_000, interval: 500 })
			.toBe(count);
	}

	it.for([
		{ waitMode: 'poll', operation: 'submitAndWait', jobMs: 4_000 },
		{ waitMode: 'poll', operation: 'submitBulkAndWait', jobMs: 4_000 },
		{ waitMode: 'suspend', operation: 'submitAndWait', jobMs: UNTIL_TOLD_MS },
		{ waitMode: 'suspend', operation: 'submitBulkAndWait', jobMs: UNTIL_TOLD_MS },
	])('$operation waits by $waitMode', async ({ waitMode, operation, jobMs }) => {
		const { sandbox } = harness;
		sandbox.configure({ single: jobMs, bulk: jobMs });
		const { workflowId, start } = await publish({ operation, waitMode });
		await start(people(5));
		if (waitMode === 'suspend') {
			await untilAll(1, workflowId, 'waiting');
			sandbox.service.finish();
		}
		const { id } = await harness.n8n.main.api.waitForExecution(
			({ status }) => status === 'success',
			{
				workflowId,
			},
		);
		const execution = await harness.n8n.main.api.getExecution(id);
		expect(execution.json('After')).toEqual(
			people(5).map(({ n }) => ({ n: String(n), found: 'true' })),
		);
		expect(sandbox.ledger.entries).toHaveLength(operation === 'submitAndWait' ? 5 : 1);
	});

	it(`a worker that is killed while ${PARKED} executions are parked loses none`, async () => {
		const { sandbox } = harness;
		const account = sandbox.service.account();
		expect(account.credits).toBeGreaterThan(PARKED);
		sandbox.configure({ single: UNTIL_TOLD_MS });
		const { workflowId, start } = await publish({
			operation: 'submitAndWait',
			waitMode: 'suspend',
		});
		for (let one = 0; one < PARKED; one++) {
			const [lead] = people(1, `execution ${one}`);
			await start([{ ...lead, n: one }]);
		}
		await untilAll(PARKED, workflowId, 'waiting');
		const [victim, survivor] = harness.n8n.workers;
		await victim?.end('SIGKILL');
		expect([victim?.isRunning, survivor?.isRunning]).toEqual([false, true]);
		sandbox.service.finish();
		await untilAll(PARKED, workflowId, 'success');
		const executions = await harness.n8n.main.api.listExecutions({ workflowId });
		expect(executions).toHaveLength(PARKED);
		const numbers = new Set<unknown>();
		for (const { id } of executions) {
			const after = (await harness.n8n.main.api.getExecution(id)).json('After');
			expect(after).toMatchObject([{ found: 'true' }]);
			numbers.add(after[0]?.n);
		}
		expect(numbers.size).toBe(PARKED);
		const searched = sandbox.ledger.entries.flatMap(({ searches }) => searches);
		expect(searched).toHaveLength(PARKED);
		expect(new Set(searched).size).toBe(PARKED);
	}, 300_000);
});
