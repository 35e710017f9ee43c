import { afterEach, beforeEach, type MockInstance, vi } from 'vitest';

import { areSocketsQuiet } from './sockets.mts';

// Two ways for time to jump from timer to timer: when it is told to, for code that talks to no socket,
// and by itself, for code that does.

const FAKED = ['Date', 'setTimeout', 'clearTimeout', 'performance'] as const;
const START = Date.UTC(2026, 0, 1);
/** A signal takes no more. Above half of it, a real timer and a faked one are over after 1 ms. */
const MAX_SIGNAL_MS = 2 ** 32 - 1;

const realNow = performance.now.bind(performance);
/** The last that `performance.now()` said. */
let reachedMs = 0;
/** How far that is ahead of what the timers have noticed in this test. */
let aheadMs = 0;

/**
 * Fakes the time of day, the timers, and `performance.now()`. That one never goes back, also from
 * test to test, or what the package remembers of a test would lie in the next one's future.
 */
function fakeTime(now: number): void {
	vi.useFakeTimers({ now, toFake: [...FAKED] });
	const passed = performance.now.bind(performance);
	aheadMs = Math.ceil(Math.max(reachedMs, realNow())) - passed();
	performance.now = () => {
		reachedMs = aheadMs + passed();
		return reachedMs;
	};
}

/** Fakes the time that n8n's `sleep`, the node and the sandbox go by. */
export function startClock(): void {
	fakeTime(START);
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
	const limit = performance.now() + limitMs;
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
		if (performance.now() > limit) {
			throw new Error(`The run is not over after ${limitMs / 1000} s`);
		}
		vi.advanceTimersToNextTimer();
	}
}

/** What needs neither time nor a socket may take some turns of the event loop. */
const QUIET_TURNS = 10;
/** When the last test ended: the next one is never before it. */
let reachedDate = 0;

/**
 * In each test time jumps from timer to timer whenever nothing is on its way in a socket, so that a
 * busy machine changes nothing: no time goes by while somebody works, however long that takes.
 */
export function useFastClock(): void {
	let stop = () => {};
	let signals: MockInstance<typeof AbortSignal.timeout>;
	beforeEach(() => {
		fakeTime(Math.max(reachedDate, Date.now()));
		signals = vi.spyOn(AbortSignal, 'timeout').mockImplementation(signalAfter);
		stop = letTimeJump();
	});
	afterEach(() => {
		stop();
		reachedDate = Date.now();
		signals.mockRestore();
		vi.useRealTimers();
	});
}

function letTimeJump(): () => void {
	let isOver = false;
	let quietTurns = 0;
	const turn = () => {
		if (isOver) return;
		setImmediate(turn);
		quietTurns = areSocketsQuiet() ? quietTurns + 1 : 0;
		if (quietTurns <= QUIET_TURNS) return;
		quietTurns = 0;
		vi.advanceTimersToNextTimer();
	};
	setImmediate(turn);
	return () => {
		isOver = true;
	};
}

/** `AbortSignal.timeout` in faked time; it refuses what the real one refuses. */
function signalAfter(ms: number): AbortSignal {
	if (!Number.isInteger(ms) || ms < 0 || ms > MAX_SIGNAL_MS) {
		throw new RangeError(`The value of "delay" is out of range. Received ${ms}`);
	}
	const controller = new AbortController();
	setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms);
	return controller.signal;
}

/** Lets that much time be over at once. Timers do not notice. */
export function skipTime(ms: number): void {
	if (ms <= 0) return;
	aheadMs += ms;
	setClock(ms);
}

/** Sets the machine's clock forward, or back: no time goes by. */
export function setClock(byMs: number): void {
	vi.setSystemTime(Date.now() + byMs);
}
