// `npm test -- hosts`: the end-to-end tests on each n8n of `hosts.mts`, one after another, and a
// table of what passes where. `tsx test/slow/hosts/main.mts 2.0.0 suspend` runs some files on one.
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exitOnSignals, ROOT, runCommand } from '../../support/cli/bootstrap.mjs';
import { countTests, readReport, type Report } from '../../support/cli/counts.mjs';
import { createProgress } from '../../support/cli/progress.mjs';
import { printFigures, type Cell } from '../../support/figures.mts';
import { writeTable } from '../../support/measuredTable.mts';
import { ensureN8n, installN8n, versionsOf } from '../../support/n8n/install.mts';
import { lackedBy } from '../../support/n8n/features.mts';
import { findHosts, type Host } from './hosts.mts';

const NICENESS = '5';

/** Runs end-to-end tests on an n8n. Undefined: the run died before it could write its report. */
async function runOn(host: Host, files: string[], folder: string): Promise<Report | undefined> {
	const progress = createProgress();
	process.env.N8N_TEST_DIR = await installN8n(host.name, host.source, progress.report);
	progress.clear();
	const file = join(folder, `${host.version}.json`);
	const vitest = [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'];
	// What waits for minutes is for the night, on one n8n.
	const config = ['--config', 'test/e2e/vitest.config.mts', '--tagsFilter=!long'];
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
	await runCommand(['nice', '-n', NICENESS, ...vitest, ...config, ...reporters, ...files]);
	return await readReport(file);
}

function diedWithoutReport(host: Host): Report {
	const message = 'The run died before it could write its report';
	const testResults = [
		{ name: `n8n ${host.version}`, status: 'failed', message, assertionResults: [] },
	];
	return {
		numPassedTests: 0,
		numFailedTests: 0,
		numPendingTests: 0,
		numTodoTests: 0,
		testResults,
	};
}

/** One report of them all, for whoever called this as one suite. */
function addUp(all: readonly Report[]): Report {
	const total = (count: (report: Report) => number) =>
		all.reduce((sum, report) => sum + count(report), 0);
	return {
		numPassedTests: total((report) => report.numPassedTests),
		numFailedTests: total((report) => report.numFailedTests),
		numPendingTests: total((report) => report.numPendingTests),
		numTodoTests: total((report) => report.numTodoTests),
		testResults: all.flatMap(({ testResults }) => testResults),
	};
}

exitOnSignals();
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const sumFile = process.argv.find((word) => word.startsWith('--outputFile.json='))?.split('=')[1];
const all = await findHosts();
const hosts = all.filter(({ version }) => asked.length === 0 || asked.includes(version));
const files = asked.filter((word) => !hosts.some(({ version }) => version === word));
const folder = await mkdtemp(join(tmpdir(), 'contact-data-hosts-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const reports: Report[] = [];
const rows: Cell[][] = [];
for (const host of hosts.length > 0 ? hosts : all) {
	console.log(`\n── n8n ${host.version} ──`);
	const ran = await runOn(host, files, folder);
	const report = ran ?? diedWithoutReport(host);
	reports.push(report);
	const { passed, failed, skipped } = countTests(report);
	console.log(`n8n ${host.version}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
	const installed = await ensureN8n();
	const lacked = lackedBy(installed).join('; ');
	rows.push([await versionsOf(installed), passed, failed, skipped, lacked]);
}
const table = { head: ['n8n', 'Passed', 'Failed', 'Skipped', 'Has not got'], rows };
printFigures({ tables: [table] });
console.log('Not among them: n8n 3, which is published as a Docker image only.');
if (files.length === 0 && hosts.length === all.length) {
	const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
		version: string;
	};
	const day = new Date().toISOString().slice(0, 10);
	const below = `Tests of version ${version} on a real n8n, ${day}: without those that take minutes, and without those of features that an older n8n does not have.`;
	const short = { head: table.head.slice(0, 3), rows: rows.map((row) => row.slice(0, 3)) };
	await writeTable('README.md', 'npm test -- hosts', short, below);
}
const sum = addUp(reports);
if (sumFile !== undefined) await writeFile(sumFile, JSON.stringify(sum));
process.exit(countTests(sum).failed === 0 ? 0 : 1);
