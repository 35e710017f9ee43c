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
