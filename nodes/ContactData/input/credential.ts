import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { normalizeApiKey } from '../../../credentials/apiKey';
import { normalizeBaseUrl } from '../../../credentials/baseUrl';
import { ensureError } from '../common/itemErrors';
import type { Account } from '../service/account';
import { toAccount, withoutKey } from '../service/account';
import type { Connection } from '../service/request';
import { NOT_READ } from '../service/request';

/** Every n8n context from which this package asks the service. */
type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const CREDENTIAL_TYPE = 'contactDataApi';

const DEFAULT_REQUESTS_PER_SECOND = 10;

/** The credential of a node, checked. */
export interface Credential {
	account: Account;
	/** For n8n to sign a request with; without it n8n reads the credential itself. */
	asRead?(): IAdditionalCredentialOptions | Promise<IAdditionalCredentialOptions>;
}

/**
 * A way to the service with the credential of the node. In an execution the credential is read anew
 * for each request, so that a long wait follows a change of the key; outside of one n8n makes a V8
 * isolate each time that it reads it.
 * @throws NodeOperationError when it cannot be used, before anything is sent to its address
 */
export async function connect(caller: Caller): Promise<Connection> {
	const { account, asRead } = await readCredential(caller);
	if (!isInExecution(caller)) return toConnection(caller, { account, asRead });
	const keys = new Set<string>();
	const redact = (text: string) => [...keys].reduce(withoutKey, account.redact(text));
	return toConnection(caller, {
		account: { ...account, redact },
		asRead: async () => await readAnew(caller, keys),
	});
}

/**
 * What it throws, thrown before anything is sent, is known by its code.
 * @param keys gets the one that is sent
 */
async function readAnew(caller: Caller, keys: Set<string>): Promise<IAdditionalCredentialOptions> {
	try {
		const credentials = await caller.getCredentials(CREDENTIAL_TYPE);
		const apiKey = String(credentials.apiKey ?? '').trim();
		if (apiKey !== '') keys.add(apiKey);
		return asOptions(credentials);
	} catch (error) {
		throw Object.assign(ensureError(error), { code: NOT_READ });
	}
}

function asOptions(data: ICredentialDataDecryptedObject): IAdditionalCredentialOptions {
	return { credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data } };
}

/** @throws NodeOperationError when the credential cannot be used */
export async function readCredential(caller: Caller): Promise<Credential> {
	const credentials = await caller.getCredentials(CREDENTIAL_TYPE);
	const requestsPerSecond = Number(credentials.requestsPerSecond);
	const account = toAccount(
		readApiKey(caller, credentials.apiKey),
		readBaseUrl(caller, credentials.baseUrl),
		requestsPerSecond > 0 ? requestsPerSecond : DEFAULT_REQUESTS_PER_SECOND,
	);
	return { account, asRead: () => asOptions(credentials) };
}

/** The connection of a caller whose credential was read before. */
export function toConnection(caller: Caller, { account, asRead }: Credential): Connection {
	return {
		account,
		send: async (options, signal): Promise<unknown> =>
			await caller.helpers.httpRequestWithAuthentication.call(
				endingBy(caller, signal, options.method),
				CREDENTIAL_TYPE,
				{ ...options, abortSignal: signal },
				await asRead?.(),
			),
	};
}

function readApiKey(caller: Caller, value: unknown): string {
	const description =
		'Open the Contact Data API credential and paste the key from the API menu of your account dashboard.';
	const apiKey = orRefused(caller, description, () => normalizeApiKey(value));
	if (apiKey !== '') return apiKey;
	throw new NodeOperationError(caller.getNode(), "The 'API Key' of the credential is empty", {
		description,
	});
}

function readBaseUrl(caller: Caller, value: unknown): string {
	const description =
		"Open the Contact Data API credential and correct 'Base URL', for example to https://api.example.com.";
	return orRefused(caller, description, () => normalizeBaseUrl(value));
}

function orRefused(caller: Caller, description: string, normalize: () => string): string {
	try {
		return normalize();
	} catch (error) {
		throw new NodeOperationError(caller.getNode(), ensureError(error).message, { description });
	}
}

/** Whether a workflow runs; else n8n takes a call, activates a trigger or loads a list. */
function isInExecution(caller: Caller): caller is IExecuteFunctions {
	return 'getExecutionCancelSignal' in caller;
}

/**
 * The caller with another cancel signal, which is where n8n takes it from. It ends with the time,
 * since n8n's `timeout` is for silence only and an answer that comes byte by byte would never end. A
 * read also ends with the execution; a submission does not, or nobody would learn what it bought.
 */
function endingBy(caller: Caller, inTime: AbortSignal, method?: IHttpRequestMethods): Caller {
	if (!isInExecution(caller)) return caller;
	const cancelled = method === 'POST' ? undefined : caller.getExecutionCancelSignal();
	const either = cancelled === undefined ? inTime : AbortSignal.any([cancelled, inTime]);
	return Object.create(caller, { getExecutionCancelSignal: { value: () => either } });
}
