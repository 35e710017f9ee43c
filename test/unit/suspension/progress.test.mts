import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { MINUTE, Parking } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const JOB_MS = 20 * MINUTE;

/** How late a parked batch of three is called, whose looks tell this progress. */
async function lagMs(finished?: (look: number) => number): Promise<number> {
	const parking = new Parking({ bulk: JOB_MS });
	let look = 0;
	parking.service.faults.add({
		on: 'GET *',
		kind: 'changed',
		change: ({ results, ...body }) => {
			if (results !== undefined) return { ...body, results };
			const stats = finished && { finished: finished(look++), requested: 3 };
			return { ...body, stats };
		},
		times: Infinity,
	});
	const begin = Date.now();
	parking.park({ size: 'bulk', searches: 3 });
	await parking.pass(2 * JOB_MS);
	return (parking.calls[0]?.at ?? Infinity) - begin - JOB_MS;
}

it('progress that runs backwards makes no parked batch later than none at all', async () => {
	const usual = await lagMs();
	expect(await lagMs((look) => (look === 0 ? 2 : 1))).toBeLessThanOrEqual(usual + MINUTE);
	expect(await lagMs((look) => 2 - (look % 3))).toBeLessThanOrEqual(usual + MINUTE);
});
