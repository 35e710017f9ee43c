import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CallLimit, TOO_MANY_CALLS } from '../common/bounds';
import { ensureError } from '../common/errors';
import { sleepUnlessAborted } from '../common/time';
import { connectForCallback } from '../input/credential';
import { NOT_ASKED } from '../service/refusals';
import { collect } from '../results/collect';
import { give } from '../results/give';
import { noteShown } from '../orders/order';
import type { Ended } from '../service/state';
import { FIRST_TIMEOUT_MS, lookAt } from '../waiting/look';
import { lookout } from './lookout';
import { toResumedItems } from './pause';
import { msUntilLeftToN8n, noteCalledBack, waitingOf } from './pauseEnd';
import type { PausedWait } from './pausedWait';
import { countOpen, readUnfinished, waitedFor } from './pausedWait';
import type { Pause } from './savedPause';
import { readSaved } from './savedPause';
import { readPauseOf030 } from './version030';

/** A callback may be a little earlier than its result; and those that come meanwhile count with it. */
const RECHECK_MS = 1_000;

/** Nobody but the service knows a resume URL, but it may call for many executions at once. */
const followUps = new CallLimit({ ofOne: 1, inProcess: 50 });

/** What a callback brings to light. */
type CallbackOutcome =
	| { kind: 'ended'; items: INodeExecutionData[] }
	/** Some still run, which have callbacks of their own. */
	| { kind: 'ongoing' }
	/** The end that it tells of is not seen: it may come again. */
	| { kind: 'unseen'; why: string }
	/** No callback changes anything any more. */
	| { kind: 'over'; why: string };

const HAS_RESULTS: CallbackOutcome = { kind: 'over', why: 'The execution has its results' };
const WAITS_FOR_NOTHING: CallbackOutcome = {
	kind: 'over',
	why: 'The execution is not waiting for any search',
};
const LEFT_TO_N8N: CallbackOutcome = { kind: 'over', why: 'The Timeout of the execution is over' };
const NOT_FINISHED: CallbackOutcome = { kind: 'unseen', why: 'The search has not finished yet' };
const COULD_NOT_ASK: CallbackOutcome = { kind: 'unseen', why: NOT_ASKED };

/**
 * Takes a callback of the service for a paused execution, which is resumed when all that it waits for
 * is seen to have ended. The callback's body is not even read. Callbacks come in bursts, so one of them
 * looks, and the others only make it look again.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const executionId = context.getExecutionId();
	const underWay = lookout.find(executionId);
	if (underWay?.isBeingRead === true) {
		underWay.isCalledAgain = true;
		return STAY_PAUSED;
	}
	const outcome = await followAlone(context, executionId);
	if (outcome.kind === 'ended') return { workflowData: [outcome.items] };
	if (outcome.kind !== 'over') lookout.lookSoon(executionId);
	if (outcome.kind === 'ongoing') return STAY_PAUSED;
	context.getResponseObject().status(503).json({ message: outcome.why });
	return { noWebhookResponse: true };
}

const STAY_PAUSED: IWebhookResponseData = {};

/** To throw here would end the paused execution, and run the nodes after it with an empty item. */
async function followAlone(
	context: IWebhookFunctions,
	executionId: string,
): Promise<CallbackOutcome> {
	const call = followUps.begin(executionId);
	if (call === undefined) return { kind: 'unseen', why: TOO_MANY_CALLS };
	let wait: PausedWait | undefined;
	try {
		const pause = readSaved(waitingOf(context)) ?? readPauseOf030(context);
		if (pause === undefined || pause.orders.length === 0) return WAITS_FOR_NOTHING;
		const leftMs = msUntilLeftToN8n(context);
		if (leftMs <= 0) return LEFT_TO_N8N;
		wait = lookout.ofCallback({ ...waitedFor(pause), executionId }, leftMs);
		if (wait === undefined) return HAS_RESULTS;
		wait.isBeingRead = true;
		return await follow(context, pause, wait);
	} catch (error) {
		context.logger.warn(
			`A callback could not be followed up, the execution stays paused: ${ensureError(error).message}`,
		);
		return COULD_NOT_ASK;
	} finally {
		if (wait !== undefined) wait.isBeingRead = false;
		call.end();
	}
}

async function follow(
	context: IWebhookFunctions,
	pause: Pause,
	wait: PausedWait,
): Promise<CallbackOutcome> {
	const { lookup, size } = wait;
	const source = { connection: await connectForCallback(context), lookup, size };
	const look = async (id: string) =>
		await lookAt(source, id, FIRST_TIMEOUT_MS[size], wait.sent?.get(id));
	const results = new Map<string, Ended>();
	const isLastOne = countOpen(wait) === 1;
	for (let isRecheck = false; ; isRecheck = !wait.isCalledAgain) {
		wait.isCalledAgain = false;
		const unfinished = await readUnfinished(wait, look, results);
		// To read them may have taken long.
		if (msUntilLeftToN8n(context) <= 0) return LEFT_TO_N8N;
		if (unfinished === undefined) return bring(context, pause, wait, results);
		if (isRecheck && !wait.isCalledAgain) {
			if (unfinished.kind === 'fault') return COULD_NOT_ASK;
			// Where only one was left, the callback must be about it.
			return isLastOne ? NOT_FINISHED : { kind: 'ongoing' };
		}
		await sleepUnlessAborted(RECHECK_MS);
	}
}

function bring(
	context: IWebhookFunctions,
	{ form, rows, orders }: Pause,
	wait: PausedWait,
	results: ReadonlyMap<string, Ended>,
): CallbackOutcome {
	for (const order of orders) {
		const shown = results.get(order.fate.id);
		if (shown !== undefined) noteShown(order, shown);
	}
	collect(form, orders);
	const items = toResumedItems(context.getNode(), give(form, rows, orders));
	noteCalledBack(context);
	lookout.noteBrought(context, wait);
	return { kind: 'ended', items };
}
