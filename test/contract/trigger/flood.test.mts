import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, startClock } from '../../support/clock.mts';
import { watchReadings } from '../../support/n8nCore/contactData.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { callWebhookInProcess, type CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import { noSuchSearch, tooManyAtOnce } from '../../support/texts.mts';
import { MAX_READS, started, trigger } from './trigger.mts';

// Anybody may know the URL of a trigger, and n8n holds an isolate of about 10 MB for each call until
// it is answered: so what one trigger and one process follow up at the same time is bounded.

const SECOND = 1_000;
const LIMIT_MS = 600 * SECOND;
const CALLS = 300;
const OF_ONE_TRIGGER = 12;
const IN_ONE_PROCESS = 24;
const WAITING_OF_ONE_TRIGGER = 4;
const WAITING_IN_ONE_PROCESS = 8;
const TOO_MANY = tooManyAtOnce;
const UNKNOWN = noSuchSearch;

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
	it.for([
		{ query: undefined, waiting: 0 },
		{ query: { event: 'phoneFinderBulk' }, waiting: WAITING_OF_ONE_TRIGGER },
	])(
		'is given up early by most, so that places become free: $query',
		async ({ query, waiting }) => {
			service.latencyMs = 300 * SECOND;
			const begin = Date.now();
			const tookMs: number[] = [];
			const calls = Array.from({ length: OF_ONE_TRIGGER }, async (_, n) => {
				await call({ body: invented(n), query });
				tookMs.push(Date.now() - begin);
			});
			await passTime(Promise.all(calls), LIMIT_MS);
			expect(tookMs.filter((ms) => ms <= 5 * SECOND)).toHaveLength(OF_ONE_TRIGGER - waiting);
			expect(Math.max(...tookMs)).toBeLessThanOrEqual(30 * SECOND);
		},
	);

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
		// Or they would keep their places in this process.
		await passTime(Promise.all(calls), LIMIT_MS);
		expect(tries).toBeLessThanOrEqual(200);
	});
});

describe('invented ids under the mark of a kind', () => {
	const query = { event: 'phoneFinderBulk' };

	async function answerTimes(count: number, triggers: number): Promise<number[]> {
		const begin = Date.now();
		const calls = Array.from({ length: count }, async (_, n) => {
			expect(message(await call({ body: invented(n), query, id: `node-${n % triggers}` }))).toBe(
				UNKNOWN,
			);
			return Date.now() - begin;
		});
		return await passTime(Promise.all(calls), LIMIT_MS);
	}

	it.for([
		{ count: OF_ONE_TRIGGER, triggers: 1, waiting: WAITING_OF_ONE_TRIGGER },
		{ count: IN_ONE_PROCESS, triggers: 4, waiting: WAITING_IN_ONE_PROCESS },
	])('are looked for again by few: of $triggers triggers by $waiting', async (row) => {
		const { count, triggers, waiting } = row;
		// The second time all places are free again.
		for (let times = 0; times < 2; times++) {
			const tookMs = await answerTimes(count, triggers);
			expect(tookMs.filter((ms) => ms < SECOND)).toHaveLength(count - waiting);
			expect(Math.max(...tookMs)).toBeLessThanOrEqual(30 * SECOND);
		}
		expect(service.looks).toHaveLength(2 * (count + 3 * waiting));
	});

	it('keep no finished lookup out', async () => {
		const id = submit();
		const strangers = Array.from({ length: OF_ONE_TRIGGER - 1 }, async (_, n) => {
			return await call({ body: invented(n), query });
		});
		const begin = Date.now();
		expect(started(await notify({ id }, { query }))).toHaveLength(1);
		expect(Date.now() - begin).toBeLessThan(SECOND);
		await passTime(Promise.all(strangers), LIMIT_MS);
	});
});
