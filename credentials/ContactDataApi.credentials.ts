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

/** n8n's word: of any address, but `signRequest` sends the key to the service only. */
const ALLOWS_HTTP_REQUEST = 'all';

export class ContactDataApi implements ICredentialType {
	name = 'contactDataApi';

	displayName = 'Contact Data API';

	icon: Icon = {
		light: 'file:../nodes/ContactData/contactData.svg',
		dark: 'file:../nodes/ContactData/contactData.dark.svg',
	};

	documentationUrl = 'https://example.com/n8n-nodes-contact-data';

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
			displayName: 'HTTP Request Node',
			// n8n looks at this name itself, and without our property it has one that allows.
			name: 'allowedHttpRequestDomains',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Allowed, and Can Read the API Key',
					value: ALLOWS_HTTP_REQUEST,
				},
				{
					name: 'Not Allowed',
					value: 'none',
				},
			],
			default: 'none',
			description:
				"Whether n8n's HTTP Request node may use this credential. When one of its requests fails, that node gives the API key to the next nodes, so whoever may use the credential can read it.",
		},
	];

	/** Adds the API key to a request. Every request that carries the key comes through here. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		signRequest(requestOptions, {
			apiKey: normalizeApiKey(credentials.apiKey),
			baseUrl: normalizeBaseUrl(credentials.baseUrl),
			allowsHttpRequest: credentials.allowedHttpRequestDomains === ALLOWS_HTTP_REQUEST,
		});

	// n8n shows the first rule that fits the answer, and cannot mix rules on the body with rules on
	// the status code: so every status is let through to the rules on the body.
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ $credentials.baseUrl.trim().replace(${SLASHES_AT_END}, "") }}`,
			url: '/account/info',
			ignoreHttpStatusErrors: true,
		},
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'message',
					value: 'This apikey is not valid',
					message: 'The service does not know this API key. Check it for missing characters.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'credits',
					value: undefined,
					message: "There is no contact data service at this 'Base URL'. Check the address.",
				},
			},
		],
	};
}
