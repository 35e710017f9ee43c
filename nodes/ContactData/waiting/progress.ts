import type { Progress } from '../service/lookupState';

/** What earlier polls have told of how far a batch is. */
export interface Advance {
	/** How many searches are in it, where that is known. */
	searches?: number;
	/** The latest that can be true. */
	progress?: Progress;
	/** When it was first seen as it is now, by the monotonic clock in milliseconds. */
	progressedAt?: number;
}

/**
 * Takes what a poll tells, where it can be true: of as many searches as were sent, and never less
 * than before.
 * @returns what is believed now, and for how long it has not moved
 */
export function noteProgress(
	advance: Advance,
	told: Progress | undefined,
	now: number,
): { progress?: Progress; stalledMs: number } {
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
	return { progress, stalledMs: stalledMs() };
}
