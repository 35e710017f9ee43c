import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IWebhookFunctions,
	type Logger,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import {
	normalizeApiKey,
	normalizeBaseUrl,
	normalizeMaxCreditsPerDay,
	normalizeMemoryDays,
} from '../../../credentials/credentialChecks';
import { ensureError, refuse } from '../common/errors';
import { type Account, type Connection, toAccount } from '../service/request';

/** Every n8n context from which this package asks the service. */
type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

const CREDENTIAL_TYPE = 'contactDataApi';
const DEFAULT_REQUESTS_PER_SECOND = 10;
/** How many items of a run are asked for their API key. */
const MAX_ITEMS_ASKED = 20;
/** A change of the credential counts after this time, for callbacks and after an execution. */
const SHARED_MS = 5_000;

/** The credential of a node, checked. */
interface Credential {
	account: Account;
	/** For n8n to sign a request with; a function, so that nothing shows the key. */
	values(): ICredentialDataDecryptedObject | Promise<ICredentialDataDecryptedObject>;
}

/** What asks the service, and calls n8n itself, when the execution has ended. */
export interface LastingConnection extends Connection {
	credentialId: string;
	/** Sends a request without the account's key. */
	sendUnsigned(options: IHttpRequestOptions): Promise<unknown>;
	logger: Logger;
}

/**
 * A way to the service with the credential of the node, which is read once: a run that has begun to
 * spend does not depend on it any more, and outside of one n8n makes a V8 isolate for each reading.
 * @throws NodeOperationError or ProblemError when it cannot be used, before anything is sent
 */
export async function connect(caller: Caller): Promise<Connection> {
	const credential = await readCredential(caller);
	if (isInExecution(caller)) await requireOneKey(caller, await credential.values());
	return toConnection(caller, credential);
}

/**
 * The connection of a node that takes a callback. Callbacks come in bursts, so those of five seconds
 * share one reading: of the same node, in the same mode, for the same user.
 * @throws NodeOperationError as `connect` does
 */
export async function connectForCallback(context: IWebhookFunctions): Promise<Connection> {
	const sharing = JSON.stringify([
		context.getWorkflow().id,
		context.getNode().id,
		credentialIdOf(context),
		context.getMode(),
		context.getExecutionContext()?.credentials,
	]);
	return toConnection(context, await readShared(context, sharing));
}

/** A connection that outlives the execution. It keeps n8n's context in memory, so each credential has one. */
export function connectForGood(context: IExecuteFunctions, account: Account): LastingConnection {
	// When the execution is stopped, others still go by this connection.
	const unstopped = withCancelSignal(context, undefined);
	const values = async () => await (await readShared(context, unstopped)).values();
	return {
		...toConnection(unstopped, { account, values }),
		credentialId: credentialIdOf(context) ?? '',
		sendUnsigned: async (options): Promise<unknown> => await context.helpers.httpRequest(options),
		logger: context.logger,
	};
}

/**
 * An expression may give a key for each item, and a run has but one. n8n tells what it gives, and not
 * whether there is one.
 * @throws ProblemError where one of some items has another key than the first
 */
async function requireOneKey(
	context: IExecuteFunctions,
	first: ICredentialDataDecryptedObject,
): Promise<void> {
	const last = context.getInputData().length - 1;
	const asked = Math.min(last, MAX_ITEMS_ASKED - 1);
	const items = Array.from({ length: asked }, (_, n) => Math.round(((n + 1) * last) / asked));
	const others = await Promise.all(
		items.map(async (item) => await context.getCredentials(CREDENTIAL_TYPE, item)),
	);
	const item = items[others.findIndex(({ apiKey }) => apiKey !== first.apiKey)];
	if (item === undefined) return;
	refuse({
		message: `'API Key' of the Contact Data API credential gives another key for item ${item + 1} than for the first one`,
		description:
			"The node uses one key for all its input items. Use 'Loop Over Items (Split in Batches)' for each client, so that its input has the items of one client.",
		remedy: 'again',
		affects: 'run',
	});
}

function toConnection(caller: Caller, { account, values }: Credential): Connection {
	return {
		account,
		send: async (options, signal): Promise<unknown> =>
			await caller.helpers.httpRequestWithAuthentication.call(
				endingBy(caller, signal, options.method),
				CREDENTIAL_TYPE,
				{ ...options, abortSignal: signal },
				// n8n reads no more of it than the data.
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: await values() } },
			),
	};
}

/** @throws NodeOperationError when the credential cannot be used */
async function readCredential(caller: Caller): Promise<Credential> {
	const credentials = await caller.getCredentials(CREDENTIAL_TYPE);
	const requestsPerSecond = Number(credentials.requestsPerSecond);
	try {
		const { memory, memoryDays, limitPerDay, maxCreditsPerDay } = credentials;
		const account = toAccount(
			normalizeApiKey(credentials.apiKey),
			normalizeBaseUrl(credentials.baseUrl),
			requestsPerSecond > 0 ? requestsPerSecond : DEFAULT_REQUESTS_PER_SECOND,
		);
		return {
			account: {
				...account,
				memoryDays: normalizeMemoryDays(memory, memoryDays),
				maxCreditsPerDay: normalizeMaxCreditsPerDay(limitPerDay, maxCreditsPerDay),
			},
			values: () => credentials,
		};
	} catch (error) {
		throw new NodeOperationError(caller.getNode(), ensureError(error).message, {
			description:
				"Open the Contact Data API credential and correct it. The key is in the API menu of your account dashboard; a 'Base URL' is for example https://api.example.com.",
		});
	}
}

/** Readings under way, and those that are shared for a while; each takes itself out. */
const readings = new Map<unknown, Promise<Credential>>();

/**
 * The credential, as whoever shares it has read it a moment ago.
 * @param sharing equal for those who do
 * @throws NodeOperationError as `readCredential` does, shared by nobody who comes later
 */
async function readShared(caller: Caller, sharing: unknown): Promise<Credential> {
	const shared = readings.get(sharing);
	if (shared !== undefined) return await shared;
	const reading = readCredential(caller);
	readings.set(sharing, reading);
	const forget = () => readings.delete(sharing);
	void reading.then(async () => await sleep(SHARED_MS)).then(forget, forget);
	return await reading;
}

function credentialIdOf(caller: Caller): string | undefined {
	return caller.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? undefined;
}

/** Whether a workflow runs; else n8n takes a call, activates a trigger or loads a list. */
function isInExecution(caller: Caller): caller is IExecuteFunctions {
	return 'getExecutionCancelSignal' in caller;
}

/** The caller, whose request ends in time, as n8n's `timeout` is for silence only; a read also ends with the execution. */
function endingBy(caller: Caller, inTime: AbortSignal, method?: IHttpRequestMethods): Caller {
	if (!isInExecution(caller)) return caller;
	const cancelled = method === 'POST' ? undefined : caller.getExecutionCancelSignal();
	const either = cancelled === undefined ? inTime : AbortSignal.any([cancelled, inTime]);
	return withCancelSignal(caller, either);
}

/** n8n's requests end with the cancel signal of their context. */
function withCancelSignal(
	context: IExecuteFunctions,
	signal: AbortSignal | undefined,
): IExecuteFunctions {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } });
}
