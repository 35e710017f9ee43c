import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { otherEvent } from '../../support/texts.mts';
import { eventOf, KINDS, submitInProcess, trigger } from './trigger.mts';

// How long the trigger asks the service while the sender waits for an answer.

const SECOND = 1_000;
const LIMIT_MS = 600 * SECOND;
/** What a sender of notifications may be expected to wait. */
const SENDERS_PATIENCE_MS = 10 * SECOND;

const HALF_A_MINUTE_MS = 30 * SECOND;

/** How a notification may say of which kind it is: by our mark in the URL, or in the service's words. */
const marked = (kind: Kind) => ({ query: { event: kind }, event: undefined });
const inWords = (kind: Kind) => {
	const { lookup, size } = eventOf(kind);
	return { query: {}, event: lookup.notifiedAs[size] };
};
const NAMING = [
	{ name: 'marked', of: marked },
	{ name: 'in words', of: inWords },
];
const WAYS = [...NAMING, { name: 'not at all', of: () => ({ query: {}, event: undefined }) }];

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** A lookup that is finished after this time. */
function begun(kind: Kind, takesMs: number, latencyMs = 20) {
	const service = new ServiceInProcess({ single: takesMs, bulk: takesMs });
	const id = submitInProcess(service, kind);
	service.latencyMs = latencyMs;
	return { service, id };
}

/** Notifies the trigger of all at once, and tells how long each sender waited. */
async function notifyAll(
	service: ServiceInProcess,
	bodies: unknown[],
	query = {},
	events: readonly Kind[] = KINDS,
) {
	const begin = Date.now();
	const calls = bodies.map(async (body) => {
		const call = await callWebhookInProcess({
			node: service.wire(trigger),
			parameters: { events: [...events] },
			credentials: service.credentials,
			body,
			query,
		});
		return { ...call, tookMs: Date.now() - begin };
	});
	return await passTime(Promise.all(calls), LIMIT_MS);
}

async function notify(service: ServiceInProcess, body: unknown, query = {}) {
	const [call] = await notifyAll(service, [body], query);
	if (call === undefined) throw new Error('Not called');
	return call;
}

function expectStarted({ response, workflowData, tookMs }: Awaited<ReturnType<typeof notify>>) {
	expect(response?.status).toBe(200);
	expect(workflowData?.[0]).toHaveLength(1);
	expect(tookMs).toBeLessThanOrEqual(HALF_A_MINUTE_MS);
}

describe('a service that takes its time', () => {
	it('is asked as each kind, if that takes 4.8 s, until the lookup is found', async () => {
		const { service, id } = begun('phoneFinderBulk', 0, (4.8 * SECOND) / KINDS.length);
		const call = await notify(service, { id });
		expectStarted(call);
		expect(call.tookMs).toBeLessThan(SENDERS_PATIENCE_MS);
	});

	it.for([
		[4.8, 404],
		[24, 404],
		[1_800, 503],
	] as const)(
		'of %d s for the answers to all kinds keeps no sender waiting for longer than it waits: %i',
		async ([seconds, status]) => {
			const { service } = begun('phoneFinderBulk', 0, (seconds * SECOND) / KINDS.length);
			const { workflowData, response, tookMs } = await notify(service, { id: 'unknown' });
			expect(workflowData).toBeUndefined();
			expect(response?.status).toBe(status);
			expect(tookMs).toBeLessThanOrEqual(HALF_A_MINUTE_MS);
		},
	);

	it.for(NAMING)('of 9 s for each answer has its result taken: $name', async ({ of }) => {
		const { query, event } = of('phoneFinderBulk');
		const { service, id } = begun('phoneFinderBulk', 0, 9 * SECOND);
		expectStarted(await notify(service, { event, id }, query));
	});

	it('keeps nobody waiting for more than half a minute', async () => {
		const { service, id } = begun('phoneFinderBulk', 0, 300 * SECOND);
		const { response, tookMs } = await notify(service, { id }, { event: 'phoneFinderBulk' });
		expect(response?.status).toBe(503);
		expect(tookMs).toBeLessThanOrEqual(HALF_A_MINUTE_MS);
	});
});

describe('a result that can be read only after its notification', () => {
	it.for(KINDS.flatMap((kind) => WAYS.map((way) => ({ kind, ...way }))))(
		'is waited for: $kind, $name',
		async ({ kind, of }) => {
			const { query, event } = of(kind);
			const { service, id } = begun(kind, 15 * SECOND);
			expectStarted(await notify(service, { event, id }, query));
		},
	);

	it.for([
		{ kind: 'status', status: 500, body: { message: 'Could not retrieve single search results' } },
		{ kind: 'status', status: 400, body: { message: 'Could not retrieve bulk search results' } },
		{ kind: 'status', status: 404 },
		{ kind: 'status', status: 503 },
		{ kind: 'reset', when: 'before' },
		{ kind: 'html' },
	] as const)('is waited for where the service says: %o', async (fault) => {
		const { service, id } = begun('phoneFinderBulk', 0);
		service.faults.add({ ...fault, on: 'GET /phone/bulk', times: 2 });
		expectStarted(await notify(service, { id }, { event: 'phoneFinderBulk' }));
	});

	it.for(WAYS)('is read a few times more at most: $name', async ({ of }) => {
		const { service } = begun('phoneFinderBulk', 0);
		const { query, event } = of('phoneFinderBulk');
		const { response, tookMs } = await notify(service, { event, id: 'unknown' }, query);
		expect(response?.status).toBe(404);
		expect(tookMs).toBeLessThanOrEqual(HALF_A_MINUTE_MS);
		expect(service.looks.length).toBeLessThanOrEqual(KINDS.length + 3);
	});

	it('is waited for, whatever the form, where the service cannot be asked for some seconds', async () => {
		const { service, id } = begun('phoneFinderBulk', 0);
		// All looks of the first round, and one of the second.
		service.faults.add({ kind: 'status', status: 503, on: 'GET *', times: KINDS.length + 1 });
		expectStarted(await notify(service, { id }));
		expect(service.looks.length).toBeLessThanOrEqual(2 * KINDS.length + 1);
	});

	it('is not waited for where the trigger does not listen to it', async () => {
		const { service, id } = begun('phoneFinderBulk', 15 * SECOND);
		const others = KINDS.filter((kind) => kind !== 'phoneFinderBulk');
		const { event } = inWords('phoneFinderBulk');
		const [call] = await notifyAll(service, [{ event, id }], {}, others);
		expect(call?.response).toMatchObject({ status: 200, body: { message: otherEvent } });
		expect(call?.tookMs).toBeLessThan(SECOND);
	});

	it('is not waited for once it has been seen', async () => {
		const { service, id } = begun('phoneFinderBulk', 0);
		const query = { event: 'phoneFinderBulk' };
		expectStarted(await notify(service, { id }, query));
		const copy = await notify(service, { id, delivery_id: 'd-2' }, query);
		expect(copy.response?.status).toBe(200);
		expect(copy.tookMs).toBeLessThan(SECOND);
	});

	it('starts the workflow once, though three notifications wait for it', async () => {
		const { service, id } = begun('phoneFinderBulk', 15 * SECOND);
		const query = { event: 'phoneFinderBulk' };
		const calls = await notifyAll(service, [{ id }, { id }, { id }], query);
		expect(calls.map(({ response }) => response?.status)).toEqual([200, 200, 200]);
		expect(calls.flatMap(({ workflowData }) => workflowData ?? [])).toHaveLength(1);
	});
});
