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

/** Shares that are done by a time in minutes; evenly in between. */
type Way = ReadonlyArray<readonly [minute: number, share: number]>;

function shareAt(way: Way, minute: number): number {
	const next = way.findIndex(([end]) => minute <= end);
	if (next < 0) return 1;
	const [[begin, before], [end, after]] = [way[next - 1] ?? [0, 0], way[next] ?? [0, 1]];
	return before + ((after - before) * (minute - begin)) / (end - begin || 1);
}

async function watchWay(way: Way) {
	const lengthMs = (way.at(-1)?.[0] ?? 0) * MINUTE;
	const service = new FakeService(({ at }) =>
		batch(Math.floor(REQUESTED * shareAt(way, at / MINUTE)), REQUESTED),
	);
	const given = { size: 'bulk', timeoutMs: 24 * HOUR } as const;
	const { outcome, tookMs } = await wait(service, given);
	expect(outcome?.kind).toBe('completed');
	return { looks: service.looks.length, lagMs: tookMs - lengthMs, lengthMs };
}

describe('a batch that halts on its way', () => {
	it.for([
		[0.2, 5, 30, 20],
		[0.2, 5, 60, 20],
		[0.5, 10, 60, 20],
		[0.2, 5, 300, 40],
		[0.01, 5, 300, 60],
	] as const)(
		'after %d of it and %i min, for %i min, and takes %i min more, is seen to be over in time',
		async ([share, first, halt, rest]) => {
			// Where the looks fall is luck.
			for (const stretch of [1, 1.1, 1.2, 1.3, 1.4]) {
				const { looks, lagMs, lengthMs } = await watchWay([
					[first * stretch, share],
					[(first + halt) * stretch, share],
					[(first + halt + rest) * stretch, 1],
				]);
				expect(lagMs).toBeLessThanOrEqual(0.1 * lengthMs);
				expect(looks).toBeLessThanOrEqual(70);
			}
		},
	);
});

it.for([
	[0.99, 5, 120],
	[0.99, 5, 20],
	[0.98, 1, 118],
	[0.995, 10, 105],
] as const)(
	'a batch of which %d are done in %i min and the others in %i more is looked at a few dozen times',
	async ([share, first, rest]) => {
		const { looks, lagMs, lengthMs } = await watchWay([
			[first, share],
			[first + rest, 1],
		]);
		expect(looks).toBeLessThanOrEqual(60);
		expect(lagMs).toBeLessThanOrEqual(0.05 * lengthMs);
	},
);

it('a small batch whose first count comes with its end is seen a few seconds late', async () => {
	for (let seconds = 2; seconds <= 30; seconds += 0.5) {
		const service = new FakeService(({ at }) => batch(at < seconds * SECOND ? 0 : 10, 10));
		const { tookMs } = await wait(service, { size: 'bulk', timeoutMs: HOUR });
		expect(tookMs - seconds * SECOND).toBeLessThanOrEqual(5 * SECOND);
	}
});
