import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toConnection } from '../../../nodes/ContactData/input/credential.ts';
import { getPace } from '../../../nodes/ContactData/service/pace.ts';
import type { SubmissionOutcome } from '../../../nodes/ContactData/service/submission.ts';
import { submit } from '../../../nodes/ContactData/service/submission.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { answerWithoutId, unreachable } from '../../support/texts.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const NODE = { id: '', name: '', type: '', typeVersion: 1, position: [0, 0], parameters: {} };
const RECEIPT = { statusCode: 200, headers: {}, body: '{"id":"one","credits_used":1}' };

const tooMany = (retryAfter?: string) => ({
	statusCode: 429,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body: '{"message":"Too Many Requests"}',
});

/** An error as n8n throws it: its own around axios's around the network's. */
function failure(code: string, syscall?: string): Error {
	const cause = Object.assign(new Error(code), { code, syscall });
	const axiosError = Object.assign(new Error(code, { cause }), { code });
	const node = { ...NODE, position: [0, 0] as [number, number] };
	return Object.assign(new NodeApiError(node, { message: code }, { httpCode: code }), {
		cause: axiosError,
	});
}

const PATH = '/phone/single';
const LIMIT_MS = 4 * 3_600_000;

type Answer = Error | { statusCode: number; headers: object; body: unknown };
type AnswerAt = (ms: number) => Answer;

let accounts = 0;

/** Submits where the service answers so, the last answer again and again. */
async function submitTo(...answers: [Answer | AnswerAt, ...Answer[]]) {
	return await submitAs(`account ${++accounts}`, answers);
}

async function submitAs(
	fingerprint: string,
	answers: Array<Answer | AnswerAt>,
	signal?: AbortSignal,
) {
	const start = Date.now();
	const sentAt: number[] = [];
	const flights: boolean[] = [];
	const request = async () => {
		const given = answers[Math.min(sentAt.length, answers.length - 1)];
		const at = Date.now() - start;
		sentAt.push(at);
		const answer = typeof given === 'function' ? given(at) : given;
		if (answer instanceof Error) throw answer;
		return answer;
	};
	// The only part of n8n's context that a request needs.
	const caller = {
		helpers: { httpRequestWithAuthentication: request },
	} as unknown as IExecuteFunctions;
	const account = {
		baseUrl: 'https://api.example.com',
		fingerprint,
		requestsPerSecond: 10,
		redact: (text: string) => text.replaceAll('secret', '[API key]'),
	};
	const inFlight = (now: boolean) => void flights.push(now);
	const outcome = await passTime<SubmissionOutcome>(
		submit(toConnection(caller, { account }), PATH, {}, { signal, inFlight }),
		LIMIT_MS,
	);
	return { outcome, sentAt, flights };
}

describe('is sent again', () => {
	it.for([
		['ECONNREFUSED', 'connect'],
		['EAI_AGAIN', 'getaddrinfo'],
		['ENOTFOUND', 'getaddrinfo'],
		['EADDRNOTAVAIL', 'connect'],
		['EHOSTUNREACH', 'connect'],
		['ENETUNREACH', 'connect'],
		['ETIMEDOUT', 'connect'],
		['ECONNRESET', 'connect'],
	])('after %s in %s: the connection was never made', async ([code, syscall]) => {
		const { outcome, flights } = await submitTo(failure(code, syscall), RECEIPT);
		expect(outcome).toMatchObject({ kind: 'accepted', id: 'one' });
		// What is not under way may be sent by a later try.
		expect(flights).toEqual([true, false, true]);
	});

	it('after 429, with delays that grow', async () => {
		const { outcome, sentAt } = await submitTo(tooMany(), tooMany(), tooMany(), tooMany(), RECEIPT);
		expect(outcome.kind).toBe('accepted');
		const gaps = sentAt.slice(1).map((at, index) => at - sentAt[index]);
		gaps.forEach((gap, attempt) => {
			expect(gap).toBeGreaterThanOrEqual(250 * 2 ** attempt);
			expect(gap).toBeLessThanOrEqual(500 * 2 ** attempt + 1);
		});
	});

	it.for<[string, Answer, { sent: number; lateMs: number }]>([
		// Others may leave a slot at any moment: who waits longer would never have it.
		['429', tooMany(), { sent: 48, lateMs: 4_000 }],
		['a refused connection', failure('ECONNREFUSED', 'connect'), { sent: 15, lateMs: 20_000 }],
	])('after 100 s of %s: seldom in them, and soon after their end', async ([, answer, most]) => {
		const { outcome, sentAt } = await submitTo((ms) => (ms < 100_000 ? answer : RECEIPT));
		expect(outcome.kind).toBe('accepted');
		expect(sentAt.length).toBeLessThanOrEqual(most.sent);
		expect(sentAt.at(-1)).toBeLessThanOrEqual(100_000 + most.lateMs);
	});

	it.for([
		['7', 7_000],
		['Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
	] as const)('after 429, not before Retry-After %s', async ([retryAfter, ms]) => {
		const { sentAt } = await submitTo(tooMany(retryAfter), RECEIPT);
		expect(sentAt).toEqual([0, ms]);
	});

	it.for(['Thu, 01 Jan 2026 01:00:00 GMT', 'Wed, 31 Dec 2025 23:00:00 GMT'])(
		'after 429, not before Retry-After, where the service says that it is %s',
		async (date) => {
			const retryAfter = new Date(Date.parse(date) + 9_000).toUTCString();
			const answer = { ...tooMany(), headers: { date, 'retry-after': retryAfter } };
			const { sentAt } = await submitTo(answer, RECEIPT);
			expect(sentAt).toEqual([0, 9_000]);
		},
	);

	it('after connections that fail, ever more seldom, but at least each 20 seconds', async () => {
		const { sentAt } = await submitTo(failure('ECONNREFUSED', 'connect'));
		const pauses = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
		const late = pauses.slice(6);
		expect(late.length).toBeGreaterThan(2);
		expect(Math.min(...pauses)).toBeLessThan(500);
		expect(Math.min(...late)).toBeGreaterThanOrEqual(10_000);
		expect(Math.max(...late)).toBeLessThanOrEqual(20_000);
	});

	it.for(['', 'soon', '-5'])('after 429 with the Retry-After %j as without', async (retryAfter) => {
		const { sentAt } = await submitTo(tooMany(retryAfter), RECEIPT);
		expect(sentAt[1]).toBeLessThanOrEqual(501);
	});

	it('after a connection that is not made for ten minutes, and no longer', async () => {
		const { outcome, sentAt } = await submitTo(failure('ECONNREFUSED', 'connect'));
		expect(outcome).toMatchObject({ kind: 'refused', refusal: { scope: 'account' } });
		expect(sentAt.at(-1)).toBeGreaterThan(570_000);
		expect(sentAt.at(-1)).toBeLessThanOrEqual(600_000);
	});

	it('after 429 for ten minutes in which nothing is accepted, and no longer', async () => {
		const { outcome, sentAt } = await submitTo(tooMany());
		expect(outcome).toEqual({
			kind: 'refused',
			refusal: {
				message: 'Too Many Requests',
				description:
					"Other programs seem to use the same API key: lower 'Requests per Second' in the credential, or let them work one after another. For 10 minutes the service took no request of this n8n.",
				next: 'again',
				status: 429,
				scope: 'account',
			},
		});
		expect(sentAt.at(-1)).toBeGreaterThan(590_000);
		expect(sentAt.at(-1)).toBeLessThanOrEqual(605_000);
	});

	it('after 429 for as long as others of this process are accepted', async () => {
		const fingerprint = `account ${++accounts}`;
		const pace = getPace({ fingerprint, requestsPerSecond: 10, baseUrl: '', redact: String }, PATH);
		const takeAnother = () => {
			pace.taken({ at: performance.now(), isProbe: false });
			setTimeout(takeAnother, 500_000);
		};
		takeAnother();
		const AN_HOUR_MS = 3_600_000;
		const { outcome } = await submitAs(fingerprint, [
			(ms) => (ms < AN_HOUR_MS ? tooMany() : RECEIPT),
		]);
		expect(outcome.kind).toBe('accepted');
	});

	it('after 429 with Retry-After for as long, and then tells of the others too', async () => {
		const { outcome, sentAt } = await submitTo(tooMany('70'));
		const description = outcome.kind === 'refused' ? outcome.refusal.description : '';
		expect(description).toContain('Other programs seem to use the same API key');
		expect(sentAt.at(-1)).toBeGreaterThan(500_000);
		expect(sentAt.at(-1)).toBeLessThanOrEqual(600_000);
	});

	it('after 429 for ten minutes, and what Retry-After said last holds for the next one', async () => {
		const fingerprint = `account ${++accounts}`;
		await submitAs(fingerprint, [tooMany('70')]);
		const { sentAt } = await submitAs(fingerprint, [RECEIPT]);
		expect(sentAt).toEqual([70_000]);
	});

	it('after 429 and connections that are not made in turns', async () => {
		const broken = failure('ECONNREFUSED', 'connect');
		const { outcome } = await submitTo(broken, tooMany('120'), broken, tooMany(), RECEIPT);
		expect(outcome.kind).toBe('accepted');
	});

	it('not at all when Retry-After is longer than that', async () => {
		const { outcome, sentAt } = await submitTo(tooMany('601'), RECEIPT);
		expect(outcome).toMatchObject({
			kind: 'refused',
			refusal: { message: 'Too Many Requests', scope: 'account' },
		});
		expect(sentAt).toEqual([0]);
	});

	it.for([
		['601', 'The service asks to wait for 11 minutes.'],
		['3600', 'The service asks to wait for 60 minutes.'],
	] as const)('not at all after Retry-After %s, of which it tells', async ([retryAfter, asks]) => {
		const { outcome } = await submitTo(tooMany(retryAfter));
		const description = outcome.kind === 'refused' ? outcome.refusal.description : '';
		expect(description.endsWith(` ${asks}`)).toBe(true);
	});

	it('not at all when Retry-After is too long, whatever was accepted before', async () => {
		const fingerprint = `account ${++accounts}`;
		await submitAs(fingerprint, [RECEIPT]);
		const { outcome } = await submitAs(fingerprint, [tooMany('3600')]);
		expect(outcome).toMatchObject({ kind: 'refused', refusal: { scope: 'account' } });
	});

	it('not at all when Retry-After is too long, and nobody else is held up by it', async () => {
		const fingerprint = `account ${++accounts}`;
		await submitAs(fingerprint, [tooMany('3600')]);
		const { outcome, sentAt } = await submitAs(fingerprint, [RECEIPT]);
		expect(outcome.kind).toBe('accepted');
		expect(sentAt[0]).toBeLessThan(1_000);
	});

	it('no more when it is cancelled meanwhile', async () => {
		const abort = new AbortController();
		setTimeout(() => abort.abort(), 3_000);
		const answers = [tooMany('7'), RECEIPT];
		const { outcome, sentAt, flights } = await submitAs('cancelled', answers, abort.signal);
		expect(outcome).toMatchObject({
			kind: 'cancelled',
			lastRefusal: { message: 'Too Many Requests' },
		});
		expect(sentAt).toEqual([0]);
		expect(flights).toEqual([true, false]);
	});
});

it('is not sent when it is cancelled before its turn', async () => {
	const { outcome, sentAt } = await submitAs('cancelled before', [RECEIPT], AbortSignal.abort());
	expect(outcome).toEqual({ kind: 'cancelled' });
	expect(sentAt).toEqual([]);
});

describe('is sent once, and refused', () => {
	it.for(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
		'after %s: trying again will not help',
		async (code) => {
			const { outcome, sentAt } = await submitTo(failure(code), RECEIPT);
			expect(outcome).toMatchObject({ kind: 'refused', refusal: { scope: 'account' } });
			expect(sentAt).toEqual([0]);
		},
	);

	it('says why the service was not reached, and that nothing was charged', async () => {
		const { outcome } = await submitTo(failure('CERT_HAS_EXPIRED'));
		expect(outcome).toEqual({
			kind: 'refused',
			refusal: {
				message: `${unreachable}: the certificate of the server has expired`,
				description:
					"Check 'Base URL' in the Contact Data API credential (https://api.example.com) and the network of n8n.",
				next: 'again',
				scope: 'account',
			},
		});
	});

	it.for([199, 300, 307, 400, 401, 402, 403, 404, 407, 409, 413, 422, 499])(
		'after %i',
		async (statusCode) => {
			const { outcome, sentAt } = await submitTo({ statusCode, headers: {}, body: '{}' }, RECEIPT);
			expect(outcome.kind).toBe('refused');
			expect(sentAt).toEqual([0]);
		},
	);

	it.for(['{"id":"one"}', '{"id":"one","credits_used":0}'])(
		'after an error that names an ID, which is shown, and no charge: %s',
		async (body) => {
			const { outcome } = await submitTo({ statusCode: 400, headers: {}, body }, RECEIPT);
			expect(outcome).toMatchObject({
				kind: 'refused',
				refusal: { description: expect.stringContaining(`The answer was: ${body}`) as string },
			});
		},
	);
});

describe('is sent once, and its outcome is unknown', () => {
	it.for([
		...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_CANCELED', 'ESOMETHING'],
		// When the network goes away under a connection.
		...['EHOSTUNREACH', 'ENETUNREACH'],
	])('after %s', async (code) => {
		const { outcome, sentAt, flights } = await submitTo(failure(code, 'read'), RECEIPT);
		expect(outcome.kind).toBe('unknown');
		expect(sentAt).toEqual([0]);
		expect(flights).toEqual([true]);
	});

	it.for([408, 500, 502, 503, 504, 520])('after %i', async (statusCode) => {
		const body = '{"message":"Ouch"}';
		const { outcome, sentAt, flights } = await submitTo({ statusCode, headers: {}, body }, RECEIPT);
		expect(outcome).toEqual({ kind: 'unknown', reason: 'the service answered: Ouch' });
		expect(sentAt).toEqual([0]);
		expect(flights).toEqual([true]);
	});

	it.for<[string, unknown, string | undefined]>([
		['an empty answer', '', undefined],
		['an answer without id', '{"credits_used":1}', '{"credits_used":1}'],
		['an empty id', '{"id":""}', '{"id":""}'],
		['a list', '[{"id":"one"},{"id":"two"}]', '[{"id":"one"},{"id":"two"}]'],
		['JSON cut off', '{"id":"one","credi', '{"id":"one","credi'],
		['a page that holds the key', '<html>secret</html>', '<html>[API key]</html>'],
		['a long answer with an id', `${'x'.repeat(300)}"id" : "one"`, '"id" : "one"'],
		[
			'an answer of 300 characters',
			`${'x'.repeat(288)}"id" : "one"`,
			expect.stringMatching(/^x{288}/) as string,
		],
		['a long page', ` ${'x'.repeat(400)}`, 'x'.repeat(300)],
	])('after %s, which is shown', async ([, body, said]) => {
		const { outcome, sentAt } = await submitTo({ statusCode: 200, headers: {}, body }, RECEIPT);
		expect(outcome).toEqual({
			kind: 'unknown',
			reason: answerWithoutId,
			said,
		});
		expect(sentAt).toEqual([0]);
	});
});
