import { inTurns, RecentMap } from '../common/bounds';
import { ensureError } from '../common/errors';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import type { LastingConnection } from '../run/credential';
import { nextLookAt } from '../waiting/look';
import { PAUSED } from '../waiting/schedule';
import { forgetAddress } from './address';
import { callResumeUrl } from './resumeCall';
import type { Watch } from './watch';

/** Of all pauses together, in at most 50 MB: each counts as so many of its ids, with its sleep. */
const MAX_WATCHED_IDS = 250_000;
const IDS_OF_SLEEP = 40;
/** Of pauses whose results a callback has brought. */
const MAX_DELIVERED = 10_000;
/** The first look comes soon: a callback before n8n has saved the execution is lost. */
const FIRST_WATCH_MS = 3_000;
/** After a callback that has not resumed the execution. */
const SOON_MS = 2_000;
/** The last look comes so long before the end: results come out though their callback was lost. */
const LAST_LOOK_MS = 15_000;
/** No sleep is longer: n8n's timers cannot be taken back when a pause is over. */
const LONGEST_SLEEP_MS = 60_000;
/** Between calls of a resume URL, each twice as long as the one before. */
const CALL_AGAIN_MS = 5_000;
const LONGEST_CALL_AGAIN_MS = 600_000;
/** After a call that n8n has taken: the next one tells whether it has resumed the execution. */
const TAKEN_MS = 30_000;
/** In a row, in some three minutes: then nothing is paused that could be resumed. */
const MAX_REFUSED_CALLS = 6;
/** At the same time: n8n loads the whole execution for each. */
const MAX_CALLS = 3;

/** A pause that this process has made, or for which it follows up a callback. */
interface Held {
	/** When n8n is to resume it, which names it among the pauses of its execution. */
	wakesAt: number;
	watch: Watch;
	/** Left out where another process looks after it. */
	loop?: Loop;
}

/** How this process looks after a pause; times are of the monotonic clock, in milliseconds. */
interface Loop {
	executionId: string;
	wakesAt: number;
	watch: Watch;
	resumeUrl: string;
	/** From `estimated_duration`. */
	estimateMs?: number;
	/** When it was paused. */
	since: number;
	/** When the rest of the pause is left to n8n. */
	endsAt: number;
	nextLookAt: number;
	/** Ends the sleep until then. */
	waker: AbortController;
	/** Whether the service has refused the key at the last look. */
	isKeyRefused: boolean;
	/** Of the resume URL. */
	calls: { made: number; refusedInRow: number; isTaken: boolean; isUnderWay: boolean };
	/** The latest of its credential and key: n8n's context stays in memory with it. */
	shared: { connection: LastingConnection; pauses: number };
}

/** By execution. */
const pauses = new RecentMap<string, Held>(
	MAX_WATCHED_IDS,
	({ watch }) => IDS_OF_SLEEP + watch.idCount,
);
/** The pauses whose results callbacks have brought, by execution. */
const delivered = new RecentMap<string, number>(MAX_DELIVERED);
const connections = new Map<string, Loop['shared']>();
const callInTurn = inTurns(MAX_CALLS);

/**
 * Looks after a pause in the process that has made it: it makes up for callbacks that are lost or come too
 * early. When all has ended it calls the resume URL, as the service would have done. A restart forgets it;
 * callbacks and the deadline are left then.
 */
export function lookAfter(
	pause: Pick<Loop, 'executionId' | 'wakesAt' | 'watch' | 'resumeUrl' | 'estimateMs'>,
	leftMs: number,
	connection: LastingConnection,
): void {
	const now = monotonicMs();
	const { executionId, wakesAt, watch } = pause;
	const loop: Loop = {
		...pause,
		since: now,
		endsAt: now + leftMs,
		nextLookAt: now + FIRST_WATCH_MS,
		waker: new AbortController(),
		isKeyRefused: false,
		calls: { made: 0, refusedInRow: 0, isTaken: false, isUnderWay: false },
		shared: share(connection),
	};
	pauses.get(executionId)?.loop?.waker.abort();
	pauses.set(executionId, { wakesAt, watch, loop });
	void follow(loop).catch((error: unknown) => {
		loop.shared.connection.logger.warn(
			`A paused execution is not looked after any more: ${ensureError(error).message}`,
		);
	});
}

/** A pause that is known here, and whether this process looks after it. */
export function heldPause(
	executionId: string,
	wakesAt: number,
): { watch: Watch; isHere: boolean } | undefined {
	const held = pauses.get(executionId);
	return held?.wakesAt === wakesAt
		? { watch: held.watch, isHere: held.loop !== undefined }
		: undefined;
}

/** Holds the pause of another process, so that other callbacks for it find this one. */
export function hold(executionId: string, wakesAt: number, watch: Watch): Watch {
	pauses.set(executionId, { wakesAt, watch });
	return watch;
}

/** A callback for it was followed up. */
export function letGo(executionId: string): void {
	if (pauses.get(executionId)?.loop === undefined) pauses.delete(executionId);
}

/** Whether the loop calls for an execution right now, as all that it waits for has ended. */
export function isCalledHere(executionId: string): boolean {
	return pauses.get(executionId)?.loop?.calls.isUnderWay === true;
}

/** Something has called about an execution, and it was not resumed. */
export function lookSoon(executionId: string): void {
	const loop = pauses.get(executionId)?.loop;
	if (loop !== undefined) wakeBy(loop, monotonicMs() + SOON_MS);
}

/** Whether a callback has brought the results: n8n lets others in until the execution runs. */
export function isDelivered(executionId: string, wakesAt: number): boolean {
	return delivered.get(executionId) === wakesAt;
}

/** Notes that a callback brings the results, or has failed to. */
export function noteDelivered(executionId: string, wakesAt: number, isTaken = true): void {
	if (isTaken) delivered.set(executionId, wakesAt);
	else {
		delivered.delete(executionId);
		lookSoon(executionId);
	}
}

/** n8n has taken the results of a pause. */
export function endPause(executionId: string, wakesAt: number): void {
	const held = pauses.get(executionId);
	if (held?.wakesAt !== wakesAt) return;
	pauses.delete(executionId);
	held.loop?.waker.abort();
}

async function follow(loop: Loop): Promise<void> {
	const { executionId, shared } = loop;
	try {
		while (isCurrent(loop) && monotonicMs() < loop.endsAt) {
			const now = monotonicMs();
			if (now < loop.nextLookAt) {
				const at = Math.min(loop.nextLookAt, loop.endsAt, now + LONGEST_SLEEP_MS);
				loop.waker = new AbortController();
				await sleepUnlessAborted(Math.ceil(at - now), loop.waker.signal);
				continue;
			}
			// What is heard meanwhile may bring the next look forward.
			loop.nextLookAt = Infinity;
			const next = await look(loop);
			if (next === undefined) break;
			wakeBy(loop, next);
		}
	} finally {
		if (isCurrent(loop)) pauses.delete(executionId);
		if (--shared.pauses === 0) connections.delete(connectionKey(shared.connection));
	}
}

function isCurrent(loop: Loop): boolean {
	return pauses.get(loop.executionId)?.loop === loop;
}

function wakeBy(loop: Loop, time: number): void {
	if (time >= loop.nextLookAt) return;
	loop.nextLookAt = time;
	loop.waker.abort();
}

/** @returns when to look again; `undefined` where there is nothing left to resume */
async function look(loop: Loop): Promise<number | undefined> {
	const { executionId, wakesAt, watch, endsAt } = loop;
	const { connection } = loop.shared;
	if (isDelivered(executionId, wakesAt) || watch.isLooking) return monotonicMs() + SOON_MS;
	const unfinished = await watch.look(connection);
	if (unfinished === undefined) return await call(loop);
	const { shown, failed } = unfinished;
	const isKeyRefused = shown.kind === 'fault' && shown.refusal.affects === 'account';
	if (isKeyRefused && !loop.isKeyRefused) {
		connection.logger.warn(
			`Execution ${executionId} is paused, and its results cannot be read: ${shown.refusal.message}`,
		);
	}
	loop.isKeyRefused = isKeyRefused;
	const next = nextLookAt(failed, shown, loop, PAUSED);
	const lastLookAt = endsAt - LAST_LOOK_MS;
	return monotonicMs() < lastLookAt ? Math.min(next, lastLookAt) : next;
}

/**
 * Calls n8n, as all has ended.
 * @returns when to call again; `undefined` where there is nothing left to resume
 */
async function call(loop: Loop): Promise<number | undefined> {
	const { executionId, wakesAt, resumeUrl, calls } = loop;
	const { connection } = loop.shared;
	const answer = await callInTurn(async () => {
		if (!isCurrent(loop) || isDelivered(executionId, wakesAt)) return undefined;
		calls.isUnderWay = true;
		return await callResumeUrl(connection, resumeUrl, executionId);
	});
	calls.isUnderWay = false;
	if (answer === undefined) return monotonicMs() + SOON_MS;
	// Before a call is taken, n8n may not have saved the pause.
	calls.refusedInRow = answer.kind === 'refused' ? calls.refusedInRow + 1 : 0;
	if (answer.kind === 'refused' && calls.isTaken) return undefined;
	if (calls.refusedInRow >= MAX_REFUSED_CALLS) {
		connection.logger.warn(
			`n8n does not resume execution ${executionId} (${answer.text}): it was stopped, deleted, or never saved as paused. Its results are paid for: n8n's log has the IDs, by which Get Result or Get Bulk Results reads them.`,
		);
		return undefined;
	}
	calls.isTaken ||= answer.kind === 'taken';
	if (answer.kind === 'failed') {
		forgetAddress();
		if (calls.made === 0) {
			connection.logger.warn(
				`The results for execution ${executionId} are there, but n8n did not take the call to resume it, which is made again: ${answer.text}`,
			);
		}
	}
	const delayMs = Math.min(LONGEST_CALL_AGAIN_MS, CALL_AGAIN_MS * 2 ** calls.made);
	calls.made++;
	return monotonicMs() + Math.max(answer.kind === 'taken' ? TAKEN_MS : 0, delayMs);
}

function share(connection: LastingConnection): Loop['shared'] {
	const shared = connections.get(connectionKey(connection)) ?? { connection, pauses: 0 };
	shared.connection = connection;
	shared.pauses++;
	connections.set(connectionKey(connection), shared);
	return shared;
}

function connectionKey({ credentialId, account }: LastingConnection): string {
	return `${credentialId} ${account.fingerprint}`;
}
