import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';
import { ask, askOnce } from '../../../nodes/ContactData/service/reading.ts';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { passTime, startClock } from '../../support/clock.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const SECOND = 1_000;

const answer = (statusCode: number, message = 'x') => ({
	statusCode,
	headers: {},
	body: JSON.stringify({ message }),
});
const failure = (code: string) => Object.assign(new Error(code), { code });

/** A service that answers so, the last answer again and again; and when it was asked. */
function service(...answers: unknown[]) {
	const start = Date.now();
	const askedAt: number[] = [];
	const connection: Connection = {
		account: toAccount('k3y', 'https://api.example.com', 10),
		send: async ({ method }) => {
			expect(method).toBe('GET');
			const next = answers[Math.min(askedAt.length, answers.length - 1)];
			askedAt.push(Date.now() - start);
			if (next instanceof Error) throw next;
			return await Promise.resolve(next);
		},
	};
	return { connection, askedAt };
}

describe('one look', () => {
	it.for([200, 202])('that is answered with %i gives the answer', async (status) => {
		const reading = await askOnce(service(answer(status)).connection, '/x');
		expect(reading).toEqual({ kind: 'answer', status, body: { message: 'x' } });
	});

	it.for([
		[302, 'x', 'lasting'],
		[400, 'x', 'refused'],
		[401, 'x', 'lasting'],
		[402, 'x', 'lasting'],
		[403, 'x', 'refused'],
		[404, 'x', 'refused'],
		[408, 'x', 'passing'],
		[429, 'x', 'passing'],
		[500, 'x', 'passing'],
		[500, 'Could not retrieve single search results', 'refused'],
	] as const)('that is answered with %i and %j meets a fault that is %s', async (row) => {
		const [status, message, fault] = row;
		const reading = await askOnce(service(answer(status, message)).connection, '/x');
		expect(reading).toMatchObject({ kind: 'fault', fault, refusal: { status } });
	});

	it.for([
		['ECONNREFUSED', 'passing'],
		['ENOTFOUND', 'passing'],
		['CERT_HAS_EXPIRED', 'lasting'],
		['EPIPE', 'passing'],
	] as const)('that ends with %s meets a fault that is %s', async ([code, fault]) => {
		const reading = await askOnce(service(failure(code)).connection, '/x');
		expect(reading).toMatchObject({ kind: 'fault', fault });
	});

	it.for([0, 0.5])('is not sent when its time has been over for %d ms', async (overMs) => {
		const { connection, askedAt } = service(answer(200));
		const over = { ...connection, readsEndAt: performance.now() - overMs };
		expect(await askOnce(over, '/x')).toMatchObject({ kind: 'fault', fault: 'passing' });
		expect(askedAt).toEqual([]);
	});
});

describe('a read', () => {
	const readFrom = async ({ connection }: ReturnType<typeof service>, signal?: AbortSignal) =>
		await passTime(ask(connection, '/x', undefined, signal), 60 * SECOND);

	it.for([
		['passes', answer(500)],
		['is a refusal', answer(404)],
		['is a broken connection', failure('EPIPE')],
	] as const)('outlasts a fault of a second or two that %s', async ([, fault]) => {
		const at = service(fault, fault, answer(200));
		expect(await readFrom(at)).toMatchObject({ kind: 'answer' });
		expect(at.askedAt.at(-1)).toBeGreaterThanOrEqual(SECOND);
	});

	it('tells a fault that lasts within ten seconds, after few tries', async () => {
		const at = service(answer(500));
		expect(await readFrom(at)).toMatchObject({ kind: 'fault', fault: 'passing' });
		expect(at.askedAt.at(-1)).toBeLessThan(10 * SECOND);
		expect(at.askedAt.length).toBeLessThanOrEqual(5);
	});

	it('that is cancelled gives at once what it has', async () => {
		const at = service(answer(500));
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 100);
		const start = Date.now();
		expect(await readFrom(at, stop.signal)).toMatchObject({ kind: 'fault', fault: 'passing' });
		expect(Date.now() - start).toBe(100);
		expect(at.askedAt).toHaveLength(1);
	});
});
