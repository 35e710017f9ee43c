import { describe, expect, test } from 'vitest';
import { isObject, objectAt } from '../payload.mts';
import { namesOf, SCENARIOS, type ScenarioName } from '../scenarios/index.mts';
import { type LookupPath, PATHS, PAYLOADS, resultsOf, startService } from './call.mts';

const PROFILE = 'https://linkedin.com/in/';
const FRENCH = { country_code: 'FR', retrieve_gender: true };
/** One who is found, one who is not; whatever a scenario may change is in it. */
const BATCHES = {
	'/email/find/bulk': {
		searches: [
			{ fullname: 'Änne Mustfind', company_domain: 'acme.com', custom: 'a' },
			{ fullname: 'Eve Notfound', company_name: 'Café', custom: 'b' },
			{ fullname: 'Bob Mustfind', company_domain: 'acme.com', custom: 'c' },
		],
		custom: { list: 'x' },
		settings: FRENCH,
	},
	'/email/verify/bulk': {
		verifications: ['Mustfind.A@acme.com', 'notfound@acme.com', 'mustfind.c@acme.com'],
		custom: { list: 'x' },
	},
	'/phone/bulk': {
		searches: ['mustfind-a', 'notfound', 'mustfind-c'].map((name) => ({
			socialprofile_url: PROFILE + name,
			custom: name,
		})),
		custom: { list: 'x' },
	},
} as const;

const NOBODY = { searches: [{ socialprofile_url: `${PROFILE}notfound` }] };
const MISSED = { fullname: 'Eve Notfound', company_domain: 'acme.com' };

type BatchPath = keyof typeof BATCHES;

/** Without this field. */
const lacks = (field: string): object =>
	expect.not.objectContaining({ [field]: expect.anything() as unknown }) as object;

const service = (scenarios: readonly ScenarioName[], ms = 0) =>
	startService({
		single: ms,
		bulk: ms,
		scenarios,
		account: { credits: 1e6, webhooks: ['https://n8n.example/1'], requestsPerSecond: 1e3 },
	});

/** The results of a batch. */
const batch = (path: BatchPath, ...scenarios: ScenarioName[]) =>
	resultsOf(service(scenarios).result(path, BATCHES[path]));

/** All that a service says in the course of one lookup of each kind, but for its notifications. */
function everythingSaid(scenarios: readonly ScenarioName[]): string {
	const said: unknown[] = [];
	for (const ms of [0, 600_000]) {
		const at = service(scenarios, ms);
		said.push(
			at.get('/account/info'),
			at.get('/phone/bulk?id=unknown'),
			at.get('/phone/single?id=x'),
		);
		const payloads: Array<[LookupPath, unknown]> = [
			...PATHS.map((path): [LookupPath, unknown] => [path, PAYLOADS[path]]),
			...(Object.entries(BATCHES) as Array<[BatchPath, unknown]>),
			['/phone/bulk', NOBODY],
			['/email/find/single', MISSED],
		];
		for (const [path, payload] of payloads) {
			const receipt = at.post(path, payload);
			const id = at.service.ledger.entries.at(-1)?.id ?? '';
			said.push(receipt, at.get(`${path}?id=${id}`));
		}
		at.service.account().credits = 0;
		said.push(at.post('/email/verify/bulk', BATCHES['/email/verify/bulk']));
		at.service.account().requestsPerSecond = 0;
		said.push(at.post('/email/verify/bulk', BATCHES['/email/verify/bulk']));
	}
	return JSON.stringify(said);
}

test.for(namesOf(SCENARIOS).filter((name) => !/^notif/.test(name) && name !== 'fixedWindow'))(
	'%s changes what is said',
	(name) => {
		expect(everythingSaid([name])).not.toBe(everythingSaid([]));
	},
);

describe('by default', () => {
	test('fields are named as is most likely, and nothing is added', () => {
		const [entry] = batch('/phone/bulk');
		expect(entry).toMatchObject({ index: 0, custom: 'mustfind-a', qualification: 'found' });
		expect(entry.params).toEqual({ linkedin_url: `${PROFILE}mustfind-a` });
		expect(batch('/email/find/bulk')[0]).toMatchObject({
			index: '0',
			raw_params: { fullname: 'Änne Mustfind', company_domain: 'acme.com' },
			custom: 'a',
		});
		const indexes = batch('/email/verify/bulk').map(({ index }) => String(index));
		expect(new Set(indexes).size).toBe(3);
		for (const index of indexes) {
			expect(index).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
		}
	});

	test.for(['/email/find/single', '/email/verify/single'] as const)('%s in progress', (path) => {
		const { get, start } = service([], 600_000);
		expect(get(`${path}?id=${start(path, PAYLOADS[path])}`)).toEqual({
			status: 202,
			body: { qualification: 'ongoing' },
		});
	});

	test('a single phone search in progress has its whole structure', () => {
		const { get, start } = service([], 600_000);
		expect(get(`/phone/single?id=${start('/phone/single', PAYLOADS['/phone/single'])}`)).toEqual({
			status: 202,
			body: {
				params: PAYLOADS['/phone/single'],
				number: null,
				country: null,
				qualification: 'ongoing',
			},
		});
	});

	test('a profile without a scheme is no profile', () => {
		const { post, result } = service([]);
		const address = { socialprofile_url: 'linkedin.com/in/mustfind' };
		expect(post('/phone/single', address).status).toBe(400);
		expect(result('/phone/bulk', { searches: [address] })).toMatchObject({ results: [] });
	});
});

test.for<[ScenarioName, BatchPath, unknown[]]>([
	['echoMissing', '/phone/bulk', [lacks('params'), lacks('params')]],
	['echoEmpty', '/phone/bulk', [{ params: {} }, {}]],
	['echoAsJsonText', '/phone/bulk', [{ params: `{"linkedin_url":"${PROFILE}mustfind-a"}` }, {}]],
	['echoCamelCase', '/phone/bulk', [{ params: { linkedinUrl: `${PROFILE}mustfind-a` } }, {}]],
	['echoAsSent', '/phone/bulk', [{ params: { socialprofile_url: `${PROFILE}mustfind-a` } }, {}]],
	[
		'echoOtherProfile',
		'/phone/bulk',
		[{ params: { linkedin_url: `${PROFILE}mustfind-a-1a2b3c` } }, {}],
	],
	[
		'echoResolved',
		'/email/find/bulk',
		[
			{ raw_params: { company_name: 'Acme Corporation' } },
			{ raw_params: { company_name: 'Café' } },
			{},
		],
	],
	[
		'echoWithoutAccents',
		'/email/find/bulk',
		[{ raw_params: { fullname: 'Anne Mustfind' } }, { raw_params: { company_name: 'Cafe' } }, {}],
	],
	['customInEcho', '/phone/bulk', [{ params: { custom: 'mustfind-a' } }, {}]],
	['severalNumbers', '/phone/bulk', [{ index: 0 }, { index: 0 }, { index: 2 }, { index: 2 }]],
	[
		'phoneNotFoundListed',
		'/phone/bulk',
		[
			{ index: 0 },
			{ index: 1, params: { linkedin_url: `${PROFILE}notfound` }, qualification: 'not_found' },
			{ index: 2 },
		],
	],
	['indexFrom1', '/phone/bulk', [{ index: 1 }, { index: 3 }]],
	['indexFrom1', '/email/find/bulk', [{ index: '1' }, { index: '2' }, { index: '3' }]],
	['verifierPositions', '/email/verify/bulk', [{ index: '0' }, { index: '1' }, { index: '2' }]],
	['verifierWithoutEmail', '/email/verify/bulk', [lacks('email'), { index: 1 }, lacks('email')]],
	['emailsInSmallLetters', '/email/verify/bulk', [{ email: 'mustfind.a@acme.com' }, {}, {}]],
	[
		'qualificationCapitalized',
		'/email/verify/bulk',
		[{ qualification: 'Valid' }, { qualification: 'Invalid' }, {}],
	],
	['asciiNames', '/email/find/bulk', [{ info: { firstname: 'Aenne' } }, {}, {}]],
	[
		'otherNames',
		'/email/find/bulk',
		[{ info: { firstname: 'Robert', lastname: 'Jones' } }, {}, {}],
	],
	['genderNull', '/email/find/bulk', [{ info: { gender: null } }, {}, {}]],
	['leavesOutFound', '/email/verify/bulk', [{ email: 'notfound@acme.com' }]],
	['leavesOutNotFound', '/email/find/bulk', [{ custom: 'a' }, { custom: 'c' }]],
	['leavesOutAll', '/phone/bulk', []],
	['resultsReversed', '/email/find/bulk', [{ custom: 'c' }, { custom: 'b' }, { custom: 'a' }]],
])('%s: %s', ([name, path, expected]) => {
	expect(batch(path, name)).toMatchObject(expected);
});

test('several act in the order of the table, however they are told', () => {
	const told = (...names: ScenarioName[]) => batch('/phone/bulk', ...names);
	const three: ScenarioName[] = ['resultsReversed', 'indexFrom1', 'phoneNotFoundListed'];
	expect(told(...three)).toMatchObject([{ index: 3 }, { index: 2 }, { index: 1 }]);
	expect(told(...three.reverse())).toEqual(told(...three));
});

test('shuffled: another order, and always the same', () => {
	const searches = Array.from({ length: 9 }, (_, n) => ({
		fullname: `Ada ${n}`,
		company_domain: 'acme.com',
		custom: String(n),
	}));
	const order = () =>
		resultsOf(service(['resultsShuffled']).result('/email/find/bulk', { searches }))
			.map(({ custom }) => custom)
			.join('');
	expect(order()).not.toBe('012345678');
	expect(order()).toBe(order());
	expect([...order()].sort().join('')).toBe('012345678');
});

test.for<[ScenarioName, unknown]>([
	['batchFailed', { general: { status: 'failed' } }],
	['batchFailed', lacks('results')],
	[
		'batchFailedWithMessage',
		{ general: { status: 'failed' }, message: 'The file could not be processed' },
	],
	['batchFailedWithGeneralMessage', { general: { message: 'The file could not be processed' } }],
	['batchFailedWithResults', { general: { status: 'failed' }, results: [{ index: 0 }] }],
	['batchExpired', { general: { status: 'expired' } }],
	['batchAborted', { general: { status: 'aborted' } }],
	['completedWithoutWord', { general: lacks('status'), results: [{}, {}] }],
	['resultsEmptyAtFirst', { stats: { found: 2 }, results: [] }],
	['phoneStatsValid', { stats: { valid: 2 } }],
	['amountsAsText', { stats: { credits_cost: '150', credits_to_refund: '50', found: 2 } }],
])('a phone batch, %s', ([name, expected]) => {
	expect(service([name]).result('/phone/bulk', BATCHES['/phone/bulk'])).toMatchObject(
		expected as object,
	);
});

test('a failed batch is not refunded; a single lookup fails in a scenario of its own', () => {
	const { service: failing, result } = service(['batchFailed']);
	result('/email/find/bulk', { searches: [MISSED] });
	expect(failing.ledger.totals()).toMatchObject({ charged: 1, refunded: 0 });
	expect(result('/phone/single', PAYLOADS['/phone/single'])).toMatchObject({
		qualification: 'found',
	});
	expect(service(['singleFailed']).result('/phone/single', PAYLOADS['/phone/single'])).toEqual({
		status: 'failed',
		message: 'The file could not be processed',
	});
});

test('null for the results of nobody, and only for those', () => {
	const { result } = service(['resultsNull']);
	expect(result('/phone/bulk', NOBODY)).toMatchObject({ results: null });
	expect(resultsOf(result('/phone/bulk', BATCHES['/phone/bulk']))).toHaveLength(2);
});

test.for<[ScenarioName, number, (id: string) => unknown]>([
	[
		'ongoingBatchIs202',
		202,
		(id) => ({ general: { id, status: 'ongoing' }, stats: { finished: 0, requested: 3 } }),
	],
	['verifierBatchGeneralOnly', 200, (id) => ({ general: { id, status: 'ongoing' } })],
	['verifierBatchJsonText', 200, () => 'ongoing'],
	['verifierBatchEmpty', 200, () => ''],
	[
		'verifierBatchPartial',
		200,
		(id) => ({ general: { id }, stats: { requested: 3, valid: 0 }, results: [] }),
	],
	[
		'verifierBatchPending',
		200,
		(id) => ({
			general: { id },
			stats: { requested: 3 },
			results: [{ qualification: 'pending' }, { qualification: 'pending' }, {}],
		}),
	],
])('a verifier batch in progress, %s', ([name, status, bodyOf]) => {
	const path = '/email/verify/bulk';
	const { get, start } = service([name], 600_000);
	const id = start(path, BATCHES[path]);
	const answer = get(`${path}?id=${id}`);
	expect(answer.status).toBe(status);
	const expected = bodyOf(id);
	if (typeof expected === 'string') expect(answer.body).toBe(expected);
	else expect(answer.body).toMatchObject(expected as object);
});

test.for<[ScenarioName, number, unknown]>([
	['unknownIdIs404', 404, { message: 'Not Found' }],
	['unknownIdIs410', 410, { message: 'Gone' }],
	['unknownIdIs400', 400, { message: 'Could not retrieve single search results' }],
	['unknownIdIs500', 500, { message: 'Could not retrieve single search results' }],
	['errorInObject', 500, { error: { message: 'Could not retrieve single search results' } }],
	['errorsListed', 500, { errors: [{ message: 'Could not retrieve single search results' }] }],
	['errorAsDetail', 500, { detail: 'Could not retrieve single search results' }],
	['errorCapitalized', 500, { Message: 'Could not retrieve single search results' }],
	['errorInList', 500, [{ message: 'Could not retrieve single search results' }]],
	['errorAsPlainText', 500, 'Could not retrieve single search results'],
])('an unknown id, %s', ([name, status, body]) => {
	expect(service([name]).get('/email/find/single?id=nothing')).toMatchObject({ status, body });
});

test('credits that are used up, on an older page and today', () => {
	const refusal = (...scenarios: ScenarioName[]) => {
		const at = startService({ scenarios, account: { credits: 0 } });
		return at.post('/email/verify/single', PAYLOADS['/email/verify/single']);
	};
	expect(refusal().status).toBe(402);
	expect(refusal('insufficientBalanceIs422')).toMatchObject({
		status: 422,
		body: { message: 'Insufficient balance' },
	});
});

test.for<[ScenarioName, object]>([
	['infoIs403', { status: 403 }],
	['infoIs404', { status: 404 }],
	['infoWithoutCredits', { status: 200, body: { webhooks: ['https://n8n.example/1'] } }],
	['infoWebhooksAsText', { body: { credits: 1e6, webhooks: 'https://n8n.example/1' } }],
	['infoWebhooksAsObjects', { body: { webhooks: [{ url: 'https://n8n.example/1' }] } }],
	['amountsAsText', { body: { credits: '1000000' } }],
	['wrappedInData', { body: { data: { credits: 1e6 } } }],
	['wrappedInList', { body: [{ credits: 1e6 }] }],
])('account info, %s', ([name, expected]) => {
	const answer = service([name]).get('/account/info');
	expect(answer).toMatchObject(expected);
	if (name === 'infoWithoutCredits') expect(answer.body).not.toHaveProperty('credits');
});

test.for<[ScenarioName, phone: object, verifier: object]>([
	[
		'creditsFromPaygo',
		{ source: 'paygo', split: { fromSub: 0, fromPaygo: 50 } },
		{ source: 'paygo' },
	],
	['creditsMixed', { source: 'mixed', split: { fromSub: 25, fromPaygo: 25 } }, { source: 'sub' }],
	['amountsAsText', { amount: '50' }, { amount: '0.25' }],
])('%s', ([name, phone, verifier]) => {
	const { post } = service([name]);
	expect(post('/phone/single', PAYLOADS['/phone/single'])).toMatchObject({
		body: { credits: phone },
	});
	expect(post('/email/verify/single', PAYLOADS['/email/verify/single'])).toMatchObject({
		body: { credits: verifier },
	});
});

test.for<[ScenarioName, number | undefined]>([
	['durationZero', 0],
	['durationTooShort', 0.1],
	['durationTooLong', 1_000],
	['durationAbsent', undefined],
])('%s', ([name, minutes]) => {
	const { body } = service([name], 600_000).post('/phone/bulk', PAYLOADS['/phone/bulk']);
	expect(isObject(body) && body.estimated_duration).toBe(minutes);
});

test.for<[ScenarioName, unknown]>([
	['generalCustomAlways', { list: 'x' }],
	['generalCustomNever', undefined],
	['generalCustomAsText', undefined],
])('custom of a phone batch, %s', ([name, custom]) => {
	const body = service([name]).result('/phone/bulk', BATCHES['/phone/bulk']);
	expect(objectAt(body, 'general').custom).toEqual(custom);
});
