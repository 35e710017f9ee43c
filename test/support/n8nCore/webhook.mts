import { WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	IWebhookData,
	IWebhookResponseData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import {
	createAdditionalData,
	createWorkflow,
	harness,
	nodeName,
	staticDataOf,
	type EnvironmentOptions,
	type NodeUnderTest,
} from './environment.mts';
import {
	type HandleRequest,
	type HttpAnswer,
	type HttpCall,
	withoutConnection,
	withRequest,
} from './webhookServer.mts';
import { cloneAsStored, type ParkedExecution } from './workflow.mts';

export interface CallWebhookOptions extends NodeUnderTest, EnvironmentOptions, HttpCall {
	/** `'manual'` is "Listen for test event". Default `'trigger'`; a parked execution has its own. */
	mode?: WorkflowExecuteMode;
	/** Resumes this execution, whose parked node must be the node given here. */
	parked?: ParkedExecution;
	/** n8n's database refuses what is to be started or resumed. */
	failsToResume?: boolean;
}

export interface CallWebhookResult {
	/** What the sender got; `undefined` when nobody answered, so that the sender would hang. */
	response: HttpAnswer | undefined;
	/** What starts (or resumes) the workflow; `undefined` when nothing does. */
	workflowData: INodeExecutionData[][] | undefined;
	noWebhookResponse: boolean;
	/** What `webhook` threw, as it was: n8n then ends the execution with it. */
	error?: unknown;
	/** The node's static data after the call. */
	staticData: IDataObject;
	/** For `resumeWorkflow`; `undefined` when the execution stays parked or did not wait. */
	resumed: ParkedExecution | undefined;
}

/**
 * Sends a real HTTP request to the node's `webhook`, and does with its result what n8n's
 * `webhook-helpers` and `waiting-webhooks` do.
 */
export async function callWebhook(options: CallWebhookOptions): Promise<CallWebhookResult> {
	const call = prepareCall(options);
	return call.end(await withRequest(options, call.handle));
}

/** The same without a connection to the node, so that time may jump and thousands take seconds. */
export async function callWebhookInProcess(
	options: CallWebhookOptions,
): Promise<CallWebhookResult> {
	const call = prepareCall(options);
	return call.end(await withoutConnection(options, call.handle));
}

function prepareCall(options: CallWebhookOptions) {
	const { parked } = options;
	const mode = parked?.mode ?? options.mode ?? 'trigger';
	const workflow = createWorkflow([options], {}, options);
	const node = workflow.getNode(nodeName(options));
	if (node === null || options.node.webhook === undefined)
		throw new Error('The node has no webhook');

	const additionalData = createAdditionalData(mode, { ...options, executionId: parked?.id });
	if (parked === undefined) delete additionalData.executionId;
	const execution = parked === undefined ? undefined : takeUp(parked);
	let result: IWebhookResponseData = {};
	let error: unknown;
	/** As n8n has saved it, where it starts the workflow. */
	let staticData: IDataObject | undefined;

	const handle: HandleRequest = async (request, reply) => {
		additionalData.httpRequest = request;
		additionalData.httpResponse = reply;
		const webhookData = webhookDataOf(options, additionalData, mode === 'manual');
		const context = new WebhookContext(
			workflow,
			node,
			additionalData,
			mode,
			webhookData,
			[],
			execution?.data ?? null,
		);
		try {
			result = (await options.node.webhook?.call(context)) ?? {};
		} catch (thrown) {
			error = thrown;
			reply
				.status(500)
				.json({ code: 0, message: 'Workflow Webhook Error: Workflow could not be started!' });
			return;
		}
		if (result.noWebhookResponse === true) return;
		if (result.workflowData === undefined) {
			reply.status(200).json({ message: 'Webhook call received' });
			return;
		}
		if (parked === undefined) {
			await saveExecution(workflow);
			const isSaved = workflow.staticData.__dataChanged === true && !options.failsToResume;
			staticData = isSaved ? staticDataOf(workflow, node) : (options.staticData ?? {});
		}
		if (options.failsToResume === true) {
			reply.status(500).json({ code: 0, message: 'SQLITE_BUSY: database is locked' });
			return;
		}
		reply
			.status(200)
			.json(
				workflow.expression.getComplexParameterValue(
					node,
					webhookData.webhookDescription.responseData,
					mode,
					{},
					undefined,
					'firstEntryJson',
				),
			);
	};
	const end = (response: HttpAnswer | undefined): CallWebhookResult => {
		const { workflowData } = result;
		return {
			response,
			workflowData,
			noWebhookResponse: result.noWebhookResponse ?? false,
			error,
			staticData: staticData ?? staticDataOf(workflow, node),
			resumed:
				execution === undefined || workflowData === undefined
					? undefined
					: resumeWith(execution, workflowData),
		};
	};
	return { handle, end };
}

/**
 * Some turns of the event loop go by. n8n makes a workflow of the same static data first, which then
 * count as unchanged: of what the node has changed it saves what was changed after that.
 */
async function saveExecution(workflow: Workflow): Promise<void> {
	workflow.staticData.__dataChanged = false;
	await sleep(5);
}

/** The one webhook that the node's description declares, as n8n registers it. */
export function webhookDataOf(
	entry: NodeUnderTest & Pick<EnvironmentOptions, 'workflowId'>,
	additionalData: IWebhookData['workflowExecuteAdditionalData'],
	isTest: boolean,
): IWebhookData {
	const webhookDescription = entry.node.description.webhooks?.[0];
	if (webhookDescription === undefined) throw new Error('The description declares no webhook');
	return {
		httpMethod: 'POST',
		node: nodeName(entry),
		path: webhookDescription.path,
		webhookDescription,
		workflowId: entry.workflowId ?? harness.workflowId,
		workflowExecuteAdditionalData: additionalData,
		isTest,
	};
}

/** n8n disables the parked node, so that its new data passes through, and forgets its first run. */
function takeUp(parked: ParkedExecution): ParkedExecution {
	const data = cloneAsStored(parked.data);
	const waiting = data.executionData?.nodeExecutionStack[0];
	if (waiting === undefined) throw new Error('The execution is not parked');
	waiting.node.disabled = true;
	data.waitTill = undefined;
	data.resultData.runData[waiting.node.name]?.pop();
	return { ...parked, data };
}

function resumeWith(execution: ParkedExecution, main: INodeExecutionData[][]): ParkedExecution {
	const waiting = execution.data.executionData?.nodeExecutionStack[0];
	if (waiting === undefined) throw new Error('The execution is not parked');
	waiting.data.main = main;
	waiting.metadata = { ...waiting.metadata, forwardAllOutputs: true };
	return execution;
}
