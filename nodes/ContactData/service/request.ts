import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { endAfter, monotonicMs } from '../common/time';
import { asAmount, asRecord, isRecord, parseJson } from '../common/values';
import type { Account } from './account';
import { MB, readText, unwrap } from './body';

/** From the first byte that is sent to the last one that comes. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** The same where thousands of searches are to be charged or read at once. */
export const LONG_REQUEST_TIMEOUT_MS = 300_000;

/** Of an answer, unpacked: far more than custom data of a single lookup comes to. */
const MAX_SINGLE_BYTES = 16 * MB;
/** Of the results of a batch, which is planned for at most a fifth of that (`orders/plan.ts`). */
export const MAX_BATCH_BYTES = 128 * MB;

/** A way to the service that signs requests for one account. */
export interface Connection {
	account: Account;
	/** Until when a read may take, by the monotonic clock; a submission is always heard out. */
	readsEndAt?: number;
	/**
	 * Adds the key to one request and sends it through n8n, until the signal ends it.
	 * @throws what n8n throws where no answer came
	 */
	send(options: IHttpRequestOptions, signal: AbortSignal): Promise<unknown>;
}

/**
 * What became of one request. For a submission the three kinds differ in money:
 * an `answer` tells, `unsent` never reached the service, and `unknown` may have been charged.
 */
export type Exchange =
	/** `text` is the body as it came; where that was too large, its beginning, and `tooLarge` says so. */
	| {
			kind: 'answer';
			status: number;
			body: unknown;
			text: string;
			tooLarge?: string;
			retryAfterMs?: number;
	  }
	| { kind: 'unsent'; reason: string; lasts: boolean }
	/** `text` is what came of an answer before it broke off. */
	| { kind: 'unknown'; reason: string; text?: string };

type NoAnswer = Exclude<Exchange, { kind: 'answer' }>;

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	timeoutMs?: number;
	maxBytes?: number;
}

/** No connection was made, and another try may make one. */
const NOT_CONNECTED = new Map([
	['ECONNREFUSED', 'the service refused the connection'],
	['EAI_AGAIN', 'the name of the service could not be looked up'],
	// Some resolvers say so of every name while the network is down.
	['ENOTFOUND', 'there is no server with this name'],
	['EADDRNOTAVAIL', 'the address is not available'],
]);

/** A certificate is checked before anything is sent. */
const CERTIFICATE_CODE = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT)/;
/** The names of n8n's errors. */
const BLOCKED_NAME = /^SsrfBlocked/;

const NO_ANSWER_IN_TIME = 'no answer came in time';
const NETWORK_DOWN = 'the network on the way to the service is down';

/** These come while a connection is made, and also later. */
const BROKEN = new Map([
	['EHOSTUNREACH', NETWORK_DOWN],
	['ENETUNREACH', NETWORK_DOWN],
	['ECONNABORTED', NO_ANSWER_IN_TIME],
	['ETIMEDOUT', NO_ANSWER_IN_TIME],
	['ERR_CANCELED', 'the execution was cancelled before the answer came'],
]);

/**
 * Sends one request, once, and says what became of it. Never throws for what the network or the
 * service does. Redirects are not followed, so the key reaches no other host and nothing is submitted
 * twice. The key is taken out of the answer here, before anything else reads it.
 */
export async function sendRequest(
	{ account, readsEndAt = Infinity, send }: Connection,
	{ method, path, query, body, timeoutMs: limitMs, maxBytes = MAX_SINGLE_BYTES }: ServiceRequest,
): Promise<Exchange> {
	const leftMs = method === 'GET' ? readsEndAt - monotonicMs() : Infinity;
	const timeoutMs = Math.ceil(Math.min(limitMs ?? REQUEST_TIMEOUT_MS, leftMs));
	if (timeoutMs <= 0) return { kind: 'unknown', reason: NO_ANSWER_IN_TIME };
	const options: IHttpRequestOptions = {
		method,
		url: `${account.baseUrl}${path}`,
		headers: {
			Accept: 'application/json',
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		...(query !== undefined && { qs: query }),
		...(body !== undefined && { body }),
		timeout: timeoutMs,
		encoding: 'stream',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const inTime = endAfter(timeoutMs);
	const classify = (error: unknown): NoAnswer =>
		inTime.aborted ? { kind: 'unknown', reason: NO_ANSWER_IN_TIME } : classifyError(error);
	let response: unknown;
	try {
		response = await send(options, inTime);
	} catch (error) {
		return classify(error);
	}
	if (!isRecord(response) || typeof response.statusCode !== 'number') {
		return { kind: 'unknown', reason: 'the answer could not be read' };
	}
	const { statusCode: status, body: content } = response;
	const headers = asRecord(response.headers) ?? {};
	const received = await readText(content, headers['content-type'], maxBytes);
	const text = account.redact(received.text);
	if (received.error !== undefined) {
		return { kind: 'unknown', reason: classify(received.error).reason, text };
	}
	const json = parseJson(text);
	return {
		kind: 'answer',
		status,
		body: status >= 200 && status < 300 ? unwrap(json) : json,
		text,
		...(received.tooLarge !== undefined && { tooLarge: received.tooLarge }),
		retryAfterMs: readRetryAfter(headers),
	};
}

/** `Retry-After` in milliseconds. A date says nothing: the clock of this machine may be wrong. */
function readRetryAfter({ 'retry-after': value }: IDataObject): number | undefined {
	const seconds = asAmount(value);
	return seconds !== undefined && seconds >= 0 ? seconds * 1000 : undefined;
}

function classifyError(error: unknown): NoAnswer {
	const { codes, isConnecting } = readNetworkError(error);
	const certificateCode = codes.find((code) => CERTIFICATE_CODE.test(code));
	if (certificateCode !== undefined) {
		const reason = `the certificate of the server is not trusted (${certificateCode})`;
		return { kind: 'unsent', reason, lasts: true };
	}
	if (isBlocked(error)) {
		const reason = "n8n's protection against private addresses does not let requests go there";
		return { kind: 'unsent', reason, lasts: true };
	}
	const reasonIn = (reasons: Map<string, string>) =>
		codes.map((code) => reasons.get(code)).find((reason) => reason !== undefined);
	const notConnected = reasonIn(NOT_CONNECTED);
	const reason =
		notConnected ?? reasonIn(BROKEN) ?? 'the connection broke before the answer was complete';
	return notConnected !== undefined || isConnecting
		? { kind: 'unsent', reason, lasts: false }
		: { kind: 'unknown', reason };
}

/** Whether n8n itself did not let the request go, which says nothing of who would have answered. */
export function isBlocked(error: unknown): boolean {
	return readNetworkError(error).codes.some((code) => BLOCKED_NAME.test(code));
}

/** n8n wraps the network's error once or twice, differently from version to version. */
function readNetworkError(error: unknown): { codes: string[]; isConnecting: boolean } {
	const codes: string[] = [];
	let isConnecting = false;
	let current = error;
	for (let depth = 0; depth < 5 && isRecord(current); depth++) {
		for (const code of [current.code, current.httpCode, current.name]) {
			if (typeof code === 'string') codes.push(code);
		}
		// A host of several addresses is tried at each of them.
		const { errors } = current;
		const attempts: unknown[] = Array.isArray(errors) && errors.length > 0 ? errors : [current];
		isConnecting ||= attempts.every((attempt) => asRecord(attempt)?.syscall === 'connect');
		current = current.cause;
	}
	return { codes, isConnecting };
}
