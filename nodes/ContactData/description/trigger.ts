import type { INodeProperties } from 'n8n-workflow';

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			"The service notifies this trigger in two ways: of every lookup, if you register the production URL above in your account; or of single searches, if they name it: choose 'Trigger of This Workflow' or the URL as 'Webhook' in the Options of a Contact Data node.",
		name: 'waysNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Email Finder: Batch Finished', value: 'emailFinderBulk' },
			{ name: 'Email Finder: Search Finished', value: 'emailFinderSingle' },
			{ name: 'Email Verifier: Batch Finished', value: 'emailVerifierBulk' },
			{ name: 'Email Verifier: Verification Finished', value: 'emailVerifierSingle' },
			{ name: 'Phone Finder: Batch Finished', value: 'phoneFinderBulk' },
			{ name: 'Phone Finder: Search Finished', value: 'phoneFinderSingle' },
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
	},
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
