import type { Progress } from '../service/lookupState';

/** How fast a batch goes on. */
export interface BatchPace {
	/** Searches that were done of late. */
	done: number;
	inMs: number;
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
	/** Since it was seen to move. Its pace is that since `from`, which follows behind `middle`. */
	run?: { from: Look; middle: Look };
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
	const stalledMs = () => (before === undefined ? 0 : now - (advance.progressedAt ?? now));
	if (told === undefined) return { progress: before, stalledMs: stalledMs() };
	const requested = searches ?? before?.requested ?? told.requested;
	if (told.requested !== requested || told.finished < (before?.finished ?? 0)) {
		return { stalledMs: stalledMs() };
	}
	if (told.finished !== before?.finished) {
		if (before !== undefined) noteMove(advance, { finished: told.finished, at: now });
		advance.progressedAt = now;
	}
	advance.progress = told;
	const { run } = advance;
	const pace = run && { done: told.finished - run.from.finished, inMs: now - run.from.at };
	return { progress: told, stalledMs: stalledMs(), pace };
}

function noteMove(advance: Advance, look: Look): void {
	const { run } = advance;
	if (run === undefined) {
		advance.run = { from: look, middle: look };
	} else if (look.at - run.middle.at >= run.middle.at - run.from.at) {
		run.from = run.middle;
		run.middle = look;
	}
}
