import { createHash } from 'crypto';
import type {
	IAdditionalCredentialOptions,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { normalizeBaseUrl } from '../../../credentials/baseUrl';
import { ensureError } from '../common/itemErrors';

/** Every n8n context from which this package asks the service. */
export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'contactDataApi';

const DEFAULT_REQUESTS_PER_SECOND = 10;

/** The account that a credential opens. Its key is in no field, only behind functions. */
export interface Account {
	/** No trailing slash. */
	baseUrl: string;
	/** Submissions per second that the service grants for each POST endpoint. */
	requestsPerSecond: number;
	/** Names the account in this process's memory; the key cannot be read back from it. */
	fingerprint: string;
	/** Takes the key out of a text that came from outside. */
	redact(text: string): string;
	/**
	 * The credential for n8n to sign requests with, as outside an execution n8n makes a V8 isolate each
	 * time it reads one. In an execution n8n reads it anew, so a long wait follows a change of the key.
	 */
	asRead?(): IAdditionalCredentialOptions;
}

/**
 * Checks and reads the credential of the node.
 * @throws NodeOperationError when it cannot be used, before anything is sent to its address
 */
export async function getAccount(caller: Caller): Promise<Account> {
	const credentials = await caller.getCredentials(CREDENTIAL_TYPE);
	const refuse = (message: string, description: string) =>
		new NodeOperationError(caller.getNode(), message, { description });

	const apiKey = typeof credentials.apiKey === 'string' ? credentials.apiKey.trim() : '';
	if (apiKey === '') {
		throw refuse(
			"The credential has no 'API Key'",
			'Open the Contact Data API credential and paste the key from the API menu of your account.',
		);
	}
	const requestsPerSecond = Number(credentials.requestsPerSecond);
	const baseUrl = readBaseUrl(credentials.baseUrl, refuse);
	return {
		baseUrl,
		requestsPerSecond: requestsPerSecond > 0 ? requestsPerSecond : DEFAULT_REQUESTS_PER_SECOND,
		fingerprint: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		redact: (text) => text.split(apiKey).join('[API key]'),
		asRead: isInExecution(caller)
			? undefined
			: () => ({
					credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credentials },
				}),
	};
}

/** Whether a workflow runs; else n8n takes a call, activates a trigger or loads a list. */
export function isInExecution(caller: Caller): caller is IExecuteFunctions {
	return 'getExecutionCancelSignal' in caller;
}

function readBaseUrl(
	value: unknown,
	refuse: (message: string, description: string) => Error,
): string {
	try {
		return normalizeBaseUrl(value);
	} catch (error) {
		throw refuse(
			ensureError(error).message,
			'Open the Contact Data API credential and correct it, e.g. https://api.example.com',
		);
	}
}
