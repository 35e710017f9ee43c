import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sleepUnlessAborted } from '../../../nodes/ContactData/common/time.ts';
import { passTime, startClock } from '../../support/clock.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const DAY = 24 * 3_600_000;

it.for([1_000, 60 * DAY])('a pause of %i ms lasts as long, though no timer may', async (ms) => {
	const start = Date.now();
	expect(await passTime(sleepUnlessAborted(ms), 2 * ms)).toBe(true);
	expect(Date.now() - start).toBe(ms);
});

it.for([0, 400, 20 * DAY])('and ends at once when it is cancelled after %i ms', async (ms) => {
	const start = Date.now();
	const stop = new AbortController();
	if (ms === 0) stop.abort();
	else setTimeout(() => stop.abort(), ms);
	expect(await passTime(sleepUnlessAborted(60 * DAY, stop.signal), 60 * DAY)).toBe(false);
	expect(Date.now() - start).toBe(ms);
});
