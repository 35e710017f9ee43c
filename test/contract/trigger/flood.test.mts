import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess, type CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { noSuchSearch, tooManyAtOnce } from '../../support/texts.mts';
import { MAX_READS, started, submitInProcess, trigger } from './trigger.mts';

// Anybody may know the URL of a trigger, and n8n holds an isolate of about 10 MB for each call until
// it is answered: so what one trigger and one process follow up at the same time is bounded. Within that
// each waits for its turn, as nobody promises a second notification.

const SECOND = 1_000;
const LIMIT_MS = 600 * SECOND;
const CALLS = 300;
const OF_ONE_TRIGGER = 100;
const IN_ONE_PROCESS = 200;
const LOOKS_AT_ONCE = 24;

let service: ServiceInProcess;

beforeEach(() => {
	startClock();
	service = new ServiceInProcess({ single: 0, bulk: 0 });
	service.latencyMs = 50;
});
afterEach(() => void vi.useRealTimers());

interface Notification {
	body: unknown;
	/** Which trigger is called. */
	id?: string;
	parameters?: { events: string[] };
	query?: Record<string, string>;
}

async function call({ body, id = 'node-0', parameters, query }: Notification) {
	const { credentials } = service;
	const node = service.wire(trigger);
	return await callWebhookInProcess({
		node,
		credentials,
		parameters,
		query,
		settings: { id },
		body,
	});
}

const notify = async (body: unknown, more: Omit<Notification, 'body'> = {}) =>
	await passTime(call({ body, ...more }), LIMIT_MS);

const invented = (n: number) => ({ id: `invented-${n}` });
const MARK = { event: 'phoneFinderBulk' };

/** Calls with invented ids at the same moment; tells when each was answered. */
async function flood(
	count: number,
	{ triggers = 1, ...more }: { triggers?: number } & Omit<Notification, 'body' | 'id'> = {},
) {
	const begin = Date.now();
	const calls = Array.from({ length: count }, async (_, n) => {
		const one = await call({ body: invented(n), id: `node-${n % triggers}`, ...more });
		return { ...one, tookMs: Date.now() - begin };
	});
	return await passTime(Promise.all(calls), LIMIT_MS);
}

const submit = () => submitInProcess(service, 'phoneFinderBulk');

const message = ({ response }: CallWebhookResult) =>
	(response?.body as { message?: unknown } | undefined)?.message;
const told = (calls: CallWebhookResult[], text: string) =>
	calls.filter((one) => message(one) === text);

describe(`${CALLS} notifications with invented ids at the same moment`, () => {
	it.for([
		{ triggers: 1, atMost: OF_ONE_TRIGGER },
		{ triggers: 10, atMost: IN_ONE_PROCESS },
	])(
		'to $triggers triggers: $atMost are followed up, and the others told to come again',
		async ({ triggers, atMost }) => {
			const calls = await flood(CALLS, { triggers });
			expect(service.mostUnderWay).toBeLessThanOrEqual(LOOKS_AT_ONCE);
			expect(service.looks.length).toBeLessThanOrEqual(atMost * MAX_READS);
			expect(told(calls, noSuchSearch)).toHaveLength(atMost);
			const refused = told(calls, tooManyAtOnce);
			expect(refused).toHaveLength(CALLS - atMost);
			expect(new Set(refused.map(({ response }) => response?.status))).toEqual(new Set([503]));
		},
	);

	it('leave other triggers their place, and all of it when they are over', async () => {
		const id = submit();
		const flooded = flood(CALLS);
		const [other, own] = [notify({ id }, { id: 'another' }), notify({ id })];
		await flooded;
		expect(started(await other)).toHaveLength(1);
		expect(message(await own)).toBe(tooManyAtOnce);
		expect(started(await notify({ id }))).toHaveLength(1);
	});

	it('leave all of it also where the node fails', async () => {
		const events = "={{ $('No Such Node').item.json.events }}" as unknown as string[];
		await flood(CALLS, { parameters: { events } });
		expect(message(await notify(invented(0)))).toBe(noSuchSearch);
	});
});

describe('notifications of many searches that end at the same moment, each read in 300 ms,', () => {
	const COUNT = 60;

	it.for([
		['are all followed up', 0],
		['are all followed up, also if each comes 15 s before its result', 15 * SECOND],
	] as const)('%s', async ([, earlyMs]) => {
		service = new ServiceInProcess({ bulk: earlyMs });
		service.latencyMs = 300;
		const ids = Array.from({ length: COUNT }, submit);
		const sent = ids.map(async (id) => await call({ body: { id }, query: MARK }));
		const calls = await passTime(Promise.all(sent), LIMIT_MS);
		expect(calls.flatMap(started)).toHaveLength(COUNT);
		expect(service.mostUnderWay).toBeLessThanOrEqual(LOOKS_AT_ONCE);
	});
});

it('notifications of 5 MB are followed up as far as 32 MB go, and any of them alone', async () => {
	const large = { ...invented(0), more: 'x'.repeat(5_000_000) };
	const calls = await passTime(
		Promise.all(Array.from({ length: 10 }, async () => await call({ body: large }))),
		LIMIT_MS,
	);
	expect(told(calls, noSuchSearch)).toHaveLength(6);
	expect(told(calls, tooManyAtOnce)).toHaveLength(4);
	const larger = { ...large, more: 'x'.repeat(40_000_000) };
	expect(message(await notify(larger))).toBe(noSuchSearch);
});

describe('a service that hangs, while many call', () => {
	it('holds nobody for longer than half a minute', async () => {
		service.latencyMs = 300 * SECOND;
		const calls = await flood(CALLS, { triggers: 3, query: MARK });
		expect(Math.max(...calls.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(30 * SECOND);
	});
});

describe('invented ids under the mark of a kind', () => {
	it.for([
		{ triggers: 1, atMost: OF_ONE_TRIGGER },
		{ triggers: 4, atMost: IN_ONE_PROCESS },
	])('are waited for by some hundred, each time anew: of $triggers triggers', async (row) => {
		for (let times = 0; times < 2; times++) {
			const calls = await flood(CALLS, { triggers: row.triggers, query: MARK });
			const waiting = calls.filter(({ tookMs }) => tookMs >= SECOND);
			expect(waiting).toHaveLength(row.atMost);
			expect(told(waiting, noSuchSearch)).toHaveLength(row.atMost);
			expect(told(calls, tooManyAtOnce)).toHaveLength(CALLS - row.atMost);
		}
	});

	it('have a true one that is early come again, where they take all places', async () => {
		service = new ServiceInProcess({ single: 0, bulk: 15 * SECOND });
		const id = submit();
		const strangers = flood(IN_ONE_PROCESS, { triggers: 2, query: MARK });
		await new Promise((resolve) => setTimeout(resolve, SECOND));
		const early = await notify({ id }, { id: 'another' });
		expect([early.response?.status, message(early)]).toEqual([503, tooManyAtOnce]);
		await strangers;
		expect(started(await notify({ id }, { id: 'another' }))).toHaveLength(1);
	});

	it('keep no finished lookup out', async () => {
		const id = submit();
		const strangers = flood(OF_ONE_TRIGGER - 1, { query: MARK });
		const begin = Date.now();
		const calls = call({ body: { id }, query: MARK }).then((one) => ({
			items: started(one),
			tookMs: Date.now() - begin,
		}));
		await strangers;
		const { items, tookMs } = await calls;
		expect(items).toHaveLength(1);
		expect(tookMs).toBeLessThan(SECOND);
	});
});
