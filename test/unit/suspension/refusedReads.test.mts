import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { MINUTE, Parking, SECOND } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

// A lookup that the service refuses to tell of must not hold up what is parked with it until the Timeout.

const JOB_MS = 20 * SECOND;
const REFUSED = { status: 400, body: { message: 'Could not retrieve single search results' } };

it('what is refused for more than five minutes is over, and the execution is called', async () => {
	const parking = new Parking({ single: JOB_MS });
	parking.park({ searches: 3 });
	parking.refused = { id: parking.ids[2] ?? '', ...REFUSED };
	await parking.pass(5 * MINUTE);
	expect(parking.calls).toEqual([]);
	await parking.pass(10 * MINUTE);
	expect(parking.calls).toHaveLength(1);
});

it.for([
	{ status: 503, body: 'no JSON' },
	{ status: 429, body: { message: 'Too many requests' } },
	{ status: 401, body: { message: 'This apikey is not valid' } },
	{ status: 200, body: { nothing: 'known' } },
])('what the service says of itself, and not of the lookup, ends nothing: %j', async (answer) => {
	const parking = new Parking({ single: JOB_MS });
	parking.park({ searches: 3 });
	parking.refused = { id: parking.ids[2] ?? '', ...answer };
	await parking.pass(60 * MINUTE);
	expect(parking.calls).toEqual([]);
});

it('refusals with an answer between them are counted anew', async () => {
	const parking = new Parking({ single: 20 * MINUTE });
	parking.park();
	const refused = { id: parking.ids[0] ?? '', ...REFUSED };
	for (let count = 0; count < 5; count++) {
		parking.refused = refused;
		await parking.pass(2 * MINUTE);
		parking.refused = undefined;
		await parking.pass(2 * MINUTE);
		expect(parking.calls).toEqual([]);
	}
	await parking.pass(20 * MINUTE);
	expect(parking.calls).toHaveLength(1);
});

it('one that says that it is finished, and gives no result, is over after five minutes', async () => {
	const parking = new Parking({ single: JOB_MS });
	parking.park({ searches: 2 });
	parking.refused = { id: parking.ids[1] ?? '', status: 200, body: { state: 'completed' } };
	await parking.pass(5 * MINUTE);
	expect(parking.calls).toEqual([]);
	await parking.pass(10 * MINUTE);
	expect(parking.calls).toHaveLength(1);
});
