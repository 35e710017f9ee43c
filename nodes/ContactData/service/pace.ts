import { monotonicMs } from '../common/clock';
import { pause, unlessAborted } from '../common/pause';
import { RecentMap } from '../common/recentMap';
import type { Account } from './account';
import type { Turn } from './slots';
import { Slots } from './slots';

/** How long a lower rate counts after it was last asked for. */
const LOWER_RATE_MS = 60_000;
/** In answers: what is older hardly counts for how many others there seem to be. */
const REMEMBERED_ANSWERS = 100;
/** Programs like this one that share a key, for each refusal on a request that is taken (`docs/pace.md`). */
const PROGRAMS_PER_REFUSAL = 48;
const MAX_PACES = 500;
/** A timer that is later was no busy machine: the process was stopped, or slept with the machine. */
const STOPPED_MS = 30_000;

/** Somebody who waits for a turn. */
interface Waiter {
	isAgain: boolean;
	turn?: Turn;
	call(): void;
}

/**
 * The pace of submissions to one POST endpoint of one account (`service-api.md` section 8). Turns are
 * given first come, first served, but what was refused goes before what was never sent; each second
 * time it lets one of those go first. A caller that is cancelled leaves the queue.
 */
export class Pace {
	/** When the service last took a request. */
	takenAt = -Infinity;
	/** When this process went on after it had been stopped, and could not ask. */
	awakeSince = -Infinity;
	private readonly slots: Slots;
	private readonly callers: Waiter[] = [];
	private isCalling = false;
	/** Ends the waiting for the next turn. */
	private nobodyWaits = new AbortController();
	private limitedAt = -Infinity;
	private takenOfLate = 0;
	private refusedOfLate = 0;

	constructor(private perSecond: number) {
		this.slots = new Slots(perSecond);
	}

	/** Credentials may grant one account different rates: the lower one counts. */
	limitTo(perSecond: number): void {
		const now = monotonicMs();
		if (perSecond > this.perSecond && now - this.limitedAt <= LOWER_RATE_MS) return;
		this.perSecond = perSecond;
		this.limitedAt = now;
		this.slots.limitTo(perSecond);
	}

	/**
	 * Resolves when it is the caller's turn; `undefined` when it was cancelled before that.
	 * @param timesSent before, and certainly not accepted
	 */
	async turn(signal?: AbortSignal, timesSent = 0): Promise<Turn | undefined> {
		if (signal?.aborted === true) return undefined;
		const isAgain = timesSent > 0;
		const caller: Waiter = { isAgain, call() {} };
		const called = new Promise<void>((resolve) => {
			caller.call = resolve;
		});
		const firstNew = isAgain ? this.callers.findIndex((other) => !other.isAgain) : -1;
		// One that is always refused must not keep all others from being sent.
		const letsOneGo = timesSent % 2 === 0 ? 1 : 0;
		this.callers.splice(firstNew < 0 ? this.callers.length : firstNew + letsOneGo, 0, caller);
		void this.callAll();
		if (await unlessAborted(called, signal)) return caller.turn;
		const index = this.callers.indexOf(caller);
		if (index >= 0) this.callers.splice(index, 1);
		if (this.callers.length === 0) this.nobodyWaits.abort();
		return undefined;
	}

	/** To be told of every answer. */
	answered(turn: Turn, isRefused: boolean): void {
		const now = monotonicMs();
		this.slots.answered(turn, now);
		this.takenOfLate += (isRefused ? 0 : 1) - this.takenOfLate / REMEMBERED_ANSWERS;
		this.refusedOfLate += (isRefused ? 1 : 0) - this.refusedOfLate / REMEMBERED_ANSWERS;
		if (isRefused) return;
		this.takenAt = now;
		this.slots.taken(turn, now);
	}

	/** How many other programs seem to use the key. */
	get others(): number {
		const programs = (this.refusedOfLate / Math.max(1, this.takenOfLate)) * PROGRAMS_PER_REFUSAL;
		return Math.max(1, Math.round(programs) - 1);
	}

	/** After a 429: nobody goes before `waitMs` is over, and others may have more of the limit. */
	refused(turn: Turn, waitMs: number): void {
		this.slots.refused(turn, monotonicMs(), waitMs);
	}

	private async callAll(): Promise<void> {
		if (this.isCalling) return;
		this.isCalling = true;
		while (this.callers.length > 0) {
			const now = monotonicMs();
			const waitMs = Math.ceil(this.slots.opensAt(now) - now);
			if (waitMs > 0) {
				this.nobodyWaits = new AbortController();
				await pause(waitMs, this.nobodyWaits.signal);
				const wokeAt = monotonicMs();
				if (wokeAt - now - waitMs > STOPPED_MS) this.awakeSince = wokeAt;
				continue;
			}
			const caller = this.callers.shift();
			if (caller === undefined) break;
			caller.turn = this.slots.take(now);
			caller.call();
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
