import { expect, inject } from 'vitest';

import { TRIED } from '../../support/results/result.mts';
import { addFinding } from './cells.mts';
import { SOAK_MINUTES } from './form.mts';
import type { Losses, Soaked } from './soak.mts';

/** The last work, its notifications, and the reading of all executions come after the time. */
export const SOAK_TIMEOUT_MS = 2 * SOAK_MINUTES * 60_000 + 600_000;

/** In less time n8n is still warming up, and a lost callback after the last kill is a matter of chance. */
const LONG_FROM_MINUTES = 10;
const FLAT = 1.25;

/** What a soak kills. */
const KILLED = { regular: 'n8n', queue: 'a worker' };

/** Reports a soak, and asserts that it did no harm. */
export async function judge(
	mode: keyof typeof KILLED,
	soaked: Soaked,
	{ uncalled }: Losses,
): Promise<void> {
	const { started, kills, charged, twice, gaps, untilSavedMs, traces, untaken, caught } = soaked;
	const { unkilled, unanswered, forgotten, sinceLastKill, memory } = soaked;
	const { emptied, unsaved, lost } = gaps;
	const [before, after] = memory;
	const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
	const what = `A soak of ${SOAK_MINUTES} minutes in ${mode} mode`;
	const inShort = `${what}: ${started.toLocaleString('en')} executions, ${KILLED[mode]} killed ${kills} times`;
	const columns = {
		'A soak in': `${mode} mode`,
		Minutes: SOAK_MINUTES,
		Executions: started,
		'Kills with -9': kills,
		'Callbacks of parked executions lost on their way': uncalled.size,
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
	// An id that its own execution lost is known by the trigger, if nothing else.
	expect(unkilled.length, unkilled.join('\n')).toBeLessThanOrEqual(unanswered);
	expect(forgotten, 'executions that nobody has resumed').toEqual([]);
	expect(kills).toBeGreaterThan(0);
	const { executions, succeeded, uncalled: resumedUncalled } = sinceLastKill;
	expect(succeeded / executions, `${succeeded} of ${executions} succeeded`).toBeGreaterThan(0.5);
	if (SOAK_MINUTES < LONG_FROM_MINUTES) return;
	expect(resumedUncalled, 'resumed without their callbacks').toBeGreaterThan(0);
	expect(after / before).toBeLessThan(FLAT);
}
