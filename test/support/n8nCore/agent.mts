import type { IDataObject, IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { descriptionOfTool, nodeName, nodeTypeName, type NodeUnderTest } from './environment.mts';
import { start } from './testNodes.mts';
import { runWorkflow, type WorkflowOptions, type WorkflowRun } from './workflow.mts';

export const AGENT = 'Agent';

/** Of a node that has a tool. */
export const AGENT_DESCRIPTION: INodeTypeDescription = {
	displayName: AGENT,
	name: 'agent',
	group: ['transform'],
	version: 1,
	description: 'Part of the harness',
	defaults: { name: AGENT },
	inputs: ['main', { type: 'ai_tool', required: true }],
	outputs: ['main'],
	properties: [],
};

/** What n8n's own agents hold of a tool. */
interface Tool {
	invoke(args: IDataObject): Promise<unknown>;
}

/** What an agent with one tool comes to. */
export interface AgentRun {
	/** What the tool answered to each call, or the error. */
	answers: Array<{ answer?: string; error?: string }>;
	run: WorkflowRun;
}

interface AgentOptions extends Omit<WorkflowOptions, 'nodes'> {
	/** Whether the calls are made at the same moment. */
	atOnce?: boolean;
	/** Told of each answer as it comes. */
	onAnswer?: () => void;
	/** The type of the node that calls the tool. */
	parent?: string;
}

/**
 * Runs an agent that calls the node as its tool: n8n itself makes the tool of the node, and tries a
 * call again where Retry On Fail says so.
 * @param calls the arguments of the calls, for the node's `$fromAI`
 */
export async function runAgent(
	tool: NodeUnderTest,
	calls: IDataObject[],
	{ atOnce = false, onAnswer = () => {}, parent = 'harness.agent', ...options }: AgentOptions = {},
): Promise<AgentRun> {
	const answers: AgentRun['answers'] = calls.map(() => ({}));
	const agent: INodeType = {
		description: AGENT_DESCRIPTION,
		async execute(this: IExecuteFunctions) {
			const connected: unknown = await this.getInputConnectionData('ai_tool', 0);
			const [first] = Array.isArray(connected) ? (connected as Tool[]) : [];
			if (first === undefined) throw new Error('The agent has no tool');
			const call = async (args: IDataObject, index: number) => {
				try {
					answers[index] = { answer: String(await first.invoke(args)) };
				} catch (error) {
					answers[index] = { error: String(error) };
				}
				onAnswer();
			};
			if (atOnce) await Promise.all(calls.map(call));
			else for (const [index, args] of calls.entries()) await call(args, index);
			return [[{ json: {} }]];
		},
	};
	const run = await runWorkflow({
		...options,
		nodes: [start([{}]), { node: agent, type: parent }, asTool(tool)],
		edges: [
			{ from: 'Start', to: AGENT },
			{ from: nodeName(tool), to: AGENT, type: 'ai_tool' },
		],
	});
	return { answers, run };
}

/** n8n registers a `usableAsTool` node a second time, as `<type>Tool`. */
export function asTool(entry: NodeUnderTest): NodeUnderTest {
	const node: INodeType = {
		description: descriptionOfTool(entry.node.description),
		async execute(this: IExecuteFunctions) {
			return (await entry.node.execute?.call(this)) ?? [];
		},
	};
	return { ...entry, name: nodeName(entry), type: `${nodeTypeName(entry)}Tool`, node };
}
