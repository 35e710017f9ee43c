import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { monotonicMs } from '../../../nodes/ContactData/common/time.ts';
import { emailVerifier } from '../../../nodes/ContactData/lookups/emailVerifier.ts';
import { lookAtAll, waitForAll } from '../../../nodes/ContactData/waiting/wait.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIMIT_MS = 10 * HOUR;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

function submit(service: ServiceInProcess, count = 1): string[] {
	const { apiKey } = service.credentials.contactDataApi;
	for (let n = 0; n < count; n++) {
		service.service.handle({
			method: 'POST',
			path: '/email/verify/single',
			query: {},
			headers: { 'x-api-key': apiKey },
			body: { email: `mustfind${n}@acme.example` },
		});
	}
	return service.service.ledger.entries.map(({ id }) => id);
}

/** Waits for lookups that were submitted just now, and tells how long it took. */
async function wait(
	service: ServiceInProcess,
	ids: string[],
	given: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
	const { timeoutMs = 2 * HOUR, signal } = given;
	const begin = Date.now();
	const source = { connection: service.connection, lookup: emailVerifier } as const;
	const options = {
		...source,
		size: 'single' as const,
		timeoutMs,
		firstDelayMs: SECOND,
		reachedBefore: true,
		signal,
	};
	const watched = ids.map((id) => ({ id, startedAt: monotonicMs() }));
	const fates = await passTime(waitForAll(options, watched), LIMIT_MS);
	return { fates: ids.map((id) => fates.get(id)), tookMs: Date.now() - begin };
}

const NOT_FOUND = {
	on: 'GET *',
	kind: 'status',
	status: 500,
	body: { message: 'Could not retrieve single verification results' },
} as const;

describe('an id that the service says it cannot retrieve', () => {
	it('is believed not to be there within minutes, not at the end of two hours', async () => {
		const service = new ServiceInProcess({ single: MINUTE });
		service.faults.add({ ...NOT_FOUND, times: Infinity });
		const { fates, tookMs } = await wait(service, submit(service));
		expect(fates).toMatchObject([
			{ kind: 'fault', fault: 'lasting', refusal: { message: NOT_FOUND.body.message } },
		]);
		expect(tookMs).toBeLessThan(5 * MINUTE);
	});

	it.for([1, 2, 3])('for %i looks is there after all', async (times) => {
		const service = new ServiceInProcess({ single: MINUTE });
		service.faults.add({ ...NOT_FOUND, times });
		const { fates } = await wait(service, submit(service));
		expect(fates).toMatchObject([{ kind: 'completed' }]);
	});
});

describe('a service that is down while a lookup ends', () => {
	it.for([10 * SECOND, 5 * MINUTE, HOUR])(
		'for %i ms is asked less and less often, and the result is there soon after',
		async (downMs) => {
			const service = new ServiceInProcess({ single: 5 * SECOND });
			const down = service.faults.add({
				on: 'GET *',
				kind: 'status',
				status: 503,
				times: Infinity,
			});
			setTimeout(() => down.remove(), downMs);
			const { fates, tookMs } = await wait(service, submit(service));
			expect(fates).toMatchObject([{ kind: 'completed' }]);
			expect(tookMs - downMs).toBeLessThan(MINUTE);
			expect(service.looks.length).toBeLessThan(10 + downMs / (20 * SECOND));
		},
	);

	it('is asked as soon as ever once it has answered again', async () => {
		const service = new ServiceInProcess({ single: 10 * MINUTE });
		const fault = { on: 'GET *', kind: 'status', status: 503 } as const;
		const first = service.faults.add({ ...fault, times: Infinity });
		setTimeout(() => {
			first.remove();
			// A single hiccup, long after.
			service.faults.add({ ...fault, skip: 2 });
		}, 4 * MINUTE);
		const { fates } = await wait(service, submit(service));
		expect(fates).toMatchObject([{ kind: 'completed' }]);
		const failed = service.looks.flatMap(({ status }, n) => (status === 503 ? [n] : []));
		const last = failed.at(-1) ?? 0;
		expect(service.looks[last + 1].at - service.looks[last].at).toBeLessThan(5 * SECOND);
	});
});

describe('the timeout', () => {
	it.for([5 * SECOND, MINUTE, HOUR])('of %i ms is kept when all still runs', async (timeoutMs) => {
		const service = new ServiceInProcess({ single: 3 * HOUR });
		const { fates, tookMs } = await wait(service, submit(service, 25), { timeoutMs });
		expect(new Set(fates.map((fate) => fate?.kind))).toEqual(new Set(['ongoing']));
		expect(tookMs).toBeGreaterThanOrEqual(timeoutMs);
		expect(tookMs - timeoutMs).toBeLessThan(SECOND);
	});

	it('is not the end of what is over by then: all are looked at once more', async () => {
		const service = new ServiceInProcess({ single: 59 * SECOND });
		const { fates } = await wait(service, submit(service, 25), { timeoutMs: MINUTE });
		expect(new Set(fates.map((fate) => fate?.kind))).toEqual(new Set(['completed']));
	});

	it('tells the last fault, where the service could not be asked to the end', async () => {
		const service = new ServiceInProcess({ single: 5 * SECOND });
		service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
		const { fates } = await wait(service, submit(service), { timeoutMs: MINUTE });
		expect(fates).toMatchObject([{ kind: 'fault', fault: 'passing', refusal: { status: 503 } }]);
	});

	it('tells no fault that has passed', async () => {
		const service = new ServiceInProcess({ single: HOUR });
		service.faults.add({ on: 'GET *', kind: 'status', status: 503 });
		const { fates } = await wait(service, submit(service), { timeoutMs: MINUTE });
		expect(fates).toMatchObject([{ kind: 'ongoing' }]);
	});
});

it('looks at a thousand lookups share the time, ten at once, and no more', async () => {
	const service = new ServiceInProcess({ single: SECOND });
	service.latencyMs = 100;
	const { fates, tookMs } = await wait(service, submit(service, 1_000));
	expect(new Set(fates.map((fate) => fate?.kind))).toEqual(new Set(['completed']));
	expect(service.mostUnderWay).toBeLessThanOrEqual(10);
	// 1,000 looks of 0.1 s: 10 s where ten are under way.
	expect(tookMs).toBeLessThan(15 * SECOND);
});

describe('a wait that is cancelled', () => {
	it('ends at once, and says so of what was not over', async () => {
		const service = new ServiceInProcess({ single: HOUR });
		const stop = new AbortController();
		setTimeout(() => stop.abort(), MINUTE);
		const { fates, tookMs } = await wait(service, submit(service, 3), { signal: stop.signal });
		expect(fates).toEqual([undefined, undefined, undefined]);
		expect(tookMs).toBe(MINUTE);
		const { length } = service.looks;
		await passTime(new Promise((resolve) => setTimeout(resolve, HOUR)), 2 * HOUR);
		expect(service.looks).toHaveLength(length);
	});

	it('keeps what was over before', async () => {
		const service = new ServiceInProcess({
			single: ({ searches }) => (searches[0]?.canonical.includes('mustfind0') ? SECOND : HOUR),
		});
		const stop = new AbortController();
		setTimeout(() => stop.abort(), MINUTE);
		const { fates } = await wait(service, submit(service, 2), { signal: stop.signal });
		expect(fates).toMatchObject([{ kind: 'completed' }, undefined]);
	});
});

describe('a read that waits for nothing', () => {
	async function read(service: ServiceInProcess, ids: string[], signal?: AbortSignal) {
		const { connection } = service;
		const source = { connection, lookup: emailVerifier, size: 'single', signal } as const;
		return await passTime(lookAtAll(source, ids), LIMIT_MS);
	}

	it('outlasts a fault of a second or two, and tells one that lasts', async () => {
		const service = new ServiceInProcess({ single: 0 });
		const [id] = submit(service);
		const fault = { on: 'GET *', kind: 'status', status: 503 } as const;
		const down = service.faults.add({ ...fault, times: Infinity });
		setTimeout(() => down.remove(), SECOND);
		expect((await read(service, [id])).get(id)).toMatchObject({ kind: 'completed' });

		service.faults.add({ ...fault, times: Infinity });
		const begin = Date.now();
		expect((await read(service, [id])).get(id)).toMatchObject({
			kind: 'fault',
			refusal: { status: 503 },
		});
		expect(Date.now() - begin).toBeLessThan(10 * SECOND);
	});

	it('asks once where asking again cannot help', async () => {
		const service = new ServiceInProcess({ single: 0 });
		const [id] = submit(service);
		service.faults.add({ on: 'GET *', kind: 'status', status: 401, times: Infinity });
		expect((await read(service, [id])).get(id)).toMatchObject({ kind: 'fault' });
		expect(service.looks).toHaveLength(1);
	});

	it('tries no more when it is cancelled', async () => {
		const service = new ServiceInProcess({ single: 0 });
		const [id] = submit(service);
		const stop = new AbortController();
		service.faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
		service.onRequest = () => stop.abort();
		expect((await read(service, [id], stop.signal)).get(id)).toMatchObject({
			kind: 'fault',
		});
		expect(service.looks).toHaveLength(1);
	});
});
