import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PATHS, PAYLOADS, startService } from './call.mts';

const VERIFY = '/email/verify/single';

// The ledger is the judge of all other tests: what it counts must be right.

describe('refunds', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	test('what still runs is over when it is told to be, with its refunds', () => {
		const path = '/email/find/bulk';
		const { service, get, start } = startService({
			bulk: 600_000,
			account: { credits: 100 },
		});
		const missed = { fullname: 'Ada Notfound', company_domain: 'acme.com' };
		const ids = [1, 2].map((size) =>
			start(path, { searches: Array.from({ length: size }, () => missed) }),
		);
		const seen = () => ids.map((id) => JSON.stringify(get(`${path}?id=${id}`).body));
		const ongoing = expect.stringContaining('ongoing') as unknown;
		vi.advanceTimersByTime(1_000);
		service.finish(({ searches }) => (searches.length - 1) * 1_000);
		expect(seen()).toEqual([expect.not.stringContaining('ongoing'), ongoing]);
		expect(service.account().credits).toBe(98);
		vi.advanceTimersByTime(999);
		expect(seen()[1]).toEqual(ongoing);
		service.finish();
		expect(seen()[1]).not.toEqual(ongoing);
		expect(service.account().credits).toBe(100);
	});

	test('bulk finder and phone give back what was not found, once, when they are over', () => {
		const { service, get, start } = startService({
			bulk: 1_000,
			account: { credits: 1_000, prices: { emailFinderBulk: 2 } },
		});
		const company_domain = 'acme.com';
		const found = { fullname: 'Ada Mustfind', company_domain };
		const missed = { fullname: 'Ada Notfound', company_domain };
		const id = start('/email/find/bulk', { searches: [found, missed, missed] });
		start('/phone/bulk', {
			searches: ['notfound', 'mustfind'].map((name) => ({
				socialprofile_url: `https://x.com/${name}`,
			})),
		});
		start('/email/verify/bulk', { verifications: ['notfound@acme.com'] });
		const charged = 6 + 100 + 0.25;
		expect(service.account().credits).toBe(1_000 - charged);
		expect(service.ledger.totals()).toEqual({ searches: 6, charged, refunded: 0, net: charged });
		vi.advanceTimersByTime(1_000);
		for (let look = 0; look < 3; look++) {
			get(`/email/find/bulk?id=${id}`);
			expect(get('/account/info').body).toEqual({ credits: 1_000 - charged + 4 + 50 });
		}
		expect(service.ledger.totals()).toEqual({
			searches: 6,
			charged,
			refunded: 54,
			net: charged - 54,
		});
		expect(service.ledger.entries.map(({ refunded }) => refunded)).toEqual([4, 50, 0]);
	});

	test('each batch is refunded at its own end', () => {
		const { service, start } = startService({
			bulk: ({ searches }) => searches.length * 1_000,
			account: { credits: 100 },
		});
		const missed = { fullname: 'Ada Notfound', company_domain: 'acme.com' };
		for (const size of [3, 1, 2]) {
			start('/email/find/bulk', { searches: Array.from({ length: size }, () => missed) });
		}
		for (const credits of [94, 95, 97, 100, 100]) {
			expect(service.account().credits).toBe(credits);
			vi.advanceTimersByTime(1_000);
		}
	});
});

describe('the ledger', () => {
	test('knows what was charged twice: equal but for white space, case of domains, URL forms', () => {
		const { service, start } = startService({ account: { credits: 1e6 } });
		const find = (fullname: string, company: object) =>
			start('/email/find/single', { fullname, ...company });
		find('Ada Lovelace', { company_domain: 'acme.com' });
		find('ada Lovelace', { company_domain: 'acme.com' });
		find('Ada Lovelace', { company_name: 'acme.com' });
		find('Ada Lovelace', { company_name: 'acme.com', settings: { country_code: 'FR' } });
		start('/email/verify/single', { email: 'ada@acme.com' });
		start('/phone/single', PAYLOADS['/phone/single']);
		expect(service.ledger.chargedTwice()).toEqual([]);
		find(' Ada  Lovelace', { company_domain: 'https://www.ACME.com/team?x=1' });
		start('/email/verify/bulk', { verifications: ['b@acme.com', ' Ada@Acme.com'] });
		expect(service.ledger.chargedTwice()).toEqual([
			'find|Ada Lovelace|acme.com',
			'verify|ada@acme.com',
		]);
	});

	test('tells accounts apart', () => {
		const { service, post } = startService();
		const other = service.addAccount('other');
		const path = '/phone/single';
		post(path, PAYLOADS[path]);
		post(path, PAYLOADS[path], other);
		expect(service.ledger.chargedTwice()).toEqual([]);
		expect(service.ledger.entries.map(({ account }) => account)).toEqual(['demo', 'other']);
	});
});

describe('402', () => {
	test.each(PATHS)('%s in its own shape, charging nothing', (path) => {
		const { service, post } = startService({ account: { credits: 0.2 } });
		const body = path.endsWith('bulk')
			? { message: 'Insufficient credits' }
			: { reason: 'Insufficient credits', success: false };
		expect(post(path, PAYLOADS[path])).toMatchObject({ status: 402, body });
		expect(Object.keys(body)).toEqual(Object.keys(post(path, PAYLOADS[path]).body ?? {}));
		expect(service.account().credits).toBe(0.2);
	});

	test('credits that just suffice are enough', () => {
		const { post, service } = startService({ account: { credits: 50 } });
		expect(post('/phone/single', PAYLOADS['/phone/single']).status).toBe(201);
		expect(service.account().credits).toBe(0);
	});
});

describe('10 requests per second', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

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
		for (let count = 0; count < 10; count++) expect(post(VERIFY, {}).status).toBe(400);
		for (let count = 0; count < 99; count++) {
			expect(post(VERIFY, PAYLOADS[VERIFY]).status).toBe(429);
			vi.advanceTimersByTime(10);
		}
		vi.advanceTimersByTime(10);
		expect(post(VERIFY, PAYLOADS[VERIFY]).status).toBe(200);
	});
});
