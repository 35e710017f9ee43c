import { monotonicMs, sleepUnlessAborted, unlessAborted } from '../common/time';
import { RecentMap } from '../common/bounds';
import type { Account } from './account';

const WINDOW_MS = 1_000;
/** Not every request takes equally long to the service. */
const MARGIN_MS = 12;
/** A timer that is so late is made up for. */
const LATE_MS = 20;
/** The longest between two probes; half of it is the least. */
const PROBE_MS = 6_000;
const FIRST_RETRY_MS = 500;
/** Others may leave a slot at any moment: who waits longer than they do never has it. */
const MAX_RETRY_MS = 4_000;
const MAX_PACES = 500;

/** The leave of one request to go. */
export interface Turn {
	/** By the monotonic clock, in milliseconds. */
	readonly at: number;
	/** Whether it is for one slot more than the process had. */
	readonly isProbe: boolean;
}

/** Somebody who waits for a turn. */
interface Waiter {
	turn?: Turn;
	call(): void;
}

/**
 * The part of the service's limit that this process has. A request that is taken holds a slot until
 * its second is over. Each slot is used again as soon as it is free, when nobody else can have it yet;
 * now and then a probe asks for one more, and for the next at once when it is taken. A refused probe
 * may cost a slot, the more likely the more there are: so the shares of several processes meet.
 */
class Slots {
	/** How many this process has: at first all. */
	private count: number;
	/** The latest turns, oldest first, but for those that were refused. */
	private readonly recent: Turn[] = [];
	private spacedAt = -Infinity;
	private heldUntil = -Infinity;
	private probeAt = -Infinity;
	/** In a row, without a slot. */
	private refusals = 0;

	constructor(private perSecond: number) {
		this.count = this.limit;
	}

	private get limit(): number {
		return Math.ceil(this.perSecond);
	}

	limitTo(perSecond: number): void {
		this.perSecond = perSecond;
		this.count = Math.min(this.count, this.limit);
	}

	/** When the next request may leave; it may be past. */
	opensAt(): number {
		const probeAt = this.count < this.limit ? this.probeAt : Infinity;
		return Math.max(this.spacedAt, this.heldUntil, Math.min(this.ownSlotAt(), probeAt));
	}

	/** Takes the turn that is open. */
	take(now: number): Turn {
		const isProbe = this.ownSlotAt() > now;
		if (isProbe) {
			this.count++;
			this.probeAt = now + this.probeDelayMs();
		}
		const spacingMs = WINDOW_MS / this.perSecond;
		const isLate = now - this.spacedAt > Math.max(spacingMs / 2, LATE_MS);
		this.spacedAt = (isLate ? now : this.spacedAt) + spacingMs;
		const turn = { at: now, isProbe };
		this.recent.push(turn);
		this.recent.splice(0, this.recent.length - this.limit);
		return turn;
	}

	taken({ isProbe }: Turn): void {
		this.refusals = 0;
		if (isProbe) this.probeAt = monotonicMs();
	}

	refused(turn: Turn, waitMs: number): void {
		const now = monotonicMs();
		this.heldUntil = Math.max(this.heldUntil, now + waitMs);
		const index = this.recent.indexOf(turn);
		if (index >= 0) this.recent.splice(index, 1);
		const held = this.recent.filter(({ at }) => at > turn.at - WINDOW_MS).length;
		this.count = Math.max(0, Math.min(this.count - 1, held));
		if (turn.isProbe && Math.random() < this.count / this.limit) this.count--;
		this.probeAt = now + this.probeDelayMs();
		if (this.count === 0) this.refusals++;
	}

	/** When the oldest of its own slots is free. */
	private ownSlotAt(): number {
		if (this.count === 0) return Infinity;
		const oldest = this.recent[this.recent.length - this.count];
		return oldest === undefined ? -Infinity : oldest.at + WINDOW_MS + MARGIN_MS;
	}

	private probeDelayMs(): number {
		return this.count === 0 ? retryDelayMs(this.refusals, MAX_RETRY_MS) : jittered(PROBE_MS);
	}
}

/**
 * The pace of submissions to one POST endpoint of one account (`service-api.md` section 8). Turns are
 * given first come, first served, but what was refused goes before what was never sent. A caller that
 * is cancelled leaves the queue.
 */
export class Pace {
	/** When the service last took a request. */
	takenAt = -Infinity;
	private readonly slots: Slots;
	private readonly refusedBefore: Waiter[] = [];
	private readonly neverSent: Waiter[] = [];
	private isCalling = false;
	/** Ends the waiting for the next turn, so that it outlives no caller. */
	private nobodyWaits = new AbortController();

	constructor(perSecond: number) {
		this.slots = new Slots(perSecond);
	}

	/** Credentials may grant one account different rates: the latest counts. */
	limitTo(perSecond: number): void {
		this.slots.limitTo(perSecond);
	}

	/**
	 * Resolves when it is the caller's turn; `undefined` when it was cancelled before that.
	 * @param isAgain whether it was sent before, and certainly not accepted
	 */
	async turn(signal?: AbortSignal, isAgain = false): Promise<Turn | undefined> {
		if (signal?.aborted === true) return undefined;
		const waiter: Waiter = { call() {} };
		const called = new Promise<void>((resolve) => {
			waiter.call = resolve;
		});
		const queue = isAgain ? this.refusedBefore : this.neverSent;
		queue.push(waiter);
		void this.callAll();
		if (await unlessAborted(called, signal)) return waiter.turn;
		const index = queue.indexOf(waiter);
		if (index >= 0) queue.splice(index, 1);
		if (this.waiting === 0) this.nobodyWaits.abort();
		return undefined;
	}

	/** To be told of every answer that is no 429. */
	taken(turn: Turn): void {
		this.takenAt = monotonicMs();
		this.slots.taken(turn);
	}

	/** After a 429: nobody goes before `waitMs` is over. */
	refused(turn: Turn, waitMs: number): void {
		this.slots.refused(turn, waitMs);
	}

	private get waiting(): number {
		return this.refusedBefore.length + this.neverSent.length;
	}

	private async callAll(): Promise<void> {
		if (this.isCalling) return;
		this.isCalling = true;
		while (this.waiting > 0) {
			const now = monotonicMs();
			const waitMs = Math.ceil(this.slots.opensAt() - now);
			if (waitMs > 0) {
				this.nobodyWaits = new AbortController();
				await sleepUnlessAborted(waitMs, this.nobodyWaits.signal);
				continue;
			}
			const waiter = this.refusedBefore.shift() ?? this.neverSent.shift();
			if (waiter === undefined) break;
			waiter.turn = this.slots.take(now);
			waiter.call();
		}
		this.isCalling = false;
	}
}

/** Shared by all executions of this process. */
const paces = new RecentMap<string, Pace>(MAX_PACES);

/** The pace of one POST endpoint of one account. */
export function getPace(account: Account, path: string): Pace {
	const name = `${account.fingerprint} ${path}`;
	const pace = paces.get(name) ?? new Pace(account.requestsPerSecond);
	paces.set(name, pace);
	pace.limitTo(account.requestsPerSecond);
	return pace;
}

/** Exponential with jitter, so that several senders do not come back at the same moment. */
export function retryDelayMs(attempt: number, maxMs: number): number {
	return jittered(Math.min(maxMs, FIRST_RETRY_MS * 2 ** attempt));
}

function jittered(ms: number): number {
	return ms * (0.5 + Math.random() / 2);
}
