import type { IExecuteFunctions } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { endAfter, monotonicMs } from '../common/time';
import { asNumber, asRecord } from '../common/values';
import type { Saved } from './saved';

/** Waits end so long before n8n's limit, or at half of the time left: n8n still gets the items. */
const END_MARGIN_MS = 10_000;

/** Where n8n saves the limit that was seen first with the execution. */
const SAVED_LIMIT = 'contactDataTimeLimit';

/** When waits and pauses must end because n8n then ends the execution. */
export interface TimeLimit {
	/** By the monotonic clock, in milliseconds. */
	waitsEndAt: number;
	/** Aborted then: what has not been sent by then is not sent any more. */
	near: AbortSignal;
}

export const TIME_LIMIT = "n8n's time limit for this execution";
export const RAISE_TIME_LIMIT =
	"To wait longer, raise the time limit: 'Timeout After' in the settings of the workflow, or n8n's own.";

/** What is said of a search that was not sent any more. */
export const NEAR_TIME_LIMIT: Problem = {
	message: `Not started, because ${TIME_LIMIT} was near`,
	description:
		"Raise the time limit ('Timeout After' in the settings of the workflow, or n8n's own), or send fewer items at once.",
	remedy: 'again',
};

/**
 * The time limit of the workflow, or of n8n; `undefined` where there is none. After a callback n8n tells a new
 * limit, but still ends a pause by the first one: so the first one counts until it is over.
 */
export function readTimeLimit(
	context: IExecuteFunctions,
	{ flow, executionId: execution }: Saved,
): TimeLimit | undefined {
	// Of n8n's context, in all its versions, but not of its type.
	const data = 'additionalData' in context ? asRecord(context.additionalData) : undefined;
	const limit = asNumber(data?.executionTimeoutTimestamp);
	if (limit === undefined) return undefined;
	const seen = asRecord(flow[SAVED_LIMIT]);
	const first = (seen?.execution === execution ? asNumber(seen?.at) : undefined) ?? limit;
	flow[SAVED_LIMIT] = { execution, at: first };
	const leftMs = (first > Date.now() ? first : limit) - Date.now();
	const waitMs = Math.max(leftMs - END_MARGIN_MS, leftMs / 2);
	return { waitsEndAt: monotonicMs() + waitMs, near: endAfter(waitMs) };
}
