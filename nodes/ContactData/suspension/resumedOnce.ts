import type { IWebhookFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { RecentMap } from '../common/recentMap';

/** After so long n8n has seen that an execution runs, and lets no callback in. */
const RESUMING_MS = 5_000;

/** When a wait was given its results; by the monotonic clock. */
const resumedAt = new RecentMap<string, number>(10_000);

/**
 * Whether another callback has just had the results of this wait; if not, this one has them now.
 * n8n before 2.0 resumes an execution for each callback that brings its items, and what follows is paid
 * for each time. Newer ones see to it themselves; where they sign their addresses, they are left to it.
 *
 * @param wait names the execution, and what it waits for
 */
export function isBeingResumed(context: IWebhookFunctions, wait: string): boolean {
	if ('signature' in context.getQueryData()) return false;
	const sinceMs = monotonicMs() - (resumedAt.get(wait) ?? -Infinity);
	if (sinceMs < RESUMING_MS) return true;
	resumedAt.set(wait, monotonicMs());
	return false;
}
