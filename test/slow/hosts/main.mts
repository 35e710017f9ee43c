// `npm test -- hosts`: the end-to-end tests on each n8n of `SOURCES`, one after another, and a table of
// what passes where. `tsx test/slow/hosts/main.mts 2.0.0 suspend` runs some files on one.
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exitOnSignals, ROOT, runCommand } from '../../support/cli/bootstrap.mjs';
import { countTests, readReport, type Report } from '../../support/cli/counts.mjs';
import { createProgress } from '../../support/cli/progress.mjs';
import { printFigures, type Cell } from '../../support/figures.mts';
import { ensureN8n, installN8n, versionsOf } from '../../support/n8n/install.mts';
import { lackedBy } from '../../support/n8n/features.mts';

const HERE = import.meta.dirname;
/** Folders with lock files, the newest first; the n8n of the end-to-end tests has its own there. */
const SOURCES = {
	n8n: '../../support/n8n',
	'n8n-2.0.0': 'n8n-2.0.0',
	'n8n-1.123.81': 'n8n-1.123.81',
};

/** An n8n that the end-to-end tests run on. */
interface Host {
	readonly version: string;
	/** Its name in the cache. */
	readonly name: string;
	/** Folder with its lock file. */
	readonly source: string;
}

async function toHost([name, folder]: [name: string, folder: string]): Promise<Host> {
	const source = join(HERE, folder);
	const manifest = await readFile(join(source, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { dependencies: { n8n: string } };
	return { name, source, version: dependencies.n8n };
}

const NICENESS = '5';
const NOTHING: Report = {
	numPassedTests: 0,
	numFailedTests: 0,
	numPendingTests: 0,
	numTodoTests: 0,
	testResults: [],
};

/** Runs end-to-end tests on an n8n. */
async function runOn(host: Host, files: string[], folder: string): Promise<Report> {
	const progress = createProgress();
	process.env.N8N_TEST_DIR = await installN8n(host.name, host.source, progress.report);
	progress.clear();
	const file = join(folder, `${host.version}.json`);
	const vitest = [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'];
	// What waits for minutes is for the night, on one n8n.
	const config = ['--config', 'test/e2e/vitest.config.mts', '--tagsFilter=!long'];
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
	await runCommand(['nice', '-n', NICENESS, ...vitest, ...config, ...reporters, ...files]);
	const message = 'The run died before it could write its report';
	const died = { name: `n8n ${host.version}`, status: 'failed', message, assertionResults: [] };
	return (await readReport(file)) ?? { ...NOTHING, testResults: [died] };
}

exitOnSignals();
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const sumFile = process.argv.find((word) => word.startsWith('--outputFile.json='))?.split('=')[1];
const all = await Promise.all(Object.entries(SOURCES).map(toHost));
const hosts = all.filter(({ version }) => asked.length === 0 || asked.includes(version));
const files = asked.filter((word) => !hosts.some(({ version }) => version === word));
const folder = await mkdtemp(join(tmpdir(), 'contact-data-hosts-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** One report of them all, for whoever called this as one suite. */
let sum = NOTHING;
const rows: Cell[][] = [];
for (const host of hosts.length > 0 ? hosts : all) {
	console.log(`\n── n8n ${host.version} ──`);
	const report = await runOn(host, files, folder);
	sum = {
		numPassedTests: sum.numPassedTests + report.numPassedTests,
		numFailedTests: sum.numFailedTests + report.numFailedTests,
		numPendingTests: sum.numPendingTests + report.numPendingTests,
		numTodoTests: sum.numTodoTests + report.numTodoTests,
		testResults: [...sum.testResults, ...report.testResults],
	};
	const { passed, failed, skipped } = countTests(report);
	console.log(`n8n ${host.version}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
	const installed = await ensureN8n();
	rows.push([await versionsOf(installed), passed, failed, skipped, lackedBy(installed).join('; ')]);
}
printFigures({ head: ['n8n', 'Passed', 'Failed', 'Skipped', 'Has not got'], rows });
console.log('Not among them: n8n 3, which is published as a Docker image only.');
if (sumFile !== undefined) await writeFile(sumFile, JSON.stringify(sum));
process.exit(countTests(sum).failed === 0 ? 0 : 1);
