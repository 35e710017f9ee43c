import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { CredentialRef, ExecutionSummary, N8nApi } from '../support/n8n/api.mts';
import {
	code,
	contactData,
	editFields,
	triggeredChain,
	webhookTrigger,
} from '../support/n8n/workflows.mts';

/** A published workflow that finds the emails of the leads which are POSTed to it. */
export interface Finder {
	readonly workflowId: string;
	/** Starts an execution on a worker. */
	start: (leads: object[]) => Promise<void>;
}

/** @param webhookUrl where webhooks are served, with a trailing slash */
export async function publishFinder(
	api: N8nApi,
	webhookUrl: string,
	credential: CredentialRef,
	parameters: INodeParameters,
): Promise<Finder> {
	const path = randomUUID();
	const workflow = triggeredChain(
		path,
		webhookTrigger(path),
		code('Leads', 'return $input.first().json.body.map((lead) => ({ json: lead }));'),
		contactData('Find', credential, {
			resource: 'emailFinder',
			fullname: '={{ $json.fullname }}',
			companyDomain: 'acme.example',
			...parameters,
		}),
		editFields('After', { n: "={{ $('Leads').item.json.n }}", found: '={{ $json.found }}' }),
	);
	const workflowId = await api.importWorkflow(workflow);
	await api.activate(workflowId);
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

/** Waits until so many executions of a workflow have this status. */
export async function untilAll(
	api: N8nApi,
	count: number,
	workflowId: string,
	status: ExecutionSummary['status'],
): Promise<void> {
	await expect
		.poll(async () => (await api.listExecutions({ workflowId, status: [status] })).length, {
			timeout: 150_000,
			interval: 500,
		})
		.toBe(count);
}
