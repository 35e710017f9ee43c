import { afterEach, beforeEach, vi } from 'vitest';

const STEP_MS = 2;
/** Time never goes back, or what the package remembers of a test would lie in the next one's future. */
let reached = 0;

/** Lets time go by so much faster in each test: `Date` and timers, but not sockets. */
export function useFastClock(speed = 25): void {
	let ticker: NodeJS.Timeout | undefined;
	beforeEach(() => {
		const now = Math.max(reached, Date.now());
		vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
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
