import type { Progress } from '../service/lookupState';
import type { BatchPace } from './progress';

/** Between two polls of the same lookup, when nothing tells how long it will take. */
const QUIET_DELAY_MS = 1400;
const TOLERATED_LAG = 0.1;
/** Polls land a little after the expected end rather than a little before. */
const END_MARGIN_MS = 300;
/** Between two polls at least, however near the end seems to be. */
const LEAST_DELAY_MS = 1000;
/** The first seconds. A batch of which none is done after them may wait for its turn. */
const EARLY_MS = 5_000;
/** In the time of so many searches a batch that goes on has finished one. */
const STALLED_SEARCHES = 4;
/** A foreseen end may come earlier: its job is left alone for this share of its time so far at most, */
const LONGEST_SHARE = 0.3;
/** or for so many quiet delays, where that is longer. */
const LONGEST_DELAYS = 3;
/** `estimated_duration` comes in minutes: a small one says little. */
const COARSE_ESTIMATE_MS = 60_000;

export interface PollHistory {
	/** Since the submission, in milliseconds. */
	elapsedMs: number;
	/** From `estimated_duration`. */
	estimateMs?: number;
	/** How long other jobs took, where nothing is estimated: it brings a poll forward. In milliseconds. */
	usualMs?: number;
	/** From `stats.finished` and `stats.requested`. */
	progress?: Progress;
	/** How long the progress has not moved, in milliseconds. */
	stalledMs?: number;
	/** Of late: the batch may have waited for its turn before. */
	pace?: BatchPace;
	/** Between two polls, when nothing tells how long it will take; in milliseconds. */
	quietDelayMs?: number;
	/** How much of the job's length so far a result may stay unnoticed when nothing else is known. */
	toleratedLag?: number;
}

/**
 * Milliseconds until the next poll: soon after the expected end where progress or an estimate tells
 * it, but at most three tenths of the time that it has taken so far, or what is tolerated where that
 * is more; else a tenth of that time.
 */
export function nextPollDelay(history: PollHistory): number {
	const { elapsedMs, stalledMs = 0 } = history;
	const { quietDelayMs = QUIET_DELAY_MS, toleratedLag = TOLERATED_LAG } = history;
	const quiet = Math.max(quietDelayMs, toleratedLag * elapsedMs);
	const remaining = expectedRemaining(history);
	if (remaining === undefined) return quiet;
	// The end should have come by now: the last search of a batch may take as long as it likes.
	if (remaining.ms < stalledMs) return Math.min(quiet, Math.max(quietDelayMs, stalledMs / 2));
	const trusted = Math.max(LONGEST_DELAYS * quietDelayMs, LONGEST_SHARE * elapsedMs);
	const longest = Math.max(quiet, Math.min(trusted, remaining.trust * elapsedMs));
	return remaining.ms <= longest ? Math.max(LEAST_DELAY_MS, remaining.ms + END_MARGIN_MS) : longest;
}

/** What is expected, and for how much of the time so far it is believed. */
function expectedRemaining(history: PollHistory): { ms: number; trust: number } | undefined {
	const { elapsedMs, usualMs = 0, estimateMs = usualMs, progress, pace, stalledMs = 0 } = history;
	const { finished = 0, requested = 0 } = progress ?? {};
	const isBegun = finished > 0;
	const isEarly = elapsedMs <= EARLY_MS;
	const estimatedMs = estimateMs > elapsedMs ? estimateMs - elapsedMs : Infinity;
	if (requested > 1 && finished < requested) {
		// Until it is seen to go on, its first look may have come late.
		const isMoving = pace !== undefined && pace.done > 0;
		const { done, inMs } = isMoving ? pace : { done: finished, inMs: elapsedMs };
		// Between `done` and one more are done.
		const byProgress = (inMs * (requested - finished - 0.5)) / (done + 0.5);
		const ms = isBegun ? Math.min(byProgress, estimatedMs) : byProgress;
		const isStill = isBegun
			? stalledMs * (done + 0.5) > STALLED_SEARCHES * (inMs - stalledMs)
			: !isEarly;
		// Progress that stands still tells nothing, unless the end should have come.
		if (!isStill || ms < stalledMs) {
			return { ms, trust: isMoving ? 2 : isEarly ? 1 : 0 };
		}
	}
	if (isBegun || estimatedMs === Infinity) return undefined;
	const isUsual = history.estimateMs === undefined;
	return { ms: estimatedMs, trust: isUsual ? 0 : estimateMs > COARSE_ESTIMATE_MS ? 2 : 0.5 };
}
