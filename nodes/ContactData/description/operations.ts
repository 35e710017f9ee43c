import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';

const ACCOUNT = 'account';

const resources: INodePropertyOptions[] = [
	...Object.values(lookups).map(({ name, title }) => ({ name: title, value: name })),
	{ name: 'Account', value: ACCOUNT },
];

export const resourceProperty: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources,
	default: 'emailFinder',
};

/** The six operations that each lookup has, in its own words. */
function operationOptions({ words, noun, batchRefunds }: Lookup): INodePropertyOptions[] {
	const { verb, task, goal, goals, each, many, subject } = words;
	const lower = task.toLowerCase();
	const kept = batchRefunds ? `. Who is not found is charged too, but not by ${verb} Many.` : '';
	const refunded = batchRefunds ? '. Who is not found is refunded.' : '';
	return [
		{
			name: verb,
			value: 'submitAndWait',
			action: `${verb} ${goal}`,
			description: `${verb} ${each} and wait for the result${kept}`,
		},
		{
			name: `${verb} Many`,
			value: 'submitBulkAndWait',
			action: `${verb} many ${goals}`,
			description: `${verb} ${many} in batches and wait for the results${refunded}`,
		},
		{
			name: 'Get Bulk Results',
			value: 'getBulkResult',
			action: `Get bulk ${noun.one} results`,
			description: 'Read the results of a batch that was started before. Costs no credits.',
		},
		{
			name: 'Get Result',
			value: 'getResult',
			action: `Get ${noun.one} result`,
			description: `Read the result of a ${lower} that was started before. Costs no credits.`,
		},
		{
			name: `Start Bulk ${task}`,
			value: 'submitBulk',
			action: `Start bulk ${noun.one}`,
			description: `Start many ${noun.many} in batches and go on without waiting for the results`,
		},
		{
			name: `Start ${task}`,
			value: 'submit',
			action: `Start ${noun.one}`,
			description: `Start a ${lower} for each ${subject} and go on without waiting for the result`,
		},
	];
}

function operationProperty(
	resource: string,
	options: INodePropertyOptions[],
	defaultOperation: string,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: defaultOperation,
	};
}

export const operationProperties: INodeProperties[] = [
	...Object.values(lookups).map((lookup) =>
		operationProperty(lookup.name, operationOptions(lookup), 'submitAndWait'),
	),
	operationProperty(
		ACCOUNT,
		[
			{
				name: 'Get Info',
				value: 'getInfo',
				action: 'Get account info',
				description:
					'Read the credit balance and the webhook URLs registered in your account. Costs no credits.',
			},
		],
		'getInfo',
	),
];
