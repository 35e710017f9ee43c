import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { startSandbox, type Sandbox } from '../../support/sandbox/server.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { namesOf, type ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { NOTIFICATIONS } from '../../support/sandbox/scenarios/notifications.mts';
import type { CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { KINDS, MAX_READS, notify, RESULTS, started, submit } from './trigger.mts';

// The sandbox itself notifies the trigger, so these are the bodies of a service that calls it.
const URL = 'https://n8n.example/webhook/1/webhook';
const ELSEWHERE = 'https://elsewhere.example/';

useFastClock();

let sandbox: Sandbox;
let calls: Array<Promise<CallWebhookResult>> = [];
let staticData = {};

beforeAll(async () => {
	const account = { requestsPerSecond: 10_000 };
	sandbox = await startSandbox({ single: 0, bulk: 0, account, deliver });
});
beforeEach(() => {
	sandbox.reset();
	staticData = {};
});
afterEach(() => {
	calls = [];
});
afterAll(async () => await sandbox.close());

async function deliver(address: string, body: string, contentType: string) {
	if (address === ELSEWHERE) return { status: 200, text: '' };
	const query = Object.fromEntries(new globalThis.URL(address).searchParams);
	const headers = { 'content-type': contentType };
	const credentials = {
		contactDataApi: { apiKey: sandbox.apiKey, baseUrl: sandbox.baseUrl, requestsPerSecond: 10 },
	};
	const call = notify({ credentials }, body, { headers, query, staticData });
	calls.push(call);
	const { response, staticData: saved } = await call;
	staticData = saved;
	return { status: response?.status ?? 0, text: '' };
}

type Mark = 'marked' | 'unmarked';

/** Starts a lookup, and gives its id and what its notification came to. */
async function notified(
	shape: ScenarioName | undefined,
	kind: Kind,
	mark: Mark = 'unmarked',
	custom?: string,
) {
	const before = calls.length;
	sandbox.configure({ scenarios: shape === undefined ? [] : [shape] });
	const id = await submit(sandbox, kind, {
		settings: { webhook: mark === 'marked' ? `${URL}?event=${kind}` : URL },
		...(custom !== undefined && { custom: kind === 'phoneFinderSingle' ? custom : { id: custom } }),
	});
	return { id, call: await sandbox.waitFor(() => calls[before]) };
}

const reads = () => sandbox.requests.filter(({ method }) => method === 'GET').length;
const idIn = (call: CallWebhookResult) => started(call)[0]?.batch_id ?? started(call)[0]?.search_id;

interface Case {
	shape?: ScenarioName;
	kind: Kind;
	mark: Mark;
}
const cases: Case[] = [
	...namesOf(NOTIFICATIONS).map((shape): Case => {
		return { shape, kind: 'emailFinderBulk', mark: 'unmarked' };
	}),
	...KINDS.flatMap((kind): Case[] => [
		{ kind, mark: 'marked' },
		{ kind, mark: 'unmarked' },
	]),
];

describe('a notification of the service', () => {
	it.for(cases)('$shape, $kind, $mark', async ({ shape, kind, mark }) => {
		const { id, call } = await notified(shape, kind, mark, 'decoy');
		expect(call.response?.status).toBe(200);
		expect(started(call)).toHaveLength(RESULTS[kind].listed);
		const expected = { status: 'completed', found: true, event: kind };
		expect(started(call)[0]).toMatchObject(expected);
		expect(idIn(call)).toBe(id);
		expect(reads()).toBeLessThanOrEqual(mark === 'marked' ? 1 : MAX_READS);
	});

	it('with earlier ones that were seen in the same body', async () => {
		const shape = 'notifiedListOfSeveral';
		for (const earlier of ['emailFinderSingle', 'phoneFinderBulk'] as const) {
			await notified(shape, earlier);
		}
		const { id, call } = await notified(shape, 'emailVerifierSingle');
		expect(idIn(call)).toBe(id);
	});

	it('with earlier ones that were not seen in the same body', async () => {
		const settings = { webhook: ELSEWHERE };
		await submit(sandbox, 'emailFinderSingle', { settings });
		await submit(sandbox, 'emailVerifierBulk', { settings });
		await sandbox.waitFor(() => sandbox.deliveries.length === 2);
		const { id, call } = await notified('notifiedListOfSeveral', 'phoneFinderBulk');
		expect(idIn(call)).toBe(id);
	});
});

describe('other plausible bodies', () => {
	type Body = { name: string; of: (id: string) => unknown };
	const rows = Array.from({ length: 1_000 }, (_, n) => ({ name: `Ada ${n}`, score: n }));
	const bodies: Body[] = [
		{ name: 'event_id beside it', of: (id) => ({ event_id: 'e1', search_id: id }) },
		{ name: 'camel case', of: (id) => ({ requestId: 'r1', batchId: id }) },
		{ name: 'a list in an envelope', of: (id) => ({ uuid: 'u1', data: [{ id }] }) },
		{
			name: 'JSON in a text',
			of: (id) => ({ MessageId: 'm1', Message: JSON.stringify({ id }) }),
		},
		{ name: 'three levels deep', of: (id) => ({ a: { b: { c: { id } } } }) },
		{
			name: 'among a thousand other fields',
			of: (id) => ({
				...Object.fromEntries([...Array(400).keys()].map((n) => [`field${n}`, n])),
				id,
			}),
		},
		{ name: 'a batch in which ids were found', of: (id) => ({ results: [{ id: 'x' }], id }) },
		{ name: 'a user beside it', of: (id) => ({ user: { id: 'u' }, general: { id } }) },
		{ name: 'capitals', of: (id) => ({ ID: id }) },
		{
			name: 'a name of 48 letters',
			of: (id) => ({ asynchronous_email_address_verification_batch_id: id }),
		},
		{
			name: 'beside lists of a thousand entries',
			of: (id) => ({ valid: rows, invalid: rows, unknown: rows, about: { lookup: { id } } }),
		},
		{ name: 'account_id beside it', of: (id) => ({ account_id: 'a', id }) },
		{ name: 'webhook_id beside it', of: (id) => ({ webhook_id: 'w', id }) },
		{ name: 'an id of its own', of: (id) => ({ id: 'evt', result: { id } }) },
	];
	const credentials = () => ({
		credentials: { contactDataApi: { apiKey: sandbox.apiKey, baseUrl: sandbox.baseUrl } },
	});

	it.for(bodies)('$name', async ({ of }) => {
		const id = await submit(sandbox, 'phoneFinderBulk');
		expect(idIn(await notify(credentials(), of(id)))).toBe(id);
		expect(reads()).toBeLessThanOrEqual(MAX_READS);
	});

	it('an id that is a number', async () => {
		const call = await notify(
			credentials(),
			{ id: 12345 },
			{ query: { event: 'phoneFinderBulk' } },
		);
		expect(call.response?.status).toBe(404);
		expect(sandbox.requests.at(-1)?.query).toEqual({ id: '12345' });
	});

	it('an id that must be encoded in a URL', async () => {
		const id = 'a/b?c=d&id=e#f%20+"~ ü';
		await notify(credentials(), { id }, { query: { event: 'emailFinderSingle' } });
		expect(sandbox.requests.at(-1)).toMatchObject({ path: '/email/find/single', query: { id } });
	});

	it('two ids are asked for, `id` before another name and outer before inner ones', async () => {
		const body = { user_id: 'c', search_id: 'd', id: 'a', data: { event_id: 'e', id: 'b' } };
		expect((await notify(credentials(), body)).response?.status).toBe(404);
		const asked = sandbox.requests.filter(({ method }) => method === 'GET');
		expect(asked.map(({ query }) => query.id)).toEqual([
			...KINDS.map(() => 'a'),
			...KINDS.map(() => 'b'),
		]);
	});

	it('thousands of different ids cause no more', async () => {
		const ids = [...Array(5000).keys()].map((id) => ({
			id,
			search_id: `s${id}`,
			data: { id: -id },
		}));
		expect((await notify(credentials(), ids)).response?.status).toBe(404);
		expect(reads()).toBeLessThanOrEqual(MAX_READS);
	});
});
