import { monotonicMs } from '../common/clock';
import { pause, unlessAborted } from '../common/pause';
import { RecentMap } from '../common/recentMap';
import type { Account } from './account';

const WINDOW_MS = 1000;
/** For the start of a window, which nobody knows to the millisecond. */
const WINDOW_MARGIN_MS = 6;
/** How much of an answer's time counts as the way to the service; the rest is the service's work. */
const MAX_LATENESS_MS = 150;
/** For each answer, so that the fastest one of long ago is forgotten when the network gets slower. */
const FORGETTING_MS = 0.05;
/** Of the full speed: what a 429 leaves of it, what is left at least, and how it grows again. */
const SPEED_AFTER_REFUSAL = 0.67;
const LEAST_SPEED = 0.125;
const GROWTH_PER_SECOND = 1.06;
const MAX_PACES = 500;

/** One request's place in the pace. */
interface Turn {
	/** By the monotonic clock, in milliseconds. */
	at: number;
	/** Until its answer, in milliseconds. */
	tookMs?: number;
}

/**
 * The pace of submissions to one POST endpoint of one account (`service-api.md` section 8): evenly
 * spaced, and so that no second at the service can hold more than the limit, however uneven the way
 * there. Turns are given first come, first served; a caller that is cancelled gives its place back.
 */
export class Pace {
	private nextTurnAt = -Infinity;
	private lastTurn: Promise<void> = Promise.resolve();
	private readonly recent: Turn[] = [];
	private leastAnswerMs = Infinity;
	private slowedTo = 1;
	private slowedAt = -Infinity;

	constructor(private readonly requestsPerSecond: number) {}

	/** Resolves when it is the caller's turn; `undefined` when it was cancelled before that. */
	async turn(signal?: AbortSignal): Promise<Turn | undefined> {
		const before = this.lastTurn;
		let pass = () => {};
		this.lastTurn = new Promise<void>((resolve) => {
			pass = resolve;
		});
		if (!(await unlessAborted(before, signal))) {
			void before.then(pass);
			return undefined;
		}
		try {
			while (signal?.aborted !== true) {
				const now = monotonicMs();
				const waitMs = Math.ceil(Math.max(this.nextTurnAt, this.windowOpensAt(now)) - now);
				if (waitMs <= 0) return this.take(now);
				await pause(waitMs, signal);
			}
			return undefined;
		} finally {
			pass();
		}
	}

	/** To be told of every answer: it shows how late the request can have come to the service. */
	answered(turn: Turn): void {
		turn.tookMs = monotonicMs() - turn.at;
		this.leastAnswerMs = Math.min(turn.tookMs, this.leastAnswerMs + FORGETTING_MS);
	}

	/** After a 429: nobody goes before `waitMs` is over, and all go more slowly for a while. */
	refused(waitMs: number): void {
		const now = monotonicMs();
		this.nextTurnAt = Math.max(this.nextTurnAt, now + waitMs);
		// Several refusals at once are one sign of trouble, not many.
		if (now - this.slowedAt > 1000) {
			this.slowedTo = Math.max(LEAST_SPEED, this.speed(now) * SPEED_AFTER_REFUSAL);
			this.slowedAt = now + waitMs;
		}
	}

	/** A timer that was a little late is made up for. */
	private take(now: number): Turn {
		const spacingMs = WINDOW_MS / this.requestsPerSecond / this.speed(now);
		const isLittle = now - this.nextTurnAt <= spacingMs / 2;
		this.nextTurnAt = (isLittle ? this.nextTurnAt : now) + spacingMs;
		const turn: Turn = { at: now };
		this.recent.push(turn);
		if (this.recent.length > this.requestsPerSecond) this.recent.shift();
		return turn;
	}

	private speed(now: number): number {
		return Math.min(1, this.slowedTo * GROWTH_PER_SECOND ** ((now - this.slowedAt) / 1000));
	}

	/** When the service must have counted a whole second since the request that is `limit` back. */
	private windowOpensAt(now: number): number {
		const [first] = this.recent;
		if (first === undefined || this.recent.length < this.requestsPerSecond) return -Infinity;
		const latenessMs = (first.tookMs ?? now - first.at) - this.leastAnswerMs;
		const countedMs = Math.min(MAX_LATENESS_MS, Math.max(0, latenessMs));
		return first.at + WINDOW_MS + countedMs + WINDOW_MARGIN_MS;
	}
}

/** Shared by all executions of this process. */
const paces = new RecentMap<string, Pace>(MAX_PACES);

/** The pace of one POST endpoint of one account. */
export function getPace(account: Account, path: string): Pace {
	const name = `${account.fingerprint} ${account.requestsPerSecond} ${path}`;
	const pace = paces.get(name) ?? new Pace(account.requestsPerSecond);
	paces.set(name, pace);
	return pace;
}
