import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { eventOf, KINDS, ROUNDS, submitInProcess, trigger } from './trigger.mts';

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

/** Notifies the trigger, and tells how long the sender waited. */
async function notify(service: ServiceInProcess, body: unknown, query = {}) {
	const begin = Date.now();
	const call = callWebhookInProcess({
		node: service.wire(trigger),
		parameters: { events: KINDS },
		credentials: service.credentials,
		body,
		query,
	});
	return { ...(await passTime(call, LIMIT_MS)), tookMs: Date.now() - begin };
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
		{ kind: 'status', status: 404, body: { message: 'Not Found' } },
		{ kind: 'status', status: 404 },
		{ kind: 'status', status: 503 },
		{ kind: 'reset', when: 'before' },
		{ kind: 'html' },
	] as const)('is waited for where the service says at three looks: %o', async (fault) => {
		const { service, id } = begun('phoneFinderBulk', 0);
		service.faults.add({ ...fault, on: 'GET /phone/bulk', times: 3 });
		expectStarted(await notify(service, { id }, { event: 'phoneFinderBulk' }));
	});

	it.for(WAYS)('is believed to be lost within half a minute: $name', async ({ of }) => {
		const { service } = begun('phoneFinderBulk', 0);
		const { query, event } = of('phoneFinderBulk');
		const { response, tookMs } = await notify(service, { event, id: 'unknown' }, query);
		expect(response?.status).toBe(404);
		expect(tookMs).toBeLessThanOrEqual(HALF_A_MINUTE_MS);
		expect(service.looks.length).toBeLessThanOrEqual(KINDS.length + ROUNDS);
	});

	it('is waited for, whatever the form, where the service cannot be asked for some seconds', async () => {
		const { service, id } = begun('phoneFinderBulk', 0);
		// All looks of the first round, and one of the second.
		service.faults.add({ kind: 'status', status: 503, on: 'GET *', times: KINDS.length + 1 });
		expectStarted(await notify(service, { id }));
		expect(service.looks.length).toBeLessThanOrEqual(2 * KINDS.length + 1);
	});

	it('is not waited for once it has been seen', async () => {
		const { service, id } = begun('phoneFinderBulk', 0);
		const query = { event: 'phoneFinderBulk' };
		expectStarted(await notify(service, { id }, query));
		const copy = await notify(service, { id, delivery_id: 'd-2' }, query);
		expect(copy.response?.status).toBe(200);
		expect(copy.tookMs).toBeLessThan(SECOND);
	});
});
