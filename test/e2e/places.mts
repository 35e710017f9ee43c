import { randomUUID } from 'node:crypto';

import type { CredentialRef, N8nApi, WorkflowJson } from '../support/n8n/api.mts';
import type { Execution } from '../support/n8n/execution.mts';
import type { N8n } from '../support/n8n/n8n.mts';
import {
	chain,
	contactData,
	editFields,
	items,
	triggeredChain,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';

// Where in n8n a node in Wait Mode Pause Until Notified can stand. Its items come from `Leads`, and end in `After`.

export interface Stage {
	n8n: N8n;
	credential: CredentialRef;
}

const leads = items('Leads', people(3));

const after = editFields('After', { n: "={{ $('Leads').item.json.n }}", id: '={{ $json.id }}' });

function find({ credential }: Stage): NodeSpec {
	return contactData('Find', credential, {
		resource: 'emailFinder',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		fullname: '={{ $json.fullname }}',
		companyDomain: 'acme.example',
	});
}

export async function inSubWorkflow(stage: Stage): Promise<Execution> {
	const { api } = stage.n8n;
	const called: NodeSpec = {
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const id = await api.importWorkflow(triggeredChain('Sub-workflow', called, find(stage)));
	// Early 2.x calls no other.
	await api.activate(id);
	const call: NodeSpec = {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
	};
	return await api.runWorkflow(chain('Caller', leads, call, after));
}

export async function inLoop(stage: Stage): Promise<Execution> {
	const loop: NodeSpec = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 2, options: {} },
	};
	const workflow = chain('Loop', leads, loop, find(stage), after);
	const connections = { Loop: main(['After'], ['Find']), Find: main(['Loop']) };
	return await stage.n8n.api.runWorkflow(withConnections(workflow, connections));
}

export async function twiceInARow(stage: Stage): Promise<Execution> {
	const verify = contactData('Verify', stage.credential, {
		resource: 'emailVerifier',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		email: '={{ $json.email }}',
	});
	return await stage.n8n.api.runWorkflow(chain('Twice', leads, find(stage), verify, after));
}

export async function inTwoBranches(stage: Stage): Promise<Execution> {
	const phone = contactData('Phone', stage.credential, {
		resource: 'phoneFinder',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		socialProfileUrl: '=https://www.linkedin.com/in/number-{{ $json.n }}',
	});
	const merge: NodeSpec = { name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3 };
	const workflow = chain('Branches', leads, find(stage), phone, merge, after);
	const [[toMerge]] = main(['Merge']).main;
	const connections = {
		Leads: main(['Find', 'Phone']),
		Find: main(['Merge']),
		Phone: { main: [[{ ...toMerge, index: 1 }]] },
	};
	return await stage.n8n.api.runWorkflow(withConnections(workflow, connections));
}

/** n8n then has the node twice on its list of what is still to run. */
export async function whereTwoBranchesMeet(stage: Stage): Promise<Execution> {
	const isOdd = {
		id: randomUUID(),
		leftValue: '={{ $json.n % 2 }}',
		rightValue: 1,
		operator: { type: 'number', operation: 'equals' },
	};
	const branch: NodeSpec = {
		name: 'Odd?',
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
				conditions: [isOdd],
				combinator: 'and',
			},
			options: {},
		},
	};
	const workflow = chain('Meeting branches', leads, branch, find(stage), after);
	const connections = { 'Odd?': main(['Find'], ['Find']) };
	return await stage.n8n.api.runWorkflow(withConnections(workflow, connections));
}

export async function afterWait(stage: Stage): Promise<Execution> {
	const { api } = stage.n8n;
	const url = editFields('URL', { url: '={{ $execution.resumeUrl }}' });
	const wait: NodeSpec = {
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { resume: 'webhook', options: {} },
		webhookId: randomUUID(),
	};
	const id = await api.startWorkflow(chain('Wait', url, wait, leads, find(stage), after));
	await api.waitForStatus(id, (status) => status === 'waiting');
	const [{ url: resumeUrl }] = (await api.getExecution(id)).json<{ url: string }>('URL');
	await fetch(resumeUrl);
	return await api.waitForEnd(id);
}

/** With the editor's button at the node, which runs the workflow up to it. */
export async function asStep(stage: Stage): Promise<Execution> {
	const { api } = stage.n8n;
	const end = { name: 'End', type: 'n8n-nodes-base.noOp' };
	const id = await api.importWorkflow(chain('Step', leads, find(stage), after, end));
	const workflowData = await api.rest<WorkflowJson>('GET', `workflows/${id}`);
	const { executionId } = await api.rest<{ executionId: string }>('POST', `workflows/${id}/run`, {
		workflowData,
		destinationNode: { nodeName: 'After', mode: 'inclusive' },
		triggerToStartFrom: { name: 'Start' },
	});
	const execution = await api.waitForEnd(executionId);
	if (execution.run('End')) throw new Error('n8n ran more than it was asked for');
	return execution;
}

export async function inErrorWorkflow(stage: Stage): Promise<Execution> {
	const { api, url } = stage.n8n;
	const trigger = { name: 'On Error', type: 'n8n-nodes-base.errorTrigger' };
	const errorWorkflow = await published(
		api,
		triggeredChain('Error workflow', trigger, leads, find(stage), after),
	);
	const path = randomUUID();
	const webhook: NodeSpec = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, options: {} },
		webhookId: path,
	};
	const fail: NodeSpec = {
		name: 'Fail',
		type: 'n8n-nodes-base.stopAndError',
		parameters: { errorMessage: 'On purpose' },
	};
	const failing = triggeredChain('Fails', webhook, fail);
	await published(api, { ...failing, settings: { executionOrder: 'v1', errorWorkflow } });
	await fetch(`${url}webhook/${path}`);
	const { id } = await api.waitForExecution(() => true, { workflowId: errorWorkflow });
	return await api.waitForEnd(id);
}

/** For each output of a node, the nodes after it. */
function main(...outputs: string[][]) {
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	return { main: outputs.map((nodes) => nodes.map(to)) };
}

function withConnections(
	workflow: WorkflowJson,
	connections: WorkflowJson['connections'],
): WorkflowJson {
	return { ...workflow, connections: { ...workflow.connections, ...connections } };
}

async function published(api: N8nApi, workflow: WorkflowJson): Promise<string> {
	const id = await api.importWorkflow(workflow);
	await api.activate(id);
	return id;
}
