import { forEachConcurrently } from '../common/bounds';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import type { Lookup, Size } from '../lookups/types';
import { isNewId } from '../orders/givenIds';
import { type AcceptedOrder, noteShown } from '../orders/order';
import { READ_RETRY_DELAYS_MS, readOnce } from '../service/reading';
import { type Connection, LONG_REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../service/request';
import {
	type Asked,
	readBulkState,
	readEstimateMs,
	readSingleState,
	type Shown,
} from '../service/state';
import { FIRST_LOOK_MS, nextLookAfterFaultMs, nextLookMs, RUNNING } from './schedule';

/** Reads have no rate limit; this many at once is what a good guest takes. */
export const MAX_CONCURRENT_READS = 10;
/** How many refused looks it takes until a new id is believed to be lost. */
const MAX_REFUSED_LOOKS = 5;
/** The same of an older id. */
const MAX_REFUSED_LOOKS_OF_OLD = 2;

/** How long a look may take in a wait, as it holds up others; twice as long after each fault. */
export const FIRST_TIMEOUT_MS: Record<Size, number> = { single: 10_000, bulk: 60_000 };

/** How long any look may take: the results of a big batch take a while. */
const LONGEST_TIMEOUT_MS: Record<Size, number> = {
	single: REQUEST_TIMEOUT_MS,
	bulk: LONG_REQUEST_TIMEOUT_MS,
};

/** A lookup or batch that is looked at. */
export interface Target extends Asked {
	size: Size;
}

export function targetOf(lookup: Lookup, order: AcceptedOrder): Target {
	return { lookup, size: order.size, id: order.fate.id };
}

/** Looks at one lookup or batch, once. Costs nothing, and never throws. */
export async function lookAt(
	connection: Connection,
	{ size, ...asked }: Target,
	timeoutMs = Infinity,
): Promise<Shown> {
	const reading = await readOnce(connection, `${asked.lookup.path}/${size}`, {
		query: { id: asked.id },
		timeoutMs: Math.min(timeoutMs, LONGEST_TIMEOUT_MS[size]),
	});
	if (reading.kind === 'fault') return reading;
	const { status, body } = reading;
	const read = size === 'single' ? readSingleState : readBulkState;
	return read(status, body, asked);
}

/** How many refused looks it takes until an id of another run is believed to be lost. */
export function looksUntilLost({ account }: Connection, { lookup, size, id }: Target): number {
	const isNew = isNewId(account, lookup, size, id);
	return isNew ? MAX_REFUSED_LOOKS : MAX_REFUSED_LOOKS_OF_OLD;
}

/** Counts the looks at which the service refuses to tell of an id, and says when that is for good. */
export function isRefusedForGood(
	counter: { refusedLooks: number },
	shown: Shown,
	maxLooks = MAX_REFUSED_LOOKS,
): boolean {
	if (shown.kind !== 'fault') {
		counter.refusedLooks = 0;
		return false;
	}
	const { fault, refusal } = shown;
	const isAnswer = fault === 'refused' || (fault === 'lasting' && refusal.status !== undefined);
	if (isAnswer) counter.refusedLooks++;
	return isAnswer && counter.refusedLooks >= maxLooks;
}

/** How long Get Result without 'Wait for Result' asks a silent service. */
const LONGEST_SILENCE_MS = 60_000;
/** For all looks that are under way when the deadline has come, together. */
const LAST_LOOKS_MS = 5000;

interface WaitOptions {
	connection: Connection;
	lookup: Lookup;
	/** Milliseconds for the whole wait, not for each look. */
	timeoutMs: number;
	/** Whether the service has answered a moment ago: a fault of the network then passes. */
	reachedBefore: boolean;
	signal?: AbortSignal;
}

interface Wait extends WaitOptions {
	startedAt: number;
	deadline: number;
	/** Whether the service has answered, in this wait or before it. */
	reached: boolean;
}

/** An order that is waited for; times are of the monotonic clock, in milliseconds. */
interface Pending {
	order: AcceptedOrder;
	estimateMs?: number;
	nextLookAt: number;
	faults: number;
	refusedLooks: number;
	isOver: boolean;
}

/**
 * Waits for all at once: each is looked at when it is likely to be done, and at the deadline once more.
 * Looking costs nothing, so its faults are tried again until the deadline. It ends at most five seconds
 * after the deadline, or when the execution is cancelled.
 * @param orders get as their fates what was seen last
 */
export async function waitForAll(
	options: WaitOptions,
	orders: readonly AcceptedOrder[],
): Promise<void> {
	const startedAt = monotonicMs();
	const deadline = startedAt + options.timeoutMs;
	const wait: Wait = { ...options, startedAt, deadline, reached: options.reachedBefore };
	const pending = orders.map((order): Pending => {
		return {
			order,
			estimateMs: readEstimateMs(order.fate.receipt),
			// What was started before may be finished by now.
			nextLookAt: startedAt + (order.origin === 'new' ? FIRST_LOOK_MS : 0),
			faults: 0,
			refusedLooks: 0,
			isOver: false,
		};
	});
	// Where all may be looked at at once, one that hangs holds up no other.
	const groups =
		pending.length > MAX_CONCURRENT_READS ? [pending] : pending.map((order) => [order]);
	await Promise.all(groups.map(async (group) => await waitForGroup(wait, group)));
}

/** Looks at those that are due, and when all of these have answered, at the next. */
async function waitForGroup(wait: Wait, group: Pending[]): Promise<void> {
	const { deadline, signal } = wait;
	for (let pending = group; pending.length > 0;) {
		const soonest = pending.reduce((at, { nextLookAt }) => Math.min(at, nextLookAt), deadline);
		// Timers take whole milliseconds.
		const going = await sleepUnlessAborted(Math.ceil(Math.max(0, soonest - monotonicMs())), signal);
		const now = monotonicMs();
		const last = now >= deadline;
		const due = going ? pending.filter(({ nextLookAt }) => last || nextLookAt <= now) : [];
		// What has hung before may hang again, and hold up the others.
		if (last) due.sort((one, other) => one.faults - other.faults);
		const endsAt = last ? deadline + LAST_LOOKS_MS : deadline;
		await forEachConcurrently(MAX_CONCURRENT_READS, due, async (order) => {
			order.isOver = await look(wait, order, endsAt);
		});
		if (last || signal?.aborted === true) return;
		pending = pending.filter(({ isOver }) => !isOver);
	}
}

/** One look, given up at `endsAt`; plans the next one, or tells that the wait is over. */
async function look(wait: Wait, pending: Pending, endsAt: number): Promise<boolean> {
	const { order } = pending;
	const leftMs = endsAt - monotonicMs();
	if (leftMs <= 0) return false;
	const limitMs = FIRST_TIMEOUT_MS[order.size] * 2 ** pending.faults;
	const { connection, lookup } = wait;
	const target = targetOf(lookup, order);
	const shown = await lookAt(connection, target, Math.min(leftMs, limitMs));
	const now = monotonicMs();
	// What was reached before may be out of reach for a while.
	const isUnreachable = shown.kind === 'fault' && shown.fault === 'lasting' && !wait.reached;
	const maxLooks = order.origin === 'new' ? undefined : looksUntilLost(connection, target);
	const isOver = isRefusedForGood(pending, shown, maxLooks) || isUnreachable;
	if (shown.kind === 'fault') {
		noteShown(order, isOver ? shown : { ...shown, fault: 'passing' });
		pending.faults++;
		pending.nextLookAt = now + nextLookAfterFaultMs(pending.faults, pending.refusedLooks > 0);
		return isOver;
	}
	noteShown(order, shown);
	wait.reached = true;
	pending.faults = 0;
	if (shown.kind !== 'ongoing') return true;
	const waited = {
		elapsedMs: now - wait.startedAt,
		estimateMs: pending.estimateMs,
		progress: shown.progress,
	};
	pending.nextLookAt = now + nextLookMs(waited, RUNNING);
	return false;
}

/** Looks at each once; again where the service could not be asked, until it was silent for a minute. */
export async function lookAtAll(
	{ connection, lookup, signal }: Pick<WaitOptions, 'connection' | 'lookup' | 'signal'>,
	orders: readonly AcceptedOrder[],
): Promise<void> {
	let answeredAt = monotonicMs();
	const look = async (order: AcceptedOrder): Promise<Shown> => {
		const leftMs = answeredAt + LONGEST_SILENCE_MS - monotonicMs();
		const shown = await lookAt(connection, targetOf(lookup, order), leftMs);
		if (shown.kind !== 'fault' || shown.refusal.status !== undefined) answeredAt = monotonicMs();
		return shown;
	};
	await forEachConcurrently(MAX_CONCURRENT_READS, orders, async (order) => {
		let shown = await look(order);
		for (const delayMs of READ_RETRY_DELAYS_MS) {
			if (shown.kind !== 'fault' || shown.fault === 'lasting') break;
			if (!(await sleepUnlessAborted(delayMs, signal))) break;
			shown = await look(order);
		}
		// Nothing more is to come.
		noteShown(order, shown.kind === 'fault' ? { ...shown, fault: 'lasting' } : shown);
	});
}
