import { NodeApiError, sleep } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';
import { getPace } from '../../../nodes/ContactData/service/pace.ts';
import type { Exchange } from '../../../nodes/ContactData/service/request.ts';
import { submit } from '../../../nodes/ContactData/service/submission.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { unreachable } from '../../support/texts.mts';

// Which submissions are sent again, which are not charged, and of which nobody knows.

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const RECEIPT = { statusCode: 200, headers: {}, body: '{"id":"one","credits_used":1}' };

const tooMany = (retryAfter?: unknown) => ({
	statusCode: 429,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body: '{"message":"Too Many Requests"}',
});

/** An error as n8n throws it: its own around axios's around the network's. */
function failure(code: string, syscall?: string): Error {
	return wrapped(Object.assign(new Error(code), { code, syscall }), code);
}

function wrapped(cause: Error, code: string): Error {
	const axiosError = Object.assign(new Error(code, { cause }), { code });
	const node = { id: '', name: '', type: '', typeVersion: 1, parameters: {} };
	const position: [number, number] = [0, 0];
	const error = new NodeApiError({ ...node, position }, { message: code }, { httpCode: code });
	return Object.assign(error, { cause: axiosError });
}

const REFUSED = failure('ECONNREFUSED', 'connect');
const PATH = '/phone/single';

type AnswerAt = (ms: number) => unknown;

let accounts = 0;
const newKey = () => `secret${++accounts}`;

/** Submits where the service answers so, the last answer again and again. */
const submitTo = async (...answers: unknown[]) => await submitAs(newKey(), answers);

async function submitAs(key: string, answers: unknown[], signal?: AbortSignal) {
	const start = Date.now();
	const sentAt: number[] = [];
	const flights: boolean[] = [];
	const connection = {
		account: toAccount(key, 'https://api.example.com', 10),
		send: async () => {
			const given = answers[Math.min(sentAt.length, answers.length - 1)];
			const at = Date.now() - start;
			sentAt.push(at);
			const answer: unknown = typeof given === 'function' ? (given as AnswerAt)(at) : given;
			if (answer instanceof Error) throw answer;
			return await Promise.resolve(answer);
		},
	};
	const leave = () => flights.push(true) > 0;
	const comeBack = () => void flights.push(false);
	const submission = submit(connection, PATH, {}, { signal, leave, comeBack });
	return { outcome: await passTime(submission, 4 * HOUR), sentAt, flights };
}

const gapsOf = (times: number[]) => times.slice(1).map((at, index) => at - (times[index] ?? 0));

describe('is sent again', () => {
	it.for([
		...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'],
		...['ECONNABORTED', 'EPIPE', 'ESOMETHING'],
	])('after %s while it connects: the connection was never made', async (code) => {
		const { outcome, flights } = await submitTo(failure(code, 'connect'), RECEIPT);
		expect(outcome).toMatchObject({ kind: 'accepted', id: 'one' });
		// What is not under way may be sent by a later try.
		expect(flights).toEqual([true, false, true]);
	});

	it.for(['EAI_AGAIN', 'ENOTFOUND'])('after %s: there was no address', async (code) => {
		const { outcome } = await submitTo(failure(code, 'getaddrinfo'), RECEIPT);
		expect(outcome?.kind).toBe('accepted');
	});

	it.for([0, 1, 4])('after a refused connection that is told in %i other errors', async (depth) => {
		let error = new Error('refused', { cause: { code: 'ECONNREFUSED' } });
		for (let n = 1; n < depth; n++) error = new Error('wrapped', { cause: error });
		if (depth === 0) error = Object.assign(new Error('refused'), { httpCode: 'ECONNREFUSED' });
		expect((await submitTo(error, RECEIPT)).outcome?.kind).toBe('accepted');
	});

	it.for([
		['ETIMEDOUT', 'EHOSTUNREACH'],
		['ECONNRESET', 'ECONNRESET'],
		['ENETUNREACH', 'ECONNREFUSED'],
	])('after no address of a host could be reached: %s, %s', async (codes) => {
		const attempts = codes.map((code) => ({ code, syscall: 'connect' }));
		const all = Object.assign(new AggregateError(attempts), { code: codes[0] });
		const { outcome } = await submitTo(wrapped(all, codes[0] ?? ''), RECEIPT);
		expect(outcome?.kind).toBe('accepted');
	});

	it('after 429, with delays that grow', async () => {
		const { outcome, sentAt } = await submitTo(tooMany(), tooMany(), tooMany(), tooMany(), RECEIPT);
		expect(outcome?.kind).toBe('accepted');
		const gaps = gapsOf(sentAt);
		expect(gaps[0]).toBeLessThanOrEqual(SECOND);
		expect(gaps[3]).toBeGreaterThanOrEqual(2 * SECOND);
	});

	it.for<[string, unknown, { sent: number; lateMs: number }]>([
		// Others may leave a slot at any moment: who waits longer would never have it.
		['429', tooMany(), { sent: 50, lateMs: 5 * SECOND }],
		['a refused connection', REFUSED, { sent: 15, lateMs: 20 * SECOND }],
	])('after 100 s of %s: seldom in them, and soon after their end', async ([, answer, most]) => {
		const { outcome, sentAt } = await submitTo((ms: number) =>
			ms < 100 * SECOND ? answer : RECEIPT,
		);
		expect(outcome?.kind).toBe('accepted');
		expect(sentAt.length).toBeLessThanOrEqual(most.sent);
		expect(sentAt.at(-1)).toBeLessThanOrEqual(100 * SECOND + most.lateMs);
	});

	it.for([
		['7', 7 * SECOND],
		[7, 7 * SECOND],
		['0.5', SECOND / 2],
	] as const)('after 429, not before Retry-After %j', async ([retryAfter, ms]) => {
		const { sentAt } = await submitTo(tooMany(retryAfter), RECEIPT);
		expect(sentAt[1]).toBeGreaterThanOrEqual(ms);
		expect(sentAt[1]).toBeLessThan(ms + SECOND);
	});

	// A date would go by the clock of this machine, which may be wrong.
	it.for(['', 'soon', '-5', ['7'], 'Thu, 01 Jan 2026 00:00:09 GMT'])(
		'after 429 with the Retry-After %j as without',
		async (retryAfter) => {
			const { sentAt } = await submitTo(tooMany(retryAfter), RECEIPT);
			expect(sentAt[1]).toBeLessThanOrEqual(SECOND);
		},
	);

	it.for([
		['connections that are not made', REFUSED],
		['429', tooMany()],
		['429 with Retry-After', tooMany('70')],
	])('after %s for ten minutes, and no longer', async ([, answer]) => {
		const { outcome, sentAt } = await submitTo(answer);
		expect(outcome).toMatchObject({ kind: 'refused', refusal: { affects: 'account' } });
		expect(sentAt.at(-1)).toBeGreaterThan(8 * MINUTE);
		expect(sentAt.at(-1)).toBeLessThanOrEqual(10 * MINUTE + 5 * SECOND);
	});

	it('after 429 for as long as others of this process are accepted', async () => {
		const key = newKey();
		const pace = getPace(toAccount(key, 'https://api.example.com', 10), PATH);
		const taken: Exchange = { kind: 'answer', status: 200, body: {}, text: '{}' };
		for (let after = 8 * MINUTE; after < HOUR; after += 8 * MINUTE) {
			void pace.schedule(async () => {
				await sleep(after);
				return taken;
			}, {});
		}
		const { outcome } = await submitAs(key, [(ms: number) => (ms < HOUR ? tooMany() : RECEIPT)]);
		expect(outcome?.kind).toBe('accepted');
	});

	it('after 429 for ten minutes, and what Retry-After said last holds for the next one', async () => {
		const key = newKey();
		await submitAs(key, [tooMany('70')]);
		const { sentAt } = await submitAs(key, [RECEIPT]);
		expect(sentAt).toEqual([70 * SECOND]);
	});

	it('after 429 and connections that are not made in turns', async () => {
		const { outcome } = await submitTo(REFUSED, tooMany('120'), REFUSED, tooMany(), RECEIPT);
		expect(outcome?.kind).toBe('accepted');
	});

	it('not at all when Retry-After is too long, and nobody else is held up by it', async () => {
		const key = newKey();
		expect((await submitAs(key, [RECEIPT])).outcome?.kind).toBe('accepted');
		const { outcome, sentAt } = await submitAs(key, [tooMany('601'), RECEIPT]);
		expect(outcome).toMatchObject({ kind: 'refused', refusal: { affects: 'account' } });
		expect(sentAt).toHaveLength(1);
		const next = await submitAs(key, [RECEIPT]);
		expect(next.outcome?.kind).toBe('accepted');
		expect(next.sentAt[0]).toBeLessThan(SECOND);
	});

	it('no more when it is cancelled meanwhile', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 3 * SECOND);
		const answers = [tooMany('7'), RECEIPT];
		const { outcome, sentAt, flights } = await submitAs(newKey(), answers, stop.signal);
		expect(outcome).toMatchObject({ kind: 'cancelled', lastRefusal: { status: 429 } });
		expect(sentAt).toEqual([0]);
		expect(flights).toEqual([true, false]);
	});
});

it('is not sent when it is cancelled before its turn', async () => {
	const { outcome, sentAt } = await submitAs(newKey(), [RECEIPT], AbortSignal.abort());
	expect(outcome).toBeUndefined();
	expect(sentAt).toEqual([]);
});

it('is not sent when at its turn nobody wants it any more', async () => {
	const comeBack = vi.fn();
	const send = vi.fn();
	const connection = { account: toAccount(newKey(), 'https://api.example.com', 10), send };
	const submission = submit(connection, PATH, {}, { leave: () => false, comeBack });
	expect(await passTime(submission, HOUR)).toBeUndefined();
	expect(send).not.toHaveBeenCalled();
	expect(comeBack).not.toHaveBeenCalled();
});

describe('is sent once, and not charged', () => {
	it.for([
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
	])('after %s: trying again will not help', async (code) => {
		const { outcome, sentAt } = await submitTo(failure(code), RECEIPT);
		expect(outcome).toMatchObject({
			kind: 'refused',
			refusal: { affects: 'account', message: expect.stringContaining(unreachable) as string },
		});
		expect(sentAt).toHaveLength(1);
	});

	it.for(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])("after n8n's %s", async (name) => {
		const cause = Object.assign(new Error('The request was blocked'), { name });
		const { outcome, sentAt } = await submitTo(wrapped(cause, 'BLOCKED'), RECEIPT);
		expect(outcome).toMatchObject({ kind: 'refused', refusal: { affects: 'account' } });
		expect(sentAt).toHaveLength(1);
	});

	it.for([300, 307, 400, 401, 402, 403, 404, 409, 422])('after %i', async (statusCode) => {
		const { outcome, sentAt } = await submitTo({ statusCode, headers: {}, body: '{}' }, RECEIPT);
		expect(outcome?.kind).toBe('refused');
		expect(sentAt).toEqual([0]);
	});
});

describe('is sent once, and its fate is unknown', () => {
	it.for([
		...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ESOMETHING'],
		// When the network goes away under a connection.
		...['EHOSTUNREACH', 'ENETUNREACH'],
	])('after %s', async (code) => {
		const { outcome, sentAt, flights } = await submitTo(failure(code, 'read'), RECEIPT);
		expect(outcome?.kind).toBe('unknown');
		expect(sentAt).toEqual([0]);
		expect(flights).toEqual([true]);
	});

	it('after one of several addresses of a host may have been reached', async () => {
		const read = { code: 'ECONNRESET', syscall: 'read' };
		const all = new AggregateError([{ code: 'ETIMEDOUT', syscall: 'connect' }, read]);
		const { outcome, sentAt } = await submitTo(wrapped(all, 'ETIMEDOUT'), RECEIPT);
		expect(outcome?.kind).toBe('unknown');
		expect(sentAt).toHaveLength(1);
	});

	it('after an error that says nothing, or holds itself', async () => {
		const itself = Object.assign(new Error('x'), { code: 'EPIPE' });
		itself.cause = itself;
		for (const error of [new Error('x'), Object.assign(new Error('x'), { code: 7 }), itself]) {
			expect((await submitTo(error, RECEIPT)).outcome?.kind).toBe('unknown');
		}
	});

	it.for([undefined, null, 'ok', [], {}, { statusCode: '200' }])(
		'after %j from n8n, which is no answer',
		async (given) => {
			const { outcome, sentAt } = await submitTo(given, RECEIPT);
			expect(outcome?.kind).toBe('unknown');
			expect(sentAt).toHaveLength(1);
		},
	);

	it.for<[string, unknown, unknown]>([
		['an empty answer', '', undefined],
		['an answer without id', '{"credits_used":1}', '{"credits_used":1}'],
		['an empty id', '{"id":""}', '{"id":""}'],
		['a list', '[{"id":"one"},{"id":"two"}]', '[{"id":"one"},{"id":"two"}]'],
		['JSON cut off', '{"id":"one","credi', '{"id":"one","credi'],
		['a long answer with an id', `${'x'.repeat(300)}"id" : "one"`, '"id" : "one"'],
		['a long answer with an id of another name', `${'x'.repeat(300)}"searchId":7`, '"searchId":7'],
		['a long page', ` ${'x'.repeat(400)}`, 'x'.repeat(300)],
	])('after %s, which is shown', async ([, body, quote]) => {
		const { outcome, sentAt } = await submitTo({ statusCode: 200, headers: {}, body }, RECEIPT);
		expect(outcome).toMatchObject({ kind: 'unknown', quote });
		expect(sentAt).toEqual([0]);
	});

	it('after more time than it has', async () => {
		vi.useRealTimers();
		const connection = {
			account: toAccount(newKey(), 'https://api.example.com', 10),
			send: async (_: object, signal: AbortSignal) =>
				await new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(REFUSED));
				}),
		};
		// As a clock gives it.
		const options = { timeoutMs: 20.5, leave: () => true, comeBack: () => {} };
		expect((await submit(connection, PATH, {}, options))?.kind).toBe('unknown');
	});
});
