import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../../nodes/ContactData/service/lookupState.ts';
import { startClock } from '../../support/clock.mts';
import { MINUTE, Parking } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const JOB_MS = 20 * MINUTE;

/** How late a parked batch is called, whose looks tell this progress. */
async function lagMs(
	finished?: (look: number, passedMs: number) => number,
	searches = 3,
): Promise<number> {
	const parking = new Parking({ bulk: JOB_MS });
	let look = 0;
	const begin = Date.now();
	parking.service.faults.add({
		on: 'GET *',
		kind: 'changed',
		change: ({ results, ...body }) => {
			if (results !== undefined) return { ...body, results };
			const stats = finished && {
				finished: finished(look++, Date.now() - begin),
				requested: searches,
			};
			return { ...body, stats };
		},
		times: Infinity,
	});
	parking.park({ size: 'bulk', searches });
	await parking.pass(2 * JOB_MS);
	return (parking.calls[0]?.at ?? Infinity) - begin - JOB_MS;
}

it('progress that runs backwards makes no parked batch later than none at all', async () => {
	const usual = await lagMs();
	expect(await lagMs((look) => (look === 0 ? 2 : 1))).toBeLessThanOrEqual(usual + MINUTE);
	expect(await lagMs((look) => 2 - (look % 3))).toBeLessThanOrEqual(usual + MINUTE);
});

it('progress that can be true makes a parked batch be called sooner', async () => {
	const told = await lagMs((_, passedMs) => Math.floor((100 * passedMs) / JOB_MS), 100);
	expect(told).toBeLessThan((await lagMs(undefined, 100)) / 2);
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
