import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { namesOf, type ScenarioName } from '../support/sandbox/scenarios/index.mts';
import { startSandbox, type Sandbox } from '../support/sandbox/server.mts';
import { reportOn, type Report } from './check.mts';
import { openReceiver } from './receiver.mts';
import { talk } from './talk.mts';
import { tellCosts, UsageError, wishesFor, type Whom } from './wishes.mts';
import { ownPort } from '../support/ports.mts';

const WHOM: Whom = {
	person: 'Änne Mustfind',
	domain: 'hidden-company.com',
	email: 'aenne.mustfind@hidden-company.com',
	profile: 'https://www.linkedin.com/in/aenne-mustfind',
};

const LONGEST_MS = 120_000;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({
		single: LONGEST_MS / 2,
		bulk: LONGEST_MS,
		account: { credits: 1_000 },
	});
});
beforeEach(() => {
	sandbox.reset();
	// Sockets go by real timers: only what the sandbox and the check take for the time jumps.
	vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
	vi.useRealTimers();
});
afterAll(async () => {
	await sandbox.close();
});

async function check({ whom = WHOM, apiKey = sandbox.apiKey, hook = false } = {}) {
	const { baseUrl } = sandbox;
	const port = hook ? await ownPort() : undefined;
	const webhook = `http://127.0.0.1:${port}/hook`;
	const receiver = port === undefined ? undefined : await openReceiver(port);
	const said = await talk({
		baseUrl,
		apiKey,
		wishes: wishesFor(whom, baseUrl, hook ? webhook : undefined),
		received: receiver?.received,
		pause: async (ms) => {
			vi.setSystemTime(Date.now() + ms);
			// The sandbox's timers are real.
			sandbox.service.finish(({ completesAt }) => completesAt - Date.now());
			const over = sandbox.ledger.entries.filter(({ at }) => Date.now() > at + LONGEST_MS);
			if (hook) await sandbox.waitFor(() => sandbox.deliveries.length >= over.length);
		},
	});
	receiver?.close();
	return reportOn(said, whom);
}

const posts = () =>
	sandbox.requests.filter(({ method }) => method === 'POST').map(({ endpoint }) => endpoint);

/** The rows with which the package does not cope. */
const missed = ({ findings }: Report) =>
	findings.filter(({ copes }) => copes === 'no').map(({ open }) => open);

const EMAIL_BATCHES = ['Email Finder, bulk', 'Email Verifier, bulk'];
const ALL_BATCHES = [...EMAIL_BATCHES, 'Phone Finder, bulk'];
const endsOf = (...titles: string[]) => titles.map((title) => `${title}: its end`);

const SINGLES = ALL_BATCHES.map((bulk) => bulk.replace('bulk', 'single'));
/** What is said of an unknown id is not found, and is taken for a fault that may pass. */
const UNKNOWN_IDS = SINGLES.map((title) => `${title}: an unknown id`);

/** Where the service gives nothing, breaks its own document, or says why in a form that is not looked for. */
const NOT_COPED = {
	leavesOutNotFound: endsOf(...EMAIL_BATCHES),
	leavesOutFound: endsOf(...ALL_BATCHES),
	leavesOutAll: endsOf(...ALL_BATCHES),
	unreadable: endsOf(...ALL_BATCHES.flatMap((bulk) => [bulk.replace('bulk', 'single'), bulk])),
	errorsListed: UNKNOWN_IDS,
	errorCapitalized: UNKNOWN_IDS,
	errorInList: UNKNOWN_IDS,
	/** Without a word it is waited for until all are listed. */
	completedWithoutWord: endsOf('Phone Finder, bulk'),
} satisfies Partial<Record<ScenarioName, string[]>>;

/** Some of each table. */
const COPED: ScenarioName[][] = [
	[],
	['phoneNotFoundListed', 'indexFrom1', 'resultsShuffled', 'severalNumbers'],
	[
		'echoAsJsonText',
		'ongoingAsPlainText',
		'verifierBatchPending',
		'resultsEmptyAtFirst',
		'unreadableAtFirst',
	],
	['amountsAsText', 'durationAbsent', 'notifiedFormWithJson'],
	['unknownIdIs404', 'errorInObject', 'retryAfterDate', 'notifiedId'],
	['batchFailedWithGeneralMessage', 'singleFailed', 'infoWithoutCredits', 'notifiedInList'],
];

it.for<[scenarios: readonly ScenarioName[], missed: string[]]>([
	...COPED.map((scenarios): [ScenarioName[], string[]] => [scenarios, []]),
	...namesOf(NOT_COPED).map((name): [ScenarioName[], string[]] => [[name], NOT_COPED[name]]),
])(
	'asks for each thing once, and knows what the package copes with: %j',
	async ([scenarios, notCoped]) => {
		sandbox.configure({ scenarios });
		const report = await check();
		expect(posts()).toHaveLength(6);
		expect(new Set(posts()).size).toBe(6);
		expect(sandbox.ledger.chargedTwice()).toEqual([]);
		expectNobody(report);
		expect(missed(report)).toEqual(notCoped);
		expect(report.copes).toBe(notCoped.length === 0);
	},
);

/** Asserts that neither the key nor anybody is in what is shown. */
function expectNobody(report: Report) {
	const shown = JSON.stringify(report);
	const { host } = new URL(sandbox.baseUrl);
	for (const secret of [sandbox.apiKey, 'Änne', 'aenne', 'hidden', 'mustfind', 'Notfound', host]) {
		expect(shown).not.toContain(secret);
	}
	for (const { id } of sandbox.ledger.entries) expect(shown).not.toContain(id);
}

it('shows what came in which form', async () => {
	sandbox.configure({ scenarios: ['verifierBatchPartial', 'retryAfterSeconds'] });
	const { findings, markdown } = await check();
	const did = (open: string) => findings.find((finding) => finding.open === open)?.did;
	expect(did('A wrong key')).toBe('HTTP 401: This apikey is not valid');
	expect(did('Email Verifier, bulk: while it runs')).toBe('HTTP 200: general, stats, results');
	expect(did('Phone Finder, bulk: the answer to the POST, its price')).toContain('; 100 for 2');
	expect(did('Phone Finder, bulk: its end')).toContain('index 0, params {linkedin_url}, found');
	expect(did('Refunds: what the account lost, beside what the answers said')).toBe(
		'102.75 of 153.75 credits',
	);
	expect(markdown).toContain('"results":[{"index":0,"number":"<');
});

it('shows of what the service says the usual words, and of all others how long they are', async () => {
	const base64 = Buffer.from(sandbox.apiKey).toString('base64');
	const secret = Buffer.from(`key=${sandbox.apiKey}`).toString('base64url');
	const phones = ['33612345678', '06 12 34 56 78', '612345678'];
	const people = ['Grace', 'Hopper', 'Admiral', 'grace.hopper@navy.example'];
	const message = `The search for ${WHOM.email} (ÄNNE mustfind) by ${sandbox.apiKey}, see ${sandbox.baseUrl}/x: Grace Hopper, Admiral, ${phones.join(', ')}, ${base64} ${secret}`;
	const body = {
		message,
		reason: `Not found: ${base64}`,
		code: 33612345678,
		status: 'Admiral Hopper',
		name: 'Grace Hopper',
		job: 'Admiral',
		number: 33612345678,
		[people[3]]: true,
		graceHopper: { admiral: base64 },
	};
	for (const on of [
		'POST /email/verify/bulk',
		'GET /email/find/single',
		'GET /account/info',
	] as const) {
		sandbox.faults.add({ on, kind: 'status', status: 400, body });
	}
	sandbox.faults.add({
		on: 'GET /phone/bulk',
		kind: 'changed',
		times: Infinity,
		change: (answer) => ({ ...answer, hopper: 'Admiral', status: 'Grace', stats: body }),
	});
	const report = await check();
	expectNobody(report);
	const shown = JSON.stringify(report);
	for (const one of [...people, ...phones, '612345678', '12 34', 'graceHopper']) {
		expect(shown.toLowerCase()).not.toContain(one.toLowerCase());
	}
	for (const text of [base64, secret]) {
		for (let at = 0; at + 6 <= text.length; at += 6) {
			expect(shown).not.toContain(text.slice(at, at + 6));
		}
	}
	expect(shown).toContain('HTTP 400: The search for <33> (<4> <8>) by <40>');
	expect(shown).toContain('Not found: <');
});

it('shows no word of whom was searched for, be it as usual as can be', async () => {
	const whom = { ...WHOM, person: 'Valid Search', domain: 'error.example' };
	const { findings } = await check({ whom });
	const did = findings.map((finding) => finding.did).join();
	expect(did).not.toMatch(/\b(valid|search|error)\b/i);
});

describe('what listens for notifications', () => {
	it('is reached from this machine only, and keeps no more than it needs', async () => {
		const port = await ownPort();
		const receiver = await openReceiver(port);
		const send = async (body: string, host = '127.0.0.1') => {
			const answer = await fetch(`http://${host}:${port}/hook`, { method: 'POST', body }).catch(
				() => undefined,
			);
			return answer?.status;
		};
		const addresses = Object.values(networkInterfaces())
			.flat()
			.filter((one) => one?.family === 'IPv4' && !one.internal);
		for (const one of addresses) expect(await send('{}', one?.address)).toBeUndefined();
		expect(await send('{"id":"1"}')).toBe(200);
		expect(await send('x'.repeat(20_000_000))).not.toBe(200);
		for (let sent = 0; sent < 120; sent++) await send('{}');
		expect(receiver.received).toHaveLength(100);
		expect(receiver.received[0].text).toBe('{"id":"1"}');
		receiver.close();
	});
});

it('without phones it asks for none', async () => {
	await check({ whom: { ...WHOM, profile: undefined } });
	expect(posts().filter((endpoint) => endpoint.includes('phone'))).toEqual([]);
	expect(posts()).toHaveLength(4);
});

it('hears notifications, in whatever form, where a webhook is given', async () => {
	for (const scenarios of [[], ['notifiedWithoutType'], ['notifiedInList']] as const) {
		sandbox.reset();
		sandbox.configure({ scenarios });
		const report = await check({ hook: true });
		expectNobody(report);
		const heard = report.findings.filter(({ open }) => open.endsWith('the notification'));
		expect(heard.map(({ copes }) => copes)).toEqual(Array(6).fill('yes'));
	}
});

it.for([
	['a wrong key', { apiKey: 'of-nobody' }, 0],
	['no credits', {}, 1],
] as const)('%s: nothing is charged, and no more is sent', async ([what, given, sent]) => {
	if (what === 'no credits') sandbox.service.account().credits = 0;
	const { copes } = await check(given);
	expect(posts()).toHaveLength(sent);
	expect(sandbox.ledger.entries).toEqual([]);
	expect(copes).toBe(sent > 0);
});

it('a submission of unknown fate is the last one, and is not sent again', async () => {
	sandbox.faults.add({ on: 'POST /email/find/bulk', kind: 'reset', when: 'after' });
	await check();
	expect(posts()).toEqual(['POST /email/find/single', 'POST /email/find/bulk']);
});

it('a 429 is not sent again', async () => {
	sandbox.faults.add({ on: 'POST /email/find/single', kind: 'status', status: 429 });
	const report = await check();
	expect(posts()).toEqual(['POST /email/find/single']);
	expect(missed(report)).toEqual([]);
});

it('tells the costs, as far as they are documented', () => {
	const costs = tellCosts(wishesFor(WHOM, sandbox.baseUrl, undefined));
	expect(costs).toHaveLength(7);
	expect(costs[2]).toContain('documented: 0.25 credits each');
	expect(costs.at(-1)).toContain('at most 153.75 credits');
});

it.for([
	['email', 'nobody'],
	['domain', 'no domain'],
	['profile', 'no address'],
] as const)('sends nothing where the %s is of no use', ([field, value]) => {
	expect(() => wishesFor({ ...WHOM, [field]: value }, sandbox.baseUrl, undefined)).toThrow(
		UsageError,
	);
});
