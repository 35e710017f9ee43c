import { expect, inject } from 'vitest';

import { addFinding } from './cells.mts';
import { SOAK_MINUTES } from './form.mts';
import type { Soaked } from './soak.mts';

/** The last work, its notifications, and the reading of all executions come after the time. */
export const SOAK_TIMEOUT_MS = 2 * SOAK_MINUTES * 60_000 + 600_000;

/** In less time n8n is still warming up. */
const MEMORY_FROM_MINUTES = 10;
const FLAT = 1.25;

/** Reports a soak, and asserts that it did no harm. */
export async function judge(mode: string, soaked: Soaked): Promise<void> {
	const { runs, kills, charged, twice, gaps, untilSavedMs, traces, untaken, caught, memory } =
		soaked;
	const { emptied, unsaved, lost } = gaps;
	const [before, after] = memory;
	const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
	const text = `Soak of ${SOAK_MINUTES} min in ${mode}: ${runs} executions, ${kills} kills with -9, ${charged} searches charged, ${twice.length} of them twice, ${caught} ids known by the trigger alone, ${emptied.length} that n8n forgot with a killed execution of the trigger, ${unsaved.length} that it had not saved when it was killed (which took it up to ${untilSavedMs} ms), ${lost.length} lost otherwise; main's memory ${megabytes(before)} in the third quarter, ${megabytes(after)} in the last.`;
	await addFinding(inject('findings'), { kind: 'figures', text });
	expect(charged).toBeGreaterThan(0);
	expect(twice).toEqual([]);
	expect(lost, traces.join('\n')).toEqual([]);
	expect(untaken, untaken.join('\n')).toEqual([]);
	if (SOAK_MINUTES >= MEMORY_FROM_MINUTES) expect(after / before).toBeLessThan(FLAT);
}
