import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findLookup } from '../../../nodes/ContactData/lookups/index.ts';
import { startClock } from '../../support/clock.mts';
import { HOUR, MINUTE, Parking, SECOND, SIGNATURE } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** How late an end may be seen whose callback is lost. */
const allowed = (jobMs: number) => Math.min(MINUTE, Math.max(10 * SECOND, jobMs / 4));
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
	const parkedAt = Date.now();
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
	return (parking.calls[0]?.at ?? NaN) - parkedAt - jobMs;
}

describe('a lost callback', () => {
	it('costs ten seconds or a quarter of the time, and never more than a minute, whatever was told', async () => {
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

	it('costs no more where a thousand executions are paused, as fast as they can be started', async () => {
		const jobsMs = Array.from({ length: 1_000 }, (_, n) => ((37 * n) % 1_000) * SECOND);
		const parking = new Parking({
			single: ({ searches }) => jobsMs[Number(searches[0]?.canonical.match(/\d+/)?.[0])] ?? 0,
		});
		const parkedAt: number[] = [];
		for (const n of jobsMs.keys()) {
			parkedAt.push(Date.now());
			parking.add([parking.submit('single', n, 1)], { executionId: `execution ${n}` });
			if (n % 10 === 9) await parking.pass(SECOND);
		}
		await parking.pass(20 * MINUTE);
		expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
		const late = parking.calls.map(({ executionId, at }) => {
			const n = Number(executionId.split(' ')[1]);
			return { n, ms: at - (parkedAt[n] ?? 0) - (jobsMs[n] ?? 0) };
		});
		expect(new Set(late.map(({ n }) => n)).size).toBe(jobsMs.length);
		expect(late).toHaveLength(jobsMs.length);
		for (const { n, ms } of late) {
			expect(ms, `of ${n}`).toBeLessThanOrEqual(allowed(jobsMs[n] ?? 0) + ON_THE_WAY);
		}
	});

	it('of each of 3,000 lookups is made up for in time, by ten looks at once, and without the key', async () => {
		const parking = new Parking({ single: MINUTE });
		parking.service.latencyMs = 150;
		parking.park({ searches: 3_000, forMs: 5 * MINUTE });
		await parking.pass(5 * MINUTE);
		expect(parking.calls).toMatchObject([{ headers: undefined }]);
		expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
		// Each once when it has ended, and the last one a few times before.
		expect(parking.looks).toBeLessThanOrEqual(3_000 + 10);
	});
});

describe('an execution of several lookups', () => {
	it('is not called before the last one has ended', async () => {
		const jobMs = 5 * MINUTE;
		const parking = new Parking({
			single: ({ searches }) => (searches[0]?.canonical.includes('p1@') ? jobMs : 20 * SECOND),
		});
		const parkedAt = Date.now();
		parking.park({ searches: 3 });
		await parking.pass(3 * jobMs);
		expect(parking.calls).toHaveLength(1);
		expect((parking.calls[0]?.at ?? 0) - parkedAt).toBeGreaterThanOrEqual(jobMs);
	});

	it('is called where a callback has brought its results, and n8n could not resume it', async () => {
		const parking = new Parking({ single: 20 * SECOND });
		const execution = parking.park({ searches: 2 });
		await parking.pass(15 * SECOND);
		parking.bring(execution, 500);
		await parking.pass(MINUTE);
		expect(parking.calls).toHaveLength(1);
	});

	it('is called at once when all of its lookups are seen to have ended elsewhere', async () => {
		const parking = new Parking({ single: HOUR });
		parking.park({ searches: 2 });
		parking.park();
		await parking.pass(5 * SECOND);
		const looks = parking.looks;
		const [first = '', second = ''] = parking.ids;
		parking.seeEnd(first);
		// What has the same id elsewhere is something else.
		parking.seeEnd(second, { connection: new Parking().service.connection });
		parking.seeEnd(second, { lookup: findLookup('emailFinder') });
		parking.seeEnd(second, { size: 'bulk' });
		await parking.pass(SECOND);
		expect(parking.calls).toEqual([]);
		parking.seeEnd(second);
		await parking.pass(SECOND);
		expect(parking.calls).toMatchObject([{ executionId: 'execution 1' }]);
		expect(parking.looks - looks).toBeLessThanOrEqual(1);
	});
});

describe('an execution that is paused twice', () => {
	it('is called for an id that it waits for again', async () => {
		const parking = new Parking({ single: SECOND });
		const known = parking.submit('single', 0, 1);
		const executionId = parking.add([known]);
		parking.bring(executionId);
		parking.add([known], { executionId });
		await parking.pass(MINUTE);
		expect(parking.calls).toHaveLength(1);
	});

	it('is looked at for what it waits for now', async () => {
		const parking = new Parking({ single: SECOND });
		const executionId = parking.park();
		parking.bring(executionId);
		parking.service.service.configure({ single: 5 * MINUTE });
		parking.park({ executionId });
		await parking.pass(4 * MINUTE);
		expect(parking.calls).toEqual([]);
		await parking.pass(10 * MINUTE);
		expect(parking.calls).toMatchObject([{ executionId }]);
	});
});

describe('an n8n that does not take the call', () => {
	it.for([401, 503, { statusCode: 502, body: 'Bad gateway' }, 300, 'connect ECONNREFUSED'])(
		'%j: is called again within seconds, and it is said once, of which execution',
		async (answer) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = [answer, answer];
			parking.park();
			await parking.pass(20 * SECOND);
			expect(parking.calls).toHaveLength(3);
			expect(parking.warnings).toEqual([expect.stringContaining('execution 1')]);
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
		'since a proxy answers %i while n8n starts, is called until it has taken a call',
		async (status) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = [status, status, status, 200, status];
			parking.park();
			await parking.pass(HOUR);
			expect(parking.calls).toHaveLength(5);
			expect(parking.warnings).toEqual([]);
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

	it('is called at growing distances until the deadline, and not after it', async () => {
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

	it('for the key of one credential is asked with that of another for what was paused with it', async () => {
		const parking = new Parking({ single: SECOND });
		parking.park();
		parking.park({ credentialId: 'deleted' });
		parking.deletedCredentials.add('deleted');
		await parking.pass(MINUTE);
		expect(parking.calls).toMatchObject([{ executionId: 'execution 1' }]);
	});
});

describe('many paused executions', () => {
	it('are called ten at once', async () => {
		const parking = new Parking({ single: SECOND });
		parking.isResumedElsewhere = true;
		parking.answers = Array.from({ length: 1_000 }, () => ({ afterMs: 10 * SECOND }));
		for (let count = 0; count < 100; count++) parking.park();
		await parking.pass(11 * SECOND);
		expect(parking.calls).toHaveLength(10);
	});
});
