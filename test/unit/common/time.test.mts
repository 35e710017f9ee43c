import { describe, expect, it, vi } from 'vitest';
import { endAfter } from '../../../nodes/ContactData/common/time.ts';
import { useFastClock } from '../../support/clock.mts';

/** No whole milliseconds, more than a timer takes, and more than a signal takes. */
const DURATIONS_MS = [16_100.000000000002, 2 ** 31, 2 ** 32, 1e300, Infinity];

it.for([...DURATIONS_MS, 0.5, 0, -1])('a signal that ends after %d ms is one to Node', (ms) => {
	expect(endAfter(ms).aborted).toBe(false);
});

describe('by the clock of the tests', () => {
	useFastClock();

	it.for(DURATIONS_MS)('a signal that ends after %d ms does not end before', (ms) => {
		const signal = endAfter(ms);
		vi.advanceTimersByTime(16_100);
		expect(signal.aborted).toBe(false);
	});

	it.for([0, -1, -Infinity])('a signal that ends after %d ms ends at once', (ms) => {
		const signal = endAfter(ms);
		vi.advanceTimersByTime(1);
		expect(signal.aborted).toBe(true);
	});

	it.for([0.5, -1, 2 ** 32, Infinity, NaN])('%d is refused as by Node', (ms) => {
		expect(() => AbortSignal.timeout(ms)).toThrow(RangeError);
	});

	it('more than a timer takes is over at once, as in Node', () => {
		const signal = AbortSignal.timeout(2 ** 31);
		vi.advanceTimersByTime(1);
		expect(signal.aborted).toBe(true);
	});
});
