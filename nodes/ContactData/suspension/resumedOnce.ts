import { monotonicMs } from '../common/clock';
import { RecentMap } from '../common/recentMap';
import { RESUMING_MS } from './schedule';

/** When a wait was given its results; by the monotonic clock. */
const resumedAt = new RecentMap<string, number>(10_000);

/**
 * Whether another callback has had the results of this wait. n8n lets callbacks in until the execution
 * runs, which its limit of executions at once may hold up, and takes each that brings items: before 2.0
 * at any time, since then when the execution waits again. What follows is paid for each time.
 *
 * @param wait names the execution, and all that it waits for
 */
export function isBeingResumed(wait: string): boolean {
	return monotonicMs() - (resumedAt.get(wait) ?? -Infinity) < RESUMING_MS;
}

/** To be told of the callback that brings the results of a wait. */
export function noteResumed(wait: string): void {
	resumedAt.set(wait, monotonicMs());
}
