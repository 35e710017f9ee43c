import { HookContext } from 'n8n-core';
import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import {
	createAdditionalData,
	createWorkflow,
	nodeName,
	staticDataOf,
	type EnvironmentOptions,
	type NodeUnderTest,
} from './environment.mts';
import { webhookDataOf } from './webhook.mts';

export interface RunHookOptions extends NodeUnderTest, EnvironmentOptions {
	hook: 'checkExists' | 'create' | 'delete';
	/** `'manual'` is "Listen for test event", with a test URL. Default `'activate'`. */
	activation?: WorkflowActivateMode;
}

export interface RunHookResult {
	/** What the hook returned: whether the webhook is registered now (`checkExists`), or done. */
	result: boolean | undefined;
	error?: unknown;
	/** The node's static data after the hook. */
	staticData: IDataObject;
}

/**
 * Runs one of the trigger's `webhookMethods` in n8n's own context. The URL that the node sees is
 * `<webhookBaseUrl>/<settings.webhookId>/<path>`, with `-test` after the base when listening.
 */
export async function runHook(options: RunHookOptions): Promise<RunHookResult> {
	const activation = options.activation ?? 'activate';
	const isTest = activation === 'manual';
	const mode = isTest ? 'manual' : 'trigger';
	const workflow = createWorkflow([options], {}, options);
	const node = workflow.getNode(nodeName(options));
	const additionalData = createAdditionalData(mode, options);
	const webhookData = webhookDataOf(options, additionalData, isTest);
	const hook = options.node.webhookMethods?.[webhookData.webhookDescription.name]?.[options.hook];
	if (node === null || hook === undefined)
		throw new Error(`The node has no hook '${options.hook}'`);

	let result: boolean | undefined;
	let error: unknown;
	try {
		result = await hook.call(
			new HookContext(workflow, node, additionalData, mode, activation, webhookData),
		);
	} catch (thrown) {
		error = thrown;
	}
	return {
		result,
		error,
		staticData: staticDataOf(workflow, node),
	};
}
