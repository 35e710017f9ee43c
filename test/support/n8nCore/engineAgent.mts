import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeType,
} from 'n8n-workflow';
import { nodeName, type NodeUnderTest } from './environment.mts';
import { AGENT, AGENT_DESCRIPTION, asTool } from './agent.mts';
import { start } from './testNodes.mts';
import { runWorkflow, type WorkflowOptions, type WorkflowRun } from './workflow.mts';

/** What an agent that asks n8n's engine for its tool comes to. */
export interface EngineAgentRun {
	/** What a model reads of each call, as n8n's AI Agent from version 3 on puts it. */
	observations: string[];
	run: WorkflowRun;
}

/**
 * Runs an agent that has n8n's engine run its tool, as newer ones do: each call is a run of the node.
 * @param calls the arguments of the calls, for the node's `$fromAI`
 */
export async function runEngineAgent(
	tool: NodeUnderTest,
	calls: IDataObject[],
	options: Omit<WorkflowOptions, 'nodes'> = {},
): Promise<EngineAgentRun> {
	let observations: string[] = [];
	const agent: INodeType = {
		description: AGENT_DESCRIPTION,
		async execute(this: IExecuteFunctions, response?: EngineResponse) {
			const answered = response?.actionResponses ?? [];
			if (answered.length < calls.length) return await Promise.resolve(request(tool, calls));
			observations = answered.map(({ data }) =>
				JSON.stringify(
					data.data?.ai_tool?.[0]?.map(({ json }) => json) ?? data.error?.message ?? '',
				),
			);
			return [[{ json: {} }]];
		},
	};
	const run = await runWorkflow({
		...options,
		nodes: [start([{}]), { node: agent, type: 'harness.agent' }, asTool(tool)],
		edges: [
			{ from: 'Start', to: AGENT },
			{ from: nodeName(tool), to: AGENT, type: 'ai_tool' },
		],
	});
	return { observations, run };
}

function request(tool: NodeUnderTest, calls: IDataObject[]): EngineRequest {
	return {
		actions: calls.map((input, index) => ({
			actionType: 'ExecutionNodeAction',
			nodeName: nodeName(tool),
			input,
			type: 'ai_tool',
			id: String(index),
			metadata: { itemIndex: 0 },
		})),
		metadata: {},
	};
}
