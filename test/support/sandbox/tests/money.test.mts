import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isObject } from '../payload.mts';
import { SandboxService, type ServiceOptions } from '../service.mts';

// The ledger is the judge of all other tests: what it counts must be right.

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FIND = '/email/find/bulk';
const VERIFY = '/email/verify/single';
const company_domain = 'acme.com';
const found = { fullname: 'Ada Mustfind', company_domain };
const missed = { fullname: 'Ada Notfound', company_domain };
const searches = (count: number) => ({ searches: Array.from({ length: count }, () => missed) });

/** A service in this process. */
function open(options: ServiceOptions = {}) {
	const service = new SandboxService(options);
	const call = (method: string, path: string, body?: unknown, key = service.account().key) => {
		const [pathname = '', id] = path.split('?id=');
		const query = { id };
		const headers = { 'x-api-key': key };
		return service.handle({ method, path: pathname, query, headers, body });
	};
	return {
		service,
		post: (path: string, body: unknown, key?: string) => call('POST', path, body, key),
		look: (path: string, receipt: unknown) =>
			JSON.stringify(call('GET', `${path}?id=${isObject(receipt) ? String(receipt.id) : ''}`).body),
	};
}

it('what still runs is over when it is told to be, with its refunds', () => {
	const { service, post, look } = open({ bulk: 600_000, account: { credits: 100 } });
	const receipts = [1, 2].map((count) => post(FIND, searches(count)).body);
	const areOngoing = () => receipts.map((receipt) => look(FIND, receipt).includes('ongoing'));
	vi.advanceTimersByTime(1_000);
	service.finish((job) => (job.searches.length - 1) * 1_000);
	expect(areOngoing()).toEqual([false, true]);
	expect(service.account().credits).toBe(98);
	service.finish();
	expect(areOngoing()).toEqual([false, false]);
	expect(service.account().credits).toBe(100);
});

it('batches give back what was not found, once, each at its own end', () => {
	const { service, post } = open({
		bulk: (job) => job.searches.length * 1_000,
		account: { credits: 1_000, prices: { emailFinderBulk: 2 } },
	});
	post(FIND, { searches: [found, missed, missed] });
	const pages = ['notfound', 'mustfind'].map((name) => `https://x.com/${name}`);
	post('/phone/bulk', { searches: pages.map((socialprofile_url) => ({ socialprofile_url })) });
	post('/email/verify/bulk', { verifications: ['notfound@acme.com'] });
	const charged = 6 + 100 + 0.25;
	for (const refunded of [0, 0, 50, 54, 54]) {
		expect(service.account().credits).toBe(1_000 - charged + refunded);
		const net = charged - refunded;
		expect(service.ledger.totals()).toEqual({ searches: 6, charged, refunded, net });
		vi.advanceTimersByTime(1_000);
	}
});

it('it knows what was charged twice: equal but for white space, case of domains, URL forms', () => {
	const { service, post } = open({ account: { credits: 1e6 } });
	const find = (fullname: string, company: object) =>
		post('/email/find/single', { fullname, ...company });
	find('Ada Lovelace', { company_domain });
	find('ada Lovelace', { company_domain });
	find('Ada Lovelace', { company_name: company_domain });
	find('Ada Lovelace', { company_name: company_domain, settings: { country_code: 'FR' } });
	post(VERIFY, { email: 'ada@acme.com' });
	post(VERIFY, { email: 'ada@acme.com' }, service.addAccount('other'));
	expect(service.ledger.chargedTwice()).toEqual([]);
	find(' Ada  Lovelace', { company_domain: 'https://www.ACME.com/team?x=1' });
	post('/email/verify/bulk', { verifications: ['b@acme.com', ' Ada@Acme.com'] });
	expect(service.ledger.chargedTwice()).toEqual([
		'find|Ada Lovelace|acme.com',
		'verify|ada@acme.com',
	]);
});

it('without credits nothing is charged', () => {
	const { service, post } = open({ account: { credits: 2 } });
	const single = { reason: 'Insufficient credits', success: false };
	expect(post('/phone/single', { socialprofile_url: 'https://x.com/a' }).body).toEqual(single);
	expect(post(FIND, searches(3)).body).toEqual({ message: 'Insufficient credits' });
	expect(service.account().credits).toBe(2);
	expect(post(FIND, searches(2)).status).toBe(201);
	expect(service.account().credits).toBe(0);
});

it('ten in any second are taken, also malformed ones, and the refused do not count', () => {
	const { post } = open();
	for (let count = 0; count < 10; count++) {
		expect(post(VERIFY, {}).status).toBe(400);
		vi.advanceTimersByTime(99);
	}
	// The first was 990 ms ago.
	const refused = { status: 429, body: { message: 'Too Many Requests' } };
	expect(post(VERIFY, {})).toMatchObject(refused);
	expect(post('/phone/single', {}).status).toBe(400);
	vi.advanceTimersByTime(9);
	expect(post(VERIFY, {})).toMatchObject(refused);
	vi.advanceTimersByTime(1);
	expect(post(VERIFY, {}).status).toBe(400);
});
