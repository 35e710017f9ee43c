import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { BULK_SUBMIT_OPERATIONS, SINGLE_SUBMIT_OPERATIONS } from './operationValues';

/**
 * The fields of one search, for a resource: of a single submission always, of a batch where each
 * item is one search. Two copies, because 'Input Mode' keeps its value when it is hidden.
 */
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

const fullName: INodeProperties = {
	displayName: 'Full Name',
	name: 'fullname',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Ada Lovelace',
	description: "The person's first and last name",
};

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. ada@example.com',
	required: true,
	default: '',
	description: 'The address to verify',
};

const identifyBy: INodeProperties = {
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Name and Company', value: 'nameAndCompany' },
		{ name: 'Profile URL', value: 'profileUrl' },
	],
	default: 'profileUrl',
	description: 'What is known of the person. The profile URL is recommended.',
};

const profileUrl: INodeProperties = {
	displayName: 'Profile URL',
	name: 'socialProfileUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://www.linkedin.com/in/ada-lovelace',
	description: "The address of the person's page in a professional network",
};

const firstName: INodeProperties = {
	displayName: 'First Name',
	name: 'firstname',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Ada',
};

const lastName: INodeProperties = {
	displayName: 'Last Name',
	name: 'lastname',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Lovelace',
};

const companyDomain: INodeProperties = {
	displayName: 'Company Domain',
	name: 'companyDomain',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description: 'The domain or the website of the company',
	hint: 'Fill in the domain or the name. The domain is more precise.',
};

const companyName: INodeProperties = {
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Example Ltd',
	description: 'For when the domain is not known',
};

/** What is searched for: the fields of one search, or a whole list. */
export const searchProperties: INodeProperties[] = [
	...perItem('emailFinder', [fullName, companyDomain, companyName]),
	...perItem('emailVerifier', [email]),
	...perItem('phoneFinder', [identifyBy]),
	...perItem('phoneFinder', [profileUrl], { identifyBy: ['profileUrl'] }),
	...perItem('phoneFinder', [firstName, lastName, companyDomain, companyName], {
		identifyBy: ['nameAndCompany'],
	}),
	{
		displayName: 'Searches',
		name: 'searches',
		type: 'json',
		required: true,
		default: '[\n  { "fullname": "", "company_domain": "" }\n]',
		description: 'A list of at most 5,000 searches with fullname, company_domain and company_name',
		hint: 'Each search has a fullname, and a company_domain or a company_name. Fill in the list, or drag one here from the input.',
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
		default: '[\n  { "socialprofile_url": "" }\n]',
		description:
			'A list of at most 3,000 searches with socialprofile_url, or firstname, lastname and company_domain or company_name',
		hint: 'Each search has a socialprofile_url; or a firstname, a lastname, and a company_domain or a company_name. Fill in the list, or drag one here from the input.',
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
		default: '[\n  ""\n]',
		description: 'A list of at most 5,000 email addresses',
		hint: 'Write each address in quotes, with commas between them, or drag a list here from the input.',
		displayOptions: {
			show: {
				resource: ['emailVerifier'],
				operation: BULK_SUBMIT_OPERATIONS,
				inputMode: ['array'],
			},
		},
	},
];
