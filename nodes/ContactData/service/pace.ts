import { RecentMap } from '../common/bounds';
import { ensureError } from '../common/errors';
import { monotonicMs, sleepUnlessAborted, unlessAborted } from '../common/time';
import type { Account, Exchange } from './request';

/** How long a submission is sent again while the service takes nothing of this process. */
export const MAX_IDLE_MS = 600_000;
const MAX_PACES = 500;

const WINDOW_MS = 1_000;
/** Clocks and timers are not exact, and a longer way to the service varies more. */
const MARGIN_MS = 2;
const MARGIN_OF_WAY = 0.025;
/** A request counts as late by this at most: a slow answer may come from a slow service. */
const MAX_LATE_MS = 100;
/** After a delay of up to this the next requests follow each other faster, until it is made up for. */
const MADE_UP_MS = 400;
/** What a refusal leaves of the share. */
const DECREASE = 0.85;
/** How long a share takes to grow from nothing to the whole limit. */
const GROWTH_MS = 10_000;
const FIRST_RETRY_MS = 500;
/** Whoever asks more rarely than the others never gets a freed slot. */
const MAX_RETRY_MS = 4_000;

/** Sends one request, once; `undefined` where it is not wanted any more, and nothing is sent. */
type Send = () => Promise<Exchange> | undefined;

/** Somebody who waits for a turn. */
interface Waiter {
	/** Takes the turn, or leaves it to the next one; never throws. */
	begin(): void;
	sent?: Promise<Exchange>;
	turn?: Turn;
}

/** The leave of one request to go, by the monotonic clock. */
interface Turn {
	readonly at: number;
	/** Whether this process had the whole limit in the second before. */
	readonly isAlone: boolean;
	/** Until its answer, once that is there. */
	tookMs?: number;
}

/**
 * The pace of submissions to one POST endpoint of one account (`service-api.md` section 8). Turns are
 * given first come, first served, but what was sent before goes first.
 *
 * A limit of 3 has three slots. A share of 2/3 takes two of them:
 *   share 1    a b c . . . d e f . . .     d leaves when the slot of a is free, a second after a came
 *   share 2/3  a b . . . . c d . . . .     c leaves when the slot of a is free; the third slot is others'
 *
 * Each request holds a slot of the service's limit for a second; a free slot is used again at once,
 * before another process can have it. A refusal cuts the share of the limit that this process takes,
 * and without refusals it grows, the longer the faster. So the shares of several processes become
 * alike: whoever has more loses more. A process alone has the whole limit, and is refused nothing.
 */
export class Pace {
	/** The latest, oldest first, without those that were refused. */
	private turns: Turn[] = [];
	private nextAt = -Infinity;
	/** What the last refusal left of the limit, of 1. */
	private cutTo = 1;
	private cutAt = -Infinity;
	/** In a row, while this process had no slot. */
	private refusals = 0;
	/** When the service last took a request. */
	private takenAt = -Infinity;
	private readonly waiting: Waiter[] = [];
	private readonly sentBefore = new WeakSet<Send>();
	private isCalling = false;

	constructor(public perSecond: number) {}

	/**
	 * Calls `send` when its turn comes, gives what came of it, and learns from that. After a 429 nobody
	 * goes before its `Retry-After`, unless that is longer than anybody waits.
	 * @param send the same one when it comes again, so that it goes first
	 * @param options `signal` ends the waiting
	 * @returns `undefined` where nothing was sent
	 * @throws what `send` throws, to its caller alone
	 */
	async schedule(send: Send, { signal }: { signal?: AbortSignal }): Promise<Exchange | undefined> {
		const waiter: Waiter = { begin() {} };
		const begun = new Promise<void>((resolve, reject) => {
			waiter.begin = () => {
				try {
					waiter.sent = signal?.aborted === true ? undefined : send();
					if (waiter.sent !== undefined) waiter.turn = this.take();
					resolve();
				} catch (error) {
					reject(ensureError(error));
				}
			};
		});
		if (this.sentBefore.has(send)) this.waiting.unshift(waiter);
		else this.waiting.push(waiter);
		void this.callAll();
		await unlessAborted(begun, signal);
		const { sent, turn } = waiter;
		if (sent === undefined || turn === undefined) return undefined;
		this.sentBefore.add(send);
		const exchange = await sent;
		// What had no answer may be there all the same, and holds its slot.
		if (exchange.kind !== 'answer') return exchange;
		if (exchange.status === 429) {
			const { retryAfterMs = 0 } = exchange;
			this.refused(turn, retryAfterMs > MAX_IDLE_MS ? 0 : retryAfterMs);
		} else {
			this.takenAt = monotonicMs();
			this.refusals = 0;
			turn.tookMs = this.takenAt - turn.at;
		}
		return exchange;
	}

	/** For how long the service has taken nothing of this process, from `since` on. */
	idleMs(since: number): number {
		return monotonicMs() - Math.max(since, this.takenAt);
	}

	private async callAll(): Promise<void> {
		if (this.isCalling) return;
		this.isCalling = true;
		for (let waiter = this.waiting[0]; waiter !== undefined; waiter = this.waiting[0]) {
			const waitMs = Math.ceil(this.opensAt() - monotonicMs());
			if (waitMs > 0) {
				await sleepUnlessAborted(waitMs);
				continue;
			}
			this.waiting.shift();
			waiter.begin();
		}
		this.isCalling = false;
	}

	private get limit(): number {
		return Math.ceil(this.perSecond);
	}

	/** Of the limit, of 1. */
	private share(): number {
		return Math.min(1, this.cutTo + ((monotonicMs() - this.cutAt) / GROWTH_MS) ** 3);
	}

	/** When the next request may leave; it may be past. */
	private opensAt(): number {
		const slots = Math.max(1, Math.floor(this.share() * this.limit));
		return Math.max(this.nextAt, this.freeAt(slots));
	}

	/** When the oldest of so many slots is free: a second after its request came, which may have been late. */
	private freeAt(slots: number): number {
		const oldest = this.turns[this.turns.length - slots];
		if (oldest === undefined) return -Infinity;
		const { at, tookMs = monotonicMs() - at } = oldest;
		const fastestMs = this.turns.reduce(
			(least, turn) => Math.min(least, turn.tookMs ?? least),
			tookMs,
		);
		const lateMs = Math.min(MAX_LATE_MS, tookMs - fastestMs);
		return at + WINDOW_MS + lateMs + MARGIN_MS + fastestMs * MARGIN_OF_WAY;
	}

	private take(): Turn {
		const at = monotonicMs();
		const spacingMs = WINDOW_MS / this.perSecond;
		const turn = { at, isAlone: at - this.freeAt(this.limit) < spacingMs / 2 };
		const wasIdle = at - this.nextAt > MADE_UP_MS;
		this.nextAt = (wasIdle ? at : this.nextAt) + spacingMs;
		// Twice the limit: those of the last second may have no answer yet, and show no fastest one.
		this.turns = [...this.turns, turn].slice(-2 * this.limit);
		return turn;
	}

	private refused(turn: Turn, waitMs: number): void {
		const now = monotonicMs();
		// Nobody else can have the slot of a process that is alone: an earlier request came late.
		if (!turn.isAlone) {
			this.cutTo = this.share() * DECREASE;
			this.cutAt = now;
		}
		this.turns = this.turns.filter((other) => other !== turn);
		const hasSlot = this.turns.some(({ at }) => at > turn.at - WINDOW_MS);
		const retryMs = hasSlot ? 0 : retryDelayMs(this.refusals++, MAX_RETRY_MS);
		this.nextAt = Math.max(this.nextAt, now + Math.max(waitMs, retryMs));
	}
}

/** Shared by all executions of this process. */
const paces = new RecentMap<string, Pace>(MAX_PACES);

/** The pace of one POST endpoint of one account. */
export function getPace({ fingerprint, requestsPerSecond }: Account, path: string): Pace {
	const name = `${fingerprint} ${path}`;
	const pace = paces.get(name) ?? new Pace(requestsPerSecond);
	paces.set(name, pace);
	// Credentials may grant one account different rates: the latest counts.
	pace.perSecond = requestsPerSecond;
	return pace;
}

/** Exponential with jitter, so that several senders do not come back at the same moment. */
export function retryDelayMs(attempt: number, maxMs: number): number {
	return Math.min(maxMs, FIRST_RETRY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
