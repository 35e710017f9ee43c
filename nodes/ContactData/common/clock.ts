/**
 * Milliseconds since some moment, for intervals: unlike the time of day it never goes back, and does
 * not jump when the machine's clock is set.
 */
export function monotonicMs(): number {
	return performance.now();
}
