import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters, OnError } from 'n8n-workflow';

import type { CredentialRef, WorkflowJson } from './api.mts';

/** A node of a workflow to build; its position and id come by themselves. */
export interface NodeSpec {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: INodeParameters;
	credentials?: INode['credentials'];
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	executeOnce?: boolean;
	webhookId?: string;
}

export const CONTACT_DATA_TYPE = 'n8n-nodes-contact-data.contactData';

/** The workflow with this credential in each node of this package, as a user would choose it. */
export function withCredential(workflow: WorkflowJson, credential: CredentialRef): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-contact-data.')
			? { ...node, credentials: { contactDataApi: credential } }
			: node,
	);
	return { ...workflow, nodes };
}

/** A workflow of nodes in a row, each connected to the next; the first one is a manual trigger. */
export function chain(name: string, ...specs: NodeSpec[]): WorkflowJson {
	return triggeredChain(name, manualTrigger(), ...specs);
}

/** A workflow of nodes in a row that starts with a trigger of your own. */
export function triggeredChain(name: string, ...specs: NodeSpec[]): WorkflowJson {
	const nodes = specs.map((spec, index): INode => ({
		id: randomUUID(),
		typeVersion: 1,
		parameters: {},
		position: [index * 220, 0],
		...spec,
	}));
	const connections: WorkflowJson['connections'] = {};
	for (const [index, { name: from }] of nodes.entries()) {
		const next = nodes[index + 1];
		if (next) connections[from] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

function manualTrigger(): NodeSpec {
	return { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
}

/** n8n's Webhook node, which a POST to this path calls. */
export function webhookTrigger(path: string, parameters: INodeParameters = {}): NodeSpec {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: 'POST', options: {}, ...parameters },
		webhookId: path,
	};
}

/** How a workflow begins that others call; `callWorkflow` gives the node that does. */
export const calledByOthers: NodeSpec = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** @param id of a published workflow: early 2.x calls no other */
export function callWorkflow(id: string): NodeSpec {
	return {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
	};
}

/** n8n's Loop Over Items: the nodes that are repeated are connected to its second output. */
export function loopOverItems(batchSize: number): NodeSpec {
	return {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize, options: {} },
	};
}

/** n8n's Wait node, which goes on when its address is called. */
export function waitForCall(httpMethod = 'GET'): NodeSpec {
	return {
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { resume: 'webhook', httpMethod, options: {} },
		webhookId: randomUUID(),
	};
}

/** The workflow with these nodes after a node's outputs, in place of the next one in the row. */
export function connected(
	workflow: WorkflowJson,
	outputsOf: Record<string, string[][]>,
): WorkflowJson {
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	const connections = { ...workflow.connections };
	for (const [name, outputs] of Object.entries(outputsOf)) {
		connections[name] = { main: outputs.map((nodes) => nodes.map(to)) };
	}
	return { ...workflow, connections };
}

/** A Code node that gives these items, whatever its input. */
export function items(name: string, json: IDataObject[]): NodeSpec {
	return code(name, `return ${JSON.stringify(json.map((item) => ({ json: item })))};`);
}

/**
 * A Code node that makes so many items itself, for more of them than a workflow should carry.
 *
 * @param json the JavaScript of the JSON of item `n`
 */
export function madeItems(name: string, count: number, json: string): NodeSpec {
	return code(name, `return Array.from({ length: ${count} }, (_, n) => ({ json: ${json} }));`);
}

/** A Code node that runs once for all items. */
export function code(name: string, jsCode: string): NodeSpec {
	return { name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}

/** An Edit Fields node; the values may be expressions (`={{ … }}`). */
export function editFields(name: string, fields: Record<string, string>): NodeSpec {
	const assignments = Object.entries(fields).map(([field, value]) => ({
		id: randomUUID(),
		name: field,
		value,
		type: 'string',
	}));
	return {
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
}

/** The action node of this package. */
export function contactData(
	name: string,
	credential: CredentialRef,
	parameters: INodeParameters,
	settings: Omit<NodeSpec, 'name' | 'type' | 'parameters' | 'credentials'> = {},
): NodeSpec {
	return {
		name,
		type: CONTACT_DATA_TYPE,
		parameters,
		credentials: { contactDataApi: credential },
		...settings,
	};
}
