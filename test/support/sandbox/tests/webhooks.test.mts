import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NOBODY } from '../../ports.mts';
import type { Deliver } from '../notifier.mts';
import { isObject, without } from '../payload.mts';
import type { JsonObject } from '../types.mts';
import { startSandbox, type Sandbox } from '../server.mts';
import type { ServiceOptions } from '../service.mts';
import { namesOf } from '../scenarios/index.mts';
import type { NOTIFICATIONS } from '../scenarios/notifications.mts';
import { PATHS, PAYLOADS, startService } from './call.mts';

const HOOK = 'https://n8n.example.com/webhook/1';
const settings = { webhook: HOOK };

describe('when and where', () => {
	const deliver = vi.fn<Deliver>();
	const urls = () => deliver.mock.calls.map(([url]) => url);

	beforeEach(() => {
		vi.useFakeTimers();
		deliver.mockReset().mockResolvedValue({ status: 200, text: 'Taken' });
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	const begin = (options: ServiceOptions = {}) => {
		const { service, start } = startService({ deliver, single: 1_000, ...options });
		const id = start('/phone/single', { ...PAYLOADS['/phone/single'], settings });
		return { service, id };
	};

	test('once, when the lookup is over', async () => {
		const { service, id } = begin();
		await vi.advanceTimersByTimeAsync(999);
		expect(urls()).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect(urls()).toEqual([HOOK]);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(service.deliveries).toMatchObject([
			{ id, kind: 'phoneFinderSingle', url: HOOK, attempt: 1, outcome: 200 },
		]);
	});

	test('sooner, when the lookup is over sooner', async () => {
		const { service } = begin({ webhooks: { delayMs: 500 } });
		await vi.advanceTimersByTimeAsync(100);
		service.finish(() => 200);
		await vi.advanceTimersByTimeAsync(699);
		expect(urls()).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect(urls()).toEqual([HOOK]);
		service.finish();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(urls()).toEqual([HOOK]);
	});

	test("to a request's own URL, or else to the registered ones; in a scenario to both", async () => {
		const registered = ['https://a.example.com', 'https://b.example.com'];
		const { service, start } = startService({ deliver, account: { webhooks: registered } });
		start('/email/verify/single', PAYLOADS['/email/verify/single']);
		await vi.advanceTimersByTimeAsync(300);
		expect(urls()).toEqual(registered);
		start('/email/verify/single', { ...PAYLOADS['/email/verify/single'], settings });
		await vi.advanceTimersByTimeAsync(300);
		expect(urls().slice(2)).toEqual([HOOK]);
		service.configure({ scenarios: ['notifiesBoth'] });
		start('/email/verify/single', { ...PAYLOADS['/email/verify/single'], settings });
		await vi.advanceTimersByTimeAsync(300);
		expect(urls().slice(3)).toEqual([HOOK, ...registered]);
	});

	test('none, several at once, late', async () => {
		begin({ webhooks: { send: 'none' } });
		await vi.advanceTimersByTimeAsync(60_000);
		expect(urls()).toEqual([]);
		begin({ webhooks: { copies: 3, delayMs: 500 } });
		await vi.advanceTimersByTimeAsync(1_499);
		expect(urls()).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect(urls()).toEqual([HOOK, HOOK, HOOK]);
	});

	test('again after an answer that is not 2xx, or none, as often as told', async () => {
		deliver
			.mockResolvedValueOnce({ status: 503, text: 'Busy' })
			.mockRejectedValueOnce(new Error('refused'));
		const { service } = begin({ webhooks: { retries: 5, retryDelayMs: 2_000 } });
		await vi.advanceTimersByTimeAsync(60_000);
		expect(service.deliveries).toMatchObject([
			{ attempt: 1, outcome: 503, answer: 'Busy' },
			{ attempt: 2, outcome: { error: 'Error: refused' }, answer: '' },
			{ attempt: 3, outcome: 200 },
		]);
		const [first, second] = service.deliveries;
		expect(second.at - first.at).toBe(2_000);

		deliver.mockReset().mockResolvedValue({ status: 503, text: 'Busy' });
		const growing = begin({
			webhooks: { retries: 3, retryDelayMs: (attempts) => 1_000 * 2 ** attempts },
		});
		await vi.advanceTimersByTimeAsync(60_000);
		const times = growing.service.deliveries.map(({ at }) => at);
		expect(times.slice(1).map((at, index) => at - times[index])).toEqual([2_000, 4_000, 8_000]);

		deliver.mockReset().mockResolvedValueOnce({ status: 200, text: 'Starting: please wait' });
		deliver.mockResolvedValue({ status: 200, text: 'Taken' });
		begin({ webhooks: { retries: 5, notReady: 'Starting' } });
		await vi.advanceTimersByTimeAsync(60_000);
		expect(deliver).toHaveBeenCalledTimes(2);

		deliver.mockReset().mockResolvedValue({ status: 500, text: '' });
		begin({ webhooks: { retries: 2 } });
		await vi.advanceTimersByTimeAsync(60_000);
		expect(deliver).toHaveBeenCalledTimes(3);
		deliver.mockClear();
		begin();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(deliver).toHaveBeenCalledTimes(1);
	});

	test('nothing any more after reset', async () => {
		const { service } = begin();
		service.reset();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(urls()).toEqual([]);
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe('over HTTP', () => {
	let sandbox: Sandbox;
	let receiver: FastifyInstance;
	let received: { contentType: string | undefined; body: unknown }[];
	let hook: string;

	beforeEach(async () => {
		sandbox = await startSandbox({ single: 0, bulk: 0 });
		received = [];
		receiver = Fastify({ forceCloseConnections: true });
		await receiver.register(formbody);
		receiver.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text));
		receiver.post('/hook', ({ headers, body }) => {
			received.push({ contentType: headers['content-type'], body });
			return 'taken';
		});
		hook = `${await receiver.listen({ port: 0 })}/hook`;
	});
	afterEach(async () => {
		await Promise.all([sandbox.close(), receiver.close()]);
	});

	const start = async (path: string, payload: object) => {
		const response = await fetch(sandbox.baseUrl + path, {
			method: 'POST',
			headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ ...payload, settings: { webhook: hook } }),
		});
		const receipt: unknown = await response.json();
		return String(isObject(receipt) && receipt.id);
	};

	const custom = { a: 'b' };
	const email = 'ada.mustfind@acme.com';
	type Seen = readonly [body: unknown, contentType?: string];
	/** What a receiver sees in each scenario, for a single verification. */
	const expected: Record<
		Exclude<keyof typeof NOTIFICATIONS, 'notifiesBoth'>,
		(id: string, whole: JsonObject, byDefault: JsonObject) => Seen
	> = {
		notifiedIdAndCredits: (id, _, { credits }) => [{ id, credits }],
		notifiedIdAndResult: (_, whole) => [whole],
		notifiedResult: (_, whole) => [without(whole, 'id')],
		notifiedId: (id) => [{ id, custom }],
		notifiedSearchId: (id) => [{ search_id: id, custom }],
		notifiedBatchId: (id) => [{ batch_id: id, custom }],
		notifiedVerificationId: (id) => [{ verification_id: id, custom }],
		notifiedIdSearch: (id) => [{ id_search: id, custom }],
		notifiedSearch: (id) => [{ search: id, custom }],
		notifiedReference: (id) => [{ reference: id, custom }],
		notifiedIdentifier: (id) => [{ identifier: id, custom }],
		notifiedKey: (id) => [{ key: id, custom }],
		notifiedGeneral: (id) => [{ general: { id, status: 'completed', custom } }],
		notifiedData: (_, whole) => [{ data: whole }],
		notifiedEventAndData: (_, whole) => [{ event: 'emailVerifierSingle.completed', data: whole }],
		notifiedEventAndPayload: (id) => [{ event: 'completed', payload: { result: { id, custom } } }],
		notifiedInList: (_, whole) => [[whole]],
		notifiedListOfSeveral: (id) => [[{ id, status: 'completed', custom }]],
		notifiedListOfIds: (id) => [[id]],
		notifiedForm: (id) => [{ id, status: 'completed' }, 'application/x-www-form-urlencoded'],
		notifiedFormWithJson: (_, whole) => [
			{ payload: JSON.stringify(whole) },
			'application/x-www-form-urlencoded',
		],
		notifiedBodyText: (_, whole) => [{ body: JSON.stringify(whole) }],
		notifiedAsText: (_, __, byDefault) => [JSON.stringify(byDefault), 'text/plain'],
		notifiedWithoutType: (_, __, byDefault) => [JSON.stringify(byDefault), ''],
		notifiedAsBytes: (_, __, byDefault) => [JSON.stringify(byDefault), 'application/octet-stream'],
		notifiedAsVendorJson: (_, __, byDefault) => [
			JSON.stringify(byDefault),
			'application/vnd.contact-data+json',
		],
	};

	test('by default: the event, the id, what it cost; the result of a single lookup', async () => {
		const id = await start('/email/verify/single', { email, custom });
		const batch = await start('/email/verify/bulk', { verifications: [email] });
		await sandbox.waitFor(() => sandbox.deliveries.length === 2);
		expect(received.map(({ body }) => body)).toEqual([
			{
				event: 'verification_finished',
				id,
				credits: { cost: 0.25, balance: expect.any(Number) as unknown },
				result: { email, custom, qualification: 'valid' },
				custom,
			},
			{
				event: 'bulk_verification_finished',
				id: batch,
				credits: { cost: 0.25, balance: 100_000 - 0.5 },
			},
		]);
	});

	test.each(namesOf(expected))('%s', async (scenario) => {
		sandbox.configure({ scenarios: [scenario] });
		const id = await start('/email/verify/single', { email, custom });
		await sandbox.waitFor(() => sandbox.deliveries.length === 1);
		expect(sandbox.deliveries[0].outcome).toBe(200);
		const result = { email, custom, qualification: 'valid' };
		const credits = { cost: 0.25, balance: 99_999.75 };
		const byDefault = { event: 'verification_finished', id, credits, result, custom };
		const [body, contentType = 'application/json'] = expected[scenario](
			id,
			{ id, ...result },
			byDefault,
		);
		expect(received[0]).toEqual({ contentType: contentType || undefined, body });
	});

	test('the bare result of a batch has its id in general; custom comes along', async () => {
		sandbox.configure({ scenarios: ['notifiedResult'] });
		const path = '/phone/bulk';
		const id = await start(path, { ...PAYLOADS[path], custom: { a: 1 } });
		await sandbox.waitFor(() => sandbox.deliveries.length === 1);
		expect(received[0].body).toMatchObject({ general: { id }, custom: { a: 1 }, results: [{}] });
	});

	test('an array tells of earlier lookups too', async () => {
		sandbox.configure({ scenarios: ['notifiedListOfSeveral'] });
		const ids: string[] = [];
		for (const path of PATHS) {
			ids.push(await start(path, PAYLOADS[path]));
			await sandbox.waitFor(() => sandbox.deliveries.length === ids.length);
		}
		expect(received[5].body).toMatchObject([{ id: ids[5] }, { id: ids[3] }, { id: ids[4] }]);
	});

	test('a receiver that is not there', async () => {
		hook = `${NOBODY}/hook`;
		await start('/email/verify/single', { email });
		await sandbox.waitFor(() => sandbox.deliveries.length === 1);
		expect(sandbox.deliveries[0].outcome).toMatchObject({ error: expect.any(String) as unknown });
	});
});
