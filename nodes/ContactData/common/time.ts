import { sleep } from 'n8n-workflow';

/** Milliseconds since some moment, for intervals: unlike the time of day it never jumps. */
export function monotonicMs(): number {
	return performance.now();
}

/** The time of day when this process began, less the milliseconds that it had run by then. */
const ZERO_MS = Date.now() - performance.now();

export const DAY_S = 86_400;

/** Seconds since 1970, by a clock that never jumps: it is not set with the machine's. */
export function epochSeconds(): number {
	return Math.floor((ZERO_MS + monotonicMs()) / 1000);
}

/** A timer of more is over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A signal that ends after so many milliseconds. Node throws unless they are whole and in bounds. */
export function endAfter(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(ms)), MAX_TIMER_MS));
}

/**
 * Waits, at most for 24 days, and ends at once when the signal is aborted: then it returns `false`.
 * n8n before 2.34 has no sleep that takes the signal, so the signal is listened to here as well.
 */
export async function sleepUnlessAborted(ms: number, signal?: AbortSignal): Promise<boolean> {
	return await unlessAborted(sleep(ms), signal);
}

/** Waits for `work`, and throws what it throws; `false` as soon as the signal is aborted. */
export async function unlessAborted(work: Promise<void>, signal?: AbortSignal): Promise<boolean> {
	if (signal === undefined) {
		await work;
		return true;
	}
	if (signal.aborted) return false;
	let stopListening = () => {};
	const aborted = new Promise<void>((resolve) => {
		const onAbort = () => resolve();
		signal.addEventListener('abort', onAbort);
		stopListening = () => signal.removeEventListener('abort', onAbort);
	});
	try {
		await Promise.race([work, aborted]);
	} finally {
		stopListening();
	}
	return !signal.aborted;
}
