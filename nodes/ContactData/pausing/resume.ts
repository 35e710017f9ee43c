import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CallLimit, forEachConcurrently, inTurns, TOO_MANY_CALLS } from '../common/bounds';
import { ensureError } from '../common/errors';
import { sleepUnlessAborted } from '../common/time';
import { connectForCallback } from '../run/credential';
import { type AcceptedOrder, noteShown } from '../orders/order';
import { give } from '../results/give';
import type { Connection } from '../service/request';
import { NOT_ASKED } from '../service/refusals';
import { type Ended, hasEnded } from '../service/state';
import { MAX_CONCURRENT_READS, targetOf } from '../waiting/look';
import { toResumedItems } from './pause';
import { type LastPause, lastPauseOf, noteCalledBack } from './pauseEnd';
import {
	endPause,
	heldPause,
	hold,
	isCalledHere,
	isDelivered,
	letGo,
	lookSoon,
	noteDelivered,
} from './lookAfter';
import { type Pause, restorePause } from './savedPause';
import { Watch } from './watch';

/** A callback may be a little earlier than its result. */
const RECHECK_MS = 1_000;

/** The pauses of this process come in turn without the call. */
const besideLoops = new CallLimit({ ofOne: 1, inProcess: 4 });
/** Nobody promises another callback for those that nobody looks after, as after a restart: they wait for their turn. */
const elsewhere = new CallLimit({ ofOne: 1, inProcess: 300, bytes: 250_000_000 });
/** A row with its input, as n8n has it in memory. */
const BYTES_OF_ROW = 1_000;
const followInTurn = inTurns(50);

const HAS_RESULTS = 'The execution has its results';
const WAITS_FOR_NOTHING = 'The execution is not waiting for any search';
const LEFT_TO_N8N = 'The Timeout of the execution is over';
const NOT_FINISHED = 'The search has not finished yet';

/** n8n answers 200, and the execution stays paused. */
const STAY_PAUSED: IWebhookResponseData = {};

/**
 * Takes a callback of the service for a paused execution, which is resumed when all that it waits for
 * is seen to have ended. The callback's body is not even read. Callbacks come in bursts, so one of them
 * looks, and the others only make it look again. To throw here would end the paused execution.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const executionId = context.getExecutionId();
	try {
		return await follow(context, executionId);
	} catch (error) {
		context.logger.warn(
			`A callback could not be followed up, the execution stays paused: ${ensureError(error).message}`,
		);
		lookSoon(executionId);
		return answerRefused(context, NOT_ASKED);
	}
}

/** A sender that redelivers may try again. */
function answerRefused(context: IWebhookFunctions, message: string): IWebhookResponseData {
	context.getResponseObject().status(503).json({ message });
	return { noWebhookResponse: true };
}

/**
 * Who looks, or what a callback is answered at once. "Here" is the process that looks after the pause;
 * elsewhere nobody knows it until a callback comes.
 *
 * | the pause | somebody looks for it | nobody does |
 * | --- | --- | --- |
 * | none, over, or its results are there | 503 | 503 |
 * | here | 200: who looks does so once more | this one looks; where too many look, 200: the loop does it soon |
 * | elsewhere | 200: who looks does so once more | this one looks, in its turn; where hundreds wait for theirs, 503 |
 */
async function follow(
	context: IWebhookFunctions,
	executionId: string,
): Promise<IWebhookResponseData> {
	const last = lastPauseOf(context);
	if (last === undefined) return answerRefused(context, WAITS_FOR_NOTHING);
	const { wakesAt, leftMs } = last;
	if (isDelivered(executionId, wakesAt)) return answerRefused(context, HAS_RESULTS);
	if (leftMs <= 0) return answerRefused(context, LEFT_TO_N8N);
	const held = heldPause(executionId, wakesAt);
	const isJoined = held?.watch.joinLook() === true;
	// Elsewhere who looks waits for its turn, and a moment between its looks.
	if (isJoined || held?.isHere === false) return STAY_PAUSED;
	if (held !== undefined) return await followHere(context, executionId, last, held.watch);
	const pause = restorePause(last.waiting);
	if (pause === undefined) return answerRefused(context, WAITS_FOR_NOTHING);
	const permit = elsewhere.begin(executionId, pause.rows.length * BYTES_OF_ROW);
	if (permit === undefined) return answerRefused(context, TOO_MANY_CALLS);
	const watch = hold(executionId, wakesAt, new Watch(pause.form.lookup, pause.orders));
	const work = { pause, wakesAt, watch };
	try {
		return await followInTurn(async () => await lookAndDeliver(context, executionId, work));
	} finally {
		letGo(executionId);
		permit.release();
	}
}

async function followHere(
	context: IWebhookFunctions,
	executionId: string,
	{ wakesAt, waiting }: LastPause,
	watch: Watch,
): Promise<IWebhookResponseData> {
	const permit = besideLoops.begin(executionId);
	// The calls of the loops have a limit of their own.
	if (permit === undefined && !isCalledHere(executionId)) {
		lookSoon(executionId);
		return STAY_PAUSED;
	}
	try {
		const pause = restorePause(waiting);
		if (pause === undefined) return answerRefused(context, WAITS_FOR_NOTHING);
		return await lookAndDeliver(context, executionId, { pause, wakesAt, watch });
	} finally {
		permit?.release();
	}
}

async function lookAndDeliver(
	context: IWebhookFunctions,
	executionId: string,
	{ pause, wakesAt, watch }: { pause: Pause; wakesAt: number; watch: Watch },
): Promise<IWebhookResponseData> {
	const connection = await connectForCallback(context);
	const isHere = heldPause(executionId, wakesAt)?.isHere === true;
	const isOnlyOne = watch.openCount === 1;
	const results = watch.onlyResult ?? new Map<string, Ended>();
	let unfinished = await watch.look(connection, results);
	// Where nobody looks afterwards, a callback that was a little early is made up for here.
	if (unfinished !== undefined && !isHere) {
		await sleepUnlessAborted(RECHECK_MS);
		unfinished = await watch.look(connection, results);
	}
	if (unfinished !== undefined) {
		lookSoon(executionId);
		if (isHere) return STAY_PAUSED;
		if (unfinished.shown.kind === 'fault') return answerRefused(context, NOT_ASKED);
		return isOnlyOne ? answerRefused(context, NOT_FINISHED) : STAY_PAUSED;
	}
	const isComplete = await readEnded(connection, watch, pause, results);
	if (!isComplete) {
		lookSoon(executionId);
		return answerRefused(context, NOT_ASKED);
	}
	// To read them may have taken long.
	if (isDelivered(executionId, wakesAt)) return answerRefused(context, HAS_RESULTS);
	if ((lastPauseOf(context)?.leftMs ?? 0) <= 0) return answerRefused(context, LEFT_TO_N8N);
	return { workflowData: [deliver(context, executionId, wakesAt, pause)] };
}

/**
 * Notes what has become of all orders; results that were seen before and not kept are read again.
 * @returns whether all is known
 */
async function readEnded(
	connection: Connection,
	watch: Watch,
	{ form, orders }: Pause,
	results: ReadonlyMap<string, Ended>,
): Promise<boolean> {
	let isComplete = true;
	await forEachConcurrently(MAX_CONCURRENT_READS, orders, async (order: AcceptedOrder) => {
		if (!isComplete) return;
		const shown =
			results.get(order.fate.id) ?? (await watch.read(connection, targetOf(form.lookup, order)));
		noteShown(order, shown, hasEnded(shown) || watch.isLost(order.fate.id));
		isComplete &&= order.fate.isOver;
	});
	return isComplete;
}

function deliver(
	context: IWebhookFunctions,
	executionId: string,
	wakesAt: number,
	{ form, rows, orders, items }: Pause,
): INodeExecutionData[] {
	const resumed = toResumedItems(context.getNode(), form, give(form, rows, orders), items);
	noteCalledBack(context);
	noteDelivered(executionId, wakesAt);
	const response = context.getResponseObject();
	// The event `finish` does not come where the sender has hung up.
	response.once('prefinish', () => {
		if (response.statusCode < 500) endPause(executionId, wakesAt);
		else noteDelivered(executionId, wakesAt, false);
	});
	return resumed;
}
