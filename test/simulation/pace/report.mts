import type { Cell, Measured, Table } from '../../support/figures.mts';
import type { Figures, Summary } from './measure.mts';
import { equalWork, EVERYWHERE, measure, msToSettle, visitors } from './measure.mts';
import type { Curves } from './plot.mts';
import { play } from './processes.mts';

/** Processes of equal work in the curves, and those with targets. */
const COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const SHORT = [1, 2, 3, 4, 16];
/** Searches of each. */
const EACH = 500;
const ALONE = 1_000;

/** All that is measured of the pace, and the curves of the plot. */
export async function measureAll(
	seeds: readonly number[],
	report: (line: string) => void,
): Promise<{ measured: Measured; curves: Curves[] }> {
	const visits = await measure(visitors, EVERYWHERE, seeds);
	const summaries = new Map<number, Summary>();
	const curves: Curves[] = [];
	for (const processes of COUNTS) {
		report(`${processes} processes`);
		const scenario = equalWork(processes, processes === 1 ? ALONE : EACH);
		const summary = await measure(scenario, EVERYWHERE, seeds);
		summaries.set(processes, summary);
		const settleS = processes === 1 ? 0 : await secondsToSettle(processes, seeds);
		curves.push({ processes, ...summary.mean, settleS });
	}
	report('other circumstances');
	const tables = [
		targets(summaries, visits),
		allOf(curves),
		await everywhere(seeds),
		await circumstances(seeds),
	];
	const notes = [
		`In faked time; ${EACH} searches for each process, ${ALONE.toLocaleString('en')} for one alone; begun within 0.3 s of each other. Over a sliding and a fixed window and networks of 20, 150 and 400 ms, each way of which takes up to a twentieth more, with ${seeds.length} seeds each: means, and the largest figure of a single play in brackets.`,
		'The time is that from the first start to the last answer, over the number of searches at ten a second and one round trip. A share is what a process had until the first of them ended, over an equal part of it.',
		'Settled is a process that comes to others when it has three quarters of an equal share: how many seconds after it has come.',
	];
	return { measured: { tables, notes }, curves };
}

function targets(summaries: ReadonlyMap<number, Summary>, visits: Summary): Table {
	const row = (name: string, { mean, most }: Summary, withSpread = true): Cell[] => [
		name,
		`${times(mean.over)} (${times(most.over)})`,
		`${percent(mean.refused)} (${percent(most.refused)})`,
		most.givenUp,
		withSpread ? `${times(mean.spread)} (${times(most.spread)})` : '',
	];
	return {
		head: [
			'Processes on one key',
			'Time over what the limit allows',
			'Requests refused',
			'Given up',
			'Last end over first end',
		],
		rows: [
			...SHORT.flatMap((processes) => {
				const summary = summaries.get(processes);
				return summary === undefined ? [] : [row(String(processes), summary, processes > 1)];
			}),
			row('1 at work all the time, 3 that come and go', visits, false),
		],
	};
}

function allOf(curves: readonly Curves[]): Table {
	return {
		head: [
			'Processes',
			'Least share',
			'Largest share',
			'Time',
			'Refused',
			'Last end over first end',
			'Longest wait for a turn',
			'Settled after',
		],
		rows: curves.map(
			({ processes, leastShare, mostShare, over, refused, spread, longestMs, settleS }) => [
				processes,
				times(leastShare),
				times(mostShare),
				times(over),
				percent(refused),
				times(spread),
				`${(longestMs / 1000).toFixed(0)} s`,
				processes === 1 ? '' : `${settleS.toFixed(0)} s`,
			],
		),
	};
}

/** What the window and the network do. */
async function everywhere(seeds: readonly number[]): Promise<Table> {
	const counts = [2, 4, 16];
	const rows: Cell[][] = [];
	for (const place of EVERYWHERE) {
		const row: Cell[] = [`${place.window} window, ${place.roundTripMs} ms`];
		for (const processes of counts) {
			const { mean } = await measure(equalWork(processes, EACH), [place], seeds);
			row.push(timeAndRefused(mean));
		}
		rows.push(row);
	}
	return { head: ['Time / refused in', ...counts.map((count) => `${count} processes`)], rows };
}

/** What is no target: how the law bears it. */
async function circumstances(seeds: readonly number[]): Promise<Table> {
	const counts = [1, 3];
	const limits = [
		{ atMs: 30_000, perSecond: 5 },
		{ atMs: 90_000, perSecond: 10 },
	];
	const rows: Cell[][] = [];
	const add = async (name: string, of: (processes: number) => Promise<number>): Promise<void> => {
		const row: Cell[] = [name];
		for (const processes of counts) row.push(times(await of(processes)));
		rows.push(row);
	};
	await add('each 429 says Retry-After: 1', async (processes) => {
		const places = EVERYWHERE.map((place) => ({ ...place, retryAfter: 'seconds' as const }));
		return (await measure(equalWork(processes, EACH), places, seeds)).mean.over;
	});
	const mostlyTaken = async (
		processes: number,
		change: Partial<Parameters<typeof play>[0]>,
		perfectMs: number,
		count: number,
	) => {
		let total = 0;
		for (const place of EVERYWHERE) {
			for (const seed of seeds) {
				const scenario = { ...equalWork(processes, Math.ceil(count / processes))(seed), ...change };
				const ends = (await play(scenario, { ...place, seed })).map(({ endedAt }) => endedAt);
				total += Math.max(...ends) / (perfectMs + place.roundTripMs);
			}
		}
		return total / EVERYWHERE.length / seeds.length;
	};
	await add('the limit falls to 5 a second for a minute', async (processes) => {
		return await mostlyTaken(processes, { limits }, 120_000, 900);
	});
	await add('a program of another make asks for 5 a second', async (processes) => {
		const rude = { perSecond: 5, untilMs: 3_600_000 };
		return await mostlyTaken(processes, { rude }, 120_000, 600);
	});
	return { head: ['Time, where', ...counts.map((count) => `${count} processes`)], rows };
}

async function secondsToSettle(processes: number, seeds: readonly number[]): Promise<number> {
	let totalMs = 0;
	for (const place of EVERYWHERE) {
		for (const seed of seeds) totalMs += await msToSettle(processes, place, seed);
	}
	return totalMs / EVERYWHERE.length / seeds.length / 1000;
}

function timeAndRefused({ over, refused }: Figures): string {
	return `${times(over)} / ${percent(refused)}`;
}

function times(value: number): string {
	return value.toFixed(2);
}

function percent(value: number): string {
	return `${(100 * value).toFixed(1)} %`;
}
