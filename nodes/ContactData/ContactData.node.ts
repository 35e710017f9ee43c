import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { properties, resumeWebhooks } from './description';
import { actionBuilderHint, actionSubtitle, hints } from './description/hints';
import { execute } from './operations/execute';
import { searchWebhooks } from './operations/account';
import { resume } from './pausing/resume';

export class ContactData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contact Data',
		name: 'contactData',
		icon: { light: 'file:contactData.svg', dark: 'file:contactData.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: actionSubtitle,
		description: 'Find and verify professional email addresses and find phone numbers',
		documentationUrl: 'https://example.com/n8n-nodes-contact-data',
		defaults: { name: 'Contact Data' },
		usableAsTool: true,
		builderHint: actionBuilderHint,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactDataApi', required: true }],
		webhooks: resumeWebhooks,
		hints,
		waitingNodeTooltip:
			"={{ 'Paused until the results are ready, or the time in the option Timeout is over' }}",
		properties,
	};

	methods = { listSearch: { searchWebhooks } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}

	/** The service's callback for an execution that Wait Mode Pause Until Notified has paused. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this);
	}
}
