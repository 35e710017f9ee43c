import type { IWebhookFunctions } from 'n8n-workflow';
import { RecentMap } from '../common/recentMap';

/** Waits whose results a callback has brought. */
const resumed = new RecentMap<string, 1>(10_000);

/**
 * Whether another callback has brought the results of this wait. n8n lets callbacks in until the
 * execution runs, which its limit of executions at once may hold up for hours, and takes each that brings
 * items: before 2.0 at any time, since then when the execution waits again. What follows is paid for each
 * time.
 *
 * @param wait names the execution, and all that it waits for
 */
export function isResumed(wait: string): boolean {
	return resumed.has(wait);
}

/**
 * To be told of the callback that brings the results. n8n answers it when it has resumed the execution,
 * and with an error where it could not: then the next callback brings them again.
 * @param undo takes back what was noted elsewhere
 */
export function noteResumed(context: IWebhookFunctions, wait: string, undo: () => void): void {
	resumed.set(wait, 1);
	const response = context.getResponseObject();
	// The event `finish` does not come where the sender has hung up.
	response.once('prefinish', () => {
		if (response.statusCode < 500) return;
		resumed.delete(wait);
		undo();
	});
}
