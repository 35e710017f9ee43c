import type { IExecuteFunctions } from 'n8n-workflow';
import { asNumber, asRecord } from '../common/json';
import { savedData } from '../input/savedData';

/**
 * n8n sets a timer for each pause that is over within 70 s, and keeps it when a callback resumes the
 * execution. Whatever that waits for when the timer goes off, ends.
 */
const TIMER_MS = 75_000;
/** A timer may be so late. */
const LATE_MS = 5_000;

const NAME = 'contactDataPause';

/** To be told of each pause, whose end n8n may remember. */
export function notePause(context: IExecuteFunctions, until: Date): void {
	const pause = { execution: context.getExecutionId(), until: until.getTime() };
	savedData(context, 'flow')[NAME] = pause;
}

/** Whether n8n may end another pause of this execution with its timer for an earlier one. */
export function isEarlierPauseDue(context: IExecuteFunctions): boolean {
	const { execution, until } = asRecord(savedData(context, 'flow')[NAME]) ?? {};
	if (execution !== context.getExecutionId()) return false;
	const leftMs = (asNumber(until) ?? -Infinity) - Date.now();
	return leftMs > -LATE_MS && leftMs < TIMER_MS;
}
