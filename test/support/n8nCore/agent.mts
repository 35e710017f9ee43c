import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { asTool, nodeName, type NodeUnderTest } from './environment.mts';
import { start } from './testNodes.mts';
import { runWorkflow, type WorkflowOptions, type WorkflowRun } from './workflow.mts';

const AGENT = 'Agent';

/** Of a node that has a tool. */
const AGENT_DESCRIPTION: INodeTypeDescription = {
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

interface AgentOptions extends Omit<WorkflowOptions, 'nodes' | 'edges'> {
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
	return { answers, run: await runWith(tool, { node: agent, type: parent }, options) };
}

/**
 * Runs an agent that has n8n's engine run its tool, as newer ones do: each call is a run of the node.
 * @param calls the arguments of the calls, for the node's `$fromAI`
 * @returns what a model reads of each call, as n8n's AI Agent from version 3 on puts it
 */
export async function runEngineAgent(
	tool: NodeUnderTest,
	calls: IDataObject[],
	options: Omit<WorkflowOptions, 'nodes' | 'edges'> = {},
): Promise<{ observations: string[]; run: WorkflowRun }> {
	let observations: string[] = [];
	const actions = calls.map((input, index) => ({
		actionType: 'ExecutionNodeAction' as const,
		nodeName: nodeName(tool),
		input,
		type: 'ai_tool' as const,
		id: String(index),
		metadata: { itemIndex: 0 },
	}));
	const agent: INodeType = {
		description: AGENT_DESCRIPTION,
		async execute(this: IExecuteFunctions, response?: EngineResponse) {
			const answered = response?.actionResponses ?? [];
			if (answered.length < calls.length) return await Promise.resolve({ actions, metadata: {} });
			observations = answered.map(({ data }) =>
				JSON.stringify(
					data.data?.ai_tool?.[0]?.map(({ json }) => json) ?? data.error?.message ?? '',
				),
			);
			return [[{ json: {} }]];
		},
	};
	const run = await runWith(tool, { node: agent, type: 'harness.agent' }, options);
	return { observations, run };
}

async function runWith(
	tool: NodeUnderTest,
	agent: NodeUnderTest,
	options: Omit<WorkflowOptions, 'nodes' | 'edges'>,
): Promise<WorkflowRun> {
	return await runWorkflow({
		...options,
		nodes: [start([{}]), agent, asTool(tool)],
		edges: [
			{ from: 'Start', to: AGENT },
			{ from: nodeName(tool), to: AGENT, type: 'ai_tool' },
		],
	});
}
