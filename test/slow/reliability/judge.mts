import { expect, inject } from 'vitest';

import { TRIED } from '../../support/results/result.mts';
import { addFinding } from './cells.mts';
import { SOAK_MINUTES } from './form.mts';
import type { Soaked } from './soak.mts';

/** The last work, its notifications, and the reading of all executions come after the time. */
export const SOAK_TIMEOUT_MS = 2 * SOAK_MINUTES * 60_000 + 600_000;

/** In less time n8n is still warming up. */
const MEMORY_FROM_MINUTES = 10;
const FLAT = 1.25;

/** What a soak kills. */
const KILLED = { regular: 'n8n', queue: 'a worker' };

/**
 * Reports a soak, and asserts that it did no harm.
 * @param lostCallbacks how many callbacks of parked executions were lost on their way
 */
export async function judge(
	mode: keyof typeof KILLED,
	soaked: Soaked,
	lostCallbacks: number,
): Promise<void> {
	const { runs, kills, charged, twice, gaps, untilSavedMs, traces, untaken, caught } = soaked;
	const { forgotten, memory } = soaked;
	const { emptied, unsaved, lost } = gaps;
	const [before, after] = memory;
	const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
	const what = `A soak of ${SOAK_MINUTES} minutes in ${mode} mode`;
	const inShort = `${what}: ${runs.toLocaleString('en')} executions, ${KILLED[mode]} killed ${kills} times`;
	const columns = {
		'A soak in': `${mode} mode`,
		Minutes: SOAK_MINUTES,
		Executions: runs,
		'Kills with -9': kills,
		'Callbacks of parked executions lost on their way': lostCallbacks,
		'Ids known by the trigger alone': caught,
		'Ids that n8n forgot with a killed execution of the trigger': emptied.length,
		'… that it had not saved when it was killed': unsaved.length,
		'Longest that n8n took to save an execution of the trigger': `${untilSavedMs} ms`,
		"Memory of n8n's main process, third quarter": megabytes(before),
		'… last quarter': megabytes(after),
	};
	const measured = {
		command: `npm run test:reliability -- --soak-minutes ${SOAK_MINUTES}`,
		runs: 1,
		tables: [
			{
				head: TRIED,
				rows: [[inShort, charged, twice.length, lost.length, emptied.length + unsaved.length]],
			},
			{ head: Object.keys(columns), rows: [Object.values(columns)] },
		],
	};
	await addFinding(inject('findings'), { kind: 'soak', name: `soak-${mode}`, measured });
	expect(charged).toBeGreaterThan(0);
	expect(twice).toEqual([]);
	expect(lost, traces.join('\n')).toEqual([]);
	expect(untaken, untaken.join('\n')).toEqual([]);
	expect(lostCallbacks).toBeGreaterThan(0);
	expect(forgotten, 'executions that nobody has resumed').toEqual([]);
	if (SOAK_MINUTES >= MEMORY_FROM_MINUTES) expect(after / before).toBeLessThan(FLAT);
}
