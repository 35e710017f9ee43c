import { monotonicMs, sleepUnlessAborted } from '../common/time';
import { forEachConcurrently } from '../common/bounds';
import type { Fault } from '../service/reading';
import { READ_RETRY_DELAYS_MS } from '../service/reading';
import { readEstimateMs } from '../service/state';
import type { AcceptedOrder } from '../orders/order';
import { noteShown, sentWith } from '../orders/order';
import type { LookSource } from './look';
import { FIRST_TIMEOUT_MS, lookAt, MAX_CONCURRENT_READS } from './look';
import { nextLookAfterFaultMs, nextLookMs, RUNNING } from './schedule';

/** Looks in a row at which the service may refuse to tell of an id, before that is believed. */
const MAX_REFUSED_LOOKS = 5;
/** For all looks that are under way when the deadline has come, together. */
const LAST_LOOKS_MS = 5000;

interface WaitOptions extends Omit<LookSource, 'size'> {
	/** Milliseconds for the whole wait, not for each look. */
	timeoutMs: number;
	firstDelayMs: number;
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
			nextLookAt: startedAt + options.firstDelayMs,
			faults: 0,
			refusedLooks: 0,
			isOver: false,
		};
	});
	// Where all may be looked at at once, one that hangs holds up no other.
	const groups = pending.length > MAX_CONCURRENT_READS ? [pending] : pending.map((one) => [one]);
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
		await forEachConcurrently(MAX_CONCURRENT_READS, due, async (one) => {
			one.isOver = await look(wait, one, endsAt);
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
	const source = { ...wait, size: order.size };
	const shown = await lookAt(source, order.fate.id, Math.min(leftMs, limitMs), sentWith(order));
	const now = monotonicMs();
	if (shown.kind === 'fault') {
		const isOver = endsWait(wait, pending, shown);
		noteShown(order, { ...shown, fault: isOver ? 'lasting' : 'passing' });
		pending.faults++;
		pending.nextLookAt = now + nextLookAfterFaultMs(pending.faults, pending.refusedLooks > 0);
		return isOver;
	}
	noteShown(order, shown);
	wait.reached = true;
	pending.faults = 0;
	pending.refusedLooks = 0;
	if (shown.kind !== 'ongoing') return true;
	const known = {
		elapsedMs: now - wait.startedAt,
		estimateMs: pending.estimateMs,
		progress: shown.progress,
	};
	pending.nextLookAt = now + nextLookMs(known, RUNNING);
	return false;
}

/** Whether a fault ends the wait. What was reached before may be out of reach for a while. */
function endsWait({ reached }: Wait, pending: Pending, { fault, refusal }: Fault): boolean {
	if (fault === 'passing') return false;
	if (fault === 'lasting' && !reached) return true;
	const isAnswer = fault === 'refused' || refusal.status !== undefined;
	return isAnswer && ++pending.refusedLooks >= MAX_REFUSED_LOOKS;
}

/** Looks at each once, and again only where the service could not be asked. */
export async function lookAtAll(
	options: Omit<LookSource, 'size'> & { signal?: AbortSignal },
	orders: readonly AcceptedOrder[],
): Promise<void> {
	await forEachConcurrently(MAX_CONCURRENT_READS, orders, async (order) => {
		const source = { ...options, size: order.size };
		const look = async () => await lookAt(source, order.fate.id, Infinity, sentWith(order));
		let shown = await look();
		for (const delayMs of READ_RETRY_DELAYS_MS) {
			if (shown.kind !== 'fault' || shown.fault === 'lasting') break;
			if (!(await sleepUnlessAborted(delayMs, options.signal))) break;
			shown = await look();
		}
		noteShown(order, shown);
	});
}
