import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../../nodes/ContactData/service/account.ts';
import { toConnection } from '../../../nodes/ContactData/input/credential.ts';
import { sendRequest, type ServiceRequest } from '../../../nodes/ContactData/service/request.ts';
import { startClock } from '../../support/clock.mts';
import {
	connectionBroke,
	connectionRefused,
	noAnswerInTime,
	privateAddress,
} from '../../support/texts.mts';

afterEach(() => void vi.useRealTimers());

const account: Account = {
	baseUrl: 'https://api.example.com/v1',
	requestsPerSecond: 10,
	fingerprint: 'f',
	redact: (text) => text,
};

/** What n8n's helper gives back or throws. */
type Outcome = { gives: unknown } | { throws: unknown };

const GIVES_NOTHING: Outcome = { gives: { statusCode: 200, headers: {}, body: '{}' } };

/** Sends one request by a helper that ends so; gives what the helper was asked for, too. */
async function send(
	outcome: Outcome = GIVES_NOTHING,
	request: ServiceRequest = { method: 'GET', path: '/x' },
) {
	const asked: Array<{ credential: string; options: IHttpRequestOptions }> = [];
	const httpRequestWithAuthentication = async (
		credential: string,
		options: IHttpRequestOptions,
	) => {
		const { abortSignal, ...others } = options;
		expect(abortSignal).toBeInstanceOf(AbortSignal);
		asked.push({ credential, options: others });
		if ('throws' in outcome) throw outcome.throws;
		return outcome.gives;
	};
	// The only part of n8n's context that a request needs.
	const caller = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
	return { exchange: await sendRequest(toConnection(caller, { account }), request), asked };
}

describe('n8n is asked', () => {
	const common = {
		timeout: 60_000,
		encoding: 'stream',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};

	it('for a GET with a query and no body', async () => {
		const { asked } = await send(undefined, { method: 'GET', path: '/phone', query: { id: 'a' } });
		const url = 'https://api.example.com/v1/phone';
		const headers = { Accept: 'application/json' };
		const options = { ...common, method: 'GET', url, headers, qs: { id: 'a' } };
		expect(asked).toStrictEqual([{ credential: 'contactDataApi', options }]);
	});

	it('for a POST with JSON and no query', async () => {
		const request = { method: 'POST', path: '/phone', body: { a: 1 }, timeoutMs: 7 } as const;
		const { asked } = await send(undefined, request);
		expect(asked[0].options).toStrictEqual({
			...common,
			method: 'POST',
			url: 'https://api.example.com/v1/phone',
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			timeout: 7,
			body: { a: 1 },
		});
	});
});

it.for([4999.5, 0.25])('a time limit of %d ms, as a clock gives it, is one', async (timeoutMs) => {
	const { exchange } = await send(undefined, { method: 'GET', path: '/x', timeoutMs });
	expect(exchange).toMatchObject({ kind: 'answer', status: 200 });
});

describe('an answer', () => {
	it.for([
		['{"a":1}', { a: 1 }],
		['"ongoing"', 'ongoing'],
		['<html>', '<html>'],
		['', ''],
		[{ a: 1 }, { a: 1 }],
		[undefined, undefined],
		[null, null],
		[7, 7],
	] as const)('of %j is read as %j', async ([body, read]) => {
		const { exchange } = await send({ gives: { statusCode: 418, headers: {}, body } });
		const text = typeof body === 'string' ? body : '';
		expect(exchange).toEqual({ kind: 'answer', status: 418, body: read, text });
	});

	it.for([
		['7', 7_000],
		[7, 7_000],
		['0', 0],
		['0.5', 500],
		['-1', undefined],
		['soon', undefined],
		['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
		[['7'], undefined],
		[null, undefined],
	] as const)('with Retry-After %j may be tried again after %j ms', async ([value, ms]) => {
		const headers = { 'retry-after': value };
		const { exchange } = await send({ gives: { statusCode: 429, headers, body: '' } });
		expect(exchange).toStrictEqual({
			kind: 'answer',
			status: 429,
			body: '',
			text: '',
			retryAfterMs: ms,
		});
	});

	it('with Retry-After as a date may be tried again then', async () => {
		startClock();
		const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
		const { exchange } = await send({ gives: { statusCode: 429, headers, body: '' } });
		expect(exchange).toMatchObject({ kind: 'answer', retryAfterMs: 60_000 });
	});

	it.for([undefined, null, 'ok', [], {}, { statusCode: '200' }])(
		'that n8n gives as %j says nothing',
		async (gives) => {
			const { exchange } = await send({ gives });
			expect(exchange).toEqual({ kind: 'unknown', reason: 'the answer could not be read' });
		},
	);

	it('without headers is an answer', async () => {
		const { exchange } = await send({ gives: { statusCode: 200, body: 'x' } });
		expect(exchange).toStrictEqual({
			kind: 'answer',
			status: 200,
			body: 'x',
			text: 'x',
			retryAfterMs: undefined,
		});
	});
});

describe('a connection that was never made', () => {
	it.for([
		['CERT_HAS_EXPIRED', 'the certificate of the server has expired'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the server is not trusted'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the server is not trusted'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the certificate of the server is not trusted'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate of the server is not trusted'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of the server is for another name'],
	])('for %s will not be made later either', async ([code, reason]) => {
		const { exchange } = await send({ throws: { code } });
		expect(exchange).toEqual({ kind: 'unsent', reason, lasts: 'yes' });
	});

	it.for(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
		"for n8n's %s will not be made later either",
		async (name) => {
			const cause = Object.assign(new Error('The request was blocked'), { name });
			const { exchange } = await send({ throws: new Error('The request was blocked', { cause }) });
			const reason = `${privateAddress} does not let requests go there`;
			expect(exchange).toEqual({ kind: 'unsent', reason, lasts: 'yes' });
		},
	);

	it.for([
		['ENOTFOUND', 'there is no server with this name'],
		['EADDRNOTAVAIL', 'the address is not available'],
	])('for %s may be made later where one was made before', async ([code, reason]) => {
		const { exchange } = await send({ throws: { code } });
		expect(exchange).toEqual({ kind: 'unsent', reason, lasts: 'unlessReachedBefore' });
	});

	it.for([
		['ECONNREFUSED', 'the service refused the connection'],
		['EAI_AGAIN', 'the name of the service could not be looked up'],
	])('for %s may be made later', async ([code, reason]) => {
		const { exchange } = await send({ throws: { code } });
		expect(exchange).toEqual({ kind: 'unsent', reason, lasts: 'no' });
	});
});

describe('a connection that broke', () => {
	const BROKEN = [
		['EHOSTUNREACH', 'the network on the way to the service is down'],
		['ENETUNREACH', 'the network on the way to the service is down'],
		['ECONNABORTED', noAnswerInTime],
		['ETIMEDOUT', noAnswerInTime],
		['ECONNRESET', connectionBroke],
		['ERR_BAD_RESPONSE', connectionBroke],
		['EPIPE', connectionBroke],
		['ERR_CANCELED', 'the execution was cancelled before the answer came'],
		['ESOMETHING', 'the connection failed'],
	] as const;

	it.for(BROKEN)('by %s may have carried the request', async ([code, reason]) => {
		const { exchange } = await send({ throws: { code, syscall: 'read' } });
		expect(exchange).toEqual({ kind: 'unknown', reason });
	});

	it.for(BROKEN)('by %s while it was made has not', async ([code, reason]) => {
		const { exchange } = await send({ throws: { code, syscall: 'connect' } });
		expect(exchange).toEqual({ kind: 'unsent', reason, lasts: 'no' });
	});

	it.for([undefined, null, 'text', {}, new Error('x'), { code: 7 }])(
		'with %j instead of an error may have carried the request',
		async (throws) => {
			const { exchange } = await send({ throws });
			expect(exchange).toEqual({ kind: 'unknown', reason: 'the connection failed' });
		},
	);
});

describe('an error of the network', () => {
	const wrapped = (depth: number, cause: object): object =>
		depth === 0 ? cause : { message: 'wrapped', cause: wrapped(depth - 1, cause) };
	const refused = { kind: 'unsent', reason: connectionRefused, lasts: 'no' };

	it.for([0, 1, 2, 3, 4])('is found in %i other errors', async (depth) => {
		const throws = wrapped(depth, { code: 'ECONNREFUSED' });
		expect((await send({ throws })).exchange).toEqual(refused);
	});

	it('may be under the name that n8n gives to its code', async () => {
		const throws = { httpCode: 'ECONNREFUSED' };
		expect((await send({ throws })).exchange).toEqual(refused);
	});

	it('tells that it was connecting, under whatever code of the errors around it', async () => {
		const throws = { code: 'ECONNABORTED', cause: { code: 'ETIMEDOUT', syscall: 'connect' } };
		const { exchange } = await send({ throws });
		expect(exchange).toEqual({ kind: 'unsent', reason: noAnswerInTime, lasts: 'no' });
	});

	it('may hold itself', async () => {
		const throws: Record<string, unknown> = { code: 'EPIPE' };
		throws.cause = throws;
		expect((await send({ throws })).exchange).toMatchObject({ kind: 'unknown' });
	});
});

it('a request that takes longer than its time is ended, and nobody knows its fate', async () => {
	const caller = {
		helpers: {
			httpRequestWithAuthentication: async (_: string, { abortSignal }: IHttpRequestOptions) =>
				await new Promise((_resolve, reject) => {
					const end = () => reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
					abortSignal?.addEventListener?.('abort', end);
				}),
		},
	} as unknown as IExecuteFunctions;
	const request = { method: 'GET', path: '/x', timeoutMs: 20 } as const;
	expect(await sendRequest(toConnection(caller, { account }), request)).toEqual({
		kind: 'unknown',
		reason: noAnswerInTime,
	});
});

it.for([0, 0.5])('a reading is not sent when its time has been over for %d ms', async (overMs) => {
	startClock();
	const readsEndAt = performance.now() - overMs;
	const httpRequestWithAuthentication = vi.fn();
	const caller = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
	const connection = { ...toConnection(caller, { account }), readsEndAt };
	expect(await sendRequest(connection, { method: 'GET', path: '/x' })).toEqual({
		kind: 'unknown',
		reason: noAnswerInTime,
	});
	expect(httpRequestWithAuthentication).not.toHaveBeenCalled();
});

describe('a host of several addresses', () => {
	/** As Node tells it of all attempts, and axios and n8n wrap it. */
	const wrapped = (attempts: Array<{ code: string; syscall?: string }>) => {
		const all = Object.assign(new AggregateError(attempts), { code: attempts[0].code });
		const axiosError = Object.assign(new Error('', { cause: all }), { code: all.code });
		return Object.assign(new Error('', { cause: axiosError }), { httpCode: all.code });
	};
	const connect = (code: string) => ({ code, syscall: 'connect' });

	it.for([
		['ETIMEDOUT', 'EHOSTUNREACH'],
		['ENETUNREACH', 'ETIMEDOUT'],
		['ECONNRESET', 'ECONNRESET'],
		['ENETUNREACH', 'ECONNREFUSED'],
	])('none of which can be reached (%s, %s) has taken nothing', async (codes) => {
		const { exchange } = await send({ throws: wrapped(codes.map(connect)) });
		expect(exchange).toMatchObject({ kind: 'unsent', lasts: 'no' });
	});

	it.for([[[]], [[connect('ETIMEDOUT'), { code: 'ECONNRESET', syscall: 'read' }]]])(
		'of which one may have been reached may have taken it: %j',
		async ([attempts]) => {
			const first = attempts.length === 0 ? [{ code: 'ECONNRESET' }] : attempts;
			expect((await send({ throws: wrapped(first) })).exchange.kind).toBe('unknown');
		},
	);
});
