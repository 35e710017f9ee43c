import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { fieldProperties } from './description/fields';
import { actionSubtitle, hints, operationProperties } from './description/operations';
import { optionsProperties } from './description/options';
import { searchWebhooks } from './operations/account';
import { execute } from './operations/execute';
import { RESUME_PATH } from './pausing/address';
import { resume } from './pausing/resume';

/** Where the service calls back for a paused execution; n8n adds what names and signs it. */
const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: RESUME_PATH,
		restartWebhook: true,
	},
];

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
		builderHint: {
			searchHint:
				'Every submission costs credits: set options.maxCredits. For a list use submitBulkAndWait, without a loop, Wait or HTTP Request around it.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactDataApi', required: true }],
		webhooks: resumeWebhooks,
		hints,
		waitingNodeTooltip:
			"={{ 'Paused until the results are ready, or the time in the option Timeout is over' }}",
		properties: [...operationProperties, ...fieldProperties, ...optionsProperties],
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
