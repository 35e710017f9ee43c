import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import type { CredentialRef, WorkflowJson } from '../support/n8n/api.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { contactDataTrigger } from '../support/n8n/trigger.mts';
import {
	calledByOthers,
	callWorkflow,
	chain,
	connected,
	contactData,
	items,
	loopOverItems,
	triggeredChain,
	webhookTrigger,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { retryIt, retryPaysAgain } from '../support/texts.mts';
import { expectPaidOnce, FIND, idsCharged } from './paid.mts';
import { withService } from './parked.mts';

// What an error advises, where the execution has paid before, or another workflow has called it.

const harness = useHarness();

const leads = items('Leads', people(4));

/** One person at each turn. */
function loop(credential: CredentialRef): WorkflowJson {
	const find = contactData('Find', credential, FIND);
	const outputs = { Loop: [[], ['Find']], Find: [['Loop']] };
	return connected(chain('Turns', leads, loopOverItems(1), find), outputs);
}

function twoNodes(credential: CredentialRef): WorkflowJson {
	const phone = {
		resource: 'phoneFinder',
		socialProfileUrl: '=https://linkedin.com/in/mustfind-{{ $itemIndex }}',
		options: { maxCredits: 500 },
	};
	return chain(
		'Two nodes',
		leads,
		contactData('First', credential, FIND),
		contactData('Find', credential, phone),
	);
}

describe.concurrent('credits run out', () => {
	it.for([
		['in the third turn of a loop', loop, 2, 4],
		['in a second node', twoNodes, 4, 8],
	] as const)(
		'%s: once there are more, a retry pays nothing twice',
		async ([, workflowOf, credits, searches]) => {
			await withService(harness, { account: { credits } }, async (sandbox, credential) => {
				const { api } = harness.n8n;
				const failed = await api.runWorkflow(workflowOf(credential));
				expect(failed.status).toBe('error');
				const { description } = failed.nodeError('Find') ?? {};
				expect(description).toContain('Add credits to your account');
				expect(description).toContain(`Then ${retryIt}`);
				sandbox.service.account().credits = 1_000;
				const retried = await api.retryExecution(failed.id, { loadWorkflow: true });
				expect(retried.status).toBe('success');
				expectPaidOnce(sandbox, searches);
			});
		},
	);

	it('at a start with the trigger of the workflow as webhook: Retry with original workflow pays nothing twice', async () => {
		await withService(harness, { account: { credits: 5 } }, async (sandbox, credential) => {
			const { api } = harness.n8n;
			// At the lowest price the balance covers all, also once the first is paid.
			sandbox.service.account().prices.emailFinderSingle = 2;
			const options = { webhook: { __rl: true, mode: 'trigger', value: '' } };
			const start = contactData('Find', credential, { ...FIND, operation: 'submit', options });
			const both = chain('Start', leads, start, contactDataTrigger(credential));
			const id = await api.importWorkflow(connected(both, { Find: [] }));
			await api.activate(id);
			const failed = await api.runWorkflow(id);
			expect(failed.nodeError('Find')?.description).toContain(`Then ${retryIt}`);
			sandbox.service.account().credits = 1_000;
			const retried = await api.retryExecution(failed.id, { loadWorkflow: false });
			expect(retried.error).toBeUndefined();
			expectPaidOnce(sandbox, 4);
			await api.deactivate(id);
		});
	});

	it('where n8n does not save failed executions: the error workflow reads the ids, and of no retry', async () => {
		await withService(harness, { account: { credits: 5 } }, async (sandbox, credential) => {
			const { api, url } = harness.n8n;
			// At the lowest price the balance covers all, also once the first is paid.
			sandbox.service.account().prices.emailFinderSingle = 2;
			const onError = { name: 'On Error', type: 'n8n-nodes-base.errorTrigger' };
			const errorWorkflow = await api.importWorkflow(triggeredChain('On error', onError));
			await api.activate(errorWorkflow);
			const path = randomUUID();
			const find = contactData('Find', credential, FIND);
			const fails = triggeredChain('Not saved', webhookTrigger(path), leads, find);
			const settings = {
				...fails.settings,
				errorWorkflow,
				saveDataErrorExecution: 'none' as const,
			};
			const id = await api.importWorkflow({ ...fails, settings });
			await api.activate(id);
			await fetch(`${url}webhook/${path}`, { method: 'POST' });
			const told = await api.waitForExecution(({ mode }) => mode === 'error', {
				workflowId: errorWorkflow,
			});
			const [{ execution }] = (await api.waitForEnd(told.id)).json('On Error');
			const { description = '' } = (execution as { error: { description?: string } }).error;
			expect(idsCharged(sandbox).size).toBe(2);
			for (const paid of idsCharged(sandbox)) expect(description).toContain(paid);
			expect(description).toContain("free of charge with 'Get Result'");
			expect(description).not.toContain(retryIt);
			expect(await api.listExecutions({ workflowId: id })).toEqual([]);
			await api.deactivate(id);
		});
	});

	it('in a sub-workflow: its caller reads the ids, and of no retry', async () => {
		await withService(harness, { account: { credits: 5 } }, async (sandbox, credential) => {
			const { api } = harness.n8n;
			// At the lowest price the balance covers all, also once the first is paid.
			sandbox.service.account().prices.emailFinderSingle = 2;
			const find = contactData('Find', credential, FIND);
			const called = triggeredChain('Sub-workflow', calledByOthers, find);
			const id = await api.importWorkflow(called);
			await api.activate(id);
			const failed = await api.runWorkflow(chain('Caller', leads, callWorkflow(id)));
			expect(failed.status).toBe('error');
			const description = failed.nodeError('Call')?.description ?? '';
			expect(idsCharged(sandbox).size).toBe(2);
			for (const paid of idsCharged(sandbox)) expect(description).toContain(paid);
			expect(description).toContain("free of charge with 'Get Result'");
			expect(description).toContain(retryPaysAgain);
			expect(description).not.toContain(retryIt);
		});
	});
});
