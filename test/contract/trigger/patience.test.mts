import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import { KINDS, trigger } from './trigger.mts';

// How long the trigger asks the service while the sender waits for an answer.

const SECOND = 1_000;
const LIMIT_MS = 600 * SECOND;
/** What a sender of notifications may be expected to wait. */
const SENDERS_PATIENCE_MS = 10 * SECOND;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const BODIES: Record<string, object> = {
	'/email/find/single': { fullname: 'mustfind person', company_domain: 'acme.example' },
	'/email/find/bulk': {
		searches: [{ fullname: 'mustfind person', company_domain: 'acme.example' }],
	},
	'/email/verify/single': { email: 'mustfind@acme.example' },
	'/email/verify/bulk': { verifications: ['mustfind@acme.example'] },
	'/phone/single': { socialprofile_url: 'https://network.example/in/mustfind' },
	'/phone/bulk': { searches: [{ socialprofile_url: 'https://network.example/in/mustfind' }] },
};

/** A finished lookup at a service that takes so long for each answer. */
function finished(path: string, latencyMs: number) {
	const service = new ServiceInProcess({ single: 0, bulk: 0 });
	const headers = { 'x-api-key': service.credentials.contactDataApi.apiKey };
	const { body } = service.service.handle({
		method: 'POST',
		path,
		query: {},
		headers,
		body: BODIES[path],
	});
	if (typeof body !== 'object' || body === null || !('id' in body)) throw new Error('Not accepted');
	service.latencyMs = latencyMs;
	return { service, id: String(body.id) };
}

/** Notifies the trigger, and tells how long the sender waited. */
async function notify(service: ServiceInProcess, body: unknown) {
	const begin = Date.now();
	const call = await passTime(
		callWebhookInProcess({
			node: service.wire(trigger),
			parameters: { events: KINDS },
			credentials: service.credentials,
			body,
		}),
		LIMIT_MS,
	);
	return { ...call, tookMs: Date.now() - begin };
}

describe('a service that takes its time', () => {
	it.for([...LOOKUPS.keys()])(
		'of 0.8 s for each answer is asked until the lookup is found: %s',
		async (path) => {
			const { service, id } = finished(path, 0.8 * SECOND);
			const { workflowData, response, tookMs } = await notify(service, { id });
			expect(response?.status).toBe(200);
			expect(workflowData?.[0]).toHaveLength(1);
			expect(tookMs).toBeLessThan(SENDERS_PATIENCE_MS);
		},
	);

	it.for([0.8, 2, 4, 6, 30, 300])(
		'of %i s for each answer keeps no sender waiting for longer than it waits',
		async (seconds) => {
			const { service } = finished('/phone/bulk', seconds * SECOND);
			const { workflowData, response, tookMs } = await notify(service, { id: 'unknown' });
			expect(workflowData).toBeUndefined();
			expect([404, 503]).toContain(response?.status);
			expect(tookMs).toBeLessThanOrEqual(SENDERS_PATIENCE_MS);
		},
	);

	it('is told apart from one that does not know the id: that sender shall come again', async () => {
		const { service, id } = finished('/phone/bulk', 30 * SECOND);
		expect((await notify(service, { id })).response?.status).toBe(503);
		service.latencyMs = 0;
		expect((await notify(service, { id: 'unknown' })).response?.status).toBe(404);
		expect((await notify(service, { id })).response?.status).toBe(200);
	});
});
