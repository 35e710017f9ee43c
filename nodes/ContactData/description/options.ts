import type { INodeProperties } from 'n8n-workflow';
import {
	BULK_SUBMIT_OPERATIONS,
	READ_OPERATIONS,
	SINGLE_SUBMIT_OPERATIONS,
	SUBMIT_OPERATIONS,
	WAIT_OPERATIONS,
} from './operationValues';

const customObject: INodeProperties = {
	displayName: 'Custom',
	name: 'custom',
	type: 'json',
	default: '{}',
	description:
		'Your own data as a JSON object. It comes back with the result and the notification.',
};

const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep the fields of the input item beside those of the result. Where both have a field, the result counts.',
};

const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 300,
	description: 'How many seconds to wait for the results, counted from the last submission',
};

const bulkTimeout: INodeProperties = { ...timeout, default: 7200 };

const onTimeout: INodeProperties = {
	displayName: 'On Timeout',
	name: 'onTimeout',
	type: 'options',
	options: [
		{
			name: 'Output Ongoing Items',
			value: 'output',
			description: 'Go on with items of status "ongoing" and their IDs',
		},
		{ name: 'Stop With an Error', value: 'error' },
	],
	default: 'error',
	description:
		'What happens to lookups that are not finished in time. Their IDs are kept in both cases.',
};

export const optionsProperty: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: {
		show: {
			resource: ['emailFinder', 'emailVerifier', 'phoneFinder'],
			operation: [...SUBMIT_OPERATIONS, ...READ_OPERATIONS],
		},
	},
	options: [
		{
			displayName: 'Country Code',
			name: 'countryCode',
			type: 'string',
			default: 'US',
			placeholder: 'e.g. FR',
			description:
				'The country of the company, to tell companies of the same name apart. The service assumes US.',
			displayOptions: { show: { '/resource': ['emailFinder'], '/operation': SUBMIT_OPERATIONS } },
		},
		{
			...customObject,
			displayOptions: {
				show: { '/resource': ['emailFinder', 'emailVerifier'], '/operation': SUBMIT_OPERATIONS },
			},
		},
		{
			...customObject,
			displayOptions: {
				show: { '/resource': ['phoneFinder'], '/operation': BULK_SUBMIT_OPERATIONS },
			},
		},
		{
			displayName: 'Custom',
			name: 'custom',
			type: 'string',
			default: '',
			description:
				'Your own text, such as a row number. It comes back with the result and the notification.',
			displayOptions: {
				show: { '/resource': ['phoneFinder'], '/operation': SINGLE_SUBMIT_OPERATIONS },
			},
		},
		{
			displayName: 'Custom per Item',
			name: 'itemCustom',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.row }}',
			description:
				'Your own text for each search, such as a row number. It comes back with its result.',
			displayOptions: {
				show: {
					'/resource': ['emailFinder', 'phoneFinder'],
					'/operation': BULK_SUBMIT_OPERATIONS,
					'/inputMode': ['each'],
				},
			},
		},
		{
			...includeInputFields,
			displayOptions: { show: { '/operation': SINGLE_SUBMIT_OPERATIONS } },
		},
		{
			...includeInputFields,
			displayOptions: { show: { '/operation': BULK_SUBMIT_OPERATIONS, '/inputMode': ['each'] } },
		},
		{
			displayName: 'Max Credits',
			name: 'maxCredits',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 0,
			description:
				'The most that one run of this node may spend: nothing is started that could go past it. 0 means no limit.',
			displayOptions: { show: { '/operation': SUBMIT_OPERATIONS } },
		},
		{
			...onTimeout,
			displayOptions: { show: { '/operation': WAIT_OPERATIONS, '/waitMode': ['poll'] } },
		},
		{
			...onTimeout,
			displayOptions: { show: { '/operation': READ_OPERATIONS, waitForResult: [true] } },
		},
		{
			displayName: 'Poll Interval',
			name: 'pollInterval',
			type: 'number',
			typeOptions: { minValue: 0.1, numberPrecision: 1 },
			default: 1,
			description: 'How many seconds to wait before the first look. Later looks adapt to the job.',
			displayOptions: { show: { '/operation': WAIT_OPERATIONS } },
		},
		{
			displayName: 'Retrieve Company Info',
			name: 'retrieveCompanyInfo',
			type: 'boolean',
			default: false,
			description:
				'Whether to add information on the company. The service has it only with the country code FR.',
			displayOptions: { show: { '/resource': ['emailFinder'], '/operation': SUBMIT_OPERATIONS } },
		},
		{
			displayName: 'Retrieve Gender',
			name: 'retrieveGender',
			type: 'boolean',
			default: false,
			description: "Whether to add the person's gender",
			displayOptions: { show: { '/resource': ['emailFinder'], '/operation': SUBMIT_OPERATIONS } },
		},
		{ ...timeout, displayOptions: { show: { '/operation': ['submitAndWait'] } } },
		{
			...timeout,
			displayOptions: { show: { '/operation': ['getResult'], waitForResult: [true] } },
		},
		{ ...bulkTimeout, displayOptions: { show: { '/operation': ['submitBulkAndWait'] } } },
		{
			...bulkTimeout,
			displayOptions: { show: { '/operation': ['getBulkResult'], waitForResult: [true] } },
		},
		{
			displayName: 'Wait for Result',
			name: 'waitForResult',
			type: 'boolean',
			default: false,
			description: 'Whether to wait until the lookup is finished. Nothing is submitted.',
			displayOptions: { show: { '/operation': READ_OPERATIONS } },
		},
		{
			displayName: 'Webhook',
			name: 'webhook',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			description: 'The URL that the service notifies when the result is ready',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Choose a URL registered in your account...',
					typeOptions: { searchListMethod: 'searchWebhooks', searchable: true },
				},
				{
					displayName: 'By URL',
					name: 'url',
					type: 'string',
					placeholder: 'e.g. https://n8n.example.com/webhook/...',
				},
				{
					displayName: 'Trigger',
					name: 'trigger',
					type: 'string',
					placeholder: 'Leave this empty',
					hint: 'The Contact Data Trigger of this same workflow is notified. Publish the workflow first.',
				},
			],
			displayOptions: { show: { '/operation': ['submit', 'submitBulk'] } },
		},
	],
};
