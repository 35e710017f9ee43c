import { createHash } from 'crypto';
import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Every n8n context from which this package asks the service. */
export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'contactDataApi';

const DEFAULT_REQUESTS_PER_SECOND = 10;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const URL_PARTS = /^(https?):\/\/(\[[0-9a-f:]+\]|[^\s/:?#@[\]]+)(:\d{1,5})?(\/[^\s?#]*)?$/i;

/** The account that a credential opens, without its key. */
export interface Account {
	/** No trailing slash. */
	baseUrl: string;
	/** Submissions per second that the service grants for each POST endpoint. */
	requestsPerSecond: number;
	/** Names the account in this process's memory; the key cannot be read back from it. */
	fingerprint: string;
	/** Takes the key out of a text that came from outside. */
	redact(text: string): string;
}

/** Whether a URL's host is this machine itself: the one case where plain http is accepted. */
export function isLoopbackHost(host: string): boolean {
	return LOOPBACK_HOST.test(host);
}

/**
 * Checks and reads the credential of the node.
 * @throws NodeOperationError when the base URL is not usable, before anything is sent to it
 */
export async function getAccount(caller: Caller): Promise<Account> {
	const credentials = await caller.getCredentials(CREDENTIAL_TYPE);
	const apiKey = String(credentials.apiKey ?? '').trim();
	const baseUrl = String(credentials.baseUrl ?? '')
		.trim()
		.replace(/\/+$/, '');
	const refuse = (message: string, description: string) =>
		new NodeOperationError(caller.getNode(), message, { description });

	if (apiKey === '') {
		throw refuse(
			"The credential has no 'API Key'",
			'Open the Contact Data API credential and paste the key from the API page of your account.',
		);
	}
	const [, scheme, host] = URL_PARTS.exec(baseUrl) ?? [];
	if (scheme === undefined || host === undefined) {
		throw refuse(
			"The 'Base URL' of the credential is not a URL",
			'Open the Contact Data API credential and enter the whole address, e.g. https://api.example.com',
		);
	}
	if (scheme.toLowerCase() !== 'https' && !isLoopbackHost(host)) {
		throw refuse(
			"The 'Base URL' of the credential must begin with https://",
			'Without https anybody on the way could read your API key. Open the Contact Data API credential and change http:// to https://',
		);
	}

	const requestsPerSecond = Number(credentials.requestsPerSecond);
	return {
		baseUrl,
		requestsPerSecond: requestsPerSecond > 0 ? requestsPerSecond : DEFAULT_REQUESTS_PER_SECOND,
		fingerprint: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		redact: (text) => text.split(apiKey).join('[API key]'),
	};
}
