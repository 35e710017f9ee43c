import type { INodeParameters } from 'n8n-workflow';

import type { CredentialRef, ExecutionSummary, N8nApi, WorkflowJson } from '../n8n/api.mts';
import type { Execution } from '../n8n/execution.mts';
import type { NodeSpec } from '../n8n/workflows.mts';

export const TRIGGER_TYPE = 'n8n-nodes-contact-data.contactDataTrigger';

/** The trigger node of this package. */
export function contactDataTrigger(
	credential: CredentialRef,
	webhookId: string,
	parameters: INodeParameters = {},
): NodeSpec {
	return {
		name: 'Contact Data Trigger',
		type: TRIGGER_TYPE,
		webhookId,
		parameters,
		credentials: { contactDataApi: credential },
	};
}

/** The URL of a saved workflow's trigger: in production, or while it listens for a test event. */
export async function triggerUrlOf(
	api: N8nApi,
	workflowId: string,
	kind: 'webhook' | 'webhook-test' = 'webhook',
): Promise<string> {
	const { nodes } = await api.rest<WorkflowJson>('GET', `workflows/${workflowId}`);
	const webhookId = nodes.find(({ type }) => type === TRIGGER_TYPE)?.webhookId;
	if (webhookId === undefined) throw new Error(`Workflow ${workflowId} has no trigger`);
	return `${api.url}${kind}/${webhookId}/webhook`;
}

/** The executions that the trigger of a workflow started, newest first. */
export async function startsOf(api: N8nApi, workflowId: string): Promise<ExecutionSummary[]> {
	const executions = await api.listExecutions({ workflowId });
	return executions.filter(({ mode }) => mode === 'webhook');
}

/** Waits until the trigger has started as many executions, and gives the newest when it is over. */
export async function waitForStart(api: N8nApi, workflowId: string, count = 1): Promise<Execution> {
	let starts: ExecutionSummary[] = [];
	await api.waitForExecution(
		(summary) => {
			if (summary.mode === 'webhook' && !starts.some(({ id }) => id === summary.id))
				starts = [...starts, summary];
			return starts.length >= count;
		},
		{ workflowId },
	);
	const [newest] = await startsOf(api, workflowId);
	return await api.waitForEnd(newest.id);
}

/** Sends a notification as the service does. */
export async function notify(
	url: string,
	body: unknown,
): Promise<{ status: number; message: unknown }> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const told = (await answer.json()) as { message?: unknown };
	return { status: answer.status, message: told.message };
}
