import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { triggerProperties } from './description/trigger';
import { activate, deactivate } from './trigger/activation';
import { answer } from './trigger/answer';

export class ContactDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contact Data Trigger',
		name: 'contactDataTrigger',
		icon: { light: 'file:contactData.svg', dark: 'file:contactData.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["events"].length === 6 ? "all events" : $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when an email or phone lookup is finished',
		defaults: { name: 'Contact Data Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactDataApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
			},
		],
		triggerPanel: {
			header: 'Listen for one finished lookup',
			executionsHelp: {
				inactive:
					"<b>While building your workflow</b>, click 'Listen for test event', then start a search whose Webhook is the test URL of this node.<br /><br /><b>Once the workflow is published</b>, it runs whenever the service notifies the production URL.",
				active:
					"<b>While building your workflow</b>, click 'Listen for test event', then start a search whose Webhook is the test URL of this node.<br /><br /><b>Your workflow is published</b> and runs whenever the service notifies the production URL.",
			},
			activationHint:
				'The service notifies this trigger once the workflow is published and its production URL is registered in your account, or named by a search.',
		},
		properties: triggerProperties,
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await activate(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await activate(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				deactivate(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answer(this);
	}
}
