import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { BULK_SUBMIT_OPERATIONS, WAIT_OPERATIONS } from '../input/operationValues';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';
import { searchProperties } from './searchFields';

function inputMode({ name, words }: Lookup): INodeProperties {
	return {
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		options: inputModes(words),
		default: 'each',
		description: 'What each input item holds',
		displayOptions: { show: { resource: [name], operation: BULK_SUBMIT_OPERATIONS } },
	};
}

function inputModes({ perItem, subject, subjects }: Lookup['words']): INodePropertyOptions[] {
	return [
		{
			name: perItem,
			value: 'each',
			description: `Each input item holds one ${subject}. Batches are made for you.`,
		},
		{
			name: 'List in One Item',
			value: 'array',
			description: `Each input item holds a whole list of ${subjects}, which becomes one batch`,
		},
	];
}

/** Of a batch, in the action node and in the trigger. */
export const splitResults: INodeProperties = {
	displayName: 'Split Results',
	name: 'splitResults',
	type: 'boolean',
	default: true,
	description: 'Whether to give one item per result instead of one item per batch',
};

export const fieldProperties: INodeProperties[] = [
	...Object.values(lookups).map(inputMode),
	...searchProperties,
	{
		displayName: 'Search ID',
		name: 'lookupId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7f3c2a90',
		description:
			'The ID that Start Search or Start Verification gave, or that of an item that was still ongoing',
		displayOptions: { show: { operation: ['getResult'] } },
	},
	{
		displayName: 'Batch ID',
		name: 'batchId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7f3c2a90',
		description:
			'The batch ID that Start Bulk Search or Start Bulk Verification gave, or that of an item that was still ongoing',
		displayOptions: { show: { operation: ['getBulkResult'] } },
	},
	{
		displayName: 'Wait Mode',
		name: 'waitMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Keep Running',
				value: 'poll',
				description: 'The execution keeps running until the results are ready',
			},
			{
				name: 'Pause Until Notified',
				value: 'suspend',
				description:
					'The execution is paused until the service notifies it, which is good for long waits. The service must be able to reach this n8n.',
			},
		],
		default: 'poll',
		description: 'What the execution does until the results are ready',
		displayOptions: { show: { operation: WAIT_OPERATIONS } },
	},
	{ ...splitResults, displayOptions: { show: { operation: ['getBulkResult'] } } },
	{
		...splitResults,
		displayOptions: {
			show: { operation: ['submitBulkAndWait'], inputMode: ['array'], waitMode: ['poll'] },
		},
	},
];
