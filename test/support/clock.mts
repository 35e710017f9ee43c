import { afterEach, beforeEach, vi } from 'vitest';

// Two ways for time to go by: it jumps from timer to timer for code that talks to no socket, and it
// runs fast, by itself, for code that does.

const FAKED = ['Date', 'setTimeout', 'clearTimeout'] as const;
const START = Date.UTC(2026, 0, 1);

/** Fakes the time that n8n's `sleep`, the node and the sandbox go by. */
export function startClock(): void {
	vi.useFakeTimers({ now: START, toFake: [...FAKED] });
}

/** Forgets all timers and goes back to the start. */
export function resetClock(): void {
	vi.clearAllTimers();
	vi.setSystemTime(START);
}

/**
 * Lets time jump from timer to timer until `work` is done.
 * Throws when nothing is left that could end it, or when it takes longer than `limitMs`.
 */
export async function passTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
	const limit = Date.now() + limitMs;
	let done = false;
	const end = () => {
		done = true;
	};
	work.then(end, end);
	for (;;) {
		// All that needs no time is over after one turn of the event loop.
		await new Promise((resolve) => setImmediate(resolve));
		if (done) return await work;
		if (vi.getTimerCount() === 0) throw new Error('The run hangs: it waits, but for no timer');
		if (Date.now() > limit) throw new Error(`The run is not over after ${limitMs / 1000} s`);
		vi.advanceTimersToNextTimer();
	}
}

const STEP_MS = 2;
/** Time never goes back, or what the package remembers of a test would lie in the next one's future. */
let reached = 0;

/** Lets time go by so much faster in each test: `Date` and timers, but not sockets. */
export function useFastClock(speed = 25): void {
	let ticker: NodeJS.Timeout | undefined;
	beforeEach(() => {
		const now = Math.max(reached, Date.now());
		vi.useFakeTimers({ now, toFake: [...FAKED] });
		ticker = setInterval(() => vi.advanceTimersByTime(STEP_MS * speed), STEP_MS);
	});
	afterEach(() => {
		clearInterval(ticker);
		reached = Date.now();
		vi.useRealTimers();
	});
}

/** Lets that much time be over at once. Timers do not notice. */
export function skipTime(ms: number): void {
	if (ms > 0) vi.setSystemTime(Date.now() + ms);
}
