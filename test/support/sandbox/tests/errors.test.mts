import { describe, expect, test } from 'vitest';
import { SandboxService } from '../service.mts';
import { KEY, PATHS, PAYLOADS, startService } from './call.mts';

const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);
const person = { fullname: 'Ada Lovelace', company_domain: 'acme.com' };
const profile = { socialprofile_url: 'https://linkedin.com/in/ada' };
const UNPARSABLE = Symbol('unparsable');
const NO_COMPANY =
	'both company_domain and company_name are absent, input payload needs at least one of them';

describe('section 7, POST: 400', () => {
	test.for<[path: string, payload: unknown, message: string]>([
		['/email/find/single', UNPARSABLE, 'invalid JSON input'],
		['/email/find/single', undefined, 'invalid JSON input'],
		['/email/find/single', [person], 'invalid JSON input'],
		['/email/find/single', { fullname: 'Ada Lovelace' }, NO_COMPANY],
		['/email/find/single', { fullname: 'Ada', company_name: ' ' }, NO_COMPANY],
		['/email/find/single', { company_name: 'Acme' }, 'missing fullname'],
		['/email/find/single', { fullname: 7, company_domain: 'acme.com' }, 'missing fullname'],
		['/email/find/bulk', undefined, 'Missing payload'],
		['/email/find/bulk', null, 'Missing payload'],
		['/email/find/bulk', {}, 'Missing searches payload'],
		['/email/find/bulk', { searches: 'Ada' }, 'Missing searches payload'],
		['/email/find/bulk', { searches: [] }, 'Missing searches payload'],
		[
			'/email/find/bulk',
			{ searches: many(5_001, person) },
			'Too many searches. Limit is currently at 5000 per batch.',
		],
		['/email/find/bulk', UNPARSABLE, 'Error while parsing payload'],
		['/email/find/bulk', { searches: [person, 'Ada'] }, 'Error while parsing payload'],
		['/email/find/bulk', { searches: [{ fullname: 'Ada' }] }, 'Error while parsing payload'],
		['/email/verify/single', {}, 'invalid email format'],
		['/email/verify/single', { email: 'ada@acme' }, 'invalid email format'],
		['/email/verify/single', { email: 'Ada <ada@acme.com>' }, 'invalid email format'],
		['/email/verify/single', UNPARSABLE, 'invalid JSON input'],
		['/email/verify/bulk', undefined, 'Missing payload'],
		[
			'/email/verify/bulk',
			{ verifications: [] },
			'At least 1 verification must be present in the payload',
		],
		['/email/verify/bulk', {}, 'At least 1 verification must be present in the payload'],
		[
			'/email/verify/bulk',
			{ verifications: many(5_001, 'a@acme.com') },
			'Too many verifications. Limit is currently at 5000 per batch.',
		],
		['/phone/single', { socialprofile_url: 'ada' }, 'Invalid linkedin_url format'],
		['/phone/single', { socialprofile_url: 'not a url' }, 'Invalid linkedin_url format'],
		[
			'/phone/single',
			{ socialprofile_url: 'https://linkedin.com/company/acme' },
			'Invalid linkedin_url format',
		],
		['/phone/single', { firstname: 'Ada', lastname: 'Lovelace' }, 'Invalid linkedin_url format'],
		[
			'/phone/single',
			{ socialprofile_url: 'ada', firstname: 'Ada', lastname: 'L', company_name: 'Acme' },
			'Invalid linkedin_url format',
		],
		['/phone/bulk', { searches: [] }, 'At least 1 phone search must be present in the payload'],
		['/phone/bulk', {}, 'At least 1 phone search must be present in the payload'],
		['/phone/bulk', undefined, 'Missing payload'],
		[
			'/phone/bulk',
			{ searches: many(3_001, profile) },
			'Too many searches. Limit is currently at 3000 per batch.',
		],
	])('%s %o: %s', ([path, payload, message]) => {
		const service = new SandboxService({ account: { key: KEY } });
		const broken = payload === UNPARSABLE;
		const answer = service.handle({
			method: 'POST',
			path,
			query: {},
			headers: { 'x-api-key': KEY },
			...(broken ? { rawBodyInvalid: true } : { body: payload }),
		});
		expect(answer).toEqual({ status: 400, body: { message } });
		expect(service.ledger.entries).toEqual([]);
	});

	test.for<[path: string, payload: unknown]>([
		['/email/find/bulk', { searches: many(5_000, person) }],
		['/email/verify/bulk', { verifications: many(5_000, 'a@acme.com') }],
		['/phone/bulk', { searches: many(3_000, profile) }],
	])('%s takes as many as the limit', ([path, payload]) => {
		const { post } = startService({ account: { credits: 1e6 } });
		expect(post(path, payload).status).toBe(201);
	});
});

describe('section 7, GET', () => {
	test.for<[path: string, missing: [number, string], unknown: [number, string]]>([
		[
			'/email/find/single',
			[400, 'The single search id is missing in the URL query string'],
			[500, 'Could not retrieve single search results'],
		],
		[
			'/email/find/bulk',
			[400, 'Could not retrieve bulk search results'],
			[400, 'Could not retrieve bulk search results'],
		],
		[
			'/email/verify/single',
			[400, 'The single verif id is missing in the URL query string'],
			[500, 'Could not retrieve single verification results'],
		],
		[
			'/email/verify/bulk',
			[400, 'Could not retrieve bulk verification results'],
			[400, 'Could not retrieve bulk verification results'],
		],
		[
			'/phone/single',
			[400, 'Missing id in the query params'],
			[500, 'Could not retrieve single search results'],
		],
		[
			'/phone/bulk',
			[400, 'Missing id in the query params'],
			[400, 'Could not retrieve bulk search results'],
		],
	])('%s without id, and with an unknown one', ([path, missing, unknown]) => {
		const { get } = startService();
		expect(get(path)).toMatchObject({ status: missing[0], body: { message: missing[1] } });
		expect(get(`${path}?id=`)).toMatchObject({ status: missing[0], body: { message: missing[1] } });
		expect(get(`${path}?id=no-such-id`)).toMatchObject({
			status: unknown[0],
			body: { message: unknown[1] },
		});
	});

	test.each(PATHS)('%s: ids of another account or another lookup are unknown', (path) => {
		const { service, get, start } = startService();
		const id = start(path, PAYLOADS[path]);
		const other = service.addAccount('other');
		const unknown = get(`${path}?id=no-such-id`);
		expect(get(`${path}?id=${id}`, other)).toEqual(unknown);
		for (const elsewhere of PATHS.filter((candidate) => candidate !== path)) {
			expect(get(`${elsewhere}?id=${id}`)).toEqual(get(`${elsewhere}?id=no-such-id`));
		}
		expect(get(`${path}?id=${id}`).status).toBeLessThan(300);
	});

	test('a phone batch that cannot be read: 500 server error', () => {
		const { get, start } = startService({ bulk: 0, scenarios: ['unreadable'] });
		const id = start('/phone/bulk', PAYLOADS['/phone/bulk']);
		expect(get(`/phone/bulk?id=${id}`)).toMatchObject({
			status: 500,
			body: { message: 'server error' },
		});
	});

	test('what is not there: 404', () => {
		const { get, post } = startService();
		expect(get('/nothing').status).toBe(404);
		expect(post('/account/info').status).toBe(404);
	});
});

describe('section 5: 401', () => {
	const ALL = [...PATHS.flatMap((path) => [`GET ${path}`, `POST ${path}`]), 'GET /account/info'];

	test.each(ALL)('%s without and with a wrong key', (endpoint) => {
		const { get, post } = startService();
		const [method, path = ''] = endpoint.split(' ');
		const call = (key: string | null) =>
			method === 'GET' ? get(path, key) : post(path, undefined, key);
		expect(call(null)).toMatchObject({
			status: 401,
			body: { message: 'No apikey found in the x-api-key headers' },
		});
		expect(call('wrong')).toMatchObject({
			status: 401,
			body: { message: 'This apikey is not valid' },
		});
	});

	test('phone endpoints of an account without the feature; the others work', () => {
		const { get, post } = startService({ account: { phone: false } });
		const refused = {
			status: 401,
			body: { message: 'This account is not allowed to use the phone search feature' },
		};
		expect(post('/phone/single', {})).toMatchObject(refused);
		expect(post('/phone/bulk', {})).toMatchObject(refused);
		expect(get('/phone/single?id=1')).toMatchObject(refused);
		expect(get('/phone/bulk?id=1')).toMatchObject(refused);
		expect(get('/account/info').status).toBe(200);
		expect(post('/email/verify/single', PAYLOADS['/email/verify/single']).status).toBe(200);
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

describe('which refusal comes first', () => {
	test('key, then pace, then payload, then credits', () => {
		const { post } = startService({ account: { credits: 0, requestsPerSecond: 2 } });
		const path = '/email/find/single';
		expect(post(path, {}, 'wrong').status).toBe(401);
		expect(post(path, {}).status).toBe(400);
		expect(post(path, PAYLOADS[path]).status).toBe(402);
		expect(post(path, {}).status).toBe(429);
		expect(post(path, {}, 'wrong').status).toBe(401);
	});
});
