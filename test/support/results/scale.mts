import { toTable } from './markdown.mts';
import type { Cell, Result } from './result.mts';

// What a million searches take: calculated from what was measured of fewer.

const SEARCHES = 1_000_000;
const WORKERS = [1, 4, 16];
const PER_SECOND = 10;
const PER_BATCH = 5_000;
/** n8n saves an execution as a row of its own and a row with its data. */
const ROWS_PER_EXECUTION = 2;

/** A way to search for a million people. */
interface Way {
	readonly name: string;
	readonly perExecution: number;
	readonly perRequest: number;
	readonly readsPerRequest: number;
}

/** The results that it is calculated from, in this order. */
export const SCALE_OF = ['bench/bulk', 'bench/looks', 'bench/singles', 'pace'];

/** What a million searches take; not without all of the results. */
export function showScale([bulk, looks, singles, pace]: readonly Result[]): string {
	if (pace === undefined) return 'Not measured.';
	const measuredItems = figure(bulk, /^([\d,]+) items in bulk/);
	const megabytes = figure(bulk, /([\d,]+) MB(?: \([^)]*\))? over idle/);
	const ways: Way[] = [
		{
			name: 'in batches, 20 executions of 50,000 items',
			perExecution: 50_000,
			perRequest: PER_BATCH,
			readsPerRequest: figure(looks, /([\d.]+) looks, [\d.]+ s late/),
		},
		{
			name: 'one by one, 1,000 executions of 1,000 items',
			perExecution: 1_000,
			perRequest: 1,
			readsPerRequest: figure(singles, /([\d.]+) looks for each lookup/),
		},
		{
			name: 'one by one, an execution for each',
			perExecution: 1,
			perRequest: 1,
			readsPerRequest: figure(singles, /([\d.]+) looks for each lookup/),
		},
	];
	const rows = ways.flatMap(({ name, perExecution, perRequest, readsPerRequest }) =>
		WORKERS.map((workers): Cell[] => {
			const { time, refused } = paceOf(pace, workers);
			const accepted = SEARCHES / perRequest;
			const submitS = (accepted / PER_SECOND) * time;
			return [
				name,
				workers,
				Math.round(accepted / (1 - refused)),
				Math.round(accepted * readsPerRequest),
				submitS < 3_600 ? `${submitS.toFixed(0)} s` : `${(submitS / 3_600).toFixed(1)} hours`,
				perExecution === 1 ? '' : `${Math.round((megabytes / measuredItems) * perExecution)} MB`,
				(SEARCHES / perExecution) * ROWS_PER_EXECUTION,
			];
		}),
	);
	return toTable({
		head: [
			'A million email searches',
			'Workers',
			'Submissions',
			'Reads',
			'Until all is submitted',
			'Memory of one such execution',
			"Rows in n8n's database",
		],
		rows,
	});
}

/** What the simulation measured of so many processes. */
function paceOf({ tables }: Result, processes: number): { time: number; refused: number } {
	for (const { head, rows } of tables) {
		const row = head[0] === 'Processes' ? rows.find(([count]) => count === processes) : undefined;
		if (row === undefined) continue;
		const cell = (name: string) => parseFloat(String(row[head.indexOf(name)]));
		return { time: cell('Time'), refused: cell('Refused') / 100 };
	}
	throw new Error(`The pace of ${processes} processes is not measured`);
}

/** A figure of a result, by the words around it. */
function figure(result: Result | undefined, pattern: RegExp): number {
	const cells = result?.tables.flatMap(({ rows }) => rows.flat()) ?? [];
	for (const text of [...cells, ...(result?.notes ?? [])]) {
		const [, found] = pattern.exec(String(text).replace(/^\*\*[^*]*\*\*: /, '')) ?? [];
		if (found !== undefined) return Number(found.replaceAll(',', ''));
	}
	throw new Error(`No figure is like ${String(pattern)}`);
}
