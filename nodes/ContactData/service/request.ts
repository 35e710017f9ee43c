import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { createHash } from 'crypto';
import { endAfter, monotonicMs } from '../common/time';
import { asAmount, asRecord, asText, isRecord, parseJson } from '../common/values';

/** From the first byte that is sent to the last one that comes. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** The same where thousands of searches are to be charged or read at once. */
export const LONG_REQUEST_TIMEOUT_MS = 300_000;

/** Of an answer, unpacked. */
const MAX_ANSWER_MB = 128;

/** The account that a credential opens. Its key is in no field, only behind `redact`. */
export interface Account {
	/** No trailing slash. */
	baseUrl: string;
	/** Submissions per second that the service grants for each POST endpoint. */
	requestsPerSecond: number;
	/** Names the account in this process's memory; the key cannot be read back from it. */
	fingerprint: string;
	/** Days for which a Data Table of n8n remembers what was paid; left out where this process alone does, for a day. */
	memoryDays?: number;
	/** What all runs of the account may spend in 24 hours; left out for no limit. */
	maxCreditsPerDay?: number;
	/** Takes the key out of what the service says, in whatever spelling. */
	redact(text: string): string;
}

/** @param apiKey not empty */
export function toAccount(apiKey: string, baseUrl: string, requestsPerSecond: number): Account {
	const spellings = spellingsOf(apiKey);
	return {
		baseUrl,
		requestsPerSecond,
		fingerprint: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		redact: (text) => text.replace(spellings, '[API key]'),
	};
}

/** Matches a key as it is, as any JSON has it (`\/`, `\u002b`) and as a URL does (`%2B`). */
function spellingsOf(apiKey: string): RegExp {
	const letters = Array.from(apiKey, (letter) => {
		const hex = letter.charCodeAt(0).toString(16);
		return `(?:\\\\?\\x${hex}|(?:\\\\u00|%)${hex})`;
	});
	return new RegExp(letters.join(''), 'gi');
}

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

/** What became of one request. Of a submission, an `answer` tells, `unsent` was free, `unknown` may be charged. */
export type Exchange =
	/** `text` is the body as it came. */
	| {
			kind: 'answer';
			status: number;
			body: unknown;
			text: string;
			retryAfterMs?: number;
			/** Where a redirect points to. */
			location?: string;
	  }
	| ({ kind: 'unsent' } & Unsent)
	/** `text` is what was read of an answer that broke off, or was too large. */
	| { kind: 'unknown'; reason: string; text?: string };

/** Why a request did not leave. */
export interface Unsent {
	reason: string;
	/** Whether another try would not help. */
	lasts: boolean;
	/** Whether the server's certificate is the reason. */
	isUntrusted?: boolean;
}

type NoAnswer = Exclude<Exchange, { kind: 'answer' }>;

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	timeoutMs?: number;
}

/** No connection was made, and another try may make one. */
const NOT_CONNECTED = new Map([
	['ECONNREFUSED', 'the service refused the connection'],
	['EAI_AGAIN', 'the name of the service could not be looked up'],
	// Some resolvers say so of every name while the network is down.
	['ENOTFOUND', 'there is no server with this name'],
]);

/** Mostly it is that of a network which reads what is encrypted. */
const NOT_TRUSTED = 'the certificate of the server is not trusted';
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
]);

/**
 * Sends one request, once, and says what became of it. Never throws for what the network or the
 * service does. Redirects are not followed, so the key reaches no other host and nothing is submitted
 * twice. The key is taken out of the answer here, before anything else reads it.
 */
export async function sendRequest(
	{ account, readsEndAt = Infinity, send }: Connection,
	{ method, path, query, body, timeoutMs: limitMs }: ServiceRequest,
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
	const received = await readText(content, asText(headers['content-type']));
	const text = account.redact(received.text);
	if ('error' in received) {
		return { kind: 'unknown', reason: classify(received.error).reason, text };
	}
	if (received.isTooLarge === true) {
		const reason = `the answer of the service is larger than ${MAX_ANSWER_MB} MB`;
		return { kind: 'unknown', reason, text };
	}
	return {
		kind: 'answer',
		status,
		body: parseJson(text),
		text,
		retryAfterMs: retryAfterIn(headers),
		location: account.redact(asText(headers.location) ?? ''),
	};
}

/** UTF-8, unless the header names another charset, as older servers do. */
function decoderFor(contentType = '') {
	const [, charset] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder();
	}
}

/** A body as it comes, or what came of it: `error` is what the network threw. */
async function readText(
	body: unknown,
	contentType: string | undefined,
): Promise<{ text: string; isTooLarge?: boolean; error?: unknown }> {
	// n8n's evaluation of workflows answers by itself, with data.
	if (!isStream(body)) {
		return { text: typeof body === 'string' ? body : (JSON.stringify(body) ?? '') };
	}
	const decoder = decoderFor(contentType);
	let text = '';
	let bytes = 0;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			// To leave the loop ends the connection.
			if (bytes > MAX_ANSWER_MB * 1024 ** 2) return { text, isTooLarge: true };
			text += decoder.decode(chunk, { stream: true });
		}
	} catch (error) {
		return { text, error };
	}
	return { text: text + decoder.decode() };
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** `Retry-After` in milliseconds. A date says nothing: the clock of this machine may be wrong. */
function retryAfterIn({ 'retry-after': value }: IDataObject): number | undefined {
	const seconds = asAmount(value);
	return seconds !== undefined && seconds >= 0 ? seconds * 1000 : undefined;
}

function classifyError(error: unknown): NoAnswer {
	const { codes, isConnecting } = networkErrorIn(error);
	const certificateCode = codes.find((code) => CERTIFICATE_CODE.test(code));
	if (certificateCode !== undefined) {
		const reason = `${NOT_TRUSTED} (${certificateCode})`;
		return { kind: 'unsent', reason, lasts: true, isUntrusted: true };
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
	return networkErrorIn(error).codes.some((code) => BLOCKED_NAME.test(code));
}

/** n8n wraps the network's error once or twice, differently from version to version. */
function networkErrorIn(error: unknown): { codes: string[]; isConnecting: boolean } {
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
