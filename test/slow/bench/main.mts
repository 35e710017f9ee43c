import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { Progress } from '../../support/cli/progress.mjs';
import { printFigures } from '../../support/figures.mts';
import { writeTable } from '../../support/measuredTable.mts';
import { temporaryFolder } from '../../support/n8n/folder.mts';
import { ensureN8n, SetupError, versionsOf } from '../../support/n8n/install.mts';
import { packPackage } from '../../support/packing.mts';
import { measureBatch, measureBulk } from './bulk.mts';
import { measureLost, measureParked } from './parked.mts';
import { measureSingles } from './singles.mts';
import { openStage, type Stage } from './stage.mts';
import type { Row } from './table.mts';
import { measureWorkers } from './workers.mts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type Report = (line: string) => void;

/** Rows on an n8n of their own. */
const onStage =
	(measure: (stage: Stage, report: Report) => Promise<Row>) =>
	async (tarball: string, report: Report): Promise<Row> => {
		const stage = await openStage(tarball, report);
		return await measure(stage, report).finally(stage.stop);
	};

const ROWS: Record<string, (tarball: string, report: Report) => Promise<Row>> = {
	singles: onStage(measureSingles),
	batch: onStage(measureBatch),
	bulk: onStage(measureBulk),
	parked: measureParked,
	halfCore: async (tarball, report) => await measureParked(tarball, report, true),
	lost: measureLost,
	workers: measureWorkers,
};
const NAMES = Object.keys(ROWS);

const HELP = `Measures this package beside what people would use instead, on a real n8n and the sandbox, in a quarter of an hour.

  npm run bench                 all rows: ${NAMES.join(', ')}
  npm run bench -- singles lost only these
  npm run bench -- --write      and puts them into docs/performance.md`;

/**
 * Runs the bench and prints its table, as it stands in docs/performance.md.
 *
 * @param build builds the package
 */
export async function main({ report, clear }: Progress, build: () => Promise<void>): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { help: { type: 'boolean' }, write: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const unknown = positionals.filter((name) => !NAMES.includes(name));
	if (unknown.length > 0) {
		throw new SetupError(`No such row: ${unknown.join(', ')}. There are: ${NAMES.join(', ')}`);
	}
	if (values.help) console.log(HELP);
	else await bench(positionals.length > 0 ? positionals : NAMES, report, build, values.write);
	clear();
	process.exit();
}

async function bench(
	names: readonly string[],
	report: Report,
	build: () => Promise<void>,
	isWritten: boolean,
): Promise<void> {
	const n8n = await versionsOf(await ensureN8n(report));
	await build();
	const folder = await temporaryFolder('package');
	const tarball = await packPackage(ROOT, folder.path);
	const rows: Row[] = [];
	for (const name of names) {
		report(`Measuring: ${name}`);
		// A row that fails does not take the others along.
		const row = await ROWS[name]?.(tarball, report).catch((error: unknown) => {
			process.exitCode = 1;
			console.error(`${name} failed: ${String(error)}`);
		});
		if (row) rows.push(row);
	}
	await folder.remove();
	const table = {
		head: ['Measured', 'Limit', 'This package', 'What people would use instead'],
		rows: rows.map(({ what, limit, ours, beside }) => [what, limit, ours, beside]),
	};
	printFigures(table);
	if (!isWritten) return;
	const day = new Date().toISOString().slice(0, 10);
	const below = `On n8n ${n8n}, ${cpus().length} cores, ${day}.`;
	await writeTable('docs/performance.md', 'npm run bench', table, below);
}
