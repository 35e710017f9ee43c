import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { temporaryFolder } from '../../support/n8n/folder.mts';
import { ensureN8n, type InstalledN8n, SetupError } from '../../support/n8n/install.mts';
import { packPackage } from '../../support/packing.mts';
import type { Progress } from '../../support/cli/progress.mjs';
import { measureBatch, measureManyInBulk } from './bulk.mts';
import { measureCpu } from './cpuRow.mts';
import { measureLoading } from './loading.mts';
import { measureLooks } from './looks.mts';
import { measureParked } from './parked.mts';
import { measureQueue } from './queue.mts';
import { measureSingles } from './singles.mts';
import { openStage } from './stage.mts';
import { type Row, toMarkdown } from './table.mts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));

const HELP = `Measures this package beside what people would use instead, on a real n8n and the sandbox.

  --full        the full sizes, nearly two hours; default: small ones, three minutes
  --out <file>  where the table is written; default test/slow/bench/RESULTS.md
  --help`;

interface Sizes {
	singles: number;
	bulk: number;
	/** Executions; undefined: this row and the one of queue mode are left out. */
	parked: number | undefined;
	/** A run of the singles takes four minutes at the full size. */
	singlesRuns: number;
	runs: number;
	quickRuns: number;
}

const SMALL: Sizes = {
	singles: 100,
	bulk: 20_000,
	parked: undefined,
	singlesRuns: 1,
	runs: 1,
	quickRuns: 3,
};
const FULL: Sizes = {
	singles: 1_000,
	bulk: 50_000,
	parked: 1_000,
	singlesRuns: 2,
	runs: 3,
	quickRuns: 7,
};

/**
 * Runs the bench, prints its table and writes it as markdown.
 *
 * @param build builds the package
 */
export async function main(progress: Progress, build: () => Promise<void>): Promise<void> {
	try {
		const { values } = parseArgs({
			options: {
				full: { type: 'boolean', default: false },
				out: { type: 'string', default: RESULTS },
				help: { type: 'boolean', default: false },
			},
		});
		if (values.help) console.log(HELP);
		else await bench(values.full, values.out, progress, build);
		process.exit();
	} catch (error) {
		progress.clear();
		if (!(error instanceof SetupError)) throw error;
		console.error(error.message);
		process.exit(1);
	}
}

async function bench(
	full: boolean,
	out: string,
	{ report, clear }: Progress,
	build: () => Promise<void>,
): Promise<void> {
	const sizes = full ? FULL : SMALL;
	const started = Date.now();
	const installed = await ensureN8n(report);
	await build();
	const folder = await temporaryFolder('package');
	const tarball = await packPackage(ROOT, folder.path);
	const rows = await measureAll(installed, tarball, sizes, report);
	clear();
	await folder.remove();

	const minutes = ((Date.now() - started) / 60_000).toFixed(1);
	const text = [
		`# Results of \`npm run bench${full ? ' -- --full' : ''}\``,
		'',
		`${await machine(installed)}; ${minutes} minutes. ${runsText(sizes)}`,
		'',
		toMarkdown(rows),
		'',
	].join('\n');
	console.log(text);
	await writeFile(out, text);
}

async function measureAll(
	installed: InstalledN8n,
	tarball: string,
	{ singles, bulk, parked, singlesRuns, runs, quickRuns }: Sizes,
	report: (line: string) => void,
): Promise<Row[]> {
	const stage = await openStage(tarball, report);
	let byHandExtraSeconds: number | undefined;
	const rows = [
		await attempt('Single lookups', async () => {
			const result = await measureSingles(stage, singles, singlesRuns, report);
			byHandExtraSeconds = result.byHandExtraSeconds;
			return result.row;
		}),
		await attempt(
			'One batch',
			async () => await measureBatch(stage, runs, byHandExtraSeconds, report),
		),
		await attempt('Many in bulk', async () => await measureManyInBulk(stage, bulk, runs, report)),
	];
	await stage.stop();
	report('CPU of our own code');
	rows.push(
		await attempt('CPU', async () => await measureCpu(installed, bulk, quickRuns)),
		measureLooks(),
		parked === undefined
			? notMeasured('1,000 parked executions', 'With --full only.')
			: await attempt('Parked', async () => await measureParked(tarball, parked, runs, report)),
		parked === undefined
			? notMeasured('Queue mode', 'With --full only.')
			: await attempt('Queue mode', async () => await measureQueue(tarball, runs, report)),
	);
	report('Loading the package');
	rows.push(
		await attempt('Loading', async () => await measureLoading(installed, tarball, quickRuns)),
	);
	return rows;
}

/** A row that fails does not take the others along, and makes the exit code 1. */
async function attempt(what: string, measure: () => Promise<Row>): Promise<Row> {
	try {
		return await measure();
	} catch (error) {
		process.exitCode = 1;
		return notMeasured(what, `Failed: ${error instanceof Error ? error.message : String(error)}`);
	}
}

function runsText({ parked, runs, singlesRuns, quickRuns }: Sizes): string {
	return `Medians, with the smallest and the largest value in brackets: ${singlesRuns} runs of the single lookups, ${runs} of the batches${parked === undefined ? '' : ', the parked executions and queue mode'}, ${quickRuns} of the CPU and of loading.`;
}

function notMeasured(what: string, why: string): Row {
	return { what, ours: '', beside: '', limit: '', target: '', met: 'not measured', notes: [why] };
}

async function machine({ node, version }: InstalledN8n): Promise<string> {
	const { stdout } = await promisify(execFile)(node, ['--version']);
	const [cpu] = cpus();
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	const date = new Date().toISOString().slice(0, 10);
	return `${date}, n8n ${version} on Node ${stdout.trim().slice(1)}, ${cpus().length} × ${cpu?.model.trim() ?? process.arch}, ${gigabytes} GB, ${process.platform}`;
}
