import type { INodeParameters } from 'n8n-workflow';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';

import type { CredentialRef, ExecutionSummary, N8nApi, WorkflowJson } from './api.mts';
import type { Execution } from './execution.mts';
import type { N8n } from './n8n.mts';
import { editFields, triggeredChain, type NodeSpec } from './workflows.mts';
import type { Sandbox } from '../sandbox/server.mts';

const TRIGGER_TYPE = 'n8n-nodes-contact-data.contactDataTrigger';
const ANSWER_TIMEOUT_MS = 10_000;

/** Saves a workflow that a notification starts; it is not published. Its webhook id gives its URL. */
export async function saveListener(
	api: N8nApi,
	credential: CredentialRef,
	webhookId: string,
): Promise<string> {
	const trigger = contactDataTrigger(credential, webhookId);
	const after = editFields('After', { event: '={{ $json.event }}', id: '={{ $json.search_id }}' });
	return await api.importWorkflow(triggeredChain(webhookId, trigger, after));
}

/** The trigger as a node; its webhook id gives its URL, and n8n gives it one where it has none. */
export function contactDataTrigger(credential: CredentialRef, webhookId?: string): NodeSpec {
	return {
		name: 'Contact Data Trigger',
		type: TRIGGER_TYPE,
		...(webhookId !== undefined && { webhookId }),
		credentials: { contactDataApi: credential },
	};
}

/** Gives a node of a workflow this 'Webhook'. */
export function setWebhook(workflow: WorkflowJson, node: string, url: string): void {
	const parameters = workflow.nodes.find(({ name }) => name === node)?.parameters;
	const webhook: INodeParameters = { __rl: true, mode: 'url', value: url };
	Object.assign(parameters?.options ?? {}, { webhook });
}

/** Takes the cap from a node, which would start its searches in several batches to learn their price. */
export function removeCap(workflow: WorkflowJson, node: string): void {
	const options = workflow.nodes.find(({ name }) => name === node)?.parameters.options;
	if (typeof options === 'object' && options !== null)
		Reflect.deleteProperty(options, 'maxCredits');
}

/** The URL of a saved workflow's trigger in production; webhooks are served at `url`. */
export async function triggerUrlOf(
	{ api, url }: Pick<N8n, 'api' | 'url'>,
	workflowId: string,
): Promise<string> {
	return `${url}webhook/${await webhookIdOf(api, workflowId)}/webhook`;
}

/** The URL of a saved workflow's trigger while it listens for a test event, which main serves. */
export async function testUrlOf(api: N8nApi, workflowId: string): Promise<string> {
	return `${api.url}webhook-test/${await webhookIdOf(api, workflowId)}/webhook`;
}

async function webhookIdOf(api: N8nApi, workflowId: string): Promise<string> {
	const { nodes } = await api.rest<WorkflowJson>('GET', `workflows/${workflowId}`);
	const webhookId = nodes.find(({ type }) => type === TRIGGER_TYPE)?.webhookId;
	if (webhookId === undefined) throw new Error(`Workflow ${workflowId} has no trigger`);
	return webhookId;
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

/** Starts a lookup at the sandbox, without n8n, that notifies this URL; gives its id. */
export async function startLookup(sandbox: Sandbox, webhook: string): Promise<string> {
	const answer = await fetch(`${sandbox.baseUrl}/phone/single`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': sandbox.apiKey },
		body: JSON.stringify({
			linkedin_url: 'https://social.example/in/mustfind',
			settings: { webhook },
		}),
	});
	const { id } = (await answer.json()) as { id?: unknown };
	if (typeof id !== 'string') throw new Error(`Not accepted: ${answer.status}`);
	return id;
}

/** Sends a notification as the service does. Rejects when the sender is left hanging. */
export async function notify(
	url: string,
	body: unknown,
): Promise<{ status: number; message: unknown }> {
	const text = JSON.stringify(body);
	const answer = await sendTo(url, { headers: { 'content-type': 'application/json' }, body: text });
	// What n8n answers for the trigger is a text.
	const isJson = answer.headers.get('content-type')?.includes('json') === true;
	const told: unknown = isJson ? await answer.json() : await answer.text();
	return { status: answer.status, message: isRecord(told) ? told.message : told };
}

/** POSTs anything. Rejects when the sender is left hanging. */
export async function sendTo(url: string, request: RequestInit): Promise<Response> {
	return await fetch(url, {
		method: 'POST',
		signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		...request,
	});
}
