import type { Progress } from '../service/lookupState';

/** How fast a batch goes on. */
export interface BatchPace {
	/** Searches that were done lately. */
	done: number;
	inMs: number;
	/** Since it was seen to go on without a long halt. */
	seenMs: number;
}

/** A look, at a time of the monotonic clock in milliseconds. */
interface Look {
	finished: number;
	at: number;
}

/** What earlier polls have told of how far a batch is. */
export interface Advance {
	/** How many searches are in it, where that is known. */
	searches?: number;
	/** The latest that can be true. */
	progress?: Progress;
	/** When it was first seen as it is now, by the monotonic clock in milliseconds. */
	progressedAt?: number;
	/** When it was last seen, by the same clock. */
	lookedAt?: number;
	/** Since it was seen to go on: the pace is that since `from`, which follows at half of the way. */
	run?: { since: number; from: Look; middle: Look };
}

/**
 * Takes what a poll tells, where it can be true: of as many searches as were sent, and never less
 * than before.
 * @returns what is believed now, for how long it has not moved, and how fast it moves
 */
export function noteProgress(
	advance: Advance,
	told: Progress | undefined,
	now: number,
): { progress?: Progress; stalledMs: number; pace?: BatchPace } {
	const { searches, progress: before } = advance;
	const progress = told ?? before;
	const stalledMs = () => (advance.progressedAt === undefined ? 0 : now - advance.progressedAt);
	if (progress === undefined) return { stalledMs: 0 };
	const requested = searches ?? before?.requested ?? progress.requested;
	if (progress.requested !== requested || progress.finished < (before?.finished ?? 0)) {
		return { stalledMs: stalledMs() };
	}
	if (progress.finished !== before?.finished) {
		if (before !== undefined) noteMove(advance, { finished: progress.finished, at: now });
		advance.progressedAt = now;
	}
	advance.progress = progress;
	advance.lookedAt = now;
	const { run } = advance;
	const pace = run && {
		done: progress.finished - run.from.finished,
		inMs: now - run.from.at,
		seenMs: now - run.since,
	};
	return { progress, stalledMs: stalledMs(), pace };
}

function noteMove(advance: Advance, look: Look): void {
	const { run, lookedAt = 0, progressedAt = 0 } = advance;
	const stoodMs = lookedAt - progressedAt;
	if (run === undefined || stoodMs > (look.at - run.since) / 2) {
		// It may have begun just before.
		advance.run = { since: look.at, from: look, middle: look };
	} else if (look.at - run.middle.at >= run.middle.at - run.from.at) {
		run.from = run.middle;
		run.middle = look;
	}
}
