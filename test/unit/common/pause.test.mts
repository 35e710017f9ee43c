import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sleepUnlessAborted, unlessAborted } from '../../../nodes/ContactData/common/time.ts';
import { startClock } from '../../support/clock.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

/** What the work has come to when that much time is over. */
async function after(ms: number, work: Promise<boolean>): Promise<boolean | 'waiting'> {
	let result: boolean | 'waiting' = 'waiting';
	void work.then((value) => {
		result = value;
	});
	await vi.advanceTimersByTimeAsync(ms);
	return result;
}

it.for([undefined, new AbortController().signal])('lasts as long as it should', async (signal) => {
	expect(await after(999, sleepUnlessAborted(1000, signal))).toBe('waiting');
	expect(await after(1000, sleepUnlessAborted(1000, signal))).toBe(true);
});

it('lasts as long as it should, also for months', async () => {
	const days = 24 * 3_600_000;
	const months = sleepUnlessAborted(60 * days);
	expect(await after(59 * days, months)).toBe('waiting');
	expect(await after(1 * days, months)).toBe(true);
	const abort = new AbortController();
	setTimeout(() => abort.abort(), 30 * days);
	expect(await after(30 * days, sleepUnlessAborted(60 * days, abort.signal))).toBe(false);
});

it('ends at once when it is cancelled', async () => {
	const abort = new AbortController();
	setTimeout(() => abort.abort(), 400);
	const work = sleepUnlessAborted(1000, abort.signal);
	expect(await after(399, work)).toBe('waiting');
	expect(await after(1, work)).toBe(false);
});

it('does not begin when it is cancelled already', async () => {
	expect(await after(0, sleepUnlessAborted(1000, AbortSignal.abort()))).toBe(false);
});

it('is cancelled when the signal comes with the end of the work', async () => {
	const abort = new AbortController();
	const work = Promise.resolve().then(() => abort.abort());
	expect(await unlessAborted(work, abort.signal)).toBe(false);
});

it('listens to the signal no longer than it lasts', async () => {
	const { signal } = new AbortController();
	const add = vi.spyOn(signal, 'addEventListener');
	const remove = vi.spyOn(signal, 'removeEventListener');
	await after(10, sleepUnlessAborted(10, signal));
	const [[type, listener]] = add.mock.calls;
	expect(add).toHaveBeenCalledOnce();
	expect(remove.mock.calls).toEqual([[type, listener]]);
});
