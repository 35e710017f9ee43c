import { describe, expect, it } from 'vitest';
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
});

it.for([5, 10, 30])(
	'a batch that is slow for %i minutes, and then quick, is seen to be over in time',
	async (slow) => {
		const service = new FakeService(({ at }) => {
			const slowly = Math.min(1, at / (slow * MINUTE));
			const quickly = Math.max(0, (at - slow * MINUTE) / (2 * MINUTE));
			return batch(Math.floor(REQUESTED * Math.min(1, 0.05 * slowly + 0.95 * quickly)), REQUESTED);
		});
		const { tookMs } = await wait(service, { size: 'bulk', timeoutMs: 10 * HOUR });
		expect(tookMs).toBeLessThan(1.35 * (slow + 2) * MINUTE);
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

/** Of a wait of any shape: for more of the time so far no batch is left alone. */
const MOST_LAG = 0.3;

/** Shares that are done by a time in minutes; evenly in between. */
type Way = ReadonlyArray<readonly [minute: number, share: number]>;

function shareAt(way: Way, minute: number): number {
	const next = way.findIndex(([end]) => minute <= end);
	if (next < 0) return 1;
	const [[begin, before], [end, after]] = [way[next - 1] ?? [0, 0], way[next] ?? [0, 1]];
	return before + ((after - before) * (minute - begin)) / (end - begin || 1);
}

async function watchWay(way: Way, searches = REQUESTED) {
	const lengthMs = (way.at(-1)?.[0] ?? 0) * MINUTE;
	const service = new FakeService(({ at }) =>
		batch(Math.floor(searches * shareAt(way, at / MINUTE) + 1e-9), searches),
	);
	const given = { size: 'bulk', timeoutMs: 24 * HOUR } as const;
	const { outcome, tookMs } = await wait(service, given);
	expect(outcome?.kind).toBe('completed');
	return { looks: service.looks.length, lagMs: tookMs - lengthMs, lengthMs };
}

describe('a batch that halts on its way', () => {
	const halts = [
		[0.2, 5, 30, 20],
		[0.2, 5, 60, 20],
		[0.5, 10, 60, 20],
		[0.2, 5, 300, 40],
		[0.01, 5, 300, 60],
		[0.5, 20, 20, 20],
		[0.5, 20, 30, 20],
		[0.5, 20, 20, 5],
	] as const;
	const longerEachTime: Way = [
		[2, 0.2],
		[4, 0.2],
		[6, 0.4],
		[14, 0.4],
		[16, 0.6],
		[48, 0.6],
		[52, 1],
	];
	const twice: Way = [
		[10, 1 / 3],
		[40, 1 / 3],
		[50, 2 / 3],
		[80, 2 / 3],
		[90, 1],
	];
	const nearly: Way = [
		[60, 0.05],
		[62, 1],
	];
	it.for<{ name: string; way: Way }>([
		...halts.map(([share, first, halt, rest]): { name: string; way: Way } => ({
			name: `after ${share} of it and ${first} min, for ${halt} min, and takes ${rest} min more`,
			way: [
				[first, share],
				[first + halt, share],
				[first + halt + rest, 1],
			],
		})),
		{ name: 'for longer each time', way: longerEachTime },
		{ name: 'for half an hour, twice', way: twice },
		{ name: 'nearly, for an hour', way: nearly },
	])('$name, is seen to be over in time', async ({ way }) => {
		for (const searches of [100, REQUESTED]) {
			// Where the looks fall is luck.
			for (const stretch of [1, 1.1, 1.2, 1.3, 1.4]) {
				const stretched = way.map(([minute, share]) => [minute * stretch, share] as const);
				const { looks, lagMs, lengthMs } = await watchWay(stretched, searches);
				expect(lagMs).toBeLessThanOrEqual(MOST_LAG * lengthMs + SECOND);
				expect(looks).toBeLessThanOrEqual(90);
			}
		}
	});
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

it.for([
	['vanish for good', (minute: number) => minute < 60],
	['vanish for a while', (minute: number) => minute < 100 || minute > 130],
	['are told now and then', (minute: number) => Math.floor(minute) % 2 === 0],
] as const)('a batch whose counts %s is seen to be over in time', async ([, isTold]) => {
	const lengthMin = 142;
	const silent: Answer = { status: 200, body: { general: { status: 'ongoing' } } };
	const service = new FakeService(({ at }) => {
		const minute = at / MINUTE;
		const answer = batch(Math.min(10, Math.floor((10 * minute) / lengthMin)), 10);
		return minute >= lengthMin || isTold(minute) ? answer : silent;
	});
	const { tookMs } = await wait(service, { size: 'bulk', timeoutMs: 10 * HOUR });
	expect(tookMs - lengthMin * MINUTE).toBeLessThanOrEqual(0.15 * lengthMin * MINUTE);
	expect(service.looks.length).toBeLessThanOrEqual(90);
});
