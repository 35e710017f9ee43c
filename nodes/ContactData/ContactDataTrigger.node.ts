import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { triggerProperties, triggerSubtitle } from './description/trigger';
import { forget, listen } from './trigger/activation';
import { receive } from './trigger/receive';

export class ContactDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contact Data Trigger',
		name: 'contactDataTrigger',
		icon: { light: 'file:contactData.svg', dark: 'file:contactData.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle,
		// The nodes panel shows this of both nodes: it takes an action node and its trigger as one.
		description:
			'Find and verify professional emails, find phone numbers, and start a workflow when the results are ready',
		documentationUrl: 'https://example.com/n8n-nodes-contact-data',
		defaults: { name: 'Contact Data Trigger' },
		builderHint: {
			searchHint: 'Emits the results themselves: no Get Result is needed after it.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactDataApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				// n8n answers this, as it is, where it starts the workflow. An expression may fail once the sender has hung up.
				responseData: 'The workflow was started',
			},
		],
		eventTriggerDescription:
			"Waiting for you to start a search whose option 'Webhook' is the test URL",
		triggerPanel: {
			header: 'Listen for one finished search',
			executionsHelp:
				'Each time that the service notifies it: at the test URL after a click on Execute step, at the production URL once the workflow is published.',
			// The notice in the parameters tells how to go live.
			activationHint: { active: '', inactive: '' },
		},
		properties: triggerProperties,
	};

	webhookMethods = {
		default: {
			/** The service has no call that registers a URL: n8n calls `create` each time. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await listen(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				forget(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
