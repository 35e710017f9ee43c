import type { IExecuteFunctions } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { endAfter, monotonicMs } from '../common/time';
import { asNumber, asRecord } from '../common/values';
import type { Saved } from './saved';

/**
 * Waits end this long before n8n's limit (or at half of the time left), so that n8n still gets the items.
 */
const END_MARGIN_MS = 10_000;

/** The limit that was seen first, in what n8n saves with the execution. */
const SAVED_LIMIT = 'contactDataTimeLimit';

/** When waits must end because n8n then ends the execution; by the monotonic clock, in milliseconds. */
export interface TimeLimit {
	waitsEndAt: number;
	/** The same for a pause. */
	pausesEndAt: number;
	/** Aborted when waits must end: what has not been sent by then is not sent any more. */
	near?: AbortSignal;
}

export const TIME_LIMIT = "n8n's time limit for this execution";
export const RAISE_TIME_LIMIT =
	"To wait longer, raise the time limit: 'Timeout After' in the settings of the workflow, or n8n's own.";

/** What is said of a search that was not sent any more. */
export const NEAR_TIME_LIMIT: Problem = {
	message: `Not started, because ${TIME_LIMIT} was near`,
	description:
		"Raise the time limit ('Timeout After' in the settings of the workflow, or n8n's own), or send fewer items at once.",
	next: 'again',
};

/**
 * The time limit of the workflow, or of n8n. An execution that a callback has resumed is given the whole
 * of it anew. But one whose pause is over is not: n8n counts from the execution's start then.
 */
export function readTimeLimit(
	context: IExecuteFunctions,
	{ flow: saved, executionId: execution }: Saved,
): TimeLimit {
	// Of n8n's context, in all its versions, but not of its type.
	const data = 'additionalData' in context ? asRecord(context.additionalData) : undefined;
	const limit = asNumber(data?.executionTimeoutTimestamp);
	if (limit === undefined) return { waitsEndAt: Infinity, pausesEndAt: Infinity };
	const seen = asRecord(saved[SAVED_LIMIT]);
	const first = (seen?.execution === execution ? asNumber(seen?.at) : undefined) ?? limit;
	saved[SAVED_LIMIT] = { execution, at: first };
	const leftMs = (at: number) => Math.max(at - Date.now() - END_MARGIN_MS, (at - Date.now()) / 2);
	const waitMs = leftMs(first > Date.now() ? first : limit);
	return {
		waitsEndAt: monotonicMs() + waitMs,
		pausesEndAt: monotonicMs() + leftMs(first),
		near: endAfter(waitMs),
	};
}
