import { monotonicMs } from '../common/time';

const WINDOW_MS = 1_000;
/** Clocks and timers are not exact. */
const MARGIN_MS = 2;
/** The longer the way to the service, the more it varies; the fastest known is not the fastest possible. */
const UNEVENNESS = 0.025;
/** By how much a request counts as late at most: a slow answer may come from a slow service. */
const MAX_LATE_MS = 100;
/** The requests after a delay of up to this follow each other faster, until it is made up for. */
const MADE_UP_MS = 400;
/** What a refusal leaves of the share. */
const DECREASE = 0.85;
/** How long a share takes to grow from nothing to the whole limit. */
const GROWTH_MS = 10_000;
const FIRST_RETRY_MS = 500;
/** Keep retrying at least this often: whoever asks more rarely than the others never gets a freed slot. */
const MAX_RETRY_MS = 4_000;

/** The leave of one request to go. */
export interface Turn {
	/** By the monotonic clock, in milliseconds. */
	readonly at: number;
	/** Whether this process had the whole limit in the second before. */
	readonly isAlone: boolean;
	/** Until the answer, once it is there. */
	tookMs?: number;
}

/**
 * The part of the service's limit that this process takes. Each request holds a slot for a second; a
 * free slot is used again at once, before another process can have it.
 *
 * At first the share is the whole limit. Each refusal cuts it, and without refusals it grows, the longer
 * the faster. So the shares of several processes become alike: whoever has more loses more.
 */
export class Share {
	/** The latest turns, oldest first, without those that were refused. */
	private readonly recent: Turn[] = [];
	private spacedAt = -Infinity;
	private heldUntil = -Infinity;
	/** What the last refusal left, of 1. */
	private cutTo = 1;
	private cutAt = -Infinity;
	/** In a row, while it had no slot. */
	private refusals = 0;

	constructor(private perSecond: number) {}

	limitTo(perSecond: number): void {
		this.perSecond = perSecond;
	}

	/** When the next request may leave; it may be past. */
	opensAt(): number {
		const slots = Math.max(1, Math.floor(this.size() * this.limit));
		return Math.max(
			this.spacedAt,
			this.heldUntil,
			Math.min(this.freeAt(slots), this.growsAt(slots + 1)),
		);
	}

	/** Takes the turn that is open. */
	take(): Turn {
		const now = monotonicMs();
		const spacingMs = WINDOW_MS / this.perSecond;
		const wasIdle = now - this.spacedAt > MADE_UP_MS;
		this.spacedAt = (wasIdle ? now : this.spacedAt) + spacingMs;
		const turn = { at: now, isAlone: now - this.freeAt(this.limit) < spacingMs / 2 };
		this.recent.push(turn);
		// Twice the limit: those of the last second may have no answer yet, and show no fastest one.
		this.recent.splice(0, this.recent.length - 2 * this.limit);
		return turn;
	}

	taken(turn: Turn): void {
		turn.tookMs = monotonicMs() - turn.at;
		this.refusals = 0;
	}

	/** After a 429: nobody goes before `waitMs` is over. */
	refused(turn: Turn, waitMs: number): void {
		const now = monotonicMs();
		const index = this.recent.indexOf(turn);
		if (index >= 0) this.recent.splice(index, 1);
		// Nobody else can have the slot of a process that is alone: an earlier request came late.
		if (!turn.isAlone) {
			this.cutTo = this.size() * DECREASE;
			this.cutAt = now;
		}
		const hasSlot = this.recent.some(({ at }) => at > turn.at - WINDOW_MS);
		const retryMs = hasSlot ? 0 : retryDelayMs(this.refusals++, MAX_RETRY_MS);
		this.heldUntil = Math.max(this.heldUntil, now + Math.max(waitMs, retryMs));
	}

	private get limit(): number {
		return Math.ceil(this.perSecond);
	}

	/** Of 1. */
	private size(): number {
		return Math.min(1, this.cutTo + ((monotonicMs() - this.cutAt) / GROWTH_MS) ** 3);
	}

	/** When the share comes to so many slots. */
	private growsAt(slots: number): number {
		if (slots > this.limit) return Infinity;
		return this.cutAt + GROWTH_MS * Math.cbrt(slots / this.limit - this.cutTo);
	}

	/**
	 * When the oldest of so many slots is free again: a second after its request came to the service,
	 * which may have been late by as much as the answer took longer than the fastest one.
	 */
	private freeAt(slots: number): number {
		const oldest = this.recent[this.recent.length - slots];
		if (oldest === undefined) return -Infinity;
		const { at, tookMs = monotonicMs() - at } = oldest;
		const fastestMs = this.recent.reduce(
			(least, other) => Math.min(least, other.tookMs ?? least),
			tookMs,
		);
		const lateMs = Math.min(MAX_LATE_MS, tookMs - fastestMs);
		return at + WINDOW_MS + lateMs + MARGIN_MS + fastestMs * UNEVENNESS;
	}
}

/** Exponential with jitter, so that several senders do not come back at the same moment. */
export function retryDelayMs(attempt: number, maxMs: number): number {
	return Math.min(maxMs, FIRST_RETRY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
