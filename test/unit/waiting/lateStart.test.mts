import { describe, expect, it } from 'vitest';
import { nextLookDelay } from '../../../nodes/ContactData/suspension/schedule.ts';
import { type Advance, noteProgress } from '../../../nodes/ContactData/waiting/progress.ts';
import { batch, FakeService, HOUR, MINUTE, SECOND, useFakedTime, wait } from './fakeService.mts';

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
