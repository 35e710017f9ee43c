import type { Counts } from '../service/verdict';

/** After a submission, until the first look. */
export const FIRST_LOOK_MS = 1_000;
/** Between two looks at one lookup at most, whatever was told of it. */
const LONGEST_DELAY_MS = 60_000;
/** Between two looks at least, however near the end seems to be. */
const LEAST_DELAY_MS = 1_000;
/** Looks land a little after the expected end rather than a little before. */
const ESTIMATE_MARGIN_MS = 300;

/** What is known of a lookup or batch when the next look at it is planned; in milliseconds. */
export interface Waited {
	/** Since it was submitted. */
	elapsedMs: number;
	/** From `estimated_duration`. */
	estimateMs?: number;
	/** From `stats.finished` and `stats.requested`. */
	progress?: Counts;
}

/** How late an end may be seen of which nothing was told. */
export interface Lag {
	leastMs: number;
	/** Of the time so far. */
	share: number;
}

/** Of a wait that keeps running, and of a pause, in which the service calls back. */
export const RUNNING: Lag = { leastMs: 1_400, share: 0.1 };
export const PAUSED: Lag = { leastMs: 15_000, share: 0.25 };

/** Milliseconds until the next look. Reading is free: a forecast brings a look forward, and never puts it off. */
export function nextLookMs({ elapsedMs, estimateMs = 0, progress }: Waited, lag: Lag): number {
	const quietMs = Math.min(LONGEST_DELAY_MS, Math.max(lag.leastMs, lag.share * elapsedMs));
	const soonestMs = [estimateMs - elapsedMs, msLeftByProgress(progress, elapsedMs)]
		.filter((ms) => ms > 0)
		.reduce((soonest, ms) => Math.min(soonest, ms), Infinity);
	return Math.min(quietMs, Math.max(LEAST_DELAY_MS, soonestMs + ESTIMATE_MARGIN_MS));
}

/** At the pace so far; between `finished` and one more are done. */
function msLeftByProgress({ finished = 0, requested = 0 }: Counts = {}, elapsedMs: number): number {
	return (elapsedMs * (requested - finished - 0.5)) / (finished + 0.5);
}

/** After a look that failed, and then twice as long each time. */
const FAULT_DELAY_MS = 1_000;
/** The same where the service says no: what is on the way may start anew. */
const REFUSED_DELAY_MS = 5_000;
const LONGEST_FAULT_DELAY_MS = 30_000;

/** Milliseconds until the next look, after so many in a row that failed. */
export function nextLookAfterFaultMs(faults: number, isRefused: boolean): number {
	const firstMs = isRefused ? REFUSED_DELAY_MS : FAULT_DELAY_MS;
	return Math.min(LONGEST_FAULT_DELAY_MS, firstMs * 2 ** (faults - 1));
}
