import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { TAKEN_LONGER_MS } from '../../../nodes/ContactData/pausing/pauseEnd.ts';
import { isDelivered, lookSoon, heldPause } from '../../../nodes/ContactData/pausing/lookAfter.ts';
import { HOUR, MINUTE, Parking, SECOND, SIGNATURE, useFakedTime } from './parking.mts';

useFakedTime();

/** How late an end may be seen whose callback is lost. */
const allowed = (jobMs: number) => Math.min(MINUTE, Math.max(15 * SECOND, jobMs / 4));
/** A look and a call take that long. */
const ON_THE_WAY = SECOND / 5;

interface Job {
	jobMs: number;
	size: 'single' | 'bulk';
	estimateMs?: number;
	/** What the looks at a batch say of its progress, in turn. */
	told: Array<number | undefined>;
}

const SEARCHES = 10;

/** How late an execution is called whose callback is lost. */
async function lateness({ jobMs, size, estimateMs, told }: Job) {
	const parking = new Parking({ single: jobMs, bulk: jobMs });
	const pausedAt = Date.now();
	let look = 0;
	parking.service.faults.add({
		on: 'GET *',
		kind: 'changed',
		change: (body) => {
			const finished = told[look++ % told.length];
			const stats = finished === undefined ? finished : { finished, requested: SEARCHES };
			return body.results !== undefined || size === 'single' ? body : { ...body, stats };
		},
		times: Infinity,
	});
	parking.park({ size, searches: size === 'bulk' ? SEARCHES : 1, estimateMs, forMs: 12 * HOUR });
	await parking.pass(jobMs + 2 * MINUTE);
	expect(parking.calls).toHaveLength(1);
	return (parking.calls[0]?.at ?? NaN) - pausedAt - jobMs;
}

describe('a lost callback', () => {
	it('costs fifteen seconds or a quarter of the time, and never more than a minute, whatever was told', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					jobMs: fc.oneof(
						fc.integer({ min: 100, max: 2 * MINUTE }),
						fc.integer({ min: 100, max: 2 * HOUR }),
					),
					size: fc.constantFrom('single' as const, 'bulk' as const),
					estimateMs: fc.option(fc.integer({ min: 0, max: 3 * HOUR }), { nil: undefined }),
					told: fc.array(fc.option(fc.integer({ min: -1, max: 10 }), { nil: undefined }), {
						minLength: 1,
					}),
				}),
				async (job) => {
					expect(await lateness(job)).toBeLessThanOrEqual(allowed(job.jobMs) + ON_THE_WAY);
				},
			),
			{ numRuns: 30 },
		);
	});

	it('of what ends right before the Timeout is made up for before the rest is left to n8n', async () => {
		const timeouts = Array.from({ length: 20 }, (_, n) => 5 * MINUTE + n * 7 * SECOND);
		for (const timeoutMs of timeouts) {
			const parking = new Parking({ single: timeoutMs - SECOND });
			// Results are taken a little longer.
			parking.park({ forMs: timeoutMs + TAKEN_LONGER_MS });
			await parking.pass(timeoutMs + TAKEN_LONGER_MS);
			expect(parking.calls).toHaveLength(1);
		}
	});

	it('costs no more where hundreds of executions are paused, as fast as they can be started', async () => {
		const jobsMs = Array.from({ length: 200 }, (_, n) => ((37 * n) % 1_000) * SECOND);
		const parking = new Parking({
			single: ({ searches }) => jobsMs[Number(searches[0]?.canonical.match(/\d+/)?.[0])] ?? 0,
		});
		const late = new Map<string, { pausedAt: number; jobMs: number }>();
		for (const [n, jobMs] of jobsMs.entries()) {
			const executionId = parking.add([parking.submit('single', n, 1)]);
			late.set(executionId, { pausedAt: Date.now(), jobMs });
			if (n % 10 === 9) await parking.pass(SECOND);
		}
		await parking.pass(20 * MINUTE);
		expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
		expect(parking.calls).toHaveLength(jobsMs.length);
		for (const { executionId, at } of parking.calls) {
			const { pausedAt = 0, jobMs = 0 } = late.get(executionId) ?? {};
			expect(at - pausedAt - jobMs, executionId).toBeLessThanOrEqual(allowed(jobMs) + ON_THE_WAY);
			late.delete(executionId);
		}
		expect(late.size).toBe(0);
	});

	it('of each of 1,000 lookups is made up for, by ten looks at once, and without the key', async () => {
		const parking = new Parking({ single: MINUTE });
		parking.service.latencyMs = 150;
		parking.park({ searches: 1_000, forMs: 5 * MINUTE });
		await parking.pass(5 * MINUTE);
		expect(parking.calls).toMatchObject([{ headers: undefined }]);
		expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
		// Each once when it has ended, and the last one a few times before.
		expect(parking.looks).toBeLessThanOrEqual(1_000 + 10);
	});
});

it('what still runs is looked at three times in 45 seconds, then ever more rarely, and is not called', async () => {
	const parking = new Parking({ single: 10 * HOUR });
	const pausedAt = Date.now();
	parking.park({ searches: 3, forMs: 20 * HOUR });
	await parking.pass(45 * SECOND);
	expect(parking.looks).toBeLessThanOrEqual(3);
	await parking.pass(HOUR);
	const times = parking.service.looks.map(({ at }) => at);
	const gaps = times.map((at, n) => Math.floor((at - (times[n - 1] ?? pausedAt)) / SECOND));
	expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
	expect(gaps.at(-1)).toBe(60);
	expect(parking.calls).toEqual([]);
});

describe('something is heard of a paused execution', () => {
	/** Two that wait for an hour, after their first looks. */
	async function parkTwo() {
		const parking = new Parking({ single: HOUR });
		const executions = [parking.park({ searches: 2 }), parking.park()] as const;
		await parking.pass(5 * SECOND);
		return { parking, executions, looks: parking.looks };
	}

	it('a callback that has not resumed it: it is looked at two seconds later, and called', async () => {
		const { parking, executions, looks } = await parkTwo();
		parking.service.service.finish();
		lookSoon(executions[0]);
		await parking.pass(1.9 * SECOND);
		expect(parking.looks).toBe(looks);
		await parking.pass(SECOND);
		expect(parking.calls).toMatchObject([{ executionId: executions[0] }]);
	});

	it('a callback that brings the results: it is neither looked at nor called', async () => {
		const { parking, executions, looks } = await parkTwo();
		for (const executionId of executions) parking.bring(executionId);
		expect(executions.map((id) => isDelivered(id, parking.endOf(id)))).toEqual([true, true]);
		await parking.pass(2 * HOUR);
		expect(parking.looks).toBe(looks);
		expect(parking.calls).toEqual([]);
	});

	it('a callback that brings the results, and that n8n cannot resume it: it is called', async () => {
		const { parking, executions } = await parkTwo();
		parking.service.service.finish();
		parking.bring(executions[1], false);
		expect(isDelivered(executions[1], parking.endOf(executions[1]))).toBe(false);
		await parking.pass(10 * SECOND);
		expect(parking.calls).toMatchObject([{ executionId: executions[1] }]);
	});

	it('that it is paused once more: it is looked at for what it waits for now', async () => {
		const { parking, executions } = await parkTwo();
		const [executionId] = executions;
		const before = parking.endOf(executionId);
		parking.service.service.finish();
		parking.park({ executionId });
		expect(heldPause(executionId, before)).toBeUndefined();
		expect(heldPause(executionId, parking.endOf(executionId))?.watch.openCount).toBe(1);
		await parking.pass(50 * MINUTE);
		expect(parking.calls).toHaveLength(1);
		await parking.pass(20 * MINUTE);
		expect(parking.calls.map((call) => call.executionId)).toEqual([executions[1], executionId]);
	});
});

describe('an n8n that does not take the call', () => {
	it.for([401, 503, { statusCode: 502, body: 'Bad gateway' }, 300, 'connect ECONNREFUSED'])(
		'%j: is called again within seconds, and it is said once, of which execution',
		async (answer) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = [answer, answer];
			const executionId = parking.park();
			await parking.pass(20 * SECOND);
			expect(parking.calls).toHaveLength(3);
			expect(parking.warnings).toEqual([expect.stringContaining(executionId)]);
		},
	);

	it('is quoted without its signature, and in one line', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = [`tunnel to https://n8n.example/?signature=${SIGNATURE} failed\n`];
		parking.park();
		await parking.pass(MINUTE);
		expect(parking.warnings).toEqual([expect.stringMatching(/^.*tunnel to.*failed.?$/)]);
		expect(parking.warnings[0]).not.toContain(SIGNATURE);
	});

	it.for([404, 409])(
		'and answers %i, as it has not saved the pause yet, is called until it has taken a call, and then refuses one',
		async (status) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = [status, status, status, 200, status];
			parking.park();
			await parking.pass(2 * HOUR);
			expect(parking.calls).toHaveLength(5);
			expect(parking.warnings).toEqual([]);
			expect(parking.looks).toBe(1);
		},
	);

	it.for([404, 409])(
		'and answers %i, as nothing is paused any more, is called six times, and then it is said',
		async (status) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = Array.from({ length: 1_000 }, () => status);
			const executionId = parking.park({ forMs: 24 * HOUR });
			await parking.pass(MINUTE);
			expect(parking.calls.length).toBeGreaterThan(1);
			expect(parking.warnings).toEqual([]);
			await parking.pass(12 * HOUR);
			expect(parking.calls).toHaveLength(6);
			const told = new RegExp(`${executionId} .*${status}.* n8n's log has the IDs`);
			expect(parking.warnings).toEqual([expect.stringMatching(told)]);
		},
	);

	it.for([
		['a proxy does not know where it is', 404, '404 page not found'],
		['a proxy says so in JSON', 404, { message: 'no Route matched 7 values' }],
		['a gateway', 409, '<html>Conflict</html>'],
	] as const)(
		'since it starts anew, and %s, is called again until it is there',
		async ([, statusCode, body]) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = Array.from({ length: 12 }, () => ({ statusCode, body }));
			const executionId = parking.park({ executionId: '7', forMs: 24 * HOUR });
			await parking.pass(2 * HOUR);
			expect(parking.calls).toHaveLength(13);
			expect(parking.warnings).toEqual([expect.stringContaining(executionId)]);
		},
	);

	it('for twenty seconds, since it is busy, is called once', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = [{ afterMs: 20 * SECOND }];
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(1);
		expect(parking.warnings).toEqual([]);
	});

	it('is called at growing distances until the end, and not after it', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = Array.from({ length: 1_000 }, () => 503);
		parking.park({ forMs: 2 * HOUR });
		await parking.pass(2 * HOUR);
		const times = parking.calls.map(({ at }) => at);
		expect(times.length).toBeLessThanOrEqual(25);
		expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBeLessThanOrEqual(11 * MINUTE);
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(times.length);
		expect(parking.looks).toBe(1);
	});

	it('is called for three of a hundred executions at once', async () => {
		const parking = new Parking({ single: SECOND });
		parking.isResumedElsewhere = true;
		parking.answers = Array.from({ length: 1_000 }, () => ({ afterMs: 10 * SECOND }));
		for (let count = 0; count < 100; count++) parking.park();
		await parking.pass(12 * SECOND);
		expect(parking.calls).toHaveLength(3);
		// Calls that are under way would take the turns of other tests.
		parking.endAll();
		await parking.pass(20 * SECOND);
	});
});

describe('a service that cannot be asked', () => {
	it.for([1, 8])('%i times is asked again, and the execution called', async (times) => {
		const parking = new Parking({ single: SECOND });
		parking.service.faults.add({ on: 'GET *', kind: 'reset', when: 'before', times });
		parking.park();
		await parking.pass(3 * SECOND + times * 30 * SECOND);
		expect(parking.calls).toHaveLength(1);
		expect(parking.looks).toBe(times + 1);
	});

	it('for hours is asked each half minute, and the execution called when it is back', async () => {
		const parking = new Parking({ single: MINUTE });
		const fault = { on: 'GET *', kind: 'status', status: 503, times: Infinity } as const;
		const down = parking.service.faults.add(fault);
		parking.park({ forMs: 12 * HOUR });
		await parking.pass(HOUR);
		expect(parking.looks).toBeLessThanOrEqual(2 * 60 + 10);
		down.remove();
		await parking.pass(MINUTE);
		expect(parking.calls).toHaveLength(1);
	});

	it('as it refuses the key is asked again, and that is said once', async () => {
		const parking = new Parking({ single: SECOND });
		const body = { message: 'This apikey is not valid' };
		parking.service.faults.add({ on: 'GET *', kind: 'status', status: 401, body, times: 3 });
		const executionId = parking.park();
		await parking.pass(5 * MINUTE);
		expect(parking.looks).toBe(4);
		expect(parking.calls).toMatchObject([{ executionId }]);
		const told = new RegExp(`${executionId} .*: ${body.message}`);
		expect(parking.warnings).toEqual([expect.stringMatching(told)]);
	});

	it('for the key of one credential is asked with that of another for what was paused with it', async () => {
		const parking = new Parking({ single: SECOND });
		const executionId = parking.park();
		parking.park({ credentialId: 'deleted' });
		parking.deletedCredentials.add('deleted');
		await parking.pass(MINUTE);
		expect(parking.calls).toMatchObject([{ executionId }]);
	});

	it('for one id, as it refuses that at each look, holds up the others for five looks', async () => {
		const parking = new Parking({ single: SECOND });
		const executionId = parking.add([parking.submit('single', 0, 1), 'lost']);
		await parking.pass(5 * MINUTE);
		const lost = parking.service.looks.filter(({ id }) => id === 'lost');
		expect(lost).toHaveLength(5);
		expect(parking.calls).toMatchObject([{ executionId }]);
	});
});

it.for([
	['whose lookups still run', 5 * HOUR],
	['that n8n does not take the calls for', SECOND],
] as const)(
	'pauses %s have two timers each at most, and leave none for longer than a minute',
	async ([, jobMs]) => {
		const before = vi.getTimerCount();
		const parking = new Parking({ single: jobMs });
		parking.answers = Array.from({ length: 1_000 }, () => 503);
		// Node's own are no timers that somebody could clear.
		vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
		for (let count = 0; count < 10; count++) {
			parking.park({ forMs: 24 * HOUR });
			await parking.pass(MINUTE);
		}
		for (let hours = 0; hours < 3; hours++) {
			await parking.pass(HOUR);
			expect(vi.getTimerCount() - before).toBeLessThanOrEqual(2 * 10);
		}
		expect(parking.looks + parking.calls.length).toBeGreaterThan(250);
		parking.endAll();
		await parking.pass(MINUTE + SECOND);
		expect(vi.getTimerCount()).toBe(before);
	},
);
