import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { asNumber, asRecord } from '../common/json';
import { savedData } from '../input/savedData';

/**
 * n8n sets a timer for each pause that ends within 70 s. It keeps the timer when a callback resumes the
 * execution, and ends by it whatever that waits for then; n8n 1 also starts a second time what runs. So a
 * pause that is about to end is left to n8n.
 */
const TIMER_MS = 75_000;
/** So much longer than the Timeout an execution is paused: what is finished in time comes out before. */
const LONGER_MS = 120_000;

/** So long after the Timeout results are still looked for: those of its last seconds come out, too. */
export const LOOKS_LONGER_MS = 40_000;

const NAME = 'contactDataPause';

/** When n8n is to resume an execution whose Timeout is so far away, which is noted in it. */
export function notePauseEnd(context: IExecuteFunctions, forMs: number): number {
	const end = Date.now() + forMs + LONGER_MS;
	savedData(context, 'flow')[NAME] = { execution: context.getExecutionId(), end };
	return end;
}

/** Whether n8n resumes the execution by itself soon, or has begun to. */
export function isPauseEnding(context: IWebhookFunctions): boolean {
	// Of n8n's context, in all its versions, but not of its type.
	const saved = 'runExecutionData' in context ? asRecord(context.runExecutionData) : undefined;
	const flow = asRecord(asRecord(asRecord(saved?.executionData)?.contextData)?.flow);
	const { execution, end } = asRecord(flow?.[NAME]) ?? {};
	if (execution !== context.getExecutionId()) return false;
	return (asNumber(end) ?? Infinity) - Date.now() < TIMER_MS;
}
