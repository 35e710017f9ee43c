import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isObject } from '../payload.mts';
import type { ScenarioName } from '../scenarios/index.mts';
import { SandboxService, type ServiceOptions } from '../service.mts';

// The ledger is the judge of all other tests: what it counts must be right.

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FIND = '/email/find/bulk';
const VERIFY = '/email/verify/single';
const PHONES = '/phone/bulk';
const company_domain = 'acme.com';
const found = { fullname: 'Ada Mustfind', company_domain };
const missed = { fullname: 'Ada Notfound', company_domain };
const page = (word: string) => `https://x.com/${word}`;
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

it('who is not found costs nothing in the end, but an address does; each at its own end', () => {
	const { service, post } = open({
		bulk: (job) => job.searches.length * 1_000,
		account: { credits: 1_000, prices: { emailFinderBulk: 2 } },
	});
	post(FIND, { searches: [found, missed, missed] });
	const pages = ['notfound', 'mustfind'].map((word) => ({ linkedin_url: page(word) }));
	post(PHONES, { searches: pages });
	post('/email/verify/bulk', { verifications: ['notfound@acme.com'] });
	post('/email/find/single', missed);
	post('/phone/single', { linkedin_url: page('notfound-either') });
	post(VERIFY, { email: 'notfound-either@acme.com' });
	const charged = 6 + 80 + 0.25 + 1 + 40 + 0.25;
	for (const refunded of [0, 41, 81, 85, 85]) {
		expect(service.account().credits).toBe(1_000 - charged + refunded);
		const net = charged - refunded;
		expect(service.ledger.totals()).toEqual({ searches: 9, charged, refunded, net });
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
	expect(post('/phone/single', { linkedin_url: page('a') }).body).toEqual(single);
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

it.for<[known: string, unknown: string, scenarios: ScenarioName[]]>([
	['linkedin_url', 'socialprofile_url', []],
	['socialprofile_url', 'linkedin_url', ['phoneBySocialprofileUrl']],
])('a profile is read as %s: as %s it is refused, or charged and found by nobody', (given) => {
	const [known, unknown, scenarios] = given;
	const { service, post, look } = open({ scenarios, bulk: 0 });
	const invalid = { status: 400, body: { message: 'Invalid linkedin_url format' } };
	expect(post('/phone/single', { [unknown]: page('mustfind') })).toEqual(invalid);
	expect(service.ledger.entries).toEqual([]);
	const [seen, unseen, both] = ['mustfind-1', 'mustfind-2', 'mustfind-3'].map(page);
	const entries = [{ [known]: seen }, { [unknown]: unseen }, { [known]: both, [unknown]: both }];
	const result = look(PHONES, post(PHONES, { searches: entries }).body);
	expect(result).toContain('"credits_cost":120,"credits_to_refund":40,"found":2,"requested":3');
	expect(result).not.toContain(`"${unknown}"`);
	expect(service.ledger.entries[0]?.searches).toEqual(
		[seen, unseen, both].map((profile) => `phone|${profile}`),
	);
});

it('a refund that an older page does not tell is in the cost', () => {
	const scenarios: ScenarioName[] = ['phoneStatsValid', 'phoneStatsWithoutRefund'];
	const { post, look } = open({ scenarios, bulk: 0 });
	const pages = ['notfound', 'mustfind'].map((word) => ({ linkedin_url: page(word) }));
	const result = look(PHONES, post(PHONES, { searches: pages }).body);
	expect(result).toContain('"stats":{"credits_cost":40,"requested":2,"valid":1}');
});

it('one bad search has the whole batch refused', () => {
	const { service, post } = open({ scenarios: ['badEntryIsCounted'] });
	const message = 'Missing mandatory property on search n°2 of 3';
	const bad = { searches: [found, { fullname: 'Ada' }, missed] };
	expect(post(FIND, bad)).toEqual({ status: 400, body: { message } });
	expect(service.ledger.entries).toEqual([]);
});

it('results that expire are as unknown as what never was, and stay paid', () => {
	const { service, post, look } = open({ bulk: ({ searches: all }) => all.length * 1_000 });
	const receipts = [1, 2].map((count) => post(FIND, searches(count)).body);
	vi.advanceTimersByTime(1_000);
	service.expire();
	const [expired, ongoing] = receipts.map((receipt) => look(FIND, receipt));
	expect(expired).toBe(look(FIND, { id: 'never' }));
	expect(expired).toContain('Could not retrieve bulk search results');
	expect(ongoing).toContain('ongoing');
	expect(service.ledger.totals().searches).toBe(3);
});

it('calls HTTPS, and what is on this machine', () => {
	const called: string[] = [];
	const deliver = async (url: string) => {
		called.push(url);
		return await Promise.resolve({ status: 200, text: '' });
	};
	const { post } = open({ deliver });
	const urls = [
		'http://n8n.example/a',
		'no URL',
		'https://n8n.example/a',
		'http://127.0.0.1:5678/a',
	];
	for (const webhook of urls) post(VERIFY, { email: 'ada@acme.com', settings: { webhook } });
	vi.advanceTimersByTime(1_000);
	expect(called).toEqual(urls.slice(2));
});
