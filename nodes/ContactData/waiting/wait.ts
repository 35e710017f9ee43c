import { monotonicMs, sleepUnlessAborted } from '../common/time';
import { forEachConcurrently } from '../common/bounds';
import type { Fault } from '../service/reading';
import { READ_RETRY_DELAYS_MS } from '../service/reading';
import type { Fate } from '../service/state';
import type { LookSource } from './look';
import { FIRST_TIMEOUT_MS, lookAt, MAX_CONCURRENT_READS } from './look';
import { nextLookAfterFaultMs, nextLookMs, RUNNING } from './schedule';

/** Looks in a row at which the service may refuse to tell of an id, before that is believed. */
const MAX_REFUSED_LOOKS = 5;
/** For all looks that are under way when the deadline has come, together. */
const LAST_LOOKS_MS = 5000;

/** A lookup or batch to wait for. */
export interface Watched {
	id: string;
	/** When it was submitted, by the monotonic clock in milliseconds. */
	startedAt: number;
	estimateMs?: number;
}

interface WaitOptions extends LookSource {
	/** Milliseconds for the whole wait, not for each look. */
	timeoutMs: number;
	firstDelayMs: number;
	/** Whether the service has answered a moment ago: a fault of the network then passes. */
	reachedBefore: boolean;
	signal?: AbortSignal;
}

interface Wait extends WaitOptions {
	deadline: number;
	/** Whether the service has answered, in this wait or before it. */
	reached: boolean;
}

interface Pending extends Watched {
	nextLookAt: number;
	faults: number;
	refusedLooks: number;
	fate?: Fate;
}

/**
 * Waits for all at once: each is looked at when it is likely to be done, and at the deadline once more.
 * Looking costs nothing, so its faults are tried again until the deadline.
 * @returns the fate of each by id, at most five seconds after the deadline; of a wait that was cancelled,
 *   what had ended before
 */
export async function waitForAll(
	options: WaitOptions,
	watched: Watched[],
): Promise<Map<string, Fate>> {
	const deadline = monotonicMs() + options.timeoutMs;
	const wait: Wait = { ...options, deadline, reached: options.reachedBefore };
	const fates = new Map<string, Fate>();
	// Where all may be looked at at once, one that hangs holds up no other.
	const groups = watched.length > MAX_CONCURRENT_READS ? [watched] : watched.map((one) => [one]);
	await Promise.all(groups.map(async (group) => await waitForGroup(wait, group, fates)));
	return fates;
}

/** Looks at those that are due, and when all of these have answered, at the next. */
async function waitForGroup(
	wait: Wait,
	watched: Watched[],
	fates: Map<string, Fate>,
): Promise<void> {
	const { deadline, signal } = wait;
	let pending: Pending[] = watched.map((lookup) => ({
		...lookup,
		nextLookAt: lookup.startedAt + wait.firstDelayMs,
		faults: 0,
		refusedLooks: 0,
	}));

	while (pending.length > 0) {
		const soonest = pending.reduce((at, { nextLookAt }) => Math.min(at, nextLookAt), deadline);
		// Timers take whole milliseconds.
		const going = await sleepUnlessAborted(Math.ceil(Math.max(0, soonest - monotonicMs())), signal);
		const now = monotonicMs();
		const last = now >= deadline;
		const due = going ? pending.filter(({ nextLookAt }) => last || nextLookAt <= now) : [];
		// What has hung before may hang again, and hold up the others.
		if (last) due.sort((one, other) => one.faults - other.faults);
		const endsAt = last ? deadline + LAST_LOOKS_MS : deadline;
		await forEachConcurrently(MAX_CONCURRENT_READS, due, async (lookup) => {
			if (await look(wait, lookup, endsAt)) {
				fates.set(lookup.id, lookup.fate ?? NOT_LOOKED_AT);
			}
		});
		pending = pending.filter(({ id }) => !fates.has(id));
		if (signal?.aborted === true) return;
		if (!last) continue;
		for (const { id, fate = NOT_LOOKED_AT } of pending) fates.set(id, fate);
		return;
	}
}

const NOT_LOOKED_AT: Fate = { kind: 'ongoing', body: undefined };

/** One look, given up at `endsAt`; plans the next one, or tells that the wait is over. */
async function look(wait: Wait, pending: Pending, endsAt: number): Promise<boolean> {
	const leftMs = endsAt - monotonicMs();
	if (leftMs <= 0) return false;
	const limitMs = FIRST_TIMEOUT_MS[wait.size] * 2 ** pending.faults;
	const fate = await lookAt(wait, pending.id, Math.min(leftMs, limitMs));
	pending.fate = fate;
	const now = monotonicMs();
	if (fate.kind === 'fault') {
		if (endsWait(wait, pending, fate)) {
			pending.fate = { ...fate, fault: 'lasting' };
			return true;
		}
		pending.fate = { ...fate, fault: 'passing' };
		pending.faults++;
		pending.nextLookAt = now + nextLookAfterFaultMs(pending.faults, pending.refusedLooks > 0);
		return false;
	}
	wait.reached = true;
	pending.faults = 0;
	pending.refusedLooks = 0;
	if (fate.kind !== 'ongoing') return true;
	const { startedAt, estimateMs } = pending;
	const { progress } = fate;
	pending.nextLookAt =
		now + nextLookMs({ elapsedMs: now - startedAt, estimateMs, progress }, RUNNING);
	return false;
}

/** Whether a fault ends the wait. What was reached before may be out of reach for a while. */
function endsWait({ reached }: Wait, pending: Pending, { fault, refusal }: Fault): boolean {
	if (fault === 'passing') return false;
	if (fault === 'lasting' && !reached) return true;
	return refusal.status !== undefined && ++pending.refusedLooks >= MAX_REFUSED_LOOKS;
}

/** Looks at each once, and again only where the service could not be asked. */
export async function lookAtAll(
	options: LookSource & { signal?: AbortSignal },
	ids: string[],
): Promise<Map<string, Fate>> {
	const fates = new Map<string, Fate>();
	await forEachConcurrently(MAX_CONCURRENT_READS, ids, async (id) => {
		let fate = await lookAt(options, id);
		for (const delayMs of READ_RETRY_DELAYS_MS) {
			if (fate.kind !== 'fault' || fate.fault === 'lasting') break;
			if (!(await sleepUnlessAborted(delayMs, options.signal))) break;
			fate = await lookAt(options, id);
		}
		fates.set(id, fate);
	});
	return fates;
}
