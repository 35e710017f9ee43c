import { setMaxListeners } from 'node:events';
import { ExecuteContext, SupplyDataContext } from 'n8n-core';
import { createRunExecutionData, NodeConnectionTypes } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	ITaskData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import {
	asTool,
	createAdditionalData,
	createWorkflow,
	nodeName,
	staticDataOf,
	type EnvironmentOptions,
	type NodeUnderTest,
} from './environment.mts';
import { chain, passThrough } from './testNodes.mts';

export interface RunNodeOptions extends NodeUnderTest, EnvironmentOptions {
	/** Plain JSON objects, or whole items where `json` is a key (as n8n's `returnJsonArray`). */
	items?: Array<IDataObject | INodeExecutionData>;
	/** Cancels the execution as the Stop button does. */
	signal?: AbortSignal;
	/** What `getContext('node')` holds already, from an earlier try of the same execution. */
	contextData?: IDataObject;
	/** The same of `getContext('flow')`, which all nodes of the execution share. */
	flowData?: IDataObject;
	/** Default `'manual'`. */
	mode?: WorkflowExecuteMode;
	/**
	 * How an AI agent calls the node: `invoked` by a sub-node call (MCP trigger, agents before v3),
	 * `requested` from n8n's engine (agent v3), where `isToolExecution()` is false all the same, or
	 * `inline` by one of n8n's native agents, without an execution.
	 */
	tool?: 'invoked' | 'requested' | 'inline';
	/** Default 0. n8n counts each try of an invoked tool as another run. */
	runIndex?: number;
}

export interface RunNodeResult {
	/** The first output's items; empty when `execute` threw. */
	items: INodeExecutionData[];
	outputs: INodeExecutionData[][];
	/** What `execute` threw, as it was. */
	error?: unknown;
	hints: NodeExecutionHint[];
	/** Set when the node called `putExecutionToWait`. */
	waitTill?: Date;
	contextData: IDataObject;
	flowData: IDataObject;
	/** What the node noted with `customData`, which n8n saves with the execution. */
	customData: Record<string, string>;
	/** The array that `getInputData()` gave, after `execute`: what a parked execution keeps. */
	inputAfter: INodeExecutionData[];
	/** The node's static data after `execute`. */
	staticData: IDataObject;
}

const SOURCE = 'Input';

/**
 * Runs `execute` once in n8n's own context, with a node named `Input` before it that gave the items.
 * What n8n does around it (retries, error outputs, pairing) is `runWorkflow`'s.
 */
export async function runNode(options: RunNodeOptions): Promise<RunNodeResult> {
	const { signal, mode = 'manual', tool, runIndex = 0 } = options;
	const entry = tool === undefined ? options : asTool(options);
	if (tool === 'requested') {
		entry.settings = { ...entry.settings, rewireOutputLogTo: NodeConnectionTypes.AiTool };
	}
	const source = passThrough(SOURCE);
	const workflow = createWorkflow([entry, source], chain([source, entry]), options);
	const node = workflow.getNode(nodeName(entry));
	if (node === null || entry.node.execute === undefined) throw new Error('The node has no execute');

	const given = (options.items ?? [{}]).map(toItem);
	const input = given.map((item, index) => ({ ...item, pairedItem: { item: index } }));
	const connection = tool === 'invoked' ? NodeConnectionTypes.AiTool : NodeConnectionTypes.Main;
	const executeData: IExecuteData = {
		node,
		data: { [connection]: [input] },
		source: { main: [{ previousNode: SOURCE, previousNodeOutput: 0, previousNodeRun: 0 }] },
	};
	const run = createRunExecutionData({
		executionData: {
			contextData: {
				[`node:${node.name}`]: options.contextData ?? {},
				flow: options.flowData ?? {},
			},
			nodeExecutionStack: [executeData],
		},
		resultData: { runData: { [SOURCE]: [finishedTask(given)] }, lastNodeExecuted: SOURCE },
	});
	if (signal !== undefined) setMaxListeners(Infinity, signal);

	const additionalData = createAdditionalData(mode, options);
	if (tool === 'inline') {
		delete run.executionData;
		delete additionalData.executionId;
	}
	const context =
		tool === 'invoked'
			? new SupplyDataContext(
					workflow,
					node,
					additionalData,
					mode,
					run,
					runIndex,
					input,
					executeData.data,
					NodeConnectionTypes.AiTool,
					executeData,
					[],
					signal,
				)
			: new ExecuteContext(
					workflow,
					node,
					additionalData,
					mode,
					run,
					runIndex,
					input,
					executeData.data,
					executeData,
					[],
					signal,
				);

	let outputs: INodeExecutionData[][] = [];
	let error: unknown;
	try {
		// n8n itself casts: the context of a tool lacks a few members, such as `sendResponse`.
		const returned = await entry.node.execute.call(context as unknown as IExecuteFunctions);
		if (Array.isArray(returned)) outputs = returned;
	} catch (thrown) {
		error = thrown;
	}
	return {
		items: outputs[0] ?? [],
		outputs,
		error,
		hints: context.hints,
		waitTill: run.waitTill,
		contextData: tool === 'inline' ? {} : context.getContext('node'),
		flowData: tool === 'inline' ? {} : context.getContext('flow'),
		customData: run.resultData.metadata ?? {},
		inputAfter: input,
		staticData: staticDataOf(workflow, node),
	};
}

function toItem(item: IDataObject | INodeExecutionData): INodeExecutionData {
	return isWholeItem(item) ? item : { json: item };
}

function isWholeItem(item: IDataObject | INodeExecutionData): item is INodeExecutionData {
	return typeof item.json === 'object' && item.json !== null;
}

function finishedTask(items: INodeExecutionData[]): ITaskData {
	return {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [],
		data: { main: [items] },
	};
}
