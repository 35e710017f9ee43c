import { vi } from 'vitest';

const START = Date.UTC(2026, 0, 1);

/** Fakes the time that n8n's `sleep`, the node and the sandbox go by. */
export function startClock(): void {
	vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
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
