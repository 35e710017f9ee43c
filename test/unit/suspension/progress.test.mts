import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../../nodes/ContactData/service/lookupState.ts';
import { startClock } from '../../support/clock.mts';
import { MINUTE, Parking, SECOND } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const JOB_MS = 20 * MINUTE;

interface Job {
	searches?: number;
	jobMs?: number;
	estimateMs?: number;
}

/** How a parked batch fares whose looks tell this progress; one that tells none has no counts. */
async function watch(
	finished: (look: number, passedMs: number) => number | undefined,
	{ searches = 3, jobMs = JOB_MS, estimateMs }: Job = {},
): Promise<{ lagMs: number; looks: number }> {
	const parking = new Parking({ bulk: jobMs });
	let look = 0;
	const begin = Date.now();
	parking.service.faults.add({
		on: 'GET *',
		kind: 'changed',
		change: ({ results, ...body }) => {
			if (results !== undefined) return { ...body, results };
			const done = finished(look++, Date.now() - begin);
			return { ...body, stats: done !== undefined && { finished: done, requested: searches } };
		},
		times: Infinity,
	});
	parking.park({ size: 'bulk', searches, estimateMs, forMs: 3 * jobMs });
	await parking.pass(2 * jobMs);
	expect(parking.calls).toHaveLength(1);
	const lagMs = (parking.calls[0]?.at ?? NaN) - begin - jobMs;
	expect(lagMs).toBeGreaterThanOrEqual(0);
	return { lagMs, looks: parking.looks };
}

const untold = () => undefined;

it('progress that runs backwards makes no parked batch later than none at all', async () => {
	const { lagMs: usual } = await watch(untold);
	for (const backwards of [
		(look: number) => (look === 0 ? 2 : 1),
		(look: number) => 2 - (look % 3),
	]) {
		expect((await watch(backwards)).lagMs).toBeLessThanOrEqual(usual + MINUTE);
	}
});

it('progress that can be true makes a parked batch be called sooner', async () => {
	const searches = 100;
	const evenly = (_: number, passedMs: number) => Math.floor((searches * passedMs) / JOB_MS);
	const { lagMs: usual } = await watch(untold, { searches });
	expect((await watch(evenly, { searches })).lagMs).toBeLessThan(usual / 2);
});

it.for([10, 30, 45])(
	'a parked batch of %i min of which only the estimate is known is called at its end',
	async (minutes) => {
		const jobMs = minutes * MINUTE;
		expect((await watch(untold, { jobMs, estimateMs: jobMs })).lagMs).toBeLessThan(5 * SECOND);
	},
);

describe('a parked batch that has waited for its turn', () => {
	const searches = 5_000;

	it.for(
		[
			[1, 1],
			[5, 5],
			[10, 10],
			[20, 10],
			[30, 5],
			[60, 20],
		].flatMap(([queued, runs]) =>
			// Some may be known at once.
			[0, 1, 1_000].flatMap((atOnce) =>
				// By the service: of its run, or of all.
				[undefined, runs, queued + runs].map((estimate) => ({ queued, runs, atOnce, estimate })),
			),
		),
	)(
		'for $queued min, and runs for $runs min, is called in time (estimate: $estimate, at once: $atOnce)',
		async ({ queued, runs, atOnce, estimate }) => {
			const jobMs = (queued + runs) * MINUTE;
			const estimateMs = estimate && estimate * MINUTE;
			const finished = (_: number, passedMs: number) => {
				const share = Math.max(0, (passedMs / MINUTE - queued) / runs);
				return atOnce + Math.floor((searches - atOnce) * share);
			};
			const { lagMs, looks } = await watch(finished, { searches, jobMs, estimateMs });
			expect(lagMs).toBeLessThanOrEqual(0.15 * jobMs + 10 * SECOND);
			expect(looks).toBeLessThanOrEqual(60);
		},
	);
});

describe('a parked batch', () => {
	const searches = 5_000;

	it.for([20, 60, 180])(
		'of %i min whose last search is slow is looked at rarely',
		async (length) => {
			const soonOver = (_: number, passedMs: number) =>
				Math.min(searches - 1, Math.floor((searches * passedMs) / (5 * MINUTE)));
			const { lagMs, looks } = await watch(soonOver, { searches, jobMs: length * MINUTE });
			expect(looks).toBeLessThanOrEqual(45);
			expect(lagMs).toBeLessThanOrEqual(0.15 * length * MINUTE);
		},
	);

	it.for([20, 60, 180])(
		'that halts, and goes on after %i min, is called in time',
		async (length) => {
			const halting = (_: number, passedMs: number) => {
				const minute = passedMs / MINUTE;
				const share = Math.min(minute, 5) / 10 + Math.max(0, minute - length) / 10;
				return Math.min(searches - 1, Math.floor(searches * share));
			};
			const jobMs = (length + 5) * MINUTE;
			const { lagMs, looks } = await watch(halting, { searches, jobMs });
			expect(looks).toBeLessThanOrEqual(45);
			// How fast it goes on after the halt is not known at once.
			expect(lagMs).toBeLessThanOrEqual(0.3 * jobMs);
		},
	);

	it('whose counts vanish at its end is called in time', async () => {
		for (const seconds of [0, 7, 31, 64, 99]) {
			const jobMs = 142 * MINUTE + seconds * SECOND;
			const vanishing = (_: number, passedMs: number) =>
				passedMs < 138 * MINUTE ? Math.floor((10 * passedMs) / jobMs) : undefined;
			const { lagMs } = await watch(vanishing, { searches: 10, jobMs });
			expect(lagMs).toBeLessThanOrEqual(0.15 * jobMs);
		}
	});
});

/**
 * A slow batch, and one submitted later that is over first.
 * @param stats by the share of the slow one that is done; `undefined` for the other one
 */
function submitTwo(
	{ firstMin, beginMin, endMin }: { firstMin: number; beginMin: number; endMin: number },
	stats: (slow: number | undefined, passedMin: number) => Progress,
) {
	const parking = new Parking({
		bulk: ({ searches }) => (searches.length === 1 ? endMin : firstMin) * MINUTE,
	});
	for (const searches of [1, 2]) {
		parking.register.forget(parking.park({ size: 'bulk', searches }));
	}
	const begin = Date.now();
	const [slow] = parking.ids;
	parking.service.faults.add({
		on: 'GET *',
		kind: 'changed',
		change: ({ results, ...body }) => {
			if (results !== undefined) return { ...body, results };
			const passedMin = (Date.now() - begin) / MINUTE;
			const share = Math.max(0, (passedMin - beginMin) / (endMin - beginMin));
			const isSlow = JSON.stringify(body).includes(String(slow));
			return { ...body, stats: stats(isSlow ? share : undefined, passedMin) };
		},
		times: Infinity,
	});
	return { parking, begin };
}

it.for([
	[10, 10],
	[10, 0],
	[24, 0],
	[29, 0],
] as const)(
	'the progress of a batch of %i min says nothing of the next one, which begins after %i min',
	async ([firstMin, beginMin]) => {
		const endMin = 40;
		const { parking, begin } = submitTwo({ firstMin, beginMin, endMin }, (slow) =>
			slow === undefined
				? { finished: 2_000, requested: 2_500 }
				: { finished: Math.floor(1_000 * slow), requested: 1_000 },
		);
		parking.add(parking.ids, { size: 'bulk' });
		await parking.pass(2 * endMin * MINUTE);
		const lateMs = (parking.calls[0]?.at ?? Infinity) - begin - endMin * MINUTE;
		expect(lateMs).toBeLessThan(0.1 * endMin * MINUTE);
		expect(parking.looks).toBeLessThan(60);
	},
);

/** Of two equal batches the later one is over first, when it was told to be a tenth done at most. */
describe.for(['look', 'trigger'] as const)('a batch that is left alone, as a %s tells', (how) => {
	it.for([
		[6, 60, 90],
		[6, 60, 120],
		[6, 120, 180],
		[12, 120, 130],
		[25, 180, 190],
	] as const)(
		'after %i min, begins after %i and ends after %i, is called in time',
		async ([firstMin, beginMin, endMin]) => {
			const { parking, begin } = submitTwo({ firstMin, beginMin, endMin }, (slow, passedMin) => ({
				finished: Math.floor(5_000 * (slow ?? Math.min(0.1, passedMin / firstMin))),
				requested: 5_000,
			}));
			const [, quick = ''] = parking.ids;
			parking.add(parking.ids, { size: 'bulk', forMs: 10 * endMin * MINUTE });
			await parking.pass((firstMin + 0.01) * MINUTE);
			if (how === 'trigger') {
				parking.register.finished(parking.account, parking.lookup, 'bulk', quick);
			}
			await parking.pass(3 * endMin * MINUTE);
			const lateMs = (parking.calls[0]?.at ?? Infinity) - begin - endMin * MINUTE;
			expect(lateMs).toBeLessThanOrEqual(0.15 * endMin * MINUTE);
			expect(parking.looks).toBeLessThanOrEqual(80);
		},
	);
});
