import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { normalizeApiKey, normalizeBaseUrl, SLASHES_AT_END } from './credentialChecks';
import { signRequest } from './signRequest';

const NOT_KNOWN = 'The service does not know this API key. Check it for missing characters.';
const NOT_ALLOWED =
	'The service refuses this API key. Ask the provider whether the key may use the API.';
const BUSY = 'The service takes no more requests at the moment. Test again in a while.';
const DOWN = 'The service is not available at the moment. Test again in a while.';
/** What the service, or the gateway before it, says in place of the account. */
const REFUSALS = {
	'This apikey is not valid': NOT_KNOWN,
	credential_refused: NOT_KNOWN,
	channel_refused: NOT_ALLOWED,
	'Too Many Requests': BUSY,
	'Limit Exceeded': BUSY,
	'Internal server error': DOWN,
	'Endpoint request timed out': DOWN,
};

export class ContactDataApi implements ICredentialType {
	name = 'contactDataApi';

	displayName = 'Contact Data API';

	icon: Icon = {
		light: 'file:../nodes/ContactData/contactData.svg',
		dark: 'file:../nodes/ContactData/contactData.dark.svg',
	};

	documentationUrl = 'https://example.com/n8n-nodes-contact-data';

	/** In an older n8n, which ignores this, `signRequest` refuses HTTP Request. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The key from the API menu of your account dashboard',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			noDataExpression: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: "The web address of the service's API. It must start with https://.",
		},
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10,
			description:
				'How many searches or batches may be started per second with this key. Raise it only if the service has granted your account more.',
		},
		{
			displayName: 'Remember Paid Searches',
			name: 'memory',
			type: 'options',
			options: [
				{
					name: 'For a Day, in This n8n Process',
					value: 'process',
					description: 'A restart of n8n forgets them, and another worker does not know them',
				},
				{
					name: 'In a Data Table of n8n',
					value: 'dataTable',
					description: 'Known after a restart or a crash, and to all workers. Needs n8n 2.3.',
				},
			],
			default: 'process',
			description:
				'Where n8n remembers what was paid, so that the same search is read instead of paid again. In a Data Table, the nodes make the table contact_data_searches in the project of the workflow: it has IDs and hashes, and nothing in clear.',
		},
		{
			displayName: 'Days to Remember',
			name: 'memoryDays',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 90 },
			default: 7,
			displayOptions: { show: { memory: ['dataTable'] } },
			description:
				'For how many days the same search is read instead of paid again. Older rows of the table are deleted.',
		},
		{
			displayName: 'Limit Credits per Day',
			name: 'limitPerDay',
			type: 'boolean',
			default: false,
			description:
				'Whether to stop workflows that run too often: nothing more is started once all executions with this key have spent so much within 24 hours',
		},
		{
			displayName: 'Max Credits per Day',
			name: 'maxCreditsPerDay',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1000,
			displayOptions: { show: { limitPerDay: [true] } },
			description:
				'What all executions with this key may spend within 24 hours. With a Data Table it counts all workers, else this n8n process. 0 lets nothing be spent.',
		},
		{
			// Without this property n8n adds its own, which offers to allow HTTP Request.
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'hidden',
			default: 'none',
		},
	];

	/** Every request that carries the key comes through here. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		signRequest(
			requestOptions,
			normalizeApiKey(credentials.apiKey),
			normalizeBaseUrl(credentials.baseUrl),
		);

	// n8n cannot mix rules on the body with rules on the status, so every status gets to the body's.
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ $credentials.baseUrl.trim().replace(${SLASHES_AT_END}, "") }}`,
			url: '/account/info',
			ignoreHttpStatusErrors: true,
		},
		rules: [
			...Object.entries(REFUSALS).map(([value, message]) => ({
				type: 'responseSuccessBody' as const,
				properties: { key: value.endsWith('_refused') ? 'reason' : 'message', value, message },
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'credits',
					value: undefined,
					message: "No account was found at this 'Base URL'. Check the address, and the 'API Key'.",
				},
			},
		],
	};
}
