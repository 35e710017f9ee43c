import '../support/n8nCore/setup.mts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startClock } from '../support/clock.mts';
import { seed as seedOfRun } from '../support/seed.mts';
import { startProcesses, type Processes } from './run.mts';
import { drawStory } from './user/story.mts';
import { play, type Spoils } from './user/user.mts';

const SHORT_RUN = 100;
const LONG_RUN = 2_000;
/** In so many somebody pays twice, once something is broken. */
const SPOILED_RUN = 80;

let processes: Processes;
beforeAll(async () => {
	processes = await startProcesses();
	startClock();
});
afterAll(() => {
	vi.useRealTimers();
});

/** Plays many stories; gives how often a text led to a retry or a new run, and who has paid twice. */
async function playAll(count: number, first: number) {
	const sums = { retries: 0, newRuns: 0 };
	const failures: string[] = [];
	for (let seed = first; seed < first + count; seed++) {
		const story = drawStory(seed);
		const { paidTwice, retries, newRuns } = await play(story, processes);
		sums.retries += retries;
		sums.newRuns += newRuns;
		if (paidTwice.length > 0) {
			failures.push(`STORY=${seed} ${story.place} ${story.isCalled} # ${paidTwice.join('; ')}`);
		}
	}
	return { sums, failures };
}

async function paysTwice(spoils: Spoils): Promise<boolean> {
	for (let seed = 1; seed <= SPOILED_RUN; seed++) {
		const { paidTwice } = await play(drawStory(seed), processes, spoils);
		if (paidTwice.length > 0) return true;
	}
	return false;
}

const { STORY, SCHEDULES } = process.env;

if (STORY !== undefined) {
	it(`story ${STORY}`, async () => {
		const story = drawStory(Number(STORY));
		console.log(JSON.stringify(story, undefined, 1));
		const text = (shown: string) => (console.log(shown), shown);
		expect((await play(story, processes, { text })).paidTwice).toEqual([]);
	});
} else {
	const count = SCHEDULES === undefined ? SHORT_RUN : LONG_RUN;

	it(`${count} users who do what a text says pay nothing twice`, async () => {
		const { sums, failures } = await playAll(count, seedOfRun());
		if (SCHEDULES !== undefined) console.log(sums);
		expect(failures.slice(0, 10)).toEqual([]);
		expect(Math.min(sums.retries, sums.newRuns)).toBeGreaterThan(0);
	}, 3_600_000);

	describe('it is noticed where', () => {
		const spoiled: Array<[string, Spoils]> = [
			[
				'the execution forgets what it has paid',
				{ run: (result) => ({ ...result, flowData: {} }) },
			],
			[
				'a text advises a new run',
				{
					text: (text) =>
						text.replace(/Then choose 'Retry.*?twice\./, 'Then run the workflow again.'),
				},
			],
			['a sub-workflow is told to retry', { hidesCaller: true }],
		];
		it.each(spoiled)(
			'%s',
			async (_, spoils) => {
				expect(await paysTwice(spoils)).toBe(true);
			},
			60_000,
		);
	});
}
