import type { IDataObject } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { forEachConcurrently } from '../common/concurrency';
import { pause } from '../common/pause';
import { READ_RETRY_DELAYS_MS } from '../service/reading';
import type { Refusal } from '../service/refusals';
import { nextPollDelay } from './pollSchedule';
import type { Advance } from './progress';
import { noteProgress } from './progress';
import type { StateReading, StateSource } from './readState';
import { pollTimeoutMs, MAX_CONCURRENT_READS, readState } from './readState';

/** Polls in a row at which the service may refuse to tell of an id, before that is believed. */
const MAX_REFUSED_POLLS = 5;
/** The same where it is only looked at: if it is there, it can be read by now. */
const MAX_REFUSED_LOOKS = 3;
/** How much later than the end its results may be there. */
const RESULT_LAG_MS = 300_000;
/** For all that is read when the deadline has come, together. */
const LAST_POLLS_MS = 5000;
/** After a poll that failed, and then twice as long each time. */
const FAULT_DELAY_MS = 1000;
/** The same where one was refused that is known to be there: what is on the way may start anew. */
const REFUSED_DELAY_MS = 5000;
const MAX_FAULT_DELAY_MS = 30_000;

/** A lookup or batch to wait for. */
export interface Watched {
	id: string;
	/** When it was submitted, by the monotonic clock in milliseconds. */
	startedAt: number;
	estimateMs?: number;
	/** How many searches are in it, where that is known. */
	searches?: number;
	/** It was started before this run. */
	isEarlier?: boolean;
}

/** How a wait for one lookup or batch ended. */
export type WaitOutcome =
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'failed'; refusal: Refusal }
	/** Still running at the deadline, or not readable until then. */
	| { kind: 'ongoing'; lastFault?: Refusal; body?: unknown }
	| { kind: 'cancelled' };

interface WaitOptions extends StateSource {
	/** Milliseconds for the whole wait, not for each poll. */
	timeoutMs: number;
	firstDelayMs: number;
	/** Whether the service has answered a moment ago: a fault of the network then passes. */
	reachedBefore: boolean;
	/** Whether what still runs is not waited for. */
	looksOnly?: boolean;
	signal?: AbortSignal;
}

interface Wait extends WaitOptions {
	deadline: number;
	/** Whether the service has answered, in this wait or before it. */
	reached: boolean;
}

interface Pending extends Watched, Advance {
	nextPollAt: number;
	faults: number;
	refusedPolls: number;
	/** When its end was first told without a result. */
	overSince?: number;
	lastFault?: Refusal;
}

/**
 * Waits for all at once: each is polled when it is likely to be done, and at the deadline once more.
 * Reading costs nothing, so its faults are tried again until the deadline.
 * @returns how each wait ended, by id; at most five seconds after the deadline
 */
export async function waitForAll(
	options: WaitOptions,
	watched: Watched[],
): Promise<Map<string, WaitOutcome>> {
	const deadline = monotonicMs() + options.timeoutMs;
	const wait: Wait = { ...options, deadline, reached: options.reachedBefore };
	const outcomes = new Map<string, WaitOutcome>();
	// Where all may be polled at once, a poll that hangs holds up no other.
	const groups = watched.length > MAX_CONCURRENT_READS ? [watched] : watched.map((one) => [one]);
	await Promise.all(groups.map(async (group) => await waitForGroup(wait, group, outcomes)));
	return outcomes;
}

/** Looks at those that are due, and when all of these have answered, at the next. */
async function waitForGroup(
	wait: Wait,
	watched: Watched[],
	outcomes: Map<string, WaitOutcome>,
): Promise<void> {
	const { deadline, signal } = wait;
	let pending: Pending[] = watched.map((lookup) => ({
		...lookup,
		nextPollAt: lookup.startedAt + wait.firstDelayMs,
		faults: 0,
		refusedPolls: 0,
	}));

	while (pending.length > 0) {
		const soonest = pending.reduce((at, { nextPollAt }) => Math.min(at, nextPollAt), deadline);
		// Timers take whole milliseconds.
		const going = await pause(Math.ceil(Math.max(0, soonest - monotonicMs())), signal);
		const now = monotonicMs();
		const last = now >= deadline;
		const due = going ? pending.filter(({ nextPollAt }) => last || nextPollAt <= now) : [];
		// What has hung before may hang again, and hold up the others.
		if (last) due.sort((one, other) => one.faults - other.faults);
		const endsAt = last ? deadline + LAST_POLLS_MS : deadline;
		await forEachConcurrently(MAX_CONCURRENT_READS, due, async (lookup) => {
			const outcome = await poll(wait, lookup, endsAt);
			if (outcome !== undefined) outcomes.set(lookup.id, outcome);
		});
		pending = pending.filter(({ id }) => !outcomes.has(id));
		if (!last && signal?.aborted !== true) continue;
		for (const { id, lastFault } of pending) {
			outcomes.set(id, last ? { kind: 'ongoing', lastFault } : { kind: 'cancelled' });
		}
		break;
	}
}

/** Reads each once, and again only where the service could not be asked. */
export async function readAll(
	options: StateSource & { signal?: AbortSignal },
	ids: string[],
): Promise<Map<string, WaitOutcome>> {
	const outcomes = new Map<string, WaitOutcome>();
	await forEachConcurrently(MAX_CONCURRENT_READS, ids, async (id) => {
		let reading = await readState(options, id);
		for (const [index, delayMs] of READ_RETRY_DELAYS_MS.entries()) {
			if (reading.kind !== 'fault' || reading.fault === 'lasting') break;
			if (!(await pause(delayMs, options.signal))) break;
			reading = await readState(options, id, pollTimeoutMs(options, index + 1));
		}
		outcomes.set(
			id,
			reading.kind === 'fault' ? { kind: 'failed', refusal: reading.refusal } : reading,
		);
	});
	return outcomes;
}

/** One poll, given up at `endsAt`; returns how the wait ended, or plans the next poll. */
async function poll(
	wait: Wait,
	pending: Pending,
	endsAt: number,
): Promise<WaitOutcome | undefined> {
	const leftMs = endsAt - monotonicMs();
	if (leftMs <= 0) return undefined;
	const timeoutMs = Math.min(leftMs, pollTimeoutMs(wait, pending.faults));
	const reading = await readState(wait, pending.id, timeoutMs);
	const now = monotonicMs();
	if (reading.kind === 'fault') {
		pending.lastFault = reading.refusal;
		if (endsWait(wait, pending, reading)) return { kind: 'failed', refusal: reading.refusal };
		const isOdd = wait.reached && reading.fault !== 'passing' && !wait.looksOnly;
		const delayMs = isOdd ? REFUSED_DELAY_MS : FAULT_DELAY_MS;
		pending.nextPollAt = now + Math.min(MAX_FAULT_DELAY_MS, delayMs * 2 ** pending.faults++);
		return undefined;
	}
	wait.reached = true;
	if (reading.kind !== 'ongoing' || wait.looksOnly) return reading;
	pending.faults = 0;
	pending.refusedPolls = 0;
	pending.lastFault = undefined;
	pending.overSince = undefined;
	pending.nextPollAt =
		now +
		nextPollDelay({
			elapsedMs: now - pending.startedAt,
			estimateMs: pending.estimateMs,
			...noteProgress(pending, reading.progress, now),
		});
	return undefined;
}

/** Whether a fault ends the wait. What was reached before may be out of reach for a while. */
function endsWait(
	{ reached, looksOnly }: Wait,
	pending: Pending,
	{ fault, refusal, isOver = false }: Extract<StateReading, { kind: 'fault' }>,
): boolean {
	if (isOver) {
		pending.overSince ??= monotonicMs();
		return monotonicMs() - pending.overSince >= RESULT_LAG_MS;
	}
	if (fault === 'passing') return false;
	if (fault === 'lasting' && !reached) return true;
	const mostPolls = looksOnly ? MAX_REFUSED_LOOKS : MAX_REFUSED_POLLS;
	return refusal.status !== undefined && ++pending.refusedPolls >= mostPolls;
}
