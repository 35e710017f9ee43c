import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { objectAt } from '../payload.mts';
import { PATHS, PAYLOADS, startService } from './call.mts';

const instant = { single: 0, bulk: 0 };

describe('results have the documented shape', () => {
	test('2.4 email find, single', () => {
		const { result } = startService(instant);
		expect(
			result('/email/find/single', {
				fullname: ' ada  MUSTFIND-king ',
				company_domain: 'https://www.Acme.com:443/about',
				custom: { row: '7' },
			}),
		).toEqual({
			email: 'ada.mustfind.king@acme.com',
			custom: { row: '7' },
			info: {
				company_domain: 'acme.com',
				fullname: 'Ada Mustfind-King',
				firstname: 'Ada',
				lastname: 'Mustfind-King',
			},
			qualification: 'valid',
		});
		expect(
			result('/email/find/single', { fullname: 'Ada Notfound', company_name: 'Acme' }),
		).toEqual({ email: null, qualification: 'invalid' });
	});

	test('4.4 email find, bulk', () => {
		const { result, service } = startService(instant);
		const searches = [
			{ fullname: 'ada mustfind', company_name: 'Acme Corp', custom: 'a' },
			{ fullname: 'Bob Notfound', company_domain: 'acme.com', custom: { b: 1 } },
		];
		const body = result('/email/find/bulk', { searches, custom: { list: 'x' } });
		expect(body).toEqual({
			general: { id: service.ledger.entries[0].id, status: 'completed', custom: { list: 'x' } },
			stats: {
				finished: 2,
				requested: 2,
				valid: 1,
				credits_cost: { initial: 2, refunded: 1, final: 1 },
			},
			results: [
				{
					index: '0',
					qualification: 'valid',
					email: 'ada.mustfind@acme-corp.com',
					info: { domain: 'acme-corp.com', firstname: 'Ada', lastname: 'Mustfind' },
					raw_params: { fullname: 'ada mustfind', company_name: 'Acme Corp' },
					custom: 'a',
				},
				{
					index: '1',
					qualification: 'invalid',
					email: null,
					raw_params: { fullname: 'Bob Notfound', company_domain: 'acme.com' },
					custom: { b: 1 },
				},
			],
		});
	});

	test('gender when asked for; company info when asked for and in France', () => {
		const { result } = startService(instant);
		const search = { fullname: 'Ada Mustfind', company_domain: 'acme.fr' };
		const settings = { retrieve_gender: true, retrieve_company_info: true };
		const asked = { gender: expect.stringMatching(/^(fe)?male$/) as unknown };
		const french = { ...settings, country_code: 'FR' };
		const info = (path: string, body: object) => JSON.stringify(result(path, body));

		expect(result('/email/find/single', { ...search, settings })).toMatchObject({ info: asked });
		expect(info('/email/find/single', { ...search, settings })).not.toContain('companyInfo');
		expect(result('/email/find/single', { ...search, settings: french })).toMatchObject({
			info: { ...asked, companyInfo: { name: 'Acme' } },
		});
		expect(info('/email/find/bulk', { searches: [search], settings })).not.toContain('companyInfo');
		expect(result('/email/find/bulk', { searches: [search], settings: french })).toMatchObject({
			results: [{ info: { ...asked, companyInfo: { name: 'Acme' } } }],
		});
	});

	test('2.6 and 4.8 email verify', () => {
		const { result, service } = startService(instant);
		expect(
			result('/email/verify/single', { email: 'ada.mustfind@acme.com', custom: { a: 'b' } }),
		).toEqual({ email: 'ada.mustfind@acme.com', custom: { a: 'b' }, qualification: 'valid' });
		const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
		const verifications = ['ada.mustfind@acme.com', 'notfound@acme.com', 'mustfind, no address'];
		expect(result('/email/verify/bulk', { verifications, custom: { a: 1 } })).toEqual({
			general: { id: service.ledger.entries[1].id, status: 'completed' },
			stats: { credits_cost: 0.75, requested: 3, valid: 1 },
			results: [
				{ email: 'ada.mustfind@acme.com', index: uuid, qualification: 'valid' },
				{ email: 'notfound@acme.com', index: uuid, qualification: 'invalid' },
				{ email: 'mustfind, no address', index: uuid, qualification: 'invalid' },
			],
		});
	});

	test('2.8 and 4.12 phone', () => {
		const { result, service } = startService(instant);
		const found = { socialprofile_url: 'https://linkedin.com/in/mustfind' };
		const names = { firstname: 'Ada', lastname: 'Notfound', company_name: 'Acme' };
		const number = expect.stringMatching(/^\+\d{10,13}$/) as unknown;
		const country = expect.stringMatching(/^[A-Z]{2}$/) as unknown;
		expect(result('/phone/single', { ...found, custom: 'row 7' })).toEqual({
			params: found,
			custom: 'row 7',
			number,
			country,
			qualification: 'found',
		});
		expect(result('/phone/single', { ...names, custom: 'row 8' })).toEqual({
			params: names,
			qualification: 'not_found',
		});
		const searches = [names, { ...found, custom: 'c' }, { socialprofile_url: 'mustfind' }];
		expect(result('/phone/bulk', { searches })).toEqual({
			general: { id: service.ledger.entries[2].id, status: 'completed' },
			stats: { credits_cost: 150, credits_to_refund: 100, found: 1, requested: 3 },
			results: [
				{
					index: 1,
					number,
					country,
					params: { linkedin_url: found.socialprofile_url },
					custom: 'c',
					qualification: 'found',
				},
			],
		});
	});

	test('receipts', () => {
		const { post } = startService({ single: 60_000, bulk: 120_000 });
		const id = expect.stringMatching(/^[0-9a-f]{24}$/) as unknown;
		const message = expect.any(String) as unknown;
		const credits = (amount: number) => ({
			amount,
			source: 'sub',
			split: { fromSub: amount, fromPaygo: 0 },
		});
		const receipt = (path: (typeof PATHS)[number]) => post(path, PAYLOADS[path]);
		expect(receipt('/email/find/single')).toEqual({
			status: 200,
			body: { message, id, credits_used: 1 },
		});
		expect(receipt('/email/find/bulk')).toEqual({
			status: 201,
			body: { message, id, credits_used: 1, estimated_duration: 2 },
		});
		expect(receipt('/email/verify/single')).toEqual({
			status: 200,
			body: { message, id, credits_used: 0.25, credits: credits(0.25) },
		});
		expect(receipt('/email/verify/bulk')).toEqual({
			status: 201,
			body: { message, id, credits_used: 0.25, estimated_duration: 2 },
		});
		expect(receipt('/phone/single')).toEqual({
			status: 201,
			body: { message, id, credits_used: 50, credits: credits(50) },
		});
		expect(receipt('/phone/bulk')).toEqual({
			status: 201,
			body: { message, id, credits_used: 50, estimated_duration: 2, credits: credits(50) },
		});
	});

	test('4.13 account info', () => {
		const { service, get } = startService({ account: { credits: 7 } });
		expect(get('/account/info')).toEqual({ status: 200, body: { credits: 7 } });
		const webhooks = ['https://n8n.example.com/webhook/1'];
		const key = service.addAccount('other', { credits: 0.5, webhooks });
		expect(get('/account/info', key)).toEqual({ status: 200, body: { credits: 0.5, webhooks } });
	});
});

describe('answers follow from the input alone', () => {
	const searches = Array.from({ length: 2_000 }, (_, row) => ({
		fullname: `Person ${row}`,
		company_domain: `company-${row % 300}.com`,
	}));

	test('the same in two services, about 70 % found', () => {
		const [one, other] = [1, 2].map(() =>
			startService(instant).result('/email/find/bulk', { searches }),
		);
		expect(one).toEqual(other);
		const { valid } = objectAt(one, 'stats');
		expect(valid).toBeGreaterThan(0.65 * searches.length);
		expect(valid).toBeLessThan(0.75 * searches.length);
	});

	test('names without Latin letters get a valid address', () => {
		const { result } = startService(instant);
		const { email } = result('/email/find/single', { fullname: '明 李', company_name: 'mustfind' });
		expect(email).toMatch(/^x[0-9a-z]+@mustfind\.com$/);
	});
});

describe('time and money', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	test.each(PATHS)('%s is ongoing until its time', (path) => {
		const { get, start } = startService({ single: 5_000, bulk: 5_000 });
		const id = start(path, PAYLOADS[path]);
		const ongoing = { status: path.endsWith('single') ? 202 : 200 };
		vi.advanceTimersByTime(4_999);
		const answer = get(`${path}?id=${id}`);
		expect(answer).toMatchObject(ongoing);
		expect(JSON.stringify(answer.body)).toContain('ongoing');
		vi.advanceTimersByTime(1);
		const over = get(`${path}?id=${id}`);
		expect(over.status).toBe(200);
		expect(JSON.stringify(over.body)).not.toContain('ongoing');
	});

	test('an ongoing batch says how far it is', () => {
		const { get, start } = startService({ bulk: 10_000 });
		const search = { fullname: 'Ada Lovelace', company_domain: 'acme.com' };
		const id = start('/email/find/bulk', { searches: Array.from({ length: 40 }, () => search) });
		for (const [ms, finished] of [
			[0, 0],
			[2_500, 10],
			[2_500, 20],
			[4_999, 39],
		]) {
			vi.advanceTimersByTime(ms);
			expect(get(`/email/find/bulk?id=${id}`).body).toEqual({
				general: { id, status: 'ongoing' },
				stats: { finished, requested: 40 },
			});
		}
	});

	test('how long it takes can depend on the input', () => {
		const { get, start } = startService({
			single: ({ searches }) => (searches[0].canonical.includes('slow') ? 9_000 : 1_000),
		});
		const slow = start('/email/verify/single', { email: 'slow@acme.com' });
		const quick = start('/email/verify/single', { email: 'quick@acme.com' });
		vi.advanceTimersByTime(1_000);
		expect(get(`/email/verify/single?id=${slow}`).status).toBe(202);
		expect(get(`/email/verify/single?id=${quick}`).status).toBe(200);
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

	test('singles are refunded only by option', () => {
		const email = 'notfound@acme.com';
		for (const refundSingles of [false, true]) {
			const { service, start } = startService({ refundSingles, account: { credits: 1 } });
			start('/email/verify/single', { email });
			vi.advanceTimersByTime(300);
			expect(service.account().credits).toBe(refundSingles ? 1 : 0.75);
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
