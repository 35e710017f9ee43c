import type { IWebhookFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { asText } from '../common/json';
import { RecentMap } from '../common/recentMap';

/**
 * So long an execution that was given its results may have to wait for others to end, by n8n's limit of
 * how many run at once. Until it runs, n8n lets callbacks in.
 */
const RESUMING_MS = 600_000;

/** When a wait was given its results; by the monotonic clock. */
const resumedAt = new RecentMap<string, number>(10_000);

/**
 * Whether another callback has had the results of this wait.
 * n8n before 2.0 resumes an execution for each callback that brings its items, and what follows is paid
 * for each time. Newer ones see to it themselves; where they sign their addresses, they are left to it.
 *
 * @param wait names the execution, and all that it waits for
 */
export function isBeingResumed(context: IWebhookFunctions, wait: string): boolean {
	// Not by the call's own address: anybody may write a signature into that.
	const address = asText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)) ?? '';
	if (address.includes('?')) return false;
	return monotonicMs() - (resumedAt.get(wait) ?? -Infinity) < RESUMING_MS;
}

/** To be told of the callback that brings the results of a wait. */
export function noteResumed(wait: string): void {
	resumedAt.set(wait, monotonicMs());
}
