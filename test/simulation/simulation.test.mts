import '../support/n8nCore/setup.mts';
import { inspect } from 'node:util';
import type { INodeExecutionData } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { RunNodeResult } from '../support/n8nCore/execute.mts';
import { startClock } from '../support/clock.mts';
import { seed as seedOfRun } from '../support/seed.mts';
import { violations } from './invariants.mts';
import { simulate, startProcesses, type Processes } from './run.mts';
import { drawSchedule } from './schedule.mts';

const SHORT_RUN = 300;
const SPOILED_RUN = 200;
/** Failing seeds that are shown. */
const MAX_SHOWN = 10;

type Spoil = (result: RunNodeResult) => RunNodeResult;

let processes: Processes;
beforeAll(async () => {
	processes = await startProcesses();
	startClock();
});
afterAll(() => {
	vi.useRealTimers();
});

/** One schedule: what happened, and what of it must not. */
async function play(seed: number, spoil?: Spoil) {
	const course = await simulate(drawSchedule(seed), processes, spoil);
	return { course, found: violations(course) };
}

/** Plays many; returns a line for each that fails, and how many came to what there is to judge. */
async function playAll(count: number, first: number, spoil?: Spoil) {
	const seen = { retried: 0, parked: 0, cancelled: 0, unknown: 0, earlier: 0 };
	const failures: string[] = [];
	for (let seed = first; seed < first + count; seed++) {
		try {
			const { course, found } = await play(seed, spoil);
			const { tries, wire, schedule } = course;
			if (tries.length > 1) seen.retried++;
			if (tries.some(({ isParked }) => isParked)) seen.parked++;
			if (tries.some(({ isCancelled }) => isCancelled)) seen.cancelled++;
			if (wire.posts.some(({ fate }) => fate === 'unknown')) seen.unknown++;
			if (schedule.earlierIds.some((id) => id !== undefined)) seen.earlier++;
			if (found.length > 0)
				failures.push(`SEED=${seed} npm test -- simulation  # ${found.join('; ')}`);
		} catch (error) {
			failures.push(`SEED=${seed} npm test -- simulation  # ${String(error)}`);
		}
	}
	return { seen, failures };
}

const { SEED, SCHEDULES } = process.env;

if (SEED !== undefined) {
	it(`schedule ${SEED}`, async () => {
		const { course, found } = await play(Number(SEED));
		const { schedule, wire, tries } = course;
		console.log(inspect({ schedule, posts: wire.posts, tries }, { depth: 6 }));
		expect(found).toEqual([]);
	});
} else {
	const count = Number(SCHEDULES ?? SHORT_RUN);

	it(`${count} schedules of faults, cancellations and retries: nothing is paid twice or lost`, async () => {
		const { seen, failures } = await playAll(count, seedOfRun());
		if (SCHEDULES !== undefined) console.log(seen);
		const shown = failures.slice(0, MAX_SHOWN).join('\n');
		expect(failures.length, `${failures.length} of ${count} schedules fail:\n${shown}\n`).toBe(0);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
	}, 3_600_000);

	it('the same seed gives the same course', async () => {
		const [one, other] = [await play(7), await play(7)];
		expect(one.course.wire.posts).toEqual(other.course.wire.posts);
		expect(one.course.tries.map(({ items }) => items)).toEqual(
			other.course.tries.map(({ items }) => items),
		);
	});

	const SPOILS: ReadonlyArray<{ what: string; problem: string; spoil: Spoil }> = [
		{
			what: 'receipts are forgotten',
			problem: 'charged twice',
			spoil: (result) => ({ ...result, contextData: {} }),
		},
		{
			what: 'ids are dropped',
			problem: 'id lost',
			spoil: (result) => ({ ...result, items: result.items.map(withoutIds) }),
		},
		{
			what: 'items are dropped',
			problem: '0 outputs',
			spoil: (result) => ({ ...result, items: result.items.slice(1) }),
		},
		{
			what: "the user's fields are dropped",
			problem: 'has lost its field group',
			spoil: (result) => ({ ...result, items: result.items.map(withoutGroup) }),
		},
		{
			what: 'n8n keeps its own input of what is parked',
			problem: 'id lost',
			spoil: (result) => ({ ...result, inputAfter: result.inputAfter.map(withoutIds) }),
		},
	];
	it.each(SPOILS)(
		'notices when $what',
		async ({ problem, spoil }) => {
			// Always the same ones: not every few schedules come to what is spoiled.
			const { failures } = await playAll(SPOILED_RUN, 1, spoil);
			expect(failures.filter((text) => text.includes(problem))).not.toEqual([]);
		},
		60_000,
	);
}

function withoutGroup(item: INodeExecutionData): INodeExecutionData {
	return { ...item, json: { ...item.json, group: undefined } };
}

function withoutIds(item: INodeExecutionData): INodeExecutionData {
	const ids = { id: undefined, search_id: undefined, batch_id: undefined };
	return { ...item, json: { ...item.json, ...ids } };
}
