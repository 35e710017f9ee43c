import { RecentMap } from '../common/bounds';
import { monotonicMs, sleepUnlessAborted, unlessAborted } from '../common/time';
import type { Account } from './account';
import type { Exchange } from './request';
import type { Turn } from './share';
import { Share } from './share';

/** How long a submission is sent again while the service takes nothing of this process. */
export const PATIENCE_MS = 600_000;
const MAX_PACES = 500;

/** Sends one request, once. */
type Send = () => Promise<Exchange>;

interface ScheduleOptions {
	/** Ends the waiting for a turn. */
	signal?: AbortSignal;
	/** Asked when the turn comes, and once: `false` leaves the turn to the next one. */
	claim?: () => boolean;
}

/** Somebody who waits for a turn. */
interface Waiter {
	claim?: () => boolean;
	/** Given with the call, unless it was not claimed. */
	turn?: Turn;
	call(): void;
}

/**
 * The pace of submissions to one POST endpoint of one account (`service-api.md` section 8). Turns are
 * given first come, first served, but what was sent before goes before what was never sent. A caller
 * that is cancelled leaves the queue.
 */
export class Pace {
	private readonly share: Share;
	/** When the service last took a request. */
	private takenAt = -Infinity;
	private readonly sentBefore = new WeakSet<Send>();
	private readonly again: Waiter[] = [];
	private readonly neverSent: Waiter[] = [];
	private isCalling = false;
	/** Ends the waiting for the next turn, so that it outlives no caller. */
	private nobodyWaits = new AbortController();

	constructor(perSecond: number) {
		this.share = new Share(perSecond);
	}

	/** Credentials may grant one account different rates: the latest counts. */
	limitTo(perSecond: number): void {
		this.share.limitTo(perSecond);
	}

	/**
	 * Calls `send` when its turn comes, gives what came of it, and learns from that. After a 429 nobody
	 * goes before its `Retry-After`, unless that is longer than the patience.
	 * @param send the same one when it comes again, so that it goes first
	 * @returns `undefined` where nothing was sent: cancelled before its turn, or not claimed
	 */
	async schedule(send: Send, { signal, claim }: ScheduleOptions): Promise<Exchange | undefined> {
		const turn = this.sentBefore.has(send)
			? await this.turn(this.again, { signal })
			: await this.turn(this.neverSent, { signal, claim });
		if (turn === undefined) return undefined;
		this.sentBefore.add(send);
		const exchange = await send();
		// What had no answer may be there all the same, and holds its slot.
		if (exchange.kind !== 'answer') return exchange;
		if (exchange.status === 429) {
			const { retryAfterMs = 0 } = exchange;
			this.share.refused(turn, retryAfterMs > PATIENCE_MS ? 0 : retryAfterMs);
		} else {
			this.takenAt = monotonicMs();
			this.share.taken(turn);
		}
		return exchange;
	}

	/** For how long the service has taken nothing of this process, from `since` on. */
	idleMs(since: number): number {
		return monotonicMs() - Math.max(since, this.takenAt);
	}

	private get waiting(): number {
		return this.again.length + this.neverSent.length;
	}

	private async turn(
		queue: Waiter[],
		{ signal, claim }: ScheduleOptions,
	): Promise<Turn | undefined> {
		if (signal?.aborted === true) return undefined;
		const waiter: Waiter = { claim, call() {} };
		const called = new Promise<void>((resolve) => {
			waiter.call = resolve;
		});
		queue.push(waiter);
		void this.callAll();
		if (await unlessAborted(called, signal)) return waiter.turn;
		const index = queue.indexOf(waiter);
		if (index >= 0) queue.splice(index, 1);
		if (this.waiting === 0) this.nobodyWaits.abort();
		return undefined;
	}

	private async callAll(): Promise<void> {
		if (this.isCalling) return;
		this.isCalling = true;
		while (this.waiting > 0) {
			const waitMs = Math.ceil(this.share.opensAt() - monotonicMs());
			if (waitMs > 0) {
				this.nobodyWaits = new AbortController();
				await sleepUnlessAborted(waitMs, this.nobodyWaits.signal);
				continue;
			}
			const waiter = this.again.shift() ?? this.neverSent.shift();
			if (waiter === undefined) break;
			if (waiter.claim?.() !== false) waiter.turn = this.share.take();
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
