import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { Progress } from '../../support/cli/progress.mjs';
import { printFigures } from '../../support/figures.mts';
import { temporaryFolder } from '../../support/n8n/folder.mts';
import {
	ensureN8n,
	SetupError,
	type InstalledN8n,
	versionsOf,
} from '../../support/n8n/install.mts';
import { packPackage } from '../../support/packing.mts';
import { measureBatch, measureManyInBulk } from './bulk.mts';
import { measureCpu } from './cpuRow.mts';
import { measureFlood } from './flood.mts';
import { measureLoading } from './loading.mts';
import { measureLooks } from './looks.mts';
import { measureLost } from './lost.mts';
import { measureParked } from './parked.mts';
import { measureQueue } from './queue.mts';
import { measureProcesses, measureWorkers } from './sharing.mts';
import { measureSingles } from './singles.mts';
import { openStage, type Stage } from './stage.mts';
import { toMeasured, type Row } from './table.mts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface Sizes {
	singles: number;
	bulk: number;
	queue: number;
	flood: number;
	runs: number;
	/** Of rows that take seconds, and in which one run would be luck. */
	quickRuns: number;
}

const SMALL: Sizes = {
	singles: 100,
	bulk: 20_000,
	queue: 20,
	flood: 600,
	runs: 1,
	quickRuns: 3,
};
/** Half an hour, of which the parked executions take a third. */
const FULL: Sizes = {
	// Linear, by the pace; with fewer, what an execution takes besides would count for more.
	singles: 1_000,
	// Whether it is linear is what this row asks.
	bulk: 50_000,
	queue: 200,
	// Not linear: that it stays flat is what this row asks.
	flood: 1_000,
	runs: 1,
	quickRuns: 5,
};

/** What a row is measured with. */
interface Setting {
	installed: InstalledN8n;
	tarball: string;
	sizes: Sizes;
	report: (line: string) => void;
}

/** Rows on one n8n that they share. */
const ON_STAGE: Record<string, (stage: Stage, setting: Setting) => Promise<Row>> = {
	singles: async (stage, { sizes, report }) =>
		await measureSingles(stage, sizes.singles, sizes.runs, report),
	batch: async (stage, { sizes, report }) => await measureBatch(stage, sizes.runs, report),
	bulk: async (stage, { sizes, report }) =>
		await measureManyInBulk(stage, sizes.bulk, sizes.runs, report),
};
const ALONE: Record<string, (setting: Setting) => Promise<Row>> = {
	cpu: async ({ installed, sizes }) => await measureCpu(installed, sizes.bulk, sizes.quickRuns),
	looks: async () => measureLooks(),
	lost: async ({ tarball, report }) => await measureLost(tarball, report),
	parkedFew: async ({ tarball, sizes, report }) =>
		await measureParked(tarball, 'parkedFew', sizes.runs, report),
	parked: async ({ tarball, sizes, report }) =>
		await measureParked(tarball, 'parked', sizes.runs, report),
	parkedRush: async ({ tarball, sizes, report }) =>
		await measureParked(tarball, 'parkedRush', sizes.runs, report),
	queue: async ({ tarball, sizes, report }) =>
		await measureQueue(tarball, sizes.queue, sizes.runs, report),
	processes: async ({ tarball, sizes, report }) =>
		await measureProcesses(tarball, sizes.runs, report),
	workers2: async ({ tarball, sizes, report }) =>
		await measureWorkers(tarball, 2, sizes.runs, report),
	workers4: async ({ tarball, sizes, report }) =>
		await measureWorkers(tarball, 4, sizes.runs, report),
	flood: async ({ tarball, sizes, report }) =>
		await measureFlood(tarball, sizes.flood, sizes.runs, report),
	loading: async ({ installed, tarball, sizes }) =>
		await measureLoading(installed, tarball, sizes.quickRuns),
};
const ROWS = [...Object.keys(ON_STAGE), ...Object.keys(ALONE)];
/** Rows that take minutes even when they are small. */
const LONG = [
	'lost',
	'parkedFew',
	'parked',
	'parkedRush',
	'queue',
	'processes',
	'workers2',
	'workers4',
	'flood',
];

const HELP = `Measures this package beside what people would use instead, on a real n8n and the sandbox.

  npm run bench                           small sizes, three minutes
  npm run bench -- --full                 full sizes, half an hour
  npm run bench -- --full singles parked  only these of the rows: ${ROWS.join(', ')}

  --runs <n>  so many runs of each row; default one, and some more of cpu and loading
  --help`;

/**
 * Runs the bench and prints its tables.
 *
 * @param build builds the package
 */
export async function main(progress: Progress, build: () => Promise<void>): Promise<void> {
	try {
		const { values, positionals } = parseArgs({
			options: {
				full: { type: 'boolean', default: false },
				runs: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
			allowPositionals: true,
		});
		const { full, runs, help } = values;
		const unknown = positionals.filter((name) => !ROWS.includes(name));
		if (unknown.length > 0) {
			throw new SetupError(`No such row: ${unknown.join(', ')}. There are: ${ROWS.join(', ')}`);
		}
		if (help) console.log(HELP);
		else {
			const all = ROWS.filter((name) => full || !LONG.includes(name));
			const sizes = withRuns(full ? FULL : SMALL, runs);
			await bench(positionals.length > 0 ? positionals : all, sizes, progress, build);
		}
		process.exit();
	} catch (error) {
		progress.clear();
		if (!(error instanceof SetupError)) throw error;
		console.error(error.message);
		process.exit(1);
	}
}

function withRuns(sizes: Sizes, text: string | undefined): Sizes {
	if (text === undefined) return sizes;
	const runs = Number(text);
	if (!Number.isInteger(runs) || runs < 1) throw new SetupError(`--runs takes a number: ${text}`);
	return { ...sizes, runs, quickRuns: runs };
}

async function bench(
	names: string[],
	sizes: Sizes,
	{ report, clear }: Progress,
	build: () => Promise<void>,
): Promise<void> {
	const started = Date.now();
	const installed = await ensureN8n(report);
	const n8n = await versionsOf(installed);
	await build();
	const folder = await temporaryFolder('package');
	const tarball = await packPackage(ROOT, folder.path);
	const setting: Setting = { installed, tarball, sizes, report };
	const rows: Row[] = [];
	const failures: string[] = [];
	for await (const [name, row] of measureAll(names, setting)) {
		if (row instanceof Error) {
			failures.push(`${name} failed: ${row.message}`);
			continue;
		}
		rows.push(row);
	}
	clear();
	await folder.remove();
	const minutes = ((Date.now() - started) / 60_000).toFixed(1);
	printFigures(toMeasured(rows));
	console.log(`\nn8n ${n8n}, ${minutes} minutes`);
	if (failures.length > 0) {
		console.error(failures.join('\n'));
		process.exitCode = 1;
	}
}

/** Each row, or why it failed: that does not take the others along. */
async function* measureAll(
	names: string[],
	setting: Setting,
): AsyncGenerator<[name: string, row: Row | Error]> {
	const { tarball, report } = setting;
	const onStage = Object.entries(ON_STAGE).filter(([name]) => names.includes(name));
	if (onStage.length > 0) {
		const stage = await openStage(tarball, report);
		for (const [name, measure] of onStage) {
			yield [name, await attempt(async () => await measure(stage, setting))];
		}
		await stage.stop();
	}
	for (const [name, measure] of Object.entries(ALONE)) {
		if (!names.includes(name)) continue;
		report(`Measuring: ${name}`);
		yield [name, await attempt(async () => await measure(setting))];
	}
}

async function attempt(measure: () => Promise<Row>): Promise<Row | Error> {
	try {
		return await measure();
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}
