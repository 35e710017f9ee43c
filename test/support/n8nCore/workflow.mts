import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, jsonParse } from 'n8n-workflow';
import type {
	IConnections,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	ITaskData,
	RelatedExecution,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { onTestFinished } from 'vitest';
import { endPause, noteDelivered } from '../../../nodes/ContactData/pausing/lookAfter.ts';
import {
	createAdditionalData,
	createWorkflow,
	nodeName,
	type EnvironmentOptions,
	type NodeUnderTest,
} from './environment.mts';
import { chain, connect, type Edge } from './testNodes.mts';

export interface WorkflowOptions extends EnvironmentOptions {
	/** The first one starts the workflow (and owns `staticData`); see `testNodes.mts`. */
	nodes: NodeUnderTest[];
	/** Default: one after another. */
	edges?: Edge[];
	/** The execution whose sub-workflow this is. */
	parentExecution?: RelatedExecution;
	mode?: WorkflowExecuteMode;
	/** Cancels the execution as the Stop button does. */
	signal?: AbortSignal;
}

/** An execution that waits, as n8n's database holds it. */
export interface ParkedExecution {
	id: string;
	mode: WorkflowExecuteMode;
	data: IRunExecutionData;
}

export interface WorkflowRun {
	status: IRun['status'];
	/** What ended the execution, as n8n stores it: a plain object with `message` and `stack`. */
	error: IRunExecutionData['resultData']['error'];
	waitTill: Date | undefined;
	/** What a node gave; empty when it did not run. Defaults: first output, last run. */
	items(node: string, options?: { output?: number; run?: number }): INodeExecutionData[];
	/** Every run of a node: more than one in a loop. */
	tasks(node: string): ITaskData[];
	/** Set when `status` is `waiting`. */
	parked: ParkedExecution | undefined;
	data: IRunExecutionData;
}

/** Runs a workflow through n8n's engine: retries, error outputs, pairing, loops, suspending. */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowRun> {
	const workflow = buildWorkflow(options);
	const first = options.nodes[0];
	const node = first === undefined ? null : workflow.getNode(nodeName(first));
	if (node === null) throw new Error('A workflow needs a node');
	const begin = { node, data: { main: [[{ json: {} }]] }, source: null };
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [begin] },
		parentExecution: options.parentExecution,
	});
	return await run(workflow, data, options);
}

/**
 * Goes on with a parked execution: at its deadline when given what `runWorkflow` left, or by a
 * callback when given what `callWebhook` returned as `resumed`.
 */
export async function resumeWorkflow(
	options: WorkflowOptions,
	parked: ParkedExecution,
): Promise<WorkflowRun> {
	const settings = { ...options, executionId: parked.id, mode: parked.mode };
	return await run(buildWorkflow(options), cloneAsStored(parked.data), settings);
}

/** A copy as n8n's database would give it back: what was one object in two places still is one. */
export function cloneAsStored(data: IRunExecutionData): IRunExecutionData {
	const stored = jsonParse<IRunExecutionData>(JSON.stringify(data));
	const nodes = data.executionData?.nodeExecutionStack.map(({ node }) => node) ?? [];
	const entries = stored.executionData?.nodeExecutionStack ?? [];
	for (const [index, entry] of entries.entries()) {
		const first = entries[nodes.findIndex((node) => node === nodes[index])];
		if (first !== undefined) entry.node = first.node;
	}
	return stored;
}

function buildWorkflow({ nodes, edges, ...options }: WorkflowOptions): Workflow {
	const connections: IConnections = edges === undefined ? chain(nodes) : connect(edges);
	return createWorkflow(nodes, connections, options);
}

async function run(
	workflow: Workflow,
	data: IRunExecutionData,
	options: WorkflowOptions,
): Promise<WorkflowRun> {
	const { mode = 'manual', signal } = options;
	const engine = new WorkflowExecute(createAdditionalData(mode, options), mode, data);
	const execution = engine.processRunExecutionData(workflow);
	const cancel = () => execution.cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	const finished = await execution;
	signal?.removeEventListener('abort', cancel);

	const id = options.executionId ?? '1';
	// What the process remembers of a parked execution must not outlive the test.
	const { wakesAt } = (finished.data.executionData?.contextData.flow?.contactDataPause ?? {}) as {
		wakesAt?: number;
	};
	if (wakesAt !== undefined)
		onTestFinished(() => {
			endPause(id, wakesAt);
			noteDelivered(id, wakesAt, false);
		});

	const { runData, error } = finished.data.resultData;
	const tasks = (node: string) => runData[node] ?? [];
	return {
		status: finished.status,
		error,
		waitTill: finished.waitTill ?? undefined,
		tasks,
		items(node, { output = 0, run: index = -1 } = {}) {
			return tasks(node).at(index)?.data?.main?.[output] ?? [];
		},
		parked:
			finished.status === 'waiting' ? { id, mode, data: cloneAsStored(finished.data) } : undefined,
		data: finished.data,
	};
}
