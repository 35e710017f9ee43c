import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

export const SUBMIT_OPERATIONS = ['submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'];
export const BULK_SUBMIT_OPERATIONS = ['submitBulkAndWait', 'submitBulk'];
export const WAIT_OPERATIONS = ['submitAndWait', 'submitBulkAndWait'];

/** Where each input item is one search, for a resource. */
function oneSearchPerItem(resource: string, more: IDisplayOptions['show'] = {}): IDisplayOptions {
	return {
		show: { resource: [resource], operation: SUBMIT_OPERATIONS, ...more },
		hide: { inputMode: ['array'] },
	};
}

const finder = oneSearchPerItem('emailFinder');
const phone = oneSearchPerItem('phoneFinder');
const phoneByUrl = oneSearchPerItem('phoneFinder', { identifyBy: ['profileUrl'] });
const phoneByName = oneSearchPerItem('phoneFinder', { identifyBy: ['nameAndCompany'] });

const companyDomain: INodeProperties = {
	displayName: 'Company Domain',
	name: 'companyDomain',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description: 'The domain or website of the company. This or the company name is needed.',
};

const companyName: INodeProperties = {
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Example Ltd',
	description: 'Used when the domain is not known. The domain gives the better results.',
};

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
				resource: ['emailFinder', 'emailVerifier', 'phoneFinder'],
				operation: BULK_SUBMIT_OPERATIONS,
			},
		},
	},
	{
		displayName: 'Full Name',
		name: 'fullname',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Ada Lovelace',
		description: "The person's first and last name",
		displayOptions: finder,
	},
	{ ...companyDomain, displayOptions: finder },
	{ ...companyName, displayOptions: finder },
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'e.g. ada@example.com',
		required: true,
		default: '',
		description: 'The address to verify',
		displayOptions: oneSearchPerItem('emailVerifier'),
	},
	{
		displayName: 'Identify By',
		name: 'identifyBy',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Name and Company', value: 'nameAndCompany' },
			{ name: 'Profile URL', value: 'profileUrl' },
		],
		default: 'profileUrl',
		description: 'What is known of the person. A profile URL gives the better results.',
		displayOptions: phone,
	},
	{
		displayName: 'Profile URL',
		name: 'socialProfileUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://www.linkedin.com/in/ada-lovelace',
		description: "The address of the person's page in a professional network",
		displayOptions: phoneByUrl,
	},
	{
		displayName: 'First Name',
		name: 'firstname',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Ada',
		displayOptions: phoneByName,
	},
	{
		displayName: 'Last Name',
		name: 'lastname',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Lovelace',
		displayOptions: phoneByName,
	},
	{ ...companyDomain, displayOptions: phoneByName },
	{ ...companyName, displayOptions: phoneByName },
	{
		displayName: 'Searches',
		name: 'searches',
		type: 'json',
		required: true,
		default: '',
		placeholder: 'e.g. [{"fullname": "Ada Lovelace", "company_domain": "example.com"}]',
		description: 'A list of at most 5,000 searches with fullname, company_domain and company_name',
		displayOptions: {
			show: {
				resource: ['emailFinder'],
				operation: BULK_SUBMIT_OPERATIONS,
				inputMode: ['array'],
			},
		},
	},
	{
		displayName: 'Searches',
		name: 'searches',
		type: 'json',
		required: true,
		default: '',
		placeholder: 'e.g. [{"socialprofile_url": "https://www.linkedin.com/in/ada-lovelace"}]',
		description:
			'A list of at most 3,000 searches with socialprofile_url, or firstname, lastname and company_domain or company_name',
		displayOptions: {
			show: {
				resource: ['phoneFinder'],
				operation: BULK_SUBMIT_OPERATIONS,
				inputMode: ['array'],
			},
		},
	},
	{
		displayName: 'Verifications',
		name: 'verifications',
		type: 'json',
		required: true,
		default: '',
		placeholder: 'e.g. ["ada@example.com", "grace@example.com"]',
		description: 'A list of at most 5,000 email addresses',
		displayOptions: {
			show: {
				resource: ['emailVerifier'],
				operation: BULK_SUBMIT_OPERATIONS,
				inputMode: ['array'],
			},
		},
	},
	{
		displayName: 'Lookup ID',
		name: 'lookupId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7f3c2a90',
		description: 'The ID that the submission returned',
		displayOptions: { show: { operation: ['getResult'] } },
	},
	{
		displayName: 'Batch ID',
		name: 'batchId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7f3c2a90',
		description: 'The ID that the bulk submission returned',
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
