import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import { asNumber, asRecord, asText } from '../common/values';
import { savedData } from '../input/saved';
import type { TimeLimit } from '../input/timeLimit';

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

/** n8n looks for pauses that are over once a minute, and again at those that have to wait for their turn. */
const LATE_MS = 1_000;
const LOOKS_EACH_MS = 60_000;
/** The executions that n8n's limit of executions at once holds up. */
const LIMITED_MODES = new Set<string>(['webhook', 'trigger', 'chat']);

const NAME = 'contactDataPause';
const THIS_PROCESS = randomUUID();
const LOADED_AT = Date.now();
/** Whether this one is a worker, which has callbacks come to another one: n8n has no such limit there. */
let isWorker = false;

/** How long an execution may be paused, at most for its Timeout: it must be over before n8n's time limit. */
export function longestPauseMs(limit: TimeLimit | undefined, timeoutMs: number): number {
	const endsAt = limit?.pausesEndAt ?? Infinity;
	return Math.min(timeoutMs, endsAt - monotonicMs() - LONGER_MS);
}

/**
 * Notes in the execution a pause whose Timeout is so far away.
 * @param waiting what it waits for
 * @returns when n8n is to resume it
 */
export function notePause(context: IExecuteFunctions, forMs: number, waiting: IDataObject): number {
	const execution = context.getExecutionId();
	const end = Date.now() + forMs + LONGER_MS;
	const node = context.getNode().name;
	const run = runsOf(context, node).length;
	savedData(context, 'flow')[NAME] = { execution, end, node, run, waiting };
	return end;
}

/** What the execution that a callback is for waits for; `undefined` where its pause does not say. */
export function waitingOf(context: IWebhookFunctions): unknown {
	return lastPause(context)?.waiting;
}

/** Notes that a callback resumes the execution, which waits for nothing then. */
export function noteCalledBack(context: IWebhookFunctions): void {
	const pause = lastPause(context);
	if (pause === undefined) return;
	pause.calledBackIn = THIS_PROCESS;
	delete pause.waiting;
}

/**
 * The pause of this run of the node in an execution that is retried. n8n gives the node what it has saved in
 * the place of its input: what waited, or the results once a callback has brought them.
 */
export function pauseOfRetried(
	context: IExecuteFunctions,
): { isOver: boolean; waiting: unknown } | undefined {
	const name = context.getNode().name;
	const { execution, node, run, waiting, calledBackIn } =
		asRecord(savedData(context, 'flow')[NAME]) ?? {};
	const isOfRun = node === name && run === runsOf(context, name).length;
	return isOfRun && execution !== context.getExecutionId()
		? { isOver: calledBackIn !== undefined, waiting }
		: undefined;
}

/** Milliseconds until the execution is left to n8n, which resumes it by itself soon after. */
export function msUntilLeftToN8n(context: IWebhookFunctions): number {
	return -TIMER_MS - msPast(lastPause(context)?.end, Date.now());
}

/**
 * Why n8n may end a pause that begins now early, in the user's words. Its limit of executions at once
 * holds up what is resumed; if the pause is over meanwhile, n8n resumes it again, from what it was then.
 */
export function obstacleOfLastPause(context: IExecuteFunctions): string | undefined {
	const { end, node, run, calledBackIn } = lastPause(context) ?? {};
	const resumed = asRecord(runsOf(context, asText(node) ?? '')[asNumber(run) ?? 0]);
	const resumedAt = asNumber(resumed?.startTime) ?? Date.now();
	if (calledBackIn !== undefined && calledBackIn !== THIS_PROCESS) {
		// Otherwise n8n was restarted since.
		if (resumedAt > LOADED_AT) isWorker = true;
		return undefined;
	}
	if (isWorker || !LIMITED_MODES.has(context.getMode())) return undefined;
	// After a restart all pauses that are over are late: n8n has looked for them once.
	const wasJustStarted = monotonicMs() - (Date.now() - resumedAt) < LOOKS_EACH_MS;
	if (calledBackIn === undefined && wasJustStarted) return undefined;
	return msPast(end, resumedAt) > (calledBackIn === undefined ? LATE_MS : -TIMER_MS)
		? 'n8n resumed its last pause too late (its limit of parallel executions), so a second pause is not safe'
		: undefined;
}

function msPast(end: unknown, time: number): number {
	return time - (asNumber(end) ?? Infinity);
}

function lastPause(
	context: IExecuteFunctions | IWebhookFunctions,
): Record<string, unknown> | undefined {
	const flow = asRecord(asRecord(asRecord(saved(context)?.executionData)?.contextData)?.flow);
	const pause = asRecord(flow?.[NAME]);
	return pause?.execution === context.getExecutionId() ? pause : undefined;
}

/** The runs of a node in this execution: n8n forgets that of a paused one when it resumes. */
function runsOf(context: IExecuteFunctions, node: string): unknown[] {
	const runs = asRecord(asRecord(saved(context)?.resultData)?.runData)?.[node];
	return Array.isArray(runs) ? runs : [];
}

/** Of n8n's context, in all its versions, but not of its type. */
function saved(context: object): Record<string, unknown> | undefined {
	return 'runExecutionData' in context ? asRecord(context.runExecutionData) : undefined;
}
