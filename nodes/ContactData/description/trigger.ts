import type { INodeProperties } from 'n8n-workflow';

export const eventsProperty: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{ name: 'Email Search Batch Finished', value: 'emailFinderBulk' },
		{ name: 'Email Search Finished', value: 'emailFinderSingle' },
		{ name: 'Email Verification Batch Finished', value: 'emailVerifierBulk' },
		{ name: 'Email Verification Finished', value: 'emailVerifierSingle' },
		{ name: 'Phone Search Batch Finished', value: 'phoneFinderBulk' },
		{ name: 'Phone Search Finished', value: 'phoneFinderSingle' },
	],
	default: [
		'emailFinderSingle',
		'emailFinderBulk',
		'emailVerifierSingle',
		'emailVerifierBulk',
		'phoneFinderSingle',
		'phoneFinderBulk',
	],
	description: 'What starts the workflow',
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			"To be notified of every lookup, register the production URL above in your account; Account: Get Info lists what is registered. To be notified of some only, add the option 'Webhook' to the Contact Data node that starts them, and choose 'Trigger' there, or give it the URL.",
		name: 'waysNotice',
		type: 'notice',
		default: '',
	},
	eventsProperty,
	{
		displayName: 'Split Results',
		name: 'splitResults',
		type: 'boolean',
		default: true,
		description: 'Whether a finished batch gives one item per result instead of one item in all',
	},
	{
		displayName: 'Only Found',
		name: 'onlyFound',
		type: 'boolean',
		default: false,
		description: 'Whether to pass on only what was found, or is deliverable',
	},
];
