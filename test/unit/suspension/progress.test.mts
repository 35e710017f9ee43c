import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

it.for([
	[10, 10],
	[10, 0],
	[24, 0],
	[29, 0],
] as const)(
	'the progress of a batch of %i min says nothing of the next one, which begins after %i min',
	async ([firstMin, beginMin]) => {
		const endMin = 40;
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
				const isSlow = JSON.stringify(body).includes(String(slow));
				const passed = (Date.now() - begin) / MINUTE - beginMin;
				const share = Math.max(0, passed) / (endMin - beginMin);
				const finished = isSlow ? Math.floor(1_000 * share) : 2_000;
				return { ...body, stats: { finished, requested: isSlow ? 1_000 : 2_500 } };
			},
			times: Infinity,
		});
		parking.add(parking.ids, { size: 'bulk' });
		await parking.pass(2 * endMin * MINUTE);
		const lateMs = (parking.calls[0]?.at ?? Infinity) - begin - endMin * MINUTE;
		expect(lateMs).toBeLessThan(0.1 * endMin * MINUTE);
		expect(parking.looks).toBeLessThan(60);
	},
);
