import type { IDataObject, IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import { refuse } from '../common/errors';
import { asRecord, asText } from '../common/values';

const PUBLISH_FIRST = {
	message: 'Publish this workflow first',
	description:
		"'Webhook' is set to the Contact Data Trigger of this workflow, which gets its URL when the workflow is published. If it is published: for a retry choose 'Retry with currently saved workflow'; else set n8n's webhook URL (WEBHOOK_URL, newer: N8N_WEBHOOK_URL) to a public address and publish again; in n8n's queue mode choose By URL, with the production URL of the trigger.",
};
const ADD_TRIGGER = {
	message: 'This workflow has no Contact Data Trigger',
	description:
		"'Webhook' is set to the Contact Data Trigger of this workflow: add one and publish the workflow, or choose By URL.",
};

type Workflow = Pick<
	IExecuteFunctions | IHookFunctions,
	'getWorkflowStaticData' | 'getWorkflow' | 'getInstanceId'
>;

const SAVED_URL = 'contactDataTriggerUrl';

/** The URL of a workflow's trigger, in its static data. An import elsewhere copies that, so its owner is saved, too. */
export const triggerUrl = {
	remember(workflow: Workflow, url: string): void {
		workflow.getWorkflowStaticData('global')[SAVED_URL] = { url, owner: ownerOf(workflow) };
	},
	/** @param url forgotten only if it is this one: a workflow can have two triggers */
	forget(workflow: Workflow, url?: string): void {
		if (url !== undefined && this.find(workflow) !== url) return;
		delete workflow.getWorkflowStaticData('global')[SAVED_URL];
	},
	find(workflow: Workflow): string | undefined {
		const { url, owner } = asRecord(workflow.getWorkflowStaticData('global')[SAVED_URL]) ?? {};
		return owner === ownerOf(workflow) ? asText(url) : undefined;
	},
};

/**
 * The URL of the workflow's trigger, also for a retry, to which n8n gives no static data.
 * @param saved with the execution
 * @throws ProblemError where the workflow has no trigger that can be notified
 */
export function requireTriggerUrl(workflow: Workflow, saved: IDataObject): string {
	const url = triggerUrl.find(workflow) ?? asText(saved[SAVED_URL]);
	if (url === undefined) {
		const words = lacksTrigger(workflow) ? ADD_TRIGGER : PUBLISH_FIRST;
		return refuse({ ...words, remedy: 'again', affects: 'run' });
	}
	saved[SAVED_URL] = url;
	return url;
}

/** With the instance, as an import by n8n's command line keeps the workflow's id. */
function ownerOf(workflow: Workflow): string {
	return `${workflow.getInstanceId()} ${workflow.getWorkflow().id ?? ''}`;
}

/** By the workflow that n8n's context has, in all its versions, but not of its type. */
function lacksTrigger(context: object): boolean {
	const nodes = 'workflow' in context ? asRecord(asRecord(context.workflow)?.nodes) : undefined;
	const isTrigger = (node: unknown) =>
		asText(asRecord(node)?.type)?.endsWith('.contactDataTrigger');
	return nodes !== undefined && !Object.values(nodes).some(isTrigger);
}
