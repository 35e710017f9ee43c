/**
 * When the lookups of a suspending wait are read, from the last submission to the resumption.
 * Everything about it stands here; all times are in milliseconds.
 */

/** How long the node polls before it parks: a callback before the execution is parked is lost. */
export const POLL_BEFORE_PARKING_MS = 10_000;

/**
 * After parking, and then each after the one before: the node reads whether a callback was missed.
 * n8n still has to save the execution after the node has parked it, and a busy one takes longer.
 */
export const MISSED_CALLBACK_DELAYS_MS = [3_000, 15_000];

/** Between calls of the resume URL while n8n has not saved the execution, or is too busy. */
export const RESUME_RETRY_DELAYS_MS = [3_000, 10_000, 30_000];

/** After a callback that found something still running: those that come meanwhile count with it. */
export const CALLBACK_GATHERING_MS = 1000;

/** After a read that failed, or that did not show the end which the callback tells of. */
export const CALLBACK_RECHECK_DELAYS_MS = [500, 1500, 4000];

/**
 * The service is not waited for any longer, nor is it asked again then: a slow one would have n8n hold
 * many callbacks. A big batch takes seconds.
 */
export const CALLBACK_PATIENCE_MS = 20_000;
