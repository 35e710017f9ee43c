import { forEachConcurrently } from '../common/bounds';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import type { Lookup } from '../lookups/types';
import { isNewId } from '../orders/givenIds';
import { type AcceptedOrder, noteShown } from '../orders/order';
import { READ_RETRY_DELAYS_MS } from '../service/reading';
import type { Connection } from '../service/request';
import { estimateMsIn, type Shown } from '../service/state';
import {
	countLook,
	type Failed,
	FIRST_TIMEOUT_MS,
	lookOnce,
	MAX_CONCURRENT_READS,
	MAX_REFUSED_OF_OLD,
	nextLookAt,
	targetOf,
} from './look';
import { FIRST_LOOK_MS, RUNNING } from './schedule';

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
	nextLookAt: number;
	failed: Failed;
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
		// What was started before may be finished by now.
		const firstLookAt = startedAt + (order.origin === 'new' ? FIRST_LOOK_MS : 0);
		return { order, nextLookAt: firstLookAt, failed: { faults: 0, refusals: 0 } };
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
		const soonest = pending.reduce((at, one) => Math.min(at, one.nextLookAt), deadline);
		// Timers take whole milliseconds.
		const going = await sleepUnlessAborted(Math.ceil(Math.max(0, soonest - monotonicMs())), signal);
		const now = monotonicMs();
		const last = now >= deadline;
		const due = going ? pending.filter((one) => last || one.nextLookAt <= now) : [];
		// What has hung before may hang again, and hold up the others.
		if (last) due.sort((one, other) => one.failed.faults - other.failed.faults);
		const endsAt = last ? deadline + LAST_LOOKS_MS : deadline;
		await forEachConcurrently(MAX_CONCURRENT_READS, due, async (one) => {
			await look(wait, one, endsAt);
		});
		if (last || signal?.aborted === true) return;
		pending = pending.filter(({ order }) => !order.fate.isOver);
	}
}

/** One look, given up at `endsAt`; notes what it has shown, and plans the next one. */
async function look(wait: Wait, pending: Pending, endsAt: number): Promise<void> {
	const { connection, lookup, startedAt } = wait;
	const { order, failed } = pending;
	const leftMs = endsAt - monotonicMs();
	if (leftMs <= 0) return;
	const { size, fate } = order;
	const limitMs = FIRST_TIMEOUT_MS[size] * 2 ** failed.faults;
	const shown = await lookOnce(connection, targetOf(lookup, order), Math.min(leftMs, limitMs));
	wait.reached ||= shown.kind !== 'fault';
	// What was reached before may be out of reach for a while.
	const isUnreachable = shown.kind === 'fault' && shown.fault === 'lasting' && !wait.reached;
	const isNew = order.origin === 'new' || isNewId(connection.account, lookup, size, fate.id);
	const isSettled = countLook(failed, shown, isNew ? undefined : MAX_REFUSED_OF_OLD);
	noteShown(order, shown, isSettled || isUnreachable);
	const waited = { since: startedAt, estimateMs: estimateMsIn(fate.receipt) };
	pending.nextLookAt = nextLookAt(failed, shown, waited, RUNNING);
}

/** Looks at each once; again where the service could not be asked, until it was silent for a minute. */
export async function lookAtAll(
	{ connection, lookup, signal }: Pick<WaitOptions, 'connection' | 'lookup' | 'signal'>,
	orders: readonly AcceptedOrder[],
): Promise<void> {
	let answeredAt = monotonicMs();
	const look = async (order: AcceptedOrder): Promise<Shown> => {
		const leftMs = answeredAt + LONGEST_SILENCE_MS - monotonicMs();
		const shown = await lookOnce(connection, targetOf(lookup, order), leftMs);
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
		// A fault is told: nobody asks again.
		noteShown(order, shown, shown.kind !== 'ongoing');
	});
}
