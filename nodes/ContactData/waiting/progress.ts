import type { Progress } from '../service/lookupState';

/** How a batch goes on, since the last look before it was seen to. */
export interface BatchPace {
	/** Searches that were done. */
	done: number;
	inMs: number;
	/** Since the first look at which some were: it may have begun just before. */
	seenMs: number;
}

/** What earlier polls have told of how far a batch is. */
export interface Advance {
	/** How many searches are in it, where that is known. */
	searches?: number;
	/** The latest that can be true. */
	progress?: Progress;
	/** When it was first seen as it is now, by the monotonic clock in milliseconds. */
	progressedAt?: number;
	/** The last look at which nothing was told, or as many as at first, by the same clock. */
	begin?: { finished: number; at: number; movedAt?: number };
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
	if (progress === undefined) {
		advance.begin = { finished: 0, at: now };
		return { stalledMs: 0 };
	}
	const requested = searches ?? before?.requested ?? progress.requested;
	if (progress.requested !== requested || progress.finished < (before?.finished ?? 0)) {
		return { stalledMs: stalledMs() };
	}
	if (progress.finished !== before?.finished) advance.progressedAt = now;
	advance.progress = progress;
	return { progress, stalledMs: stalledMs(), pace: paceOf(advance, progress, now) };
}

function paceOf(advance: Advance, { finished }: Progress, now: number): BatchPace {
	const { begin } = advance;
	// What is known at once may be done at once.
	if (begin === undefined || begin.finished === finished) {
		advance.begin = { finished, at: now };
		return { done: 0, inMs: 0, seenMs: 0 };
	}
	begin.movedAt ??= now;
	return { done: finished - begin.finished, inMs: now - begin.at, seenMs: now - begin.movedAt };
}
