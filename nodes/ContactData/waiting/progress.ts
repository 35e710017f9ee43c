import type { Progress } from '../service/lookupState';

/** What earlier polls have told of how far a batch is. */
export interface Advance {
	/** How many searches are in it, where that is known. */
	searches?: number;
	/** The latest that can be true. */
	progress?: Progress;
	/** When it was first seen as it is now, by the monotonic clock in milliseconds. */
	progressedAt?: number;
	/** When nothing of it was seen to be done for the last time, by the same clock. */
	idleAt?: number;
}

/**
 * Takes what a poll tells, where it can be true: of as many searches as were sent, and never less
 * than before.
 * @returns what is believed now, for how long it has not moved, and since when something moves at all
 */
export function noteProgress(
	advance: Advance,
	told: Progress | undefined,
	now: number,
): { progress?: Progress; stalledMs: number; runningMs?: number } {
	const { searches, progress: before } = advance;
	const progress = told ?? before;
	if (Math.max(before?.finished ?? 0, told?.finished ?? 0) === 0) advance.idleAt = now;
	const stalledMs = () => (advance.progressedAt === undefined ? 0 : now - advance.progressedAt);
	if (progress === undefined) return { stalledMs: 0 };
	const requested = searches ?? before?.requested ?? progress.requested;
	if (progress.requested !== requested || progress.finished < (before?.finished ?? 0)) {
		return { stalledMs: stalledMs() };
	}
	if (progress.finished !== before?.finished) advance.progressedAt = now;
	advance.progress = progress;
	const { idleAt } = advance;
	const runningMs = idleAt === undefined ? undefined : now - idleAt;
	return { progress, stalledMs: stalledMs(), runningMs };
}
