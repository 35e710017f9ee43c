import type { IDataObject } from 'n8n-workflow';
import { asText } from '../common/values';

const KEY = 'contactDataTriggerUrl';

interface Workflow {
	getWorkflowStaticData(type: string): IDataObject;
}

/** The URL of a workflow's trigger, kept where the action nodes of the workflow find it. */
export const triggerUrl = {
	remember(workflow: Workflow, url: string): void {
		workflow.getWorkflowStaticData('global')[KEY] = url;
	},
	/** @param url forgotten only if it is this one: a workflow can have two triggers */
	forget(workflow: Workflow, url?: string): void {
		const data = workflow.getWorkflowStaticData('global');
		if (url === undefined || data[KEY] === url) delete data[KEY];
	},
	find(workflow: Workflow): string | undefined {
		return asText(workflow.getWorkflowStaticData('global')[KEY]);
	},
};
