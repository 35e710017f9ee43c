import type { Progress } from '../service/lookupState';

/** Searches that a batch has done, in milliseconds. */
export interface BatchPace {
	done: number;
	inMs: number;
}

/** What earlier polls have told of how far a batch is. */
export interface Advance {
	/** How many searches are in it, where that is known. */
	searches?: number;
	/** The latest that can be true. */
	progress?: Progress;
	/** When it was first seen as it is now, by the monotonic clock in milliseconds. */
	progressedAt?: number;
	/** The last look at which it was as at the first, by the same clock: what is known at once may be done at once. */
	begin?: { finished: number; at: number };
}

/**
 * Takes what a poll tells, where it can be true: of as many searches as were sent, and never less
 * than before.
 * @returns what is believed now, for how long it has not moved, and how far it has come since it moves at all
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
	if (progress.finished !== before?.finished) advance.progressedAt = now;
	advance.progress = progress;
	if ((advance.begin?.finished ?? progress.finished) === progress.finished) {
		advance.begin = { finished: progress.finished, at: now };
	}
	const { begin } = advance;
	const pace = begin && { done: progress.finished - begin.finished, inMs: now - begin.at };
	return { progress, stalledMs: stalledMs(), pace };
}
