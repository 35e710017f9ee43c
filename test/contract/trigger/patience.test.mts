import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { bodyOf } from '../../support/searches.mts';
import { eventOf, KINDS, trigger } from './trigger.mts';

// How long the trigger asks the service while the sender waits for an answer.

const SECOND = 1_000;
const LIMIT_MS = 600 * SECOND;
/** What a sender of notifications may be expected to wait. */
const SENDERS_PATIENCE_MS = 10 * SECOND;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** A finished lookup at a service that takes so long for each answer. */
function finished(kind: Kind, latencyMs: number) {
	const event = eventOf(kind);
	const service = new ServiceInProcess({ single: 0, bulk: 0 });
	const headers = { 'x-api-key': service.credentials.contactDataApi.apiKey };
	const { body } = service.service.handle({
		method: 'POST',
		path: `${event.lookup.path}/${event.size}`,
		query: {},
		headers,
		body: bodyOf(event, ['mustfind']),
	});
	if (typeof body !== 'object' || body === null || !('id' in body)) throw new Error('Not accepted');
	service.latencyMs = latencyMs;
	return { service, id: String(body.id) };
}

/** Notifies the trigger of all at once, and tells how long each sender waited. */
async function notifyAll(service: ServiceInProcess, bodies: unknown[], query = {}) {
	const begin = Date.now();
	const calls = bodies.map(async (body) => {
		const call = await callWebhookInProcess({
			node: service.wire(trigger),
			parameters: { events: KINDS },
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

describe('a service that takes its time', () => {
	it.for(KINDS)(
		'is asked as each kind, if that takes 4.8 s, until the lookup is found: %s',
		async (kind) => {
			const { service, id } = finished(kind, (4.8 * SECOND) / KINDS.length);
			const { workflowData, response, tookMs } = await notify(service, { id });
			expect(response?.status).toBe(200);
			expect(workflowData?.[0]).toHaveLength(1);
			expect(tookMs).toBeLessThan(SENDERS_PATIENCE_MS);
		},
	);

	it.for([
		[0.8, 404],
		[2, 503],
		[4, 503],
		[6, 503],
		[30, 503],
		[300, 503],
	] as const)(
		'of %d s for each answer keeps no sender waiting for longer than it waits: %i',
		async ([seconds, status]) => {
			const { service } = finished('phoneFinderBulk', seconds * SECOND);
			const { workflowData, response, tookMs } = await notify(service, { id: 'unknown' });
			expect(workflowData).toBeUndefined();
			expect(response?.status).toBe(status);
			expect(tookMs).toBeLessThanOrEqual(SENDERS_PATIENCE_MS);
		},
	);

	it.for(KINDS)(
		'of 9 s for each answer has its result taken when its sender comes again: %s',
		async (kind) => {
			const { service, id } = finished(kind, 9 * SECOND);
			expect((await notify(service, { id })).response?.status).toBe(503);
			const again = await notify(service, { id });
			expect(again.response?.status).toBe(200);
			expect(again.workflowData?.[0]).toHaveLength(1);
		},
	);

	it('of 9 s has its result taken when its sender comes again with another id of the delivery', async () => {
		const { service, id } = finished('phoneFinderBulk', 9 * SECOND);
		const query = { event: 'phoneFinderBulk' };
		const first = await notify(service, { id, delivery_id: 'd-1' }, query);
		expect(first.response?.status).toBe(503);
		const again = await notify(service, { id, delivery_id: 'd-2' }, query);
		expect(again.response?.status).toBe(200);
	});

	it('of which another notification was refused has no more time for a first one', async () => {
		const { service, id } = finished('phoneFinderBulk', 30 * SECOND);
		expect((await notify(service, { id })).response?.status).toBe(503);
		const other = await notify(service, { id: 'another' });
		expect(other.tookMs).toBeLessThanOrEqual(SENDERS_PATIENCE_MS);
	});

	it('is read for long by one notification at a time', async () => {
		const { service, id } = finished('phoneFinderBulk', 9 * SECOND);
		await notifyAll(service, [{ id }, { id: 'another' }]);
		const looks = service.looks.length;
		const answers = await notifyAll(service, [{ id }, { id }, { id: 'another' }]);
		expect(answers.map(({ response }) => response?.status)).toEqual([200, 503, 503]);
		for (const { tookMs } of answers.slice(1)) {
			expect(tookMs).toBeLessThanOrEqual(SENDERS_PATIENCE_MS);
		}
		expect(service.looks.length - looks).toBeLessThanOrEqual(KINDS.length + 2);
		// The place is free again.
		service.latencyMs = 0;
		expect((await notify(service, { id })).response?.status).toBe(200);
	});

	it('keeps nobody who comes again waiting for more than a minute', async () => {
		const { service, id } = finished('phoneFinderBulk', 300 * SECOND);
		await notify(service, { id });
		const { response, tookMs } = await notify(service, { id });
		expect(response?.status).toBe(503);
		expect(tookMs).toBeLessThanOrEqual(61 * SECOND);
	});

	it('is told apart from one that does not know the id: that sender shall come again', async () => {
		const { service, id } = finished('phoneFinderBulk', 30 * SECOND);
		expect((await notify(service, { id })).response?.status).toBe(503);
		service.latencyMs = 0;
		expect((await notify(service, { id: 'unknown' })).response?.status).toBe(404);
		expect((await notify(service, { id })).response?.status).toBe(200);
	});
});
