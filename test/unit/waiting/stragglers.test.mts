import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../nodes/ContactData/service/lookupState.ts';
import { nextPollDelay } from '../../../nodes/ContactData/waiting/pollSchedule.ts';
import {
	batch,
	FakeService,
	HOUR,
	MINUTE,
	SECOND,
	useFakedTime,
	wait,
	type WaitGiven,
} from './fakeService.mts';

useFakedTime();

const LEAST_GAP_MS = SECOND;
const REQUESTED = 3000;
const TIMEOUT_MS = 2 * HOUR;

/** A batch of which all but some are done evenly by a time, and the others one after another later. */
interface Batch {
	mostAfterMs: number;
	stragglers: number;
	doneAfterMs: number;
	/** How long it has run when it is first looked at. */
	olderByMs?: number;
}

async function watch(
	{ mostAfterMs, stragglers, doneAfterMs, olderByMs = 0 }: Batch,
	given: Partial<WaitGiven> = {},
) {
	const quick = REQUESTED - stragglers;
	const service = new FakeService(({ at }) => {
		const age = at + olderByMs;
		if (age < mostAfterMs) return batch(Math.floor((quick * age) / mostAfterMs), REQUESTED);
		const late = (age - mostAfterMs) / (doneAfterMs - mostAfterMs);
		return batch(quick + Math.floor(stragglers * Math.min(1, late)), REQUESTED);
	});
	const { outcome, tookMs } = await wait(service, {
		size: 'bulk',
		timeoutMs: TIMEOUT_MS,
		...given,
	});
	expect(outcome?.kind).toBe('completed');
	return { service, looks: service.looks.length, lagMs: tookMs + olderByMs - doneAfterMs };
}

/** How late the end may be seen: a tenth of what was waited. */
const tolerable = (ms: number) => Math.max(3 * SECOND, 0.1 * ms) + SECOND;

describe('a batch whose last search takes ten minutes longer than the others', () => {
	const SLOW: Batch = { mostAfterMs: MINUTE, stragglers: 1, doneAfterMs: 11 * MINUTE };

	it.for([undefined, 0.5 * MINUTE, MINUTE, 11 * MINUTE, HOUR])(
		'is looked at a few dozen times, and its end seen in time (estimate %j ms)',
		async (estimateMs) => {
			const { service, looks, lagMs } = await watch(SLOW, { estimateMs });
			expect(looks).toBeLessThanOrEqual(60);
			expect(Math.min(...service.gaps)).toBeGreaterThanOrEqual(LEAST_GAP_MS);
			expect(lagMs).toBeLessThanOrEqual(tolerable(SLOW.doneAfterMs));
		},
	);

	it('is not looked at more often when it was started by somebody else before', async () => {
		for (const olderByMs of [0, 30 * SECOND, MINUTE, 2 * MINUTE, 10 * MINUTE]) {
			const { service, looks, lagMs } = await watch({ ...SLOW, olderByMs }, { firstDelayMs: 0 });
			expect(looks, `after ${olderByMs} ms`).toBeLessThanOrEqual(60);
			expect(Math.min(...service.gaps)).toBeGreaterThanOrEqual(LEAST_GAP_MS);
			expect(lagMs).toBeLessThanOrEqual(tolerable(SLOW.doneAfterMs));
		}
	});

	it('is looked at less and less often while nothing moves', async () => {
		const { service } = await watch(SLOW);
		const gaps = service.gaps.slice(-5);
		expect(Math.min(...gaps)).toBeGreaterThan(20 * SECOND);
	});
});

describe('a batch with stragglers', () => {
	const BATCHES: Batch[] = [1, 2, 10, 100].flatMap((stragglers) =>
		[2 * SECOND, 20 * SECOND, 5 * MINUTE].flatMap((mostAfterMs) =>
			[2, 10, 20].map((times) => ({ mostAfterMs, stragglers, doneAfterMs: times * mostAfterMs })),
		),
	);

	it.for(BATCHES)(
		'$stragglers, at $mostAfterMs ms of $doneAfterMs ms, is looked at at most once a second',
		async (job) => {
			const { service, lagMs } = await watch(job);
			expect(Math.min(LEAST_GAP_MS, ...service.gaps)).toBe(LEAST_GAP_MS);
			expect(lagMs).toBeLessThanOrEqual(tolerable(job.doneAfterMs));
		},
	);
});

it('a long batch that stands still for some seconds before its end is seen to be over soon', async () => {
	const mostAfterMs = 10 * MINUTE;
	const { lagMs } = await watch({
		mostAfterMs,
		stragglers: 1,
		doneAfterMs: mostAfterMs + 20 * SECOND,
	});
	expect(lagMs).toBeLessThan(15 * SECOND);
});

describe('a batch whose progress stands still until all of it is done', () => {
	const BATCHES = [0, 1, 100, REQUESTED / 2].flatMap((finished) =>
		[20 * SECOND, MINUTE, 5 * MINUTE, 20 * MINUTE, 50 * MINUTE].map((doneAfterMs) => ({
			finished,
			doneAfterMs,
		})),
	);

	it.for(BATCHES)(
		'at $finished, for $doneAfterMs ms, is seen to be over in time',
		async ({ finished, doneAfterMs }) => {
			const service = new FakeService(({ at }) =>
				batch(at < doneAfterMs ? finished : REQUESTED, REQUESTED),
			);
			const { outcome, tookMs } = await wait(service, { size: 'bulk', timeoutMs: TIMEOUT_MS });
			expect(outcome?.kind).toBe('completed');
			expect(tookMs - doneAfterMs).toBeLessThanOrEqual(tolerable(doneAfterMs));
			expect(service.looks.length).toBeLessThanOrEqual(80);
		},
	);
});

describe('a batch whose searches are all counted as done a while before it is over', () => {
	it.for([undefined, MINUTE, HOUR, 2 * HOUR])(
		'is seen to be over in time (estimate %j ms)',
		async (estimateMs) => {
			for (const countedMs of [10 * SECOND, MINUTE, 20 * MINUTE]) {
				const doneAfterMs = countedMs + 10 * SECOND;
				const service = new FakeService(({ at }) => {
					if (at >= doneAfterMs) return batch(REQUESTED, REQUESTED);
					const finished = Math.min(REQUESTED, Math.floor((REQUESTED * at) / countedMs));
					const stats = { finished, requested: REQUESTED };
					return { status: 200, body: { general: { status: 'ongoing' }, stats } };
				});
				const given = { size: 'bulk', timeoutMs: TIMEOUT_MS, estimateMs } as const;
				const { tookMs } = await wait(service, given);
				expect(tookMs - doneAfterMs).toBeLessThanOrEqual(tolerable(doneAfterMs));
			}
		},
	);
});

it('whatever a batch says of its progress, it is looked at at most once a second', async () => {
	const progress = fc.record({
		finished: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.double({ min: 0, max: 10 })),
		requested: fc.constantFrom(0, 1, 2, 10, REQUESTED),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(progress, { minLength: 1, maxLength: 40 }), async (said) => {
			const service = new FakeService(({ at, earlier }) =>
				at < 5 * MINUTE
					? {
							status: 200,
							body: { general: { status: 'ongoing' }, stats: said[earlier % said.length] },
						}
					: batch(1, 1),
			);
			const { outcome } = await wait(service, { size: 'bulk', timeoutMs: TIMEOUT_MS });
			expect(outcome?.kind).toBe('completed');
			expect(Math.min(LEAST_GAP_MS, ...service.gaps)).toBe(LEAST_GAP_MS);
		}),
		{ numRuns: 50, seed: 21, endOnFailure: true },
	);
});

it('between two looks there is a second at least, however near the end seems to be', () => {
	const progress: fc.Arbitrary<Progress> = fc
		.record({ finished: fc.nat(5000), open: fc.nat(20) })
		.map(({ finished, open }) => ({ finished, requested: finished + open }));
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 2 * HOUR }),
			fc.option(progress, { nil: undefined }),
			fc.option(fc.integer({ min: 0, max: HOUR }), { nil: undefined }),
			(elapsedMs, seen, estimateMs) => {
				const history = { elapsedMs, progress: seen, estimateMs };
				expect(nextPollDelay(history)).toBeGreaterThanOrEqual(LEAST_GAP_MS);
			},
		),
	);
});

it.for([5, 10, 20])(
	'a batch that counts its searches in %i steps is not left alone for an estimate that is too long',
	async (steps) => {
		for (let doneAfterMs = 20 * MINUTE; doneAfterMs < 2 * HOUR; doneAfterMs += 3 * MINUTE) {
			const service = new FakeService(({ at }) =>
				batch(Math.floor((100 * Math.floor((steps * at) / doneAfterMs)) / steps), 100),
			);
			const given = { size: 'bulk', timeoutMs: 40 * HOUR, estimateMs: 2 * doneAfterMs } as const;
			const { tookMs } = await wait(service, given);
			expect(tookMs / doneAfterMs, `of ${doneAfterMs} ms`).toBeLessThan(1.35);
		}
	},
);
