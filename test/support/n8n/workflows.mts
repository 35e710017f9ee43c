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
