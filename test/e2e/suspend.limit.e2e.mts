// @module-tag long
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import {
	contactData,
	items,
	triggeredChain,
	webhookTrigger,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { keptRunning } from '../support/texts.mts';
import { FIND } from './paid.mts';
import { withService } from './parked.mts';

// n8n runs one production execution at a time. One that is resumed meanwhile has its results, and is
// still waiting in n8n's database until it runs.

const harness = useHarness({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });

const UNTIL_TOLD = { single: 240_000 };
const LEAST_TIMEOUT_S = 65;
const TIMER_IS_OVER_MS = 5_000;

/** Has a call of a webhook start a workflow, and gives the execution's id. */
async function start(name: string, ...nodes: NodeSpec[]): Promise<string> {
	const { api, url } = harness.n8n;
	const path = randomUUID();
	const workflow = triggeredChain(name, webhookTrigger(path), ...nodes);
	const workflowId = await api.importWorkflow(workflow);
	await api.activate(workflowId);
	await fetch(`${url}webhook/${path}`, { method: 'POST' });
	return (await api.waitForExecution(() => true, { workflowId })).id;
}

/** Another execution has the only place meanwhile. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
	await withService(harness, UNTIL_TOLD, async (sandbox, credential) => {
		const busy = await start(
			'Busy',
			items('Leads', people(1)),
			contactData('Find', credential, FIND),
		);
		await sandbox.waitFor(() => sandbox.ledger.entries.length === 1);
		await work();
		sandbox.service.finish();
		await harness.n8n.api.waitForEnd(busy);
	});
}

const VERIFY: INodeParameters = {
	resource: 'emailVerifier',
	operation: 'submitAndWait',
	email: '={{ $json.email }}',
};

// n8n's timer for the end of that pause has then begun to resume the execution, too: with what it had when
// it was paused.
it.skipIf(lacks('a check that what it resumes still waits'))(
	'that had to wait until its pause was over keeps running: what follows is paid for once',
	async () => {
		const { api } = harness.n8n;
		await withService(harness, UNTIL_TOLD, async (sandbox, credential) => {
			const paused = { waitMode: 'suspend', options: { timeout: LEAST_TIMEOUT_S } };
			const execution = await start(
				'Held up',
				items('Leads', people(2)),
				contactData('Find', credential, { ...FIND, ...paused }),
				contactData('Verify', credential, { ...VERIFY, ...paused }),
			);
			await api.waitForStatus(execution, (status) => status === 'waiting');
			const { record } = await api.getExecution(execution);
			const end = Date.parse(record.waitTill ?? '');
			expect(end).toBeGreaterThan(Date.now());
			await whileBusy(async () => {
				sandbox.service.finish();
				await delay(end - Date.now() + TIMER_IS_OVER_MS);
			});
			await sandbox.waitFor(() => sandbox.ledger.entries.length >= 4);
			sandbox.service.finish();
			const ended = await api.waitForEnd(execution);
			expect(ended.status).toBe('success');
			expect(ended.json('Find')).toMatchObject([{ found: true }, { found: true }]);
			expect(ended.json('Verify')).toMatchObject([{ found: true }, { found: true }]);
			const hints = ended.hints('Verify').map(({ message }) => message);
			expect(hints).toContainEqual(expect.stringMatching(new RegExp(`^${keptRunning}\\S`)));
			expect(sandbox.ledger.entries).toHaveLength(4);
			expect(sandbox.ledger.chargedTwice()).toEqual([]);
		});
	},
	300_000,
);
