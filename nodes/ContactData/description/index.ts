import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';
import { RESUME_PATH } from '../pausing/obstacles';
import { fieldProperties } from './fields';
import { operationProperties, resourceProperty } from './operations';
import { optionsProperty } from './options';

export const properties: INodeProperties[] = [
	resourceProperty,
	...operationProperties,
	...fieldProperties,
	optionsProperty,
];

/** Where the service calls back for a paused execution; n8n adds what names and signs it. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: RESUME_PATH,
		restartWebhook: true,
	},
];
