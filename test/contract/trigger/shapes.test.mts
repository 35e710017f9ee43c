import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { startSandbox, type Sandbox } from '../../support/sandbox/server.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { namesOf, type ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { NOTIFICATIONS } from '../../support/sandbox/scenarios/notifications.mts';
import type { CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { KINDS, listedOf, MAX_READS, notify, started, submit } from './trigger.mts';

// The sandbox itself notifies the trigger, so these are the bodies of a service that calls it.
const URL = 'https://n8n.example/webhook/1/webhook';

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
		expect(started(call)).toHaveLength(listedOf(kind));
		const expected = { status: 'completed', found: true, event: kind };
		expect(started(call)[0]).toMatchObject(expected);
		expect(idIn(call)).toBe(id);
		expect(reads()).toBeLessThanOrEqual(mark === 'marked' ? 1 : MAX_READS);
	});
});

// What is read of a body, `unit/service/notification.test.mts` says.
describe('ids', () => {
	const credentials = () => ({
		credentials: { contactDataApi: { apiKey: sandbox.apiKey, baseUrl: sandbox.baseUrl } },
	});

	it('that is a number', async () => {
		const call = await notify(
			credentials(),
			{ id: 12345 },
			{ query: { event: 'phoneFinderBulk' } },
		);
		expect(call.response?.status).toBe(404);
		expect(sandbox.requests.at(-1)?.query).toEqual({ id: '12345' });
	});

	it('that must be encoded in a URL', async () => {
		const id = 'a/b?c=d&id=e#f%20+"~ ü';
		await notify(credentials(), { id }, { query: { event: 'emailFinderSingle' } });
		expect(sandbox.requests.at(-1)).toMatchObject({ path: '/email/find/single', query: { id } });
	});

	it('are asked for, two of them, `id` before another name and outer before inner ones', async () => {
		const body = { user_id: 'c', search_id: 'd', id: 'a', data: { event_id: 'e', id: 'b' } };
		expect((await notify(credentials(), body)).response?.status).toBe(404);
		const asked = sandbox.requests.filter(({ method }) => method === 'GET');
		expect(asked.map(({ query }) => query.id)).toEqual([
			...KINDS.map(() => 'a'),
			...KINDS.map(() => 'b'),
		]);
	});
});
