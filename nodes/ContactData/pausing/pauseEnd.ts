import {
	type IDataObject,
	type IExecuteFunctions,
	type IWebhookFunctions,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import { asRecord } from '../common/values';
import { savedData } from '../run/saved';
import type { TimeLimit } from '../run/timeLimit';

/**
 * n8n sets a timer for each pause that ends within 70 s. It keeps the timer when a callback resumes the
 * execution, and ends by it whatever that waits for then; n8n 1 also starts a second time what runs. So a
 * pause that is about to end is left to n8n.
 */
const TIMER_MS = 75_000;
/** So much longer than the Timeout an execution is paused: what is finished in time comes out before. */
const LONGER_MS = 120_000;
/** So long after the Timeout results are taken: those of its last seconds come out, too. */
export const TAKEN_LONGER_MS = LONGER_MS - TIMER_MS;

const NAME = 'contactDataPause';

/** How long an execution may be paused, at most for its Timeout: it must be over before n8n's time limit. */
export function longestPauseMs(limit: TimeLimit | undefined, timeoutMs: number): number {
	const endsAt = limit?.waitsEndAt ?? Infinity;
	return Math.min(timeoutMs, endsAt - monotonicMs() - LONGER_MS);
}

/**
 * Notes in the execution a pause whose Timeout is so far away.
 * @param waiting what it waits for
 * @returns when n8n is to resume it, by the time of day, and until when results are waited for
 */
export function notePause(
	context: IExecuteFunctions,
	forMs: number,
	waiting: IDataObject,
): { wakesAt: number; until: Date } {
	const execution = context.getExecutionId();
	const wakesAt = Math.min(Date.now() + forMs + LONGER_MS, WAIT_INDEFINITELY.getTime());
	const node = context.getNode().name;
	const runsBefore = runsOfNode(context);
	savedData(context, 'flow')[NAME] = { execution, wakesAt, node, runsBefore, waiting };
	return { wakesAt, until: new Date(wakesAt - LONGER_MS) };
}

/** The pause that a callback is for. */
export interface LastPause {
	/** When n8n is to resume it, which also names it among the pauses of its execution. */
	wakesAt: number;
	/** What it waits for; `undefined` where a callback has brought that. */
	waiting: unknown;
	/** Milliseconds until it is left to n8n, which resumes it by itself soon after. */
	leftMs: number;
}

/** @returns `undefined` where the execution was not paused by this package */
export function lastPauseOf(context: IWebhookFunctions): LastPause | undefined {
	const { wakesAt, waiting } = lastPause(context) ?? {};
	if (typeof wakesAt !== 'number') return undefined;
	return { wakesAt, waiting, leftMs: wakesAt - TIMER_MS - Date.now() };
}

/** Notes that a callback resumes the execution, which waits for nothing then. */
export function noteCalledBack(context: IWebhookFunctions): void {
	const pause = lastPause(context);
	if (pause === undefined) return;
	pause.isCalledBack = true;
	delete pause.waiting;
}

/** The pause of this run of the node in an execution that is retried; its input is what n8n has saved in the pause. */
export function pauseOfRetried(
	context: IExecuteFunctions,
): { isOver: boolean; waiting: unknown } | undefined {
	const { execution, node, runsBefore, waiting, isCalledBack } =
		asRecord(savedData(context, 'flow')[NAME]) ?? {};
	const isOfRun = node === context.getNode().name && runsBefore === runsOfNode(context);
	return isOfRun && execution !== context.getExecutionId()
		? { isOver: isCalledBack === true, waiting }
		: undefined;
}

/**
 * Why n8n may end a new pause too early, in the user's words. A resumed execution may wait for n8n's
 * concurrency limit; if the time of its last pause runs out meanwhile, n8n resumes it once more.
 */
export function obstacleOfLastPause(context: IExecuteFunctions): string | undefined {
	const { wakesAt } = lastPause(context) ?? {};
	return typeof wakesAt === 'number' && Date.now() > wakesAt - TIMER_MS
		? 'the time of its last pause is over, so n8n may resume that again'
		: undefined;
}

function lastPause(
	context: IExecuteFunctions | IWebhookFunctions,
): Record<string, unknown> | undefined {
	const flow = asRecord(asRecord(asRecord(saved(context)?.executionData)?.contextData)?.flow);
	const pause = asRecord(flow?.[NAME]);
	return pause?.execution === context.getExecutionId() ? pause : undefined;
}

/** How often the node has run in this execution: n8n forgets a run that was paused when it resumes. */
function runsOfNode(context: IExecuteFunctions): number {
	const runs = asRecord(asRecord(saved(context)?.resultData)?.runData)?.[context.getNode().name];
	return Array.isArray(runs) ? runs.length : 0;
}

/** Of n8n's context, in all its versions, but not of its type. */
function saved(context: object): Record<string, unknown> | undefined {
	return 'runExecutionData' in context ? asRecord(context.runExecutionData) : undefined;
}
