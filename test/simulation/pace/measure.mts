import { Draw } from '../draw.mts';
import type { Process, Scenario, Surroundings } from './processes.mts';
import { PER_SECOND, play, ROUND_TRIPS_MS, WINDOWS } from './processes.mts';

/** What is asked of one play. */
export interface Figures {
	/** The time over what the limit allows: 1 is as fast as can be. */
	readonly over: number;
	/** Of all requests. */
	readonly refused: number;
	readonly givenUp: number;
	/** The last end over the first. */
	readonly spread: number;
	/** The longest that a process had to wait from one that was taken to the next. */
	readonly longestMs: number;
}

/** The mean of many plays, and the largest figures. */
export interface Summary {
	readonly mean: Figures;
	readonly most: Figures;
}

/** Both windows, and each of the networks. */
export const EVERYWHERE = WINDOWS.flatMap((window) =>
	ROUND_TRIPS_MS.map((roundTripMs) => ({ window, roundTripMs })),
);

/** Processes begin within so long of each other. */
const STAGGER_MS = 300;

/** So many processes with so many searches each, which begin at about the same moment. */
export function equalWork(processes: number, count: number): (seed: number) => Scenario {
	return (seed) => {
		const draw = new Draw(seed);
		return {
			processes: Array.from({ length: processes }, (_, index) => {
				return [{ atMs: index === 0 ? 0 : draw.int(0, STAGGER_MS), count }];
			}),
		};
	};
}

/** One process that is at work all the time, and three that come and go. */
export function visitors(seed: number): Scenario {
	const draw = new Draw(seed);
	const visit = (fromS: number) => {
		return { atMs: draw.int(fromS * 1000, (fromS + 20) * 1000), count: 150 };
	};
	return {
		processes: [
			[{ atMs: 0, count: 1_500 }],
			[visit(10), visit(110)],
			[visit(30), visit(130)],
			[visit(50), visit(180)],
		],
	};
}

/** Plays a scenario in each of the surroundings, with each seed. */
export async function measure(
	scenario: (seed: number) => Scenario,
	places: ReadonlyArray<Omit<Surroundings, 'seed'>>,
	seeds: readonly number[],
): Promise<Summary> {
	const all: Figures[] = [];
	for (const place of places) {
		for (const seed of seeds) {
			const processes = await play(scenario(seed), { ...place, seed });
			all.push(figuresOf(processes, place.roundTripMs));
		}
	}
	return summarize(all);
}

/** @param processes of a scenario in which there is work all the time */
function figuresOf(processes: readonly Process[], roundTripMs: number): Figures {
	const sum = (of: (process: Process) => number) =>
		processes.reduce((total, process) => total + of(process), 0);
	const taken = sum(({ takenAt }) => takenAt.length);
	const ends = processes.map(({ endedAt }) => endedAt);
	const [firstEnd, lastEnd] = [Math.min(...ends), Math.max(...ends)];
	return {
		over: lastEnd / ((taken / PER_SECOND) * 1000 + roundTripMs),
		refused: sum(({ refused }) => refused) / sum(({ sent }) => sent),
		givenUp: sum(({ givenUp }) => givenUp.length),
		spread: lastEnd / firstEnd,
		longestMs: Math.max(...processes.map(({ takenAt }) => longestGap(takenAt))),
	};
}

function longestGap(moments: readonly number[]): number {
	return Math.max(...moments.map((at, index) => at - (moments[index - 1] ?? 0)));
}

function summarize(all: readonly Figures[]): Summary {
	const each = (fold: (values: number[]) => number): Figures => ({
		over: fold(all.map(({ over }) => over)),
		refused: fold(all.map(({ refused }) => refused)),
		givenUp: fold(all.map(({ givenUp }) => givenUp)),
		spread: fold(all.map(({ spread }) => spread)),
		longestMs: fold(all.map(({ longestMs }) => longestMs)),
	});
	return {
		mean: each((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
		most: each((values) => Math.max(...values)),
	};
}
