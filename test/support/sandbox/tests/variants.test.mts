import { describe, expect, test } from 'vitest';
import { isObject, objectAt } from '../payload.mts';
import type { Variants } from '../variants.mts';
import { PATHS, PAYLOADS, resultsOf, startService } from './call.mts';

const over = (variants: Partial<Variants>) => startService({ single: 0, bulk: 0, variants });
const running = (variants: Partial<Variants>) =>
	startService({ single: 60_000, bulk: 60_000, variants });

const searches = ['Ada', 'Bea', 'Cleo', 'Dora'].map((name) => ({
	fullname: `${name} Mustfind`,
	company_domain: 'acme.com',
	custom: name,
}));
const verifications = ['a', 'b', 'c', 'd'].map((name) => `${name}@acme.com`);
const UNFINDABLE = { fullname: 'Eve Notfound', company_domain: 'acme.com' };
const VERIFICATIONS = ['mustfind.a@acme.com', 'mustfind.b@acme.com', 'notfound@acme.com'];
const profiles = ['mustfind-1', 'notfound', 'mustfind-2'].map((name) => ({
	socialprofile_url: `https://linkedin.com/in/${name}`,
	custom: name,
}));

test.for<[Variants['ongoingSingle'], unknown, string | undefined]>([
	['status', { status: 'ongoing' }, undefined],
	['message', { message: 'ongoing' }, undefined],
	['qualification', { qualification: 'ongoing' }, undefined],
	['state', { state: 'ongoing' }, undefined],
	['jsonString', 'ongoing', undefined],
	['plainText', 'ongoing', 'text/plain'],
])('a single in progress: %s', ([ongoingSingle, body, contentType]) => {
	const { get, start } = running({ ongoingSingle });
	for (const path of PATHS.filter((candidate) => candidate.endsWith('single'))) {
		const answer = get(`${path}?id=${start(path, PAYLOADS[path])}`);
		expect(answer).toMatchObject({ status: 202, body });
		expect(answer.headers?.['content-type']).toBe(contentType);
	}
});

test.for<[Variants['ongoingVerifierBulk'], (id: string) => unknown]>([
	[
		'generalAndStats',
		(id) => ({ general: { id, status: 'ongoing' }, stats: { finished: 0, requested: 4 } }),
	],
	['general', (id) => ({ general: { id, status: 'ongoing' } })],
	['status', () => ({ status: 'ongoing' })],
	['message', () => ({ message: 'ongoing' })],
	['emptyResults', () => ({ status: 'ongoing', results: [] })],
	['jsonString', () => 'ongoing'],
])('a verifier batch in progress: %s', ([ongoingVerifierBulk, body]) => {
	const { get, start } = running({ ongoingVerifierBulk });
	const id = start('/email/verify/bulk', { verifications });
	expect(get(`/email/verify/bulk?id=${id}`)).toMatchObject({ status: 200, body: body(id) });
});

describe('results of batches', () => {
	test.for([
		['none', 2, 1],
		['notFound', 2, 0],
		['found', 0, 1],
		['all', 0, 0],
	] as const)('left out: %s', ([leftOut, found, notFound]) => {
		const batches = [
			['/email/find/bulk', { searches: [...searches.slice(0, 2), UNFINDABLE] }, 'valid'],
			['/email/verify/bulk', { verifications: VERIFICATIONS }, 'valid'],
			['/phone/bulk', { searches: profiles }, 'found'],
		] as const;
		for (const [path, payload, word] of batches) {
			const result = over({ leftOut, phoneNotFound: 'listed' }).result(path, payload);
			const isFound = resultsOf(result).map(({ qualification }) => qualification === word);
			expect(isFound.filter((is) => is)).toHaveLength(found);
			expect(isFound.filter((is) => !is)).toHaveLength(notFound);
			// The figures say that there should be more.
			expect(objectAt(result, 'stats')).toMatchObject({ requested: 3 });
		}
	});

	test('order', () => {
		const names = (resultOrder: Variants['resultOrder']) =>
			resultsOf(over({ resultOrder }).result('/email/find/bulk', { searches })).map(
				({ custom }) => custom,
			);
		expect(names('original')).toEqual(['Ada', 'Bea', 'Cleo', 'Dora']);
		expect(names('reversed')).toEqual(['Dora', 'Cleo', 'Bea', 'Ada']);
		const shuffled = names({ shuffledBy: 3 });
		expect(shuffled).not.toEqual(['Ada', 'Bea', 'Cleo', 'Dora']);
		expect(names({ shuffledBy: 3 })).toEqual(shuffled);
		expect([...shuffled].sort()).toEqual(['Ada', 'Bea', 'Cleo', 'Dora']);
	});

	test('index counted from 1', () => {
		const { result } = over({ indexBase: 1 });
		expect(result('/email/find/bulk', { searches })).toMatchObject({
			results: [{ index: '1' }, { index: '2' }, { index: '3' }, { index: '4' }],
		});
		expect(result('/phone/bulk', { searches: profiles })).toMatchObject({
			results: [{ index: 1 }, { index: 3 }],
		});
	});

	test('opaque, unique index of verifications', () => {
		const body = over({ verifierIndex: 'opaque' }).result('/email/verify/bulk', {
			verifications: [...verifications, ...verifications],
		});
		const indexes = new Set(resultsOf(body).map(({ index }) => index));
		expect(indexes.size).toBe(8);
		for (const index of indexes) expect(index).toMatch(/^[0-9a-f]{9,}$/);
	});

	test('phone searches without result', () => {
		const listed = over({ phoneNotFound: 'listed' }).result('/phone/bulk', { searches: profiles });
		expect(resultsOf(listed)).toHaveLength(3);
		expect(resultsOf(listed)[1]).toEqual({
			index: 1,
			params: profiles[1],
			qualification: 'not_found',
		});
	});

	test('echoed parameters without custom', () => {
		const { result } = over({ echo: 'withoutCustom' });
		const [{ fullname, company_domain, custom }] = searches;
		expect(result('/email/find/bulk', { searches })).toMatchObject({
			results: [{ raw_params: { fullname, company_domain }, custom }, {}, {}, {}],
		});
		const [entry] = resultsOf(result('/phone/bulk', { searches: profiles }));
		expect(entry).toMatchObject({ custom: 'mustfind-1' });
		expect(entry).toHaveProperty('params', { socialprofile_url: profiles[0].socialprofile_url });
	});

	test.for<[Variants['generalCustom'], string[]]>([
		['documented', ['/email/find/bulk']],
		['always', ['/email/find/bulk', '/email/verify/bulk', '/phone/bulk']],
		['never', []],
	])('custom in general: %s', ([generalCustom, expected]) => {
		const { result } = over({ generalCustom });
		const paths = PATHS.filter((path) => {
			if (path.endsWith('single')) return false;
			const body = result(path, { ...PAYLOADS[path], custom: { a: 1 } });
			return 'custom' in objectAt(body, 'general');
		});
		expect(paths).toEqual(expected);
	});

	test.for<[Variants['gender'], RegExp | null]>([
		['word', /^(fe)?male$/],
		['capitalized', /^(Fem|M)ale$/],
		['letter', /^[FM]$/],
		['null', null],
	])('gender: %s', ([gender, pattern]) => {
		const settings = { retrieve_gender: true };
		const body = over({ gender }).result('/email/find/bulk', { searches, settings });
		const genders = resultsOf(body).map((entry) => objectAt(entry, 'info').gender);
		expect(genders).toHaveLength(4);
		for (const value of genders) {
			if (pattern) expect(value).toMatch(pattern);
			else expect(value).toBeNull();
		}
	});

	test.for<[Variants['verifierCost'], unknown]>([
		['number', 1],
		['breakdown', { initial: 1, refunded: 0, final: 1 }],
		['absent', undefined],
	])('cost of verifications: %s', ([verifierCost, cost]) => {
		const body = over({ verifierCost }).result('/email/verify/bulk', { verifications });
		expect(objectAt(body, 'stats').credits_cost).toEqual(cost);
	});

	test('failed: no results, no refund', () => {
		const { service, result } = over({ batchOutcome: 'failed' });
		const body = result('/email/find/bulk', {
			searches: [{ fullname: 'Ada Notfound', company_domain: 'acme.com' }],
		});
		expect(body).toMatchObject({ general: { status: 'failed' } });
		expect(body).not.toHaveProperty('results');
		expect(service.ledger.totals()).toMatchObject({ charged: 1, refunded: 0 });
		expect(
			over({ batchOutcome: 'failed' }).result('/phone/single', PAYLOADS['/phone/single']),
		).toMatchObject({ qualification: 'found' });
	});
});

test.for<[Variants['missingEmail'], object]>([
	['null', { email: null, qualification: 'invalid' }],
	['empty', { email: '', qualification: 'invalid' }],
	['absent', { qualification: 'invalid' }],
])('email of a single find without result: %s', ([missingEmail, body]) => {
	const payload = { fullname: 'Ada Notfound', company_domain: 'acme.com' };
	expect(over({ missingEmail }).result('/email/find/single', payload)).toEqual(body);
});

test('results that cannot be read', () => {
	const { get, start } = over({ retrieval: 'fails' });
	const failures = PATHS.map((path) => get(`${path}?id=${start(path, PAYLOADS[path])}`));
	expect(failures).toMatchObject([
		{ status: 500, body: { message: 'Could not retrieve single search results' } },
		{ status: 400, body: { message: 'Could not retrieve bulk search results' } },
		{ status: 500, body: { message: 'Could not retrieve single verification results' } },
		{ status: 400, body: { message: 'Could not retrieve bulk verification results' } },
		{ status: 500, body: { message: 'Could not retrieve single search results' } },
		{ status: 500, body: { message: 'server error' } },
	]);
});

test.for<[Variants['creditsSource'], phone: object, verifier: object]>([
	['sub', { fromSub: 50, fromPaygo: 0 }, { fromSub: 0.25, fromPaygo: 0 }],
	['paygo', { fromSub: 0, fromPaygo: 50 }, { fromSub: 0, fromPaygo: 0.25 }],
	['mixed', { fromSub: 25, fromPaygo: 25 }, { fromSub: 0.25, fromPaygo: 0 }],
])('credits from %s', ([creditsSource, phone, verifier]) => {
	const { post } = over({ creditsSource });
	expect(post('/phone/single', PAYLOADS['/phone/single'])).toMatchObject({
		body: { credits: { amount: 50, source: creditsSource, split: phone } },
	});
	expect(post('/email/verify/single', PAYLOADS['/email/verify/single'])).toMatchObject({
		body: {
			credits: {
				amount: 0.25,
				source: creditsSource === 'mixed' ? 'sub' : creditsSource,
				split: verifier,
			},
		},
	});
});

test.for<[Variants['estimatedDuration'], number | undefined]>([
	['right', 1],
	['zero', 0],
	['tooShort', 0.01],
	['tooLong', 100],
	['absent', undefined],
])('estimated duration: %s', ([estimatedDuration, minutes]) => {
	const { post } = running({ estimatedDuration });
	const { body } = post('/phone/bulk', PAYLOADS['/phone/bulk']);
	expect(isObject(body) && body.estimated_duration).toBe(minutes);
});
