import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import {
	BULK_SUBMIT_OPERATIONS,
	READ_OPERATIONS,
	SINGLE_SUBMIT_OPERATIONS,
	SUBMIT_OPERATIONS,
	WAIT_OPERATIONS,
} from '../input/settings';
import { inputsOf } from '../input/fields';
import { lookups } from '../lookups';
import type { Lookup, SearchField } from '../lookups/types';

/** For what a call of the node as an AI tool cannot do. First among conditions: n8n looks no further. */
export const NOT_OF_TOOLS = { '@tool': [false] };
export const OF_TOOLS = { '@tool': [true] };

/** The fields of one search. Two copies, as 'Input Mode' keeps its value when it is hidden. */
function perItem(
	resource: string,
	fields: INodeProperties[],
	more: IDisplayOptions['show'] = {},
): INodeProperties[] {
	const single = { resource: [resource], operation: SINGLE_SUBMIT_OPERATIONS };
	const bulk = { resource: [resource], operation: BULK_SUBMIT_OPERATIONS, inputMode: ['each'] };
	return [single, bulk].flatMap((show) =>
		fields.map((field) => ({ ...field, displayOptions: { show: { ...show, ...more } } })),
	);
}

function toProperty({ label, parameter, editor }: SearchField): INodeProperties {
	return { displayName: label, name: parameter, type: 'string', default: '', ...editor };
}

function fieldsOf(lookup: Lookup): INodeProperties[] {
	const { name, choice } = lookup;
	const fields = inputsOf(lookup);
	if (choice === undefined) return perItem(name, fields.map(toProperty));
	const { property, either } = choice;
	const chosen = (value: string) => ({ [property.name]: [value] });
	const any = fields.map(toProperty).map((field) => ({ ...field, required: false }));
	return [
		...perItem(name, [property]),
		...fields.flatMap(({ shownFor, ...field }) =>
			perItem(name, [toProperty(field)], shownFor === undefined ? {} : chosen(shownFor)),
		),
		...(either === undefined ? [] : perItem(name, any, chosen(either))),
	];
}

function listOf({ name, list, listField }: Lookup): INodeProperties {
	const show = { resource: [name], operation: BULK_SUBMIT_OPERATIONS, inputMode: ['array'] };
	return { ...list, name: listField, type: 'json', required: true, displayOptions: { show } };
}

function inputMode({ name, words }: Lookup): INodeProperties {
	return {
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: words.perItem,
				value: 'each',
				description: `Each input item holds one ${words.subject}. Batches are made for you.`,
			},
			{
				name: 'List in One Item',
				value: 'array',
				description: `Each input item holds a whole list of ${words.subjects}`,
			},
		],
		default: 'each',
		description: 'What each input item holds',
		displayOptions: { show: { resource: [name], operation: BULK_SUBMIT_OPERATIONS } },
	};
}

/** Of a batch, in the action node and in the trigger. */
export const splitResults: INodeProperties = {
	displayName: 'Split Results',
	name: 'splitResults',
	type: 'boolean',
	default: true,
	description: 'Whether to give one item per result instead of one item with all results',
};

/** Of results, in the action node and in the trigger. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const fieldProperties: INodeProperties[] = [
	...Object.values(lookups).map(inputMode),
	...Object.values(lookups).flatMap(fieldsOf),
	...Object.values(lookups).map(listOf),
	{
		displayName: 'Search ID',
		name: 'lookupId',
		type: 'string',
		required: true,
		default: '={{ $json.search_id }}',
		placeholder: 'e.g. 7f3c2a90',
		description:
			"The 'search_id' that Start Search or Start Verification gave, or that of an ongoing item",
		displayOptions: { show: { operation: ['getResult'] } },
	},
	{
		displayName: 'Batch ID',
		name: 'batchId',
		type: 'string',
		required: true,
		default: '={{ $json.batch_id }}',
		placeholder: 'e.g. 7f3c2a90',
		description:
			"The 'batch_id' that Start Bulk Search or Start Bulk Verification gave, or that of an ongoing item",
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
					'Needs an n8n that the service can reach from the internet. Holds no memory while it waits, which is good for long lists.',
			},
		],
		default: 'poll',
		description: 'What the execution does until the results are ready',
		displayOptions: { show: { ...NOT_OF_TOOLS, operation: WAIT_OPERATIONS } },
	},
	{ ...splitResults, displayOptions: { show: { operation: ['getBulkResult'] } } },
	{
		...splitResults,
		displayOptions: {
			show: { operation: ['submitBulkAndWait'], inputMode: ['array'], waitMode: ['poll'] },
		},
	},
	{
		...simplifyProperty,
		displayOptions: { show: { operation: [...SUBMIT_OPERATIONS, ...READ_OPERATIONS] } },
	},
];
