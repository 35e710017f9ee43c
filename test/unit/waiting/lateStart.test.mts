import { describe, expect, it } from 'vitest';
import { nextLookDelay } from '../../../nodes/ContactData/suspension/schedule.ts';
import { type Advance, noteProgress } from '../../../nodes/ContactData/waiting/progress.ts';
import {
	type Answer,
	batch,
	FakeService,
	HOUR,
	MINUTE,
	SECOND,
	useFakedTime,
	wait,
} from './fakeService.mts';

useFakedTime();

const REQUESTED = 5_000;

/** A batch that waits for its turn, and then goes on evenly; in minutes. */
const BATCHES = [
	{ queued: 1, runs: 1 },
	{ queued: 5, runs: 5 },
	{ queued: 10, runs: 10 },
	{ queued: 20, runs: 10 },
	{ queued: 30, runs: 5 },
	{ queued: 60, runs: 20 },
]
	// Some may be known at once.
	.flatMap((job) => [0, 1, 1_000].map((atOnce) => ({ ...job, atOnce })))
	.flatMap((job) =>
		(['none', 'ofItsRun', 'ofAll'] as const).map((estimate) => ({ ...job, estimate })),
	);

type Batch = (typeof BATCHES)[number];

const lengthOf = ({ queued, runs }: Batch) => (queued + runs) * MINUTE;

function estimateOf({ queued, runs, estimate }: Batch): number | undefined {
	return { none: undefined, ofItsRun: runs * MINUTE, ofAll: (queued + runs) * MINUTE }[estimate];
}

function finishedAt({ queued, runs, atOnce }: Batch, passedMs: number): number {
	const share = (passedMs - queued * MINUTE) / (runs * MINUTE);
	return atOnce + Math.floor((REQUESTED - atOnce) * Math.min(1, Math.max(0, share)));
}

describe('a batch that has waited for its turn', () => {
	it.for(BATCHES)(
		'for $queued min, and runs for $runs min, is seen to be over in time (estimate: $estimate, at once: $atOnce)',
		async (job) => {
			const service = new FakeService(({ at }) => batch(finishedAt(job, at), REQUESTED));
			const { outcome, tookMs } = await wait(service, {
				size: 'bulk',
				timeoutMs: 10 * HOUR,
				estimateMs: estimateOf(job),
			});
			expect(outcome?.kind).toBe('completed');
			expect(tookMs - lengthOf(job)).toBeLessThanOrEqual(0.1 * lengthOf(job) + SECOND);
			expect(service.looks.length).toBeLessThanOrEqual(90);
		},
	);

	it.for(BATCHES)(
		'for $queued min, and runs for $runs min, is called in time when it is parked (estimate: $estimate, at once: $atOnce)',
		(job) => {
			const advance: Advance = { searches: REQUESTED };
			let now = 3 * SECOND;
			while (now < lengthOf(job)) {
				const told = { finished: finishedAt(job, now), requested: REQUESTED };
				now += nextLookDelay({
					size: 'bulk',
					elapsedMs: now,
					leftMs: 10 * HOUR,
					trust: 'unknown',
					estimateMs: estimateOf(job),
					...noteProgress(advance, told, now),
					faults: 0,
				});
			}
			expect(now - lengthOf(job)).toBeLessThanOrEqual(0.15 * lengthOf(job) + 10 * SECOND);
		},
	);
});

it.for([5, 10, 30])(
	'a batch that is slow for %i minutes is not left alone for three times as long',
	async (slow) => {
		const service = new FakeService(({ at }) => {
			const slowly = Math.min(1, at / (slow * MINUTE));
			const quickly = Math.max(0, (at - slow * MINUTE) / (2 * MINUTE));
			return batch(Math.floor(REQUESTED * Math.min(1, 0.05 * slowly + 0.95 * quickly)), REQUESTED);
		});
		const { tookMs } = await wait(service, { size: 'bulk', timeoutMs: 10 * HOUR });
		expect(tookMs).toBeLessThan(3 * (slow + 2) * MINUTE);
	},
);

describe('a batch that is first looked at when much of it is done', () => {
	it.for([
		[30, 0.8],
		[120, 0.9],
		[600, 0.95],
	] as const)('after %i s, at %d of it, is seen to be over in time', async ([seconds, share]) => {
		const lengthMs = (seconds * SECOND) / share;
		const service = new FakeService(({ at }) =>
			batch(Math.floor(REQUESTED * Math.min(1, at / lengthMs)), REQUESTED),
		);
		const { tookMs } = await wait(service, {
			size: 'bulk',
			timeoutMs: HOUR,
			firstDelayMs: seconds * SECOND,
		});
		expect(tookMs - lengthMs).toBeLessThanOrEqual(0.05 * lengthMs);
	});
});

/** What is heard of a batch that waits for its turn; the service has to be reached first. */
const SILENCE: Array<{ what: string; answer: Answer; from: number }> = [
	{
		what: 'tells no count',
		answer: { status: 200, body: { general: { status: 'ongoing' } } },
		from: 0,
	},
	{ what: 'cannot be read', answer: { status: 503, body: { message: 'down' } }, from: 1 },
];

describe.for(SILENCE)('a batch that $what', ({ answer, from }) => {
	it.for([
		[30, 30, 10],
		[60, 60, 20],
		[120, 120, 20],
		[60, 70, 5],
		[60, 55, 25],
		[60, 5, 75],
	] as const)(
		'for %i min, begins after %i min, and runs for %i min, is seen to be over in time',
		async ([silent, queued, runs]) => {
			const service = new FakeService(({ at, earlier }) => {
				const share = Math.min(1, Math.max(0, (at / MINUTE - queued) / runs));
				const isTold = earlier < from || at >= silent * MINUTE;
				// It counts in thousands.
				return isTold ? batch(1_000 * Math.floor(5 * share), REQUESTED) : answer;
			});
			const { outcome, tookMs } = await wait(service, { size: 'bulk', timeoutMs: 10 * HOUR });
			expect(outcome?.kind).toBe('completed');
			const lengthMs = (queued + runs) * MINUTE;
			expect(tookMs - lengthMs).toBeLessThanOrEqual(0.15 * lengthMs);
			expect(service.looks.length).toBeLessThanOrEqual(300);
		},
	);
});

describe('a batch that is first looked at late', () => {
	it.for(
		[
			[10, 10, 2],
			[20, 20, 2],
			[60, 50, 50],
			[60, 55, 25],
			[60, 61, 2],
		].flatMap(([first, queued, runs]) =>
			[true, false].map((isEstimated) => [first, queued, runs, isEstimated] as const),
		),
	)(
		'after %i min, begins after %i min, and runs for %i min, is seen to be over in time (estimated: %s)',
		async ([first, queued, runs, isEstimated]) => {
			const lengthMs = (queued + runs) * MINUTE;
			const service = new FakeService(({ at }) => {
				const share = Math.min(1, Math.max(0, (at / MINUTE - queued) / runs));
				return batch(Math.floor(REQUESTED * share), REQUESTED);
			});
			const { tookMs } = await wait(service, {
				size: 'bulk',
				timeoutMs: 10 * HOUR,
				firstDelayMs: first * MINUTE,
				estimateMs: isEstimated ? lengthMs : undefined,
			});
			expect(tookMs - lengthMs).toBeLessThanOrEqual(0.1 * lengthMs + SECOND);
		},
	);
});
