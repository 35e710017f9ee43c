import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { endAfter, monotonicMs } from '../common/time';
import { asAmount, asRecord, isRecord, parseJson } from '../common/values';
import type { Account } from './account';
import { readText, unwrap } from './body';

/** From the first byte that is sent to the last one that comes. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** The same where thousands of searches are to be charged or read at once. */
export const LONG_REQUEST_TIMEOUT_MS = 300_000;

const MB = 1024 ** 2;
/** Of an answer, unpacked: far more than custom data of a single lookup comes to. */
const MAX_ANSWER_BYTES = 16 * MB;
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
	| { kind: 'unsent'; reason: string; lasts: 'no' | 'yes' }
	/** `text` is what came of an answer before it broke off. */
	| { kind: 'unknown'; reason: string; text?: string };

type Failure = Extract<Exchange, { kind: 'unsent' | 'unknown' }>;

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	timeoutMs?: number;
	maxBytes?: number;
}

/** The connection was never made; trying again may help. */
const NOT_CONNECTED = new Map([
	['ECONNREFUSED', 'the service refused the connection'],
	['EAI_AGAIN', 'the name of the service could not be looked up'],
	// Some resolvers say so of every name while the network is down.
	['ENOTFOUND', 'there is no server with this name'],
	['EADDRNOTAVAIL', 'the address is not available'],
]);

const NOT_TRUSTED = 'the certificate of the server is not trusted';
const BLOCKED = "n8n's protection against private addresses does not let requests go there";

/** The connection was never made; trying again will not help. */
const MISCONFIGURED = new Map([
	['CERT_HAS_EXPIRED', 'the certificate of the server has expired'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
	['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_TRUSTED],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of the server is for another name'],
	// These have a name and no code.
	['SsrfBlockedIpError', BLOCKED],
	['SsrfBlockedHostnameError', BLOCKED],
]);

const NO_ANSWER_IN_TIME = 'no answer came in time';
const NETWORK_DOWN = 'the network on the way to the service is down';
const BROKEN_OFF = 'the connection broke before the answer was complete';

/** The connection broke, which may also be while it was made. */
const BROKEN = new Map([
	['EHOSTUNREACH', NETWORK_DOWN],
	['ENETUNREACH', NETWORK_DOWN],
	['ECONNABORTED', NO_ANSWER_IN_TIME],
	['ETIMEDOUT', NO_ANSWER_IN_TIME],
	['ECONNRESET', BROKEN_OFF],
	['ERR_BAD_RESPONSE', BROKEN_OFF],
	['ERR_STREAM_PREMATURE_CLOSE', BROKEN_OFF],
	['EPIPE', BROKEN_OFF],
	['ERR_CANCELED', 'the execution was cancelled before the answer came'],
]);

/**
 * Sends one request, once, and says what became of it. Never throws for what the network or the
 * service does. Redirects are not followed, so the key reaches no other host and nothing is submitted
 * twice. What the service says is cleared of the key here, before anything else reads it.
 */
export async function sendRequest(
	{ account, readsEndAt = Infinity, send }: Connection,
	{ method, path, query, body, timeoutMs: limitMs, maxBytes = MAX_ANSWER_BYTES }: ServiceRequest,
): Promise<Exchange> {
	const leftMs = method === 'GET' ? readsEndAt - monotonicMs() : Infinity;
	const timeoutMs = Math.ceil(Math.min(limitMs ?? REQUEST_TIMEOUT_MS, leftMs));
	if (timeoutMs <= 0) return { kind: 'unknown', reason: NO_ANSWER_IN_TIME };
	const options: IHttpRequestOptions = {
		method,
		url: `${account.baseUrl}${path}`,
		headers: { Accept: 'application/json' },
		timeout: timeoutMs,
		encoding: 'stream',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	if (query !== undefined) options.qs = query;
	if (body !== undefined) {
		options.body = body;
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	const inTime = endAfter(timeoutMs);
	const classify = (failure: unknown): Failure =>
		inTime.aborted ? { kind: 'unknown', reason: NO_ANSWER_IN_TIME } : classifyFailure(failure);
	let response: unknown;
	try {
		response = await send(options, inTime);
	} catch (error) {
		return classify(error);
	}
	if (!isRecord(response) || typeof response.statusCode !== 'number') {
		return { kind: 'unknown', reason: 'the answer could not be read' };
	}
	const { statusCode: status } = response;
	const headers = asRecord(response.headers) ?? {};
	const contentType = headers['content-type'];
	const {
		text: received,
		tooLarge,
		failure,
	} = await readText(response.body, contentType, maxBytes);
	const text = account.redact(received);
	if (failure !== undefined) return { kind: 'unknown', reason: classify(failure).reason, text };
	const json = parseJson(text);
	return {
		kind: 'answer',
		status,
		body: status >= 200 && status < 300 ? unwrap(json) : json,
		text,
		...(tooLarge !== undefined && { tooLarge }),
		retryAfterMs: readRetryAfter(headers),
	};
}

/** `Retry-After` in milliseconds. A date says nothing: the clock of this machine may be wrong. */
function readRetryAfter({ 'retry-after': value }: IDataObject): number | undefined {
	const seconds = asAmount(value);
	return seconds !== undefined && seconds >= 0 ? seconds * 1000 : undefined;
}

function classifyFailure(error: unknown): Failure {
	const { codes, connecting } = readFailure(error);
	const firstIn = (reasons: Map<string, string>) =>
		codes.map((code) => reasons.get(code)).find((reason) => reason !== undefined);

	const misconfigured = firstIn(MISCONFIGURED);
	if (misconfigured !== undefined) return { kind: 'unsent', reason: misconfigured, lasts: 'yes' };
	const unreachable = firstIn(NOT_CONNECTED);
	if (unreachable !== undefined) return { kind: 'unsent', reason: unreachable, lasts: 'no' };
	const reason = firstIn(BROKEN) ?? 'the connection failed';
	return connecting ? { kind: 'unsent', reason, lasts: 'no' } : { kind: 'unknown', reason };
}

/** Whether n8n itself did not let the request go, which says nothing of who would have answered. */
export function isBlocked(error: unknown): boolean {
	return readFailure(error).codes.some((code) => MISCONFIGURED.get(code) === BLOCKED);
}

/** n8n wraps the network's error once or twice, differently from version to version. */
function readFailure(error: unknown): { codes: string[]; connecting: boolean } {
	const codes: string[] = [];
	let connecting = false;
	let current = error;
	for (let depth = 0; depth < 5 && isRecord(current); depth++) {
		for (const code of [current.code, current.httpCode, current.name]) {
			if (typeof code === 'string') codes.push(code);
		}
		connecting ||= attemptsOf(current).every(isConnecting);
		current = current.cause;
	}
	return { codes, connecting };
}

/** A host of several addresses is tried at each of them. */
function attemptsOf(error: IDataObject): unknown[] {
	const { errors } = error;
	return Array.isArray(errors) && errors.length > 0 ? errors : [error];
}

function isConnecting(error: unknown): boolean {
	return isRecord(error) && error.syscall === 'connect';
}
