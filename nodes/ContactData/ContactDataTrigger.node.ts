import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { triggerBuilderHint, triggerSubtitle } from './description/hints';
import { triggerProperties } from './description/trigger';
import { forget, listen } from './trigger/activation';
import { receive, STARTED } from './trigger/receive';

/** In the panel of a trigger that is being tried. */
const HOW_TO_TRY =
	"<b>While building your workflow</b>, click the 'execute step' button, then start a search whose option 'Webhook' is the test URL of this node.";

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
		builderHint: triggerBuilderHint,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactDataApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				// Of n8n, where the workflow is started.
				responseData: `={{ (${JSON.stringify({ message: STARTED.message })}) }}`,
			},
		],
		eventTriggerDescription:
			"Waiting for you to start a search whose option 'Webhook' is the test URL",
		triggerPanel: {
			header: 'Listen for one finished search',
			executionsHelp: {
				inactive: `${HOW_TO_TRY}<br /><br /><b>Once the workflow is published</b>, it runs each time that the service notifies the production URL.`,
				active: `${HOW_TO_TRY}<br /><br /><b>Your workflow is published</b> and runs each time that the service notifies the production URL.`,
			},
			activationHint:
				"Publish the workflow. It then runs for every search if the production URL is registered in your account, and else for each search whose option 'Webhook' names this trigger.",
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
