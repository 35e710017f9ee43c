import type { Size } from '../lookups/types';
import type { Known } from '../waiting/schedule';
import { nextLookMs, PAUSED } from '../waiting/schedule';

/**
 * When what a suspending wait has parked is looked at, from the last submission to the resumption.
 * Everything about it stands here; all times are in milliseconds.
 */

/** After parking: a callback that comes before n8n has saved the execution is lost. */
export const FIRST_LOOK_MS = 3_000;

/** After a callback for an execution whose end could not be seen. */
export const SOON_MS = 2_000;

/** Before the deadline: the result then comes out in time, whatever became of the callback. */
const LAST_LOOK_MS = 15_000;

/** After a read that failed, and then twice as long each time. */
const FAULT_DELAY_MS = 5_000;
const MAX_FAULT_DELAY_MS = 300_000;

/** What is known of a parked execution when its next look is planned. */
export interface LookHistory extends Known {
	/** Until it is looked at no more. */
	leftMs: number;
	/** Looks in a row that failed. */
	faults: number;
}

/** Milliseconds until the next look. */
export function nextLookDelay({ faults, leftMs, ...known }: LookHistory): number {
	const delay =
		faults > 0
			? Math.min(MAX_FAULT_DELAY_MS, FAULT_DELAY_MS * 2 ** (faults - 1))
			: nextLookMs(known, PAUSED);
	const lastLookIn = leftMs - LAST_LOOK_MS;
	return lastLookIn > 0 ? Math.min(delay, lastLookIn) : delay;
}

/** Between calls of the resume URL, each twice as long after the one before. */
const RESUME_RETRY_MS = 3_000;
const MAX_RESUME_RETRY_MS = 600_000;
/** After a call that n8n has taken: whether it has resumed the execution, the next one tells. */
const TAKEN_MS = 30_000;

/** @param calls so far, of the same execution */
export function nextCallDelay(calls: number, isTaken: boolean): number {
	const delay = Math.min(MAX_RESUME_RETRY_MS, RESUME_RETRY_MS * 2 ** (calls - 1));
	return isTaken ? Math.max(TAKEN_MS, delay) : delay;
}

/** After a callback that found something still running: those that come meanwhile count with it. */
export const CALLBACK_GATHERING_MS = 1000;

/** After a read that failed, or that did not show the end which the callback tells of. */
export const CALLBACK_RECHECK_DELAYS_MS = [500, 1500, 4000];

/**
 * For how long the service may be silent, since a slow one would have n8n hold many callbacks: a read
 * takes no longer, and is not tried again then. The results of a big batch take a while.
 */
export const CALLBACK_PATIENCE_MS: Record<Size, number> = { single: 20_000, bulk: 60_000 };
