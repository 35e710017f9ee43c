import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { startSandbox, type Sandbox } from '../../support/sandbox/server.mts';
import { reportOn, type Report } from './report.mts';
import { talk } from './talk.mts';
import { tellCosts, UsageError, wishesFor, type Whom } from './wishes.mts';

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

async function check({ whom = WHOM, apiKey = sandbox.apiKey } = {}) {
	const { baseUrl } = sandbox;
	const pause = async (ms: number) => {
		vi.setSystemTime(Date.now() + ms);
		await Promise.resolve();
	};
	const said = await talk({ baseUrl, apiKey, wishes: wishesFor(whom, baseUrl), pause });
	return reportOn(said, whom);
}

const posts = () =>
	sandbox.requests.filter(({ method }) => method === 'POST').map(({ endpoint }) => endpoint);

/** The rows with which the package does not cope. */
const missed = ({ findings }: Report) =>
	findings.filter(({ copes }) => copes === 'no').map(({ asked }) => asked);

const ALL = Object.values(lookups);
const BATCHES = ALL.map(({ title }) => `${title}, bulk`);
const SINGLES = ALL.map(({ title }) => `${title}, single`);
const endsOf = (titles: string[]) => titles.map((title) => `${title}: its end`);

it.for<[scenarios: ScenarioName[], missed: string[]]>([
	[[], []],
	[['phoneNotFoundListed', 'resultsShuffled'], []],
	[['ongoingAsPlainText', 'verifierBatchPending', 'unreadableAtFirst'], []],
	[['batchFailedWithGeneralMessage', 'singleFailed', 'infoWithoutCredits'], []],
	// Where the service gives nothing, breaks its own document, or says why in a form that is not looked for.
	[['leavesOutAll'], endsOf(BATCHES)],
	[['unreadable'], endsOf(BATCHES.flatMap((bulk, index) => [SINGLES[index] ?? '', bulk]))],
	[['errorsListed'], SINGLES.map((title) => `${title}: an unknown id`)],
])(
	'asks for each thing once, and knows what the package copes with: %j',
	async ([scenarios, notCoped]) => {
		sandbox.configure({ scenarios });
		const report = await check();
		expect(posts()).toHaveLength(2 * ALL.length);
		expect(new Set(posts()).size).toBe(2 * ALL.length);
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
	for (const secret of [sandbox.apiKey, 'Änne', 'aenne', 'hidden', 'mustfind', host]) {
		expect(shown).not.toContain(secret);
	}
	for (const { id } of sandbox.ledger.entries) expect(shown).not.toContain(id);
}

it('shows what came in which form', async () => {
	sandbox.configure({ scenarios: ['verifierBatchPartial'] });
	const { findings, markdown } = await check();
	const did = (asked: string) => findings.find((finding) => finding.asked === asked)?.did;
	expect(did('A wrong key')).toBe('HTTP 401: This apikey is not valid');
	expect(did('Email Verifier, bulk: while it runs')).toBe('HTTP 200: general, stats, results');
	expect(did('Phone Finder, bulk: the answer to the POST, its price')).toContain('; 80 for 2');
	const { net, charged } = sandbox.ledger.totals();
	const lost = did('What the account lost, of what the answers said');
	expect(lost).toBe(`${net} of ${charged} credits`);
	expect(markdown).toContain('"results":[{"index":0,"number":"<');
	expect(markdown).toContain('"params":{"linkedin_url":"<');
});

it("shows of what the service says its document's words, and of all others how long they are", async () => {
	const base64 = Buffer.from(sandbox.apiKey).toString('base64');
	const people = ['Grace', 'Hopper', 'Admiral', 'grace.hopper@navy.example', '33612345678'];
	const message = `The search for ${WHOM.email} (ÄNNE mustfind) by ${sandbox.apiKey}, see ${sandbox.baseUrl}/x: ${people.join(', ')}, ${base64}`;
	const body = {
		message,
		code: 33612345678,
		status: 'Admiral Hopper',
		name: 'Grace Hopper',
		[people[3]]: true,
		graceHopper: { admiral: base64 },
	};
	for (const on of ['POST /email/verify/bulk', 'GET /email/find/single'] as const) {
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
	const shown = JSON.stringify(report).toLowerCase();
	for (const one of [...people, base64, 'graceHopper']) {
		expect(shown).not.toContain(one.toLowerCase());
	}
	expect(shown).toContain('http 400: the search for <');
});

it('shows no word of whom was searched for, be it as usual as can be', async () => {
	const whom = { ...WHOM, person: 'Valid Search', domain: 'error.example' };
	const { findings } = await check({ whom });
	const did = findings.map((finding) => finding.did).join();
	expect(did).not.toMatch(/\b(valid|search|error)\b/i);
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

it('a submission of unknown fate is the last one, and is not sent again; nor is a 429', async () => {
	sandbox.faults.add({ on: 'POST /email/find/bulk', kind: 'reset', when: 'after' });
	await check();
	expect(posts()).toEqual(['POST /email/find/single', 'POST /email/find/bulk']);
	sandbox.reset();
	sandbox.faults.add({ on: 'POST /email/find/single', kind: 'status', status: 429 });
	expect(missed(await check())).toEqual([]);
	expect(posts()).toEqual(['POST /email/find/single']);
});

it('tells the costs, as far as they are documented', () => {
	const costs = tellCosts(wishesFor(WHOM, sandbox.baseUrl));
	expect(costs).toHaveLength(2 * ALL.length + 1);
	expect(costs[2]).toContain('documented: 0.25 credits each');
	const most = ALL.reduce((sum, { price }) => sum + 3 * price.credits, 0);
	expect(costs.at(-1)).toContain(`at most ${most} credits`);
});

it.for([
	['email', 'nobody'],
	['domain', 'no domain'],
	['profile', 'no address'],
] as const)('sends nothing where the %s is of no use', ([field, value]) => {
	expect(() => wishesFor({ ...WHOM, [field]: value }, sandbox.baseUrl)).toThrow(UsageError);
});

it('asks for no phones where no profile is given', () => {
	expect(wishesFor({ ...WHOM, profile: undefined }, sandbox.baseUrl)).toHaveLength(
		2 * ALL.length - 2,
	);
});
