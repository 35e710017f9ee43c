import type { Account } from './account';
import { pause, unlessAborted } from './pause';
import { RecentMap } from './recentMap';

/** A little over the even spacing, for timers and sockets are not exact to the millisecond. */
const SPACING_MARGIN = 1.02;
const SLOWDOWN_PER_REFUSAL = 1.5;
const MAX_SLOWDOWN = 8;
const RECOVERY_PER_SUCCESS = 0.02;
/** Near the limit the pace recovers slowly: a network that is uneven would meet the next 429. */
const NEAR_LIMIT = 1.12;
const RECOVERY_NEAR_LIMIT = 0.0003;
const MAX_PACES = 500;

/**
 * The even spacing of submissions to one POST endpoint of one account (`service.md` section 8).
 * Turns are given first come, first served; a caller that is cancelled gives its place back.
 */
export class Pace {
	private nextTurnAt = 0;
	private lastTurn: Promise<void> = Promise.resolve();
	private slowdown = 1;
	private slowedAt = 0;

	constructor(private readonly requestsPerSecond: number) {}

	/** Resolves when it is the caller's turn; `false` when it was cancelled before that. */
	async turn(signal?: AbortSignal): Promise<boolean> {
		const before = this.lastTurn;
		let pass = () => {};
		this.lastTurn = new Promise<void>((resolve) => {
			pass = resolve;
		});
		if (!(await unlessAborted(before, signal))) {
			void before.then(pass);
			return false;
		}
		try {
			while (signal?.aborted !== true) {
				const waitMs = Math.ceil(this.nextTurnAt - Date.now());
				if (waitMs <= 0) {
					this.nextTurnAt = Date.now() + this.spacingMs();
					return true;
				}
				await pause(waitMs, signal);
			}
			return false;
		} finally {
			pass();
		}
	}

	/** After a 429: nobody goes before `waitMs` is over, and all go more slowly for a while. */
	refused(waitMs: number): void {
		const now = Date.now();
		this.nextTurnAt = Math.max(this.nextTurnAt, now + waitMs);
		// Several refusals at once are one sign of trouble, not many.
		if (now - this.slowedAt > 1000) {
			this.slowdown = Math.min(MAX_SLOWDOWN, this.slowdown * SLOWDOWN_PER_REFUSAL);
			this.slowedAt = now;
		}
	}

	succeeded(): void {
		const step = this.slowdown > NEAR_LIMIT ? RECOVERY_PER_SUCCESS : RECOVERY_NEAR_LIMIT;
		this.slowdown = Math.max(1, this.slowdown - step);
	}

	private spacingMs(): number {
		return (1000 / this.requestsPerSecond) * SPACING_MARGIN * this.slowdown;
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
