import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	NodeConnectionType,
} from 'n8n-workflow';
import { nodeName, type NodeUnderTest } from './environment.mts';

/** An edge of a workflow by node names; output and input default to the first of `main`. */
export interface Edge {
	from: string;
	to: string;
	type?: NodeConnectionType;
	output?: number;
	input?: number;
}

export function connect(edges: Edge[]): IConnections {
	const connections: IConnections = {};
	for (const { from, to, type = 'main', output = 0, input = 0 } of edges) {
		const outputs = ((connections[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type, index: input });
	}
	return connections;
}

/** One node after another, by their first outputs. */
export function chain(nodes: NodeUnderTest[]): IConnections {
	return connect(
		nodes
			.slice(1)
			.map((entry, index) => ({ from: nodeName(nodes[index] ?? entry), to: nodeName(entry) })),
	);
}

/** The start of a workflow: gives these JSON objects, one item each. */
export function start(json: IDataObject[], name = 'Start'): NodeUnderTest {
	return {
		name,
		type: `harness.start.${name}`,
		node: codeNode(() => [json.map((object) => ({ json: object }))], []),
	};
}

/** n8n's No Operation: items go through as they are. */
export function passThrough(name: string): NodeUnderTest {
	return {
		name,
		type: 'harness.passThrough',
		node: codeNode((context) => [context.getInputData()]),
	};
}

/**
 * n8n's Edit Fields: each item becomes `{ value }`, an expression resolved for that item, such as
 * `={{ $('Start').item.json.name }}`.
 */
export function setValue(name: string, expression: string): NodeUnderTest {
	const node = codeNode((context) => [
		context.getInputData().map((_, index) => ({
			json: { value: context.getNodeParameter('value', index) },
			pairedItem: { item: index },
		})),
	]);
	node.description.properties = [
		{ displayName: 'Value', name: 'value', type: 'string', default: '' },
	];
	return { name, type: 'harness.setValue', node, parameters: { value: expression } };
}

/** n8n's Loop Over Items with batches of one: output 0 when done, output 1 for each item. */
export function loopOverItems(name: string): NodeUnderTest {
	const node = codeNode((context) => {
		const state: { queue?: INodeExecutionData[] } = context.getContext('node');
		state.queue ??= [...context.getInputData()];
		const next = state.queue.shift();
		return next === undefined ? [[{ json: { done: true } }], []] : [[], [next]];
	});
	node.description.outputs = ['main', 'main'];
	return { name, type: 'harness.loopOverItems', node };
}

/** n8n's Switch: every other item leaves by output 1. */
export function alternate(name: string): NodeUnderTest {
	const node = codeNode((context) => {
		const items = context.getInputData();
		return [0, 1].map((output) => items.filter((_, index) => index % 2 === output));
	});
	node.description.outputs = ['main', 'main'];
	return { name, type: 'harness.alternate', node };
}

function codeNode(
	run: (context: IExecuteFunctions) => INodeExecutionData[][],
	inputs: INodeType['description']['inputs'] = ['main'],
): INodeType {
	return {
		description: {
			displayName: 'Test node',
			name: 'testNode',
			group: [inputs.length === 0 ? 'trigger' : 'transform'],
			version: 1,
			description: 'Part of the harness',
			defaults: { name: 'Test node' },
			inputs,
			outputs: ['main'],
			properties: [],
		},
		async execute() {
			return run(this);
		},
	};
}
