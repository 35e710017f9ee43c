import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export const resourceProperty: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Email Finder', value: 'emailFinder' },
		{ name: 'Email Verifier', value: 'emailVerifier' },
		{ name: 'Phone Finder', value: 'phoneFinder' },
		{ name: 'Account', value: 'account' },
	],
	default: 'emailFinder',
};

/** What the user reads of one lookup's six operations. */
interface Words {
	/** Find, or Verify. */
	verb: string;
	/** Search, or Verification. */
	task: string;
	/** What kind of task it is: email, or phone. */
	kind: string;
	/** What is found or verified, in the action texts. */
	goal: string;
	/** The same in a sentence. */
	each: string;
	many: string;
	/** What one input item holds. */
	subject: string;
	subjects: string;
}

function operationOptions(words: Words): INodePropertyOptions[] {
	const { verb, task, kind, goal, each, many, subject, subjects } = words;
	const lower = task.toLowerCase();
	return [
		{
			name: verb,
			value: 'submitAndWait',
			action: `${verb} ${goal}`,
			description: `${verb} ${each} and wait for the result`,
		},
		{
			name: `${verb} Many`,
			value: 'submitBulkAndWait',
			action: `${verb} many ${goal}s`,
			description: `${verb} ${many} in one batch and wait for the results`,
		},
		{
			name: 'Get Bulk Results',
			value: 'getBulkResult',
			action: `Get bulk ${kind} ${lower} results`,
			description: 'Read the results of a batch that was started before. Costs no credits.',
		},
		{
			name: 'Get Result',
			value: 'getResult',
			action: `Get ${kind} ${lower} result`,
			description: `Read the result of a ${lower} that was started before. Costs no credits.`,
		},
		{
			name: `Start Bulk ${task}`,
			value: 'submitBulk',
			action: `Start bulk ${kind} ${lower}`,
			description: `Start one batch for many ${subjects} and go on without waiting for the results`,
		},
		{
			name: `Start ${task}`,
			value: 'submit',
			action: `Start ${kind} ${lower}`,
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

export const operationProperties: INodeProperties[] = [
	operationProperty(
		'emailFinder',
		operationOptions({
			verb: 'Find',
			task: 'Search',
			kind: 'email',
			goal: 'email',
			each: 'the email address of each person',
			many: 'the email addresses of many people',
			...person,
		}),
		'submitAndWait',
	),
	operationProperty(
		'emailVerifier',
		operationOptions({
			verb: 'Verify',
			task: 'Verification',
			kind: 'email',
			goal: 'email',
			each: 'each email address',
			many: 'many email addresses',
			subject: 'email address',
			subjects: 'email addresses',
		}),
		'submitAndWait',
	),
	operationProperty(
		'phoneFinder',
		operationOptions({
			verb: 'Find',
			task: 'Search',
			kind: 'phone',
			goal: 'phone number',
			each: 'the phone number of each person',
			many: 'the phone numbers of many people',
			...person,
		}),
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
