import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PATHS, PAYLOADS, startService } from './call.mts';

const PATH = '/email/verify/single';
const START = new Date('2026-01-01T00:00:00.250Z');

beforeEach(() => {
	vi.useFakeTimers({ now: START });
});
afterEach(() => {
	vi.useRealTimers();
});

describe('section 8: requests per second', () => {
	test.each(PATHS)('%s takes 10 in any second, then 429', (path) => {
		const { post } = startService({ account: { credits: 1e6 } });
		for (let count = 0; count < 10; count++) {
			expect(post(path, PAYLOADS[path]).status).toBeLessThan(300);
			vi.advanceTimersByTime(99);
		}
		// The first was 990 ms ago.
		const refused = { status: 429, body: { message: 'Too Many Requests' } };
		expect(post(path, PAYLOADS[path])).toEqual(refused);
		vi.advanceTimersByTime(9);
		expect(post(path, PAYLOADS[path])).toMatchObject(refused);
		vi.advanceTimersByTime(1);
		expect(post(path, PAYLOADS[path]).status).toBeLessThan(300);
	});

	test('the refused do not count, the malformed do', () => {
		const { post } = startService();
		for (let count = 0; count < 10; count++) expect(post(PATH, {}).status).toBe(400);
		for (let count = 0; count < 99; count++) {
			expect(post(PATH, PAYLOADS[PATH]).status).toBe(429);
			vi.advanceTimersByTime(10);
		}
		vi.advanceTimersByTime(10);
		expect(post(PATH, PAYLOADS[PATH]).status).toBe(200);
	});

	test('each endpoint and each key has its own; GET has none', () => {
		const { service, get, post } = startService();
		const other = service.addAccount('other', { requestsPerSecond: 12 });
		for (let count = 0; count < 10; count++) post(PATH, PAYLOADS[PATH]);
		expect(post(PATH, PAYLOADS[PATH]).status).toBe(429);
		expect(post('/email/verify/bulk', PAYLOADS['/email/verify/bulk']).status).toBe(201);
		for (let count = 0; count < 12; count++) {
			expect(post(PATH, PAYLOADS[PATH], other).status).toBe(200);
		}
		expect(post(PATH, PAYLOADS[PATH], other).status).toBe(429);
		for (let count = 0; count < 100; count++) expect(get('/account/info').status).toBe(200);
	});

	test('in a fixed window the limit counts anew each second, and not before', () => {
		const { post } = startService({ scenarios: ['fixedWindow', 'retryAfterSeconds'] });
		vi.advanceTimersByTime(700);
		for (let count = 0; count < 10; count++) expect(post(PATH, PAYLOADS[PATH]).status).toBe(200);
		vi.advanceTimersByTime(49);
		const refused = post(PATH, PAYLOADS[PATH]);
		expect([refused.status, refused.headers?.['retry-after']]).toEqual([429, '1']);
		vi.advanceTimersByTime(1);
		for (let count = 0; count < 10; count++) expect(post(PATH, PAYLOADS[PATH]).status).toBe(200);
		expect(post(PATH, PAYLOADS[PATH]).status).toBe(429);
		vi.advanceTimersByTime(999);
		expect(post(PATH, PAYLOADS[PATH]).status).toBe(429);
	});

	test.for([
		[[], undefined],
		[['retryAfterSeconds'], '1'],
		[['retryAfterDate'], 'Thu, 01 Jan 2026 00:00:02 GMT'],
	] as const)('Retry-After: %s', ([scenarios, header]) => {
		const { post } = startService({ account: { requestsPerSecond: 1 }, scenarios });
		post(PATH, PAYLOADS[PATH]);
		expect(post(PATH, PAYLOADS[PATH]).headers?.['retry-after']).toBe(header);
	});
});
