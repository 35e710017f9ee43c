import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sleepUnlessAborted } from '../../../nodes/ContactData/common/time.ts';
import { passTime, startClock } from '../../support/clock.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const DAY = 24 * 3_600_000;

it.for([0, 400, 20 * DAY])('a pause ends at once when it is cancelled after %i ms', async (ms) => {
	const start = Date.now();
	const stop = new AbortController();
	if (ms === 0) stop.abort();
	else setTimeout(() => stop.abort(), ms);
	expect(await passTime(sleepUnlessAborted(24 * DAY, stop.signal), 24 * DAY)).toBe(false);
	expect(Date.now() - start).toBe(ms);
});
