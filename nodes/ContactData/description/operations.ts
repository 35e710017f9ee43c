import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export const resourceProperty: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Account', value: 'account' },
		{ name: 'Email Finder', value: 'emailFinder' },
		{ name: 'Email Verifier', value: 'emailVerifier' },
		{ name: 'Phone Finder', value: 'phoneFinder' },
	],
	default: 'emailFinder',
};

/** What the user reads of one lookup's six operations. */
interface Words {
	/** Find, or Verify. */
	verb: string;
	/** Start Search, or Start Verification. */
	task: string;
	/** In the action texts: email, or phone. */
	thing: string;
	things: string;
	/** What one input item holds. */
	subject: string;
	subjects: string;
}

function operationOptions({
	verb,
	task,
	thing,
	things,
	subject,
	subjects,
}: Words): INodePropertyOptions[] {
	const lower = task.toLowerCase();
	return [
		{
			name: verb,
			value: 'submitAndWait',
			action: `${verb} ${thing}`,
			description: `${verb} the ${thing} of each ${subject} and wait for the result`,
		},
		{
			name: `${verb} Many`,
			value: 'submitBulkAndWait',
			action: `${verb} many ${things}`,
			description: `${verb} the ${things} of many ${subjects} in one batch and wait for the results`,
		},
		{
			name: 'Get Bulk Results',
			value: 'getBulkResult',
			action: `Get bulk ${thing} ${lower} results`,
			description: 'Read the results of a batch that was started before. Costs no credits.',
		},
		{
			name: 'Get Result',
			value: 'getResult',
			action: `Get ${thing} ${lower} result`,
			description: `Read the result of a ${lower} that was started before. Costs no credits.`,
		},
		{
			name: `Start Bulk ${task}`,
			value: 'submitBulk',
			action: `Start bulk ${thing} ${lower}`,
			description: `Start one batch for many ${subjects} and go on without waiting for the results`,
		},
		{
			name: `Start ${task}`,
			value: 'submit',
			action: `Start ${thing} ${lower}`,
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

const person = { subject: 'person', subjects: 'people' };
const address = { subject: 'address', subjects: 'addresses' };
const email = { thing: 'email', things: 'emails' };
const phone = { thing: 'phone', things: 'phones' };

export const operationProperties: INodeProperties[] = [
	operationProperty(
		'emailFinder',
		operationOptions({ verb: 'Find', task: 'Search', ...email, ...person }),
		'submitAndWait',
	),
	operationProperty(
		'emailVerifier',
		operationOptions({ verb: 'Verify', task: 'Verification', ...email, ...address }),
		'submitAndWait',
	),
	operationProperty(
		'phoneFinder',
		operationOptions({ verb: 'Find', task: 'Search', ...phone, ...person }),
		'submitAndWait',
	),
	operationProperty(
		'account',
		[
			{
				name: 'Get Info',
				value: 'getInfo',
				action: 'Get account info',
				description: 'Read the credit balance and the registered webhook URLs',
			},
		],
		'getInfo',
	),
];
