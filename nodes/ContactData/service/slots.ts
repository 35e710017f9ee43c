const WINDOW_MS = 1000;
/** For the start of a window, which nobody knows to the millisecond. */
const WINDOW_MARGIN_MS = 6;
/** A timer may be so late, however close the turns are. */
const MADE_UP_MS = 20;
/** How much of an answer's time counts as the way to the service; the rest is the service's work. */
const MAX_LATENESS_MS = 150;
/** For each answer, so that the fastest one of long ago is forgotten when the network gets slower. */
const FORGETTING_MS = 0.05;
/** One slot more is tried for in the time in which the service takes so many requests. */
const REQUESTS_PER_TRY = 44;
const MAX_TRY_MS = 8_000;
/** How much sooner the next try comes for each one in a row that was taken; half of it at first. */
const HURRY = 4;
/** Who has no slot when others turn up tries again after this, then after twice the time. */
const FIRST_RETRY_MS = 500;
/** Others may leave a slot at any moment: who waits longer than they do never has it. */
const MAX_RETRY_MS = 3_500;
/** After so many refusals in a row without a slot there are more processes than slots. */
const CROWD_SIGN = 6;
/** Who can try for that many is in no crowd. */
const NO_CROWD = 3;
/** In a crowd, who has a slot tries so much less often for more: those without one come before. */
const CROWD_PATIENCE = 4;
/** The share of its slots that a process with many gives up at once. */
const GIVEN_UP = 0.15;
/** After so long without a request nobody knows who else sends. */
const IDLE_MS = 15_000;

/** One request's leave to go. */
export interface Turn {
	/** By the monotonic clock, in milliseconds. */
	readonly at: number;
	/** Whether it was for one slot more than the process had. */
	readonly isTry: boolean;
	/** Until its answer, in milliseconds. */
	tookMs?: number;
}

/**
 * When the next request may leave, so that no second at the service holds more than the limit, and
 * many processes share that limit although each hears of its own refusals only (`docs/pace.md`). A
 * request that is taken has a slot in the service's second until that is over. A process uses each
 * of its slots again as soon as it is free, tries for one more now and then, and gives one up after
 * some refusals in a row: at once when it has more than half of all, later the fewer it has. Where there
 * are more processes than slots, who has one leaves what is free to those that have none.
 */
export class Slots {
	/** How many this process has: all of them while it is alone. */
	private count: number;
	/** The latest turns, oldest first, but for those that were refused. */
	private readonly recent: Turn[] = [];
	private spacedAt = -Infinity;
	private heldUntil = -Infinity;
	private tryAt = Infinity;
	private leastAnswerMs = Infinity;
	private usedAt = -Infinity;
	private toldAt = -Infinity;
	/** Since it was alone. */
	private timesTold = 0;
	private refusalsInARow = 0;
	private triesTakenInARow = 0;
	private isInCrowd = false;

	constructor(private perSecond: number) {
		this.count = this.limit;
	}

	/** How many requests a second may hold. */
	private get limit(): number {
		return Math.ceil(this.perSecond);
	}

	/** Sets the limit anew, which others of this process may share. */
	limitTo(perSecond: number): void {
		const isAlone = this.count >= this.limit;
		this.perSecond = perSecond;
		this.count = isAlone ? this.limit : Math.min(this.count, this.limit);
		this.recent.splice(0, this.recent.length - this.limit);
	}

	/** When the next request may leave; it may be past. */
	opensAt(now: number): number {
		if (now - this.usedAt > IDLE_MS && now > this.heldUntil) {
			this.count = this.limit;
			this.isInCrowd = false;
			this.refusalsInARow = 0;
		}
		if (this.count >= this.limit) this.tryAt = Infinity;
		const ownAt = Math.min(this.ownSlotAt(now), this.tryAt);
		return Math.max(this.spacedAt, this.heldUntil, ownAt);
	}

	/** Takes the turn that is open. A timer that was a little late is made up for. */
	take(now: number): Turn {
		const isTry = this.ownSlotAt(now) > now;
		if (isTry) {
			this.count++;
			if (this.count >= Math.min(NO_CROWD, this.limit)) this.isInCrowd = false;
			this.tryAt = now + this.tryDelayMs();
		}
		const spacingMs = WINDOW_MS / this.perSecond;
		const isLittle = now - this.spacedAt <= Math.max(spacingMs / 2, MADE_UP_MS);
		this.spacedAt = (isLittle ? this.spacedAt : now) + spacingMs;
		this.usedAt = now;
		const turn: Turn = { at: now, isTry };
		this.recent.push(turn);
		if (this.recent.length > this.limit) this.recent.shift();
		return turn;
	}

	/** To be told of every answer: it shows how late the request can have come to the service. */
	answered(turn: Turn, now: number): void {
		turn.tookMs = now - turn.at;
		this.leastAnswerMs = Math.min(turn.tookMs, this.leastAnswerMs + FORGETTING_MS);
	}

	/** After an answer that is no 429. */
	taken(turn: Turn, now: number): void {
		if (this.count >= this.limit) this.timesTold = 0;
		if (!turn.isTry) return;
		this.refusalsInARow = 0;
		const hurry = HURRY ** ++this.triesTakenInARow / 2;
		this.tryAt = Math.min(this.tryAt, now + this.tryDelayMs() / hurry);
	}

	/** After a 429: nobody goes before `waitMs` is over. */
	refused(turn: Turn, now: number, waitMs: number): void {
		this.heldUntil = Math.max(this.heldUntil, now + waitMs);
		const index = this.recent.indexOf(turn);
		if (index >= 0) this.recent.splice(index, 1);
		const held = this.recent.filter(({ at }) => at > turn.at - WINDOW_MS).length;
		this.count = Math.max(0, Math.min(this.count - 1, held));
		this.tryAt = Math.min(this.tryAt, now + this.tryDelayMs());
		// Several refusals at once are one sign of others, not many.
		if (turn.at <= this.toldAt) return;

		this.toldAt = now;
		this.triesTakenInARow = 0;
		this.timesTold++;
		this.refusalsInARow++;
		if (this.count === 0) {
			if (this.refusalsInARow >= CROWD_SIGN) this.isInCrowd = true;
			this.tryAt = now + this.retryDelayMs();
			return;
		}
		const hasMost = this.count > this.perSecond / 2;
		const weight = (this.count + 1) * (this.isInCrowd ? 2 : 1);
		if (hasMost || this.refusalsInARow * weight >= this.perSecond) {
			this.refusalsInARow = 0;
			this.count -= Math.max(1, Math.round(this.count * GIVEN_UP));
		}
		this.tryAt = now + this.tryDelayMs();
	}

	/** When the oldest of its own slots is free: the service must have counted a whole second since. */
	private ownSlotAt(now: number): number {
		if (this.count === 0) return Infinity;
		const oldest = this.recent[this.recent.length - this.count];
		if (oldest === undefined) return -Infinity;
		const latenessMs = (oldest.tookMs ?? now - oldest.at) - this.leastAnswerMs;
		const countedMs = Math.min(MAX_LATENESS_MS, Math.max(0, latenessMs));
		return oldest.at + WINDOW_MS + countedMs + WINDOW_MARGIN_MS;
	}

	/** With jitter, so that several processes do not try at the same moment again and again. */
	private tryDelayMs(): number {
		const delayMs = Math.min(MAX_TRY_MS, (WINDOW_MS / this.perSecond) * REQUESTS_PER_TRY);
		return (
			delayMs * (this.isInCrowd && this.count > 0 ? CROWD_PATIENCE : 1) * (0.5 + Math.random())
		);
	}

	/** Exponential with jitter. */
	private retryDelayMs(): number {
		const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.timesTold - 1));
		return delayMs * (0.5 + Math.random() / 2);
	}
}
