import { expect, inject } from 'vitest';

import { addFinding, TRIED } from './cells.mts';
import { SOAK_MINUTES } from './form.mts';
import type { Losses } from './moody.mts';
import type { Soaked } from './soak.mts';

/** The last work, its notifications, and the reading of all executions come after the time. */
export const SOAK_TIMEOUT_MS = 2 * SOAK_MINUTES * 60_000 + 600_000;

/** In less time n8n is still warming up, and what happens after the last kill is a matter of chance. */
const LONG_FROM_MINUTES = 10;
const LEAST_CALM = 3;
/** What a kill excuses is rare; one may come in a burst. */
const EXCUSED = 3;
/** What n8n itself fails, as where its database is busy. */
const MOST_FAILED = 0.1;
const FLAT = 1.25;

/** What a soak kills. */
const KILLED = { regular: 'n8n', queue: 'a worker' };

/** Reports a soak, and asserts that it did no harm. */
export async function judge(
	mode: keyof typeof KILLED,
	soaked: Soaked,
	{ uncalled }: Losses,
): Promise<void> {
	const { started, kills, charged, twice, gaps, forgotten, caughtOnly, memory } = soaked;
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
		'Ids known by the trigger alone': caughtOnly.length,
		'Ids that n8n forgot with a killed execution of the trigger': forgotten.emptied,
		'… that it had not saved when it was killed': forgotten.unsaved,
		'Longest from an answer of the trigger until its execution began': `${soaked.longestLagMs} ms`,
		"Memory of n8n's processes after the last kill, first half": megabytes(before),
		'… second half': megabytes(after),
	};
	const forgottenByN8n = forgotten.emptied + forgotten.unsaved;
	const measured = {
		tables: [
			{
				head: TRIED,
				rows: [[inShort, charged, twice.length, gaps.lost.length, forgottenByN8n]],
			},
			{ head: Object.keys(columns), rows: [Object.values(columns)] },
		],
	};
	await addFinding(inject('findings'), { kind: 'soak', name: `soak-${mode}`, measured });
	const expectNone = (ids: readonly string[], so: string) =>
		expect(ids, [so, ...ids.map(soaked.trace)].join('\n')).toEqual([]);
	expect(charged).toBeGreaterThan(0);
	expect(twice).toEqual([]);
	expect(soaked.refusedAgain, 'notified again, and not taken').toEqual([]);
	expect(soaked.pointless, 'executions of the trigger without an id').toEqual([]);
	expectNone(soaked.untaken, 'never taken by the trigger');
	expectNone(gaps.lost, 'taken by the trigger, and in no execution of it');
	const excused = [...gaps.unsaved, ...gaps.emptied];
	const told = ['excused by kills', ...excused.map(soaked.trace)].join('\n');
	expect(excused.length, told).toBeLessThanOrEqual(EXCUSED + kills);
	expectNone(soaked.startedInVain, 'started by the trigger without a result for each search');
	expectNone(soaked.startedTwice, 'in two executions of the trigger');
	expectNone(soaked.unexplained, 'lost by an execution that nothing had killed');
	expect(soaked.unresumed, 'executions that nobody has resumed').toEqual([]);
	expect(soaked.incomplete, 'executions without a result for each item').toEqual([]);
	expect(kills).toBeGreaterThan(0);
	expect(soaked.failedKinds, 'kinds of work that never succeeded').toEqual([]);
	const { executions, succeeded, failed, unprompted } = soaked.calm;
	const inCalm = `${succeeded} of ${executions} succeeded after the last kill`;
	expect(executions, inCalm).toBeGreaterThanOrEqual(LEAST_CALM);
	const failures = `failed without a lost answer: ${failed.join(', ')}`;
	expect(failed.length / executions, failures).toBeLessThanOrEqual(MOST_FAILED);
	console.log(`${what}: ${inCalm}, ${unprompted} parked ones before they were called`);
	if (SOAK_MINUTES < LONG_FROM_MINUTES) return;
	expect(unprompted, 'resumed before they were called').toBeGreaterThan(0);
	expect(after / before).toBeLessThan(FLAT);
}
