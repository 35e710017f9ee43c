import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { watchReadings } from '../../support/n8nCore/contactData.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess, type CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import {
	askedAMomentAgo,
	noSuchSearch,
	otherEvent,
	seenBefore,
	tooManyAtOnce,
} from '../../support/texts.mts';
import { MAX_READS, started, trigger } from './trigger.mts';

// Anybody may know the URL of a trigger, and n8n holds an isolate of about 10 MB for each call until
// it is answered: so what one trigger and one process follow up at the same time is bounded.

const SECOND = 1_000;
const LIMIT_MS = 600 * SECOND;
const CALLS = 300;
const OF_ONE_TRIGGER = 12;
const IN_ONE_PROCESS = 24;
const TOO_MANY = tooManyAtOnce;
const UNKNOWN = noSuchSearch;
const ASKED_ALREADY = askedAMomentAgo;
const OTHER_EVENT = otherEvent;
const SEEN = seenBefore;

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

/** Calls at the same moment. */
async function flood(bodyOf: (n: number) => unknown, count = CALLS, triggers = 1) {
	const calls = Array.from({ length: count }, async (_, n) => {
		return await call({ body: bodyOf(n), id: `node-${n % triggers}` });
	});
	return await passTime(Promise.all(calls), LIMIT_MS);
}

const invented = (n: number) => ({ id: `invented-${n}` });
const sleep = async (ms: number) =>
	await passTime(new Promise<void>((resolve) => setTimeout(resolve, ms)), LIMIT_MS);

function submit(): string {
	const { body } = service.service.handle({
		method: 'POST',
		path: '/phone/bulk',
		query: {},
		headers: { 'x-api-key': service.credentials.contactDataApi.apiKey },
		body: { searches: [{ socialprofile_url: 'https://network.example/in/mustfind' }] },
	});
	if (typeof body !== 'object' || body === null || !('id' in body)) throw new Error('Not accepted');
	return String(body.id);
}

const message = ({ response }: CallWebhookResult) =>
	(response?.body as { message?: unknown } | undefined)?.message;
const told = (calls: CallWebhookResult[], text: string) =>
	calls.filter((one) => message(one) === text);

describe(`${CALLS} notifications with invented ids at the same moment`, () => {
	it('are followed up by a few, and the others are told to come again', async () => {
		const calls = await flood(invented);
		expect(service.mostUnderWay).toBe(OF_ONE_TRIGGER);
		expect(service.looks).toHaveLength(OF_ONE_TRIGGER * MAX_READS);
		expect(told(calls, UNKNOWN)).toHaveLength(OF_ONE_TRIGGER);
		const refused = told(calls, TOO_MANY);
		expect(refused).toHaveLength(CALLS - OF_ONE_TRIGGER);
		expect(new Set(refused.map(({ response }) => response?.status))).toEqual(new Set([503]));
	});

	it('cost those others nothing: their bodies are not looked at', async () => {
		const readings = watchReadings();
		let lookedAt = 0;
		const watched = (n: number) =>
			Object.defineProperty({}, 'id', {
				enumerable: true,
				get: () => {
					lookedAt++;
					return `invented-${n}`;
				},
			});
		await flood(watched);
		expect(lookedAt).toBe(OF_ONE_TRIGGER);
		expect(readings).toHaveBeenCalledTimes(1);
	});

	it('of several triggers are bounded for the whole process', async () => {
		const calls = await flood(invented, CALLS, 10);
		expect(service.mostUnderWay).toBe(IN_ONE_PROCESS);
		expect(service.looks).toHaveLength(IN_ONE_PROCESS * MAX_READS);
		expect(told(calls, TOO_MANY)).toHaveLength(CALLS - IN_ONE_PROCESS);
	});

	it('leave other triggers their place, and all of it when they are over', async () => {
		const id = submit();
		const flooded = Array.from(
			{ length: CALLS },
			async (_, n) => await call({ body: invented(n) }),
		);
		const other = call({ body: { id }, id: 'another' });
		const own = call({ body: { id } });
		const calls = await passTime(Promise.all([other, own, ...flooded]), LIMIT_MS);
		expect(calls.slice(0, 2).map((one) => started(one).length)).toEqual([1, 0]);
		expect(message(calls[1])).toBe(TOO_MANY);

		expect(started(await notify({ id }))).toHaveLength(1);
		await flood(invented);
		expect(service.mostUnderWay).toBeLessThanOrEqual(OF_ONE_TRIGGER + 1);
	});

	it('end also where the node fails', async () => {
		const events = "={{ $('No Such Node').item.json.events }}" as unknown as string[];
		const failing = Array.from({ length: CALLS }, async (_, n) => {
			return await call({ body: invented(n), parameters: { events } });
		});
		await passTime(Promise.all(failing), LIMIT_MS);
		expect(message(await notify(invented(0)))).toBe(UNKNOWN);
	});
});

describe('a service that hangs, while many call', () => {
	it('is given up early, so that places become free', async () => {
		service.latencyMs = 300 * SECOND;
		const begin = Date.now();
		const tookMs: number[] = [];
		const calls = Array.from({ length: OF_ONE_TRIGGER }, async (_, n) => {
			await call({ body: invented(n) });
			tookMs.push(Date.now() - begin);
		});
		await passTime(Promise.all(calls), LIMIT_MS);
		const half = OF_ONE_TRIGGER / 2;
		expect(tookMs.slice(0, half)).toEqual(Array(half).fill(2 * SECOND));
		expect(tookMs.slice(half)).toEqual(Array(half).fill(5 * SECOND));
	});

	it('does not keep a true notification out when it comes again', async () => {
		const id = submit();
		service.onRequest = async (asked) => {
			// Invented ids only: the service works on these for ever.
			if (asked.id !== id) await new Promise<never>(() => {});
		};
		// A stranger who never stops.
		let isOver = false;
		const calls: Array<Promise<unknown>> = [];
		const strangers = (async () => {
			for (let n = 0; !isOver; n++) {
				calls.push(call({ body: invented(n), query: { event: 'phoneFinderBulk' } }));
				await new Promise((resolve) => setTimeout(resolve, 60 * Math.random()));
			}
		})();
		const sender = (async () => {
			for (let tries = 1; ; tries++) {
				await new Promise((resolve) => setTimeout(resolve, (0.5 + Math.random()) * SECOND));
				const one = await call({ body: { id }, query: { event: 'phoneFinderBulk' } });
				if (one.workflowData !== undefined) return tries;
			}
		})();
		const tries = await passTime(sender, LIMIT_MS);
		console.log(`A true notification among strangers: try ${tries}`);
		isOver = true;
		await passTime(strangers, LIMIT_MS);
		// Or they would keep their places in this process, and the next tests were hurried.
		await passTime(Promise.all(calls), LIMIT_MS);
		expect(tries).toBeLessThanOrEqual(50);
	});
});

describe('what the service was asked a moment ago', () => {
	it('is not asked again: an id that it does not know', async () => {
		expect(message(await notify({ id: 'unknown' }))).toBe(UNKNOWN);
		const before = service.looks.length;
		const again = await notify({ id: 'unknown' });
		expect(again.response?.status).toBe(503);
		expect(message(again)).toBe(ASKED_ALREADY);
		expect(service.looks).toHaveLength(before);
	});

	it('is asked again where the sender comes again after a moment', async () => {
		const id = submit();
		service.faults.add({
			on: 'GET *',
			kind: 'status',
			status: 400,
			body: { message: 'Could not retrieve bulk search results' },
			times: MAX_READS,
		});
		expect(message(await notify({ id }))).toBe(UNKNOWN);
		await sleep(0.6 * SECOND);
		expect(started(await notify({ id }))).toHaveLength(1);
	});

	it('is not asked again: a lookup of a kind that the trigger does not listen to', async () => {
		const id = submit();
		const parameters = { events: ['emailFinderSingle'] };
		expect(message(await notify({ id }, { parameters }))).toBe(OTHER_EVENT);
		const before = service.looks.length;
		const again = await notify({ id }, { parameters });
		expect(again.response?.status).toBe(200);
		expect(message(again)).toBe(OTHER_EVENT);
		expect(service.looks).toHaveLength(before);
		// Another trigger may listen to it.
		expect(started(await notify({ id }, { id: 'another' }))).toHaveLength(1);
	});

	it('is not asked again: whether a lookup that was seen is one of another kind too', async () => {
		const id = submit();
		expect(started(await notify({ id }))).toHaveLength(1);
		const before = service.looks.length;
		for (let copies = 0; copies < 5; copies++) {
			const copy = await notify({ id });
			expect(copy.response?.status).toBe(200);
			expect(message(copy)).toBe(SEEN);
		}
		expect(service.looks.length - before).toBe(MAX_READS - 1);
	});

	it('is not asked again only for the same: another id in the same body is', async () => {
		const id = submit();
		expect(message(await notify({ id: 'unknown' }))).toBe(UNKNOWN);
		expect(started(await notify({ id, user_id: 'unknown' }))).toHaveLength(1);
	});

	it('is asked again while it still runs, or when the service could not be asked', async () => {
		const id = submit();
		service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: MAX_READS });
		expect((await notify({ id })).response?.status).toBe(503);
		expect(started(await notify({ id }))).toHaveLength(1);
	});
});
