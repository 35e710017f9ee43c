import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CallLimit, TOO_MANY_CALLS } from '../common/callLimit';
import { monotonicMs } from '../common/clock';
import { forEachConcurrently } from '../common/concurrency';
import { ensureError } from '../common/itemErrors';
import { pause } from '../common/pause';
import { RecentMap } from '../common/recentMap';
import { shortHash } from '../common/shortHash';
import { connectForCallback } from '../input/callbackCredential';
import { readNotification } from '../service/notification';
import { NOT_ASKED } from '../service/refusals';
import type { EndedFate } from '../service/state';
import { hasEnded } from '../service/state';
import type { LookSource } from '../waiting/look';
import { lookAt, MAX_CONCURRENT_READS } from '../waiting/look';
import { readParked } from './parked';
import { isPauseEnding, noteCalledBack } from './pauseEnd';
import { toResumed } from './resumedItems';
import { isResumed, noteResumed } from './resumedOnce';
import { register } from './register';
import {
	CALLBACK_GATHERING_MS,
	CALLBACK_PATIENCE_MS,
	CALLBACK_RECHECK_DELAYS_MS,
} from './schedule';
import { readUnfinished } from './unfinished';

/** The callbacks of one execution that are being followed up together. */
interface Callbacks {
	count: number;
	calledAgain: boolean;
	/** When a callback came, or a lookup was seen to have ended; by the monotonic clock. */
	heardAt: number;
	/** What they seem to be about: read first, and believed no further. */
	hintedIds: Set<string>;
}

/** Callbacks that were followed up for what an execution waits for: each lookup has one. */
const callbackCounts = new RecentMap<string, number>(10_000);

/** Nobody but the service knows a resume URL, but it may call for many executions at once. */
const followUps = new CallLimit({ ofOne: 1, inProcess: 50 });
/** Of the name of a wait. */
const WAIT_LENGTH = 20;
/** Ids that are noted of callbacks which come while another one is followed up. */
const MAX_HINTS = 1_000;

/** Executions whose callbacks are being followed up in this process. */
const underWay = new Map<string, Callbacks>();

/** Of a reading that is kept, as JSON. */
const MAX_KEPT_LENGTH = 2_000;

/**
 * What callbacks have brought to light; it holds until the execution is resumed, and a finished
 * lookup stays finished. Of what is too long to keep, as a batch is: only that it is there.
 */
const knownReadings = new RecentMap<string, EndedFate | 'readable'>(10_000);

/**
 * Takes a callback of the service for a parked execution. Its body is not believed: it may say which
 * lookup to read first, and the execution is resumed when all of them are seen to be finished.
 * Callbacks come in bursts, so one of them reads, and the others only make it read once more.
 * The answer is 503 when the end could not be seen: a sender that redelivers then comes again.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const executionId = context.getExecutionId();
	const leader = underWay.get(executionId);
	if (leader !== undefined) {
		leader.calledAgain = true;
		leader.heardAt = monotonicMs();
		leader.count++;
		for (const id of leader.hintedIds.size < MAX_HINTS ? readHints(context) : []) {
			leader.hintedIds.add(id);
		}
		return STAY_PARKED;
	}
	const call = followUps.begin(executionId);
	if (call === undefined) return comeAgain(context, TOO_MANY_CALLS);
	const hintedIds = new Set(readHints(context));
	const callbacks = { count: 1, calledAgain: false, heardAt: monotonicMs(), hintedIds };
	underWay.set(executionId, callbacks);
	let unseen = 'The search is not seen to be finished yet';
	try {
		const readAgain = await prepareReading(context, callbacks);
		for (let failures = 0; ;) {
			callbacks.calledAgain = false;
			const seen = await readAgain();
			if (typeof seen === 'object') return { workflowData: [seen] };
			if (seen === 'resumed') return refuse(context, 'The execution has its results');
			if (seen === 'ending') return refuse(context, 'The Timeout of the execution is over');
			if (seen === 'silent') failures = Infinity;
			const waitMs =
				seen === 'ongoing' ? CALLBACK_GATHERING_MS : CALLBACK_RECHECK_DELAYS_MS[failures++];
			if (waitMs !== undefined) await pause(waitMs);
			if (callbacks.calledAgain) failures = 0;
			else if (seen === 'ongoing') return STAY_PARKED;
			else if (waitMs === undefined) break;
		}
	} catch (error) {
		// To throw here would end the parked execution, and run the nodes after it with an empty item.
		unseen = NOT_ASKED;
		const { message } = ensureError(error);
		context.logger.warn(
			`A callback could not be followed up, the execution stays paused: ${message}`,
		);
	} finally {
		underWay.delete(executionId);
		call.end();
	}
	return comeAgain(context, unseen);
}

const STAY_PARKED: IWebhookResponseData = {};

/** Not every sender comes again, so the register looks as well. */
function comeAgain(context: IWebhookFunctions, message: string): IWebhookResponseData {
	register.lookSoon(context.getExecutionId());
	return refuse(context, message);
}

function refuse(context: IWebhookFunctions, message: string): IWebhookResponseData {
	context.getResponseObject().status(503).json({ message });
	return { noWebhookResponse: true };
}

/** The ids in a callback; none where it cannot be read, as an error would end the execution. */
function readHints(context: IWebhookFunctions): string[] {
	try {
		return readNotification(context.getBodyData(), context.getQueryData()).ids;
	} catch (error) {
		context.logger.warn(`A callback could not be read: ${ensureError(error).message}`);
		return [];
	}
}

/**
 * What a reading shows: the items, or that another callback has had them, or that n8n ends the pause by
 * itself; that something still runs, or not even that for sure; `silent` where that has been so for long.
 */
type CallbackReading =
	INodeExecutionData[] | 'resumed' | 'ending' | 'ongoing' | 'unsure' | 'silent';

async function prepareReading(
	context: IWebhookFunctions,
	callbacks: Callbacks,
): Promise<() => Promise<CallbackReading>> {
	const parked = readParked(context);
	const { lookup, size } = parked;
	const connection = await connectForCallback(context);
	const memoryKey = (id: string) =>
		`${connection.account.fingerprint} ${lookup.path} ${size} ${id}`;
	const finished = new Map<string, EndedFate>();
	for (const id of parked.ids) {
		const known = knownReadings.get(memoryKey(id));
		if (known !== undefined && known !== 'readable') finished.set(id, known);
	}
	const isKnown = (id: string) => finished.has(id) || knownReadings.has(memoryKey(id));
	const source = { connection, lookup, size };
	const unknownIds = () => parked.ids.filter((id) => !isKnown(id));
	// An execution may wait several times, each time for other lookups.
	const wait = shortHash([context.getExecutionId(), parked.ids.map(memoryKey)], WAIT_LENGTH);
	const countBefore = callbackCounts.get(wait) ?? 0;
	// Where only one was left, the callback must be about it.
	const onlyOne = unknownIds().length === 1;

	const readThem = async (): Promise<'finished' | 'ongoing' | 'unsure'> => {
		const hinted = unknownIds().filter((id) => callbacks.hintedIds.has(id));
		await readHinted(source, hinted, finished);
		// Its callback may be a little earlier than its result.
		if (hinted.some((id) => !finished.has(id))) return 'unsure';
		// What is known to be there is read when nothing else is left.
		const unread = parked.ids.filter((id) => isKnown(id) && !finished.has(id));
		return await readUnfinished(source, [...startAnywhere(unknownIds()), ...unread], finished);
	};
	return async () => {
		if (isResumed(wait)) return 'resumed';
		if (isPauseEnding(context)) return 'ending';
		const before = finished.size;
		const state = await readThem();
		if (finished.size > before) callbacks.heardAt = monotonicMs();
		for (const [id, reading] of finished) {
			const key = memoryKey(id);
			if (knownReadings.has(key)) continue;
			knownReadings.set(key, size === 'single' && isShort(reading) ? reading : 'readable');
		}
		if (state === 'finished') {
			// To read them may have taken long.
			if (isPauseEnding(context)) return 'ending';
			const { items } = toResumed(context, parked, finished);
			noteCalledBack(context);
			noteResumed(context, wait, register.resumed(context.getExecutionId(), parked.ids));
			return items;
		}
		// Each lookup has one callback: when as many have come as there are lookups, all are over.
		callbackCounts.set(wait, countBefore + callbacks.count);
		const allCalled = countBefore + callbacks.count >= parked.ids.length;
		if (state === 'ongoing' && !onlyOne && !allCalled) return 'ongoing';
		const isSilent = monotonicMs() - callbacks.heardAt >= CALLBACK_PATIENCE_MS[size];
		return isSilent ? 'silent' : 'unsure';
	};
}

async function readHinted(
	source: LookSource,
	ids: string[],
	finished: Map<string, EndedFate>,
): Promise<void> {
	const deadline = monotonicMs() + CALLBACK_PATIENCE_MS[source.size];
	await forEachConcurrently(MAX_CONCURRENT_READS, ids, async (id) => {
		if (monotonicMs() >= deadline) return;
		const reading = await lookAt(source, id, CALLBACK_PATIENCE_MS[source.size]);
		if (hasEnded(reading)) finished.set(id, reading);
	});
}

/** So that none is read each time while others are not. */
function startAnywhere(ids: string[]): string[] {
	const start = Math.floor(Math.random() * ids.length);
	return [...ids.slice(start), ...ids.slice(0, start)];
}

function isShort(reading: EndedFate): boolean {
	try {
		return JSON.stringify(reading).length <= MAX_KEPT_LENGTH;
	} catch {
		// It is nested too deeply.
		return false;
	}
}
