import type { INodeProperties, INodePropertyOptions, NodeHint } from 'n8n-workflow';
import { lookups } from '../lookups';
import type { Lookup } from '../lookups/types';

/** The six operations that each lookup has, in its own words. */
function operationOptions(lookup: Lookup): INodePropertyOptions[] {
	const { words, noun, batchRefunds, costHint, price } = lookup;
	const { verb, task, goal, goals, each, many, subject, subjects } = words;
	const lower = task.toLowerCase();
	const kept = batchRefunds
		? `. Only ${verb} Many is sure to give credits back for ${subjects} not found.`
		: '';
	const refunded = batchRefunds ? `. Credits come back for ${subjects} not found.` : '';
	const cost = costHint && ` Each costs ${price.least} or ${price.credits} credits.`;
	const costing = (text: string) =>
		cost === undefined ? text : `${text.replace(/\.?$/, '.')}${cost}`;
	return [
		{
			name: verb,
			value: 'submitAndWait',
			action: `${verb} ${goal}`,
			description: costing(`${verb} ${each} and wait for the result${kept}`),
		},
		{
			name: `${verb} Many`,
			value: 'submitBulkAndWait',
			action: `${verb} many ${goals}`,
			description: costing(`${verb} ${many} in batches and wait for the results${refunded}`),
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
			description: costing(
				`Start many ${noun.many} in batches and go on without waiting for the results. Each run pays again.`,
			),
		},
		{
			name: `Start ${task}`,
			value: 'submit',
			action: `Start ${noun.one}`,
			description: costing(
				`Start a ${lower} for each ${subject} and go on without waiting for the result. Each run pays again.`,
			),
		},
	];
}

const resources = [
	...Object.values(lookups).map((lookup) => ({
		name: lookup.title,
		value: lookup.name,
		operations: operationOptions(lookup),
		defaultOperation: 'submitAndWait',
	})),
	{
		name: 'Account',
		value: 'account',
		operations: [
			{
				name: 'Get Info',
				value: 'getInfo',
				action: 'Get account info',
				description:
					'Read the credit balance and the webhook URLs registered in your account. Costs no credits.',
			},
		],
		defaultOperation: 'getInfo',
	},
];

export const operationProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'emailFinder',
	},
	...resources.map(({ value, operations, defaultOperation }): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations,
		default: defaultOperation,
	})),
];

/** By the values of 'Resource' and 'Operation', e.g. `Find Many: Email Finder`. */
const operationNames: Record<string, string> = Object.fromEntries(
	resources.flatMap((resource) =>
		resource.operations.map(({ name, value }) => [
			`${resource.value} ${value}`,
			`${name}: ${resource.name}`,
		]),
	),
);

/** The line below the node's name, in words: `Find Many: Email Finder`. */
export const actionSubtitle = `={{ (${JSON.stringify(operationNames)})[$parameter["resource"] + " " + $parameter["operation"]] }}`;

/** What the editor shows before a run. The raw parameters are looked at: an expression may be for an item. */
export const hints: NodeHint[] = Object.values(lookups).flatMap(({ name, costHint }: Lookup) =>
	costHint === undefined
		? []
		: [
				{
					...costHint,
					displayCondition: `={{ $parameter["resource"] === "${name}" && $parameter["operation"].startsWith("submit") && !$rawParameter.options?.dryRun }}`,
					whenToDisplay: 'beforeExecution',
					location: 'outputPane',
				},
			],
);
