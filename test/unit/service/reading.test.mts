import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../../nodes/ContactData/service/account.ts';
import { toConnection } from '../../../nodes/ContactData/input/credential.ts';
import { read, readOnce } from '../../../nodes/ContactData/service/reading.ts';
import { passTime, startClock } from '../../support/clock.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const account: Account = {
	baseUrl: 'https://api.example.com',
	requestsPerSecond: 10,
	fingerprint: 'f',
	redact: (text) => text,
};

const answer = (statusCode: number, message?: string) => ({
	statusCode,
	headers: {},
	body: JSON.stringify({ message }),
});
const failure = (code: string) => Object.assign(new Error(code), { code });

/** A service that answers so, the last answer again and again; and when it was asked. */
function service(...answers: unknown[]) {
	const start = Date.now();
	const askedAt: number[] = [];
	const httpRequestWithAuthentication = async (_: string, { method }: IHttpRequestOptions) => {
		expect(method).toBe('GET');
		const next = answers[Math.min(askedAt.length, answers.length - 1)];
		askedAt.push(Date.now() - start);
		if (next instanceof Error) throw next;
		return next;
	};
	// The only part of n8n's context that a request needs.
	const caller = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
	return { connection: toConnection(caller, { account }), askedAt };
}

describe('one look', () => {
	it.for([300, 302, 399])('that is answered with %i meets a lasting fault', async (status) => {
		const reading = await readOnce(service(answer(status, 'x')).connection, '/x');
		expect(reading).toMatchObject({ fault: 'lasting', refusal: { status } });
	});

	it.for([200, 202, 299])('that is answered with %i gives the answer', async (status) => {
		const { connection } = service(answer(status, 'x'));
		const reading = await readOnce(connection, '/x');
		expect(reading).toEqual({ kind: 'answer', status, body: { message: 'x' } });
	});

	it.for([
		[199, 'x', 'refused'],
		[400, 'x', 'refused'],
		[401, 'x', 'lasting'],
		[402, 'x', 'lasting'],
		[403, 'x', 'refused'],
		[404, 'x', 'refused'],
		[408, 'x', 'passing'],
		[429, 'x', 'passing'],
		[499, 'x', 'refused'],
		[500, 'x', 'passing'],
		[500, 'Could not retrieve single search results', 'refused'],
		[503, 'x', 'passing'],
	] as const)('that is answered with %i and %j meets a fault that is %s', async (row) => {
		const [status, message, fault] = row;
		const reading = await readOnce(service(answer(status, message)).connection, '/x');
		expect(reading).toMatchObject({ kind: 'fault', fault, refusal: { status, message } });
	});

	it.for([
		[
			'ECONNREFUSED',
			'passing',
			'The service could not be reached: the service refused the connection',
		],
		['ENOTFOUND', 'passing', 'The service could not be reached: there is no server with this name'],
		[
			'CERT_HAS_EXPIRED',
			'lasting',
			'The service could not be reached: the certificate of the server has expired',
		],
		[
			'EPIPE',
			'passing',
			'The service could not be asked: the connection broke before the answer was complete',
		],
	] as const)('that ends with %s meets a fault that is %s', async ([code, fault, message]) => {
		const reading = await readOnce(service(failure(code)).connection, '/x');
		expect(reading).toMatchObject({ kind: 'fault', fault, refusal: { message } });
	});

	it('that breaks concerns nothing but itself, and may be done again', async () => {
		const reading = await readOnce(service(failure('EPIPE')).connection, '/x');
		expect(reading).toMatchObject({
			refusal: { description: 'Reading costs no credits, now or later.', scope: 'request' },
		});
	});
});

describe('a read', () => {
	const readFrom = async ({ connection }: ReturnType<typeof service>, signal?: AbortSignal) =>
		await passTime(read(connection, '/x', undefined, signal), 60_000);

	it.for([
		['an answer', answer(200)],
		['a fault that lasts', answer(401)],
	] as const)('is over with %s', async ([, first]) => {
		const at = service(first, answer(200));
		await readFrom(at);
		expect(at.askedAt).toEqual([0]);
	});

	it.for([
		['passes', answer(500)],
		['is a refusal', answer(404)],
		['is a broken connection', failure('EPIPE')],
	] as const)('outlasts a fault that %s', async ([, fault]) => {
		const at = service(fault, fault, answer(200));
		expect(await readFrom(at)).toMatchObject({ kind: 'answer' });
		expect(at.askedAt).toEqual([0, 500, 2000]);
	});

	it('believes the third fault', async () => {
		const at = service(answer(500));
		expect(await readFrom(at)).toMatchObject({ kind: 'fault', fault: 'passing' });
		expect(at.askedAt).toHaveLength(3);
	});

	it('that is cancelled gives what it has', async () => {
		const at = service(answer(500));
		const abort = new AbortController();
		const reading = read(at.connection, '/x', undefined, abort.signal);
		setTimeout(() => abort.abort(), 100);
		expect(await passTime(reading, 60_000)).toMatchObject({ kind: 'fault', fault: 'passing' });
		expect(Date.now() - Date.UTC(2026, 0, 1)).toBe(100);
		expect(at.askedAt).toEqual([0]);
	});
});
