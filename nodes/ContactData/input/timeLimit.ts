import type { IExecuteFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import { asNumber, asRecord } from '../common/values';
import { savedData } from './parameters';

/** So long before n8n ends an execution its waits end: the last looks are over and n8n has the items then. */
const MARGIN_MS = 10_000;

/** Names, in what n8n saves with the execution, the limit that was seen first. */
const NAME = 'contactDataTimeLimit';

/** When waits must end because n8n then ends the execution; by the monotonic clock, in milliseconds. */
export interface TimeLimit {
	waitsEndAt: number;
	/** The same for a pause. */
	pausesEndAt: number;
}

/**
 * The time limit of the workflow, or of n8n. An execution that a callback has resumed is given the whole
 * of it anew. But one whose pause is over is not: n8n counts from the execution's start then.
 */
export function readTimeLimit(context: IExecuteFunctions): TimeLimit {
	// Of n8n's context, in all its versions, but not of its type.
	const data = 'additionalData' in context ? asRecord(context.additionalData) : undefined;
	const limit = asNumber(data?.executionTimeoutTimestamp);
	if (limit === undefined) return { waitsEndAt: Infinity, pausesEndAt: Infinity };
	const saved = savedData(context, 'flow');
	const execution = context.getExecutionId();
	const seen = asRecord(saved[NAME]);
	const first = (seen?.execution === execution ? asNumber(seen?.at) : undefined) ?? limit;
	saved[NAME] = { execution, at: first };
	const toEnd = (at: number) => monotonicMs() + at - Date.now() - MARGIN_MS;
	return { waitsEndAt: toEnd(first > Date.now() ? first : limit), pausesEndAt: toEnd(first) };
}
