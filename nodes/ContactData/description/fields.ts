import type { INodeProperties } from 'n8n-workflow';
import { BULK_SUBMIT_OPERATIONS, WAIT_OPERATIONS } from '../input/operationValues';
import { lookups } from '../lookups';
import { searchProperties } from './searchFields';

export const fieldProperties: INodeProperties[] = [
	{
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'One Search per Item',
				value: 'each',
				description: 'All input items go into as few batches as possible',
			},
			{
				name: 'List in One Item',
				value: 'array',
				description: 'Each input item holds a whole list, which becomes one batch',
			},
		],
		default: 'each',
		displayOptions: {
			show: {
				resource: Object.keys(lookups),
				operation: BULK_SUBMIT_OPERATIONS,
			},
		},
	},
	...searchProperties,
	{
		displayName: 'Lookup ID',
		name: 'lookupId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7f3c2a90',
		description: 'The ID of the receipt or of an unfinished result',
		displayOptions: { show: { operation: ['getResult'] } },
	},
	{
		displayName: 'Batch ID',
		name: 'batchId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7f3c2a90',
		description: 'The batch_id of the receipt or of an unfinished result',
		displayOptions: { show: { operation: ['getBulkResult'] } },
	},
	{
		displayName: 'Wait Mode',
		name: 'waitMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Poll',
				value: 'poll',
				description: 'Keep the execution running and look until the result is there',
			},
			{
				name: 'Suspend',
				value: 'suspend',
				description:
					'Park the execution until the service calls back: nothing runs meanwhile. The service must be able to reach this n8n.',
			},
		],
		default: 'poll',
		description: 'How the node waits for the result. Both modes give the same items.',
		displayOptions: { show: { operation: WAIT_OPERATIONS } },
	},
	{
		displayName: 'Split Results',
		name: 'splitResults',
		type: 'boolean',
		default: true,
		description: 'Whether to give one item per result instead of one item per batch',
		displayOptions: { show: { operation: ['getBulkResult'] } },
	},
	{
		displayName: 'Split Results',
		name: 'splitResults',
		type: 'boolean',
		default: true,
		description: 'Whether to give one item per result instead of one item per batch',
		displayOptions: {
			show: { operation: ['submitBulkAndWait'], inputMode: ['array'], waitMode: ['poll'] },
		},
	},
];
