import { readdirSync } from 'node:fs';

const NODES = new URL('../../../nodes/ContactData/', import.meta.url);
/** All but what the editor shows, which is data. */
const FOLDERS = readdirSync(NODES, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !['description', '__schema__'].includes(entry.name))
	.map(({ name }) => name);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	// Stryker cuts `--mutate` at its commas: one folder there, or several options.
	mutate: FOLDERS.map((folder) => `nodes/ContactData/${folder}/*.ts`),
	testRunner: 'vitest',
	plugins: ['@stryker-mutator/vitest-runner'],
	vitest: { configFile: 'test/slow/mutation/vitest.config.mts', related: false },
	coverageAnalysis: 'perTest',
	concurrency: 2,
	// A mutant that is slow because the machine is busy must not count as one that hangs.
	timeoutMS: 10_000,
	timeoutFactor: 1.5,
	incremental: true,
	incrementalFile: '.cache/stryker/incremental.json',
	tempDirName: '.cache/stryker/sandbox',
	cleanTempDir: 'always',
	ignorePatterns: ['.cache', 'dist', 'test/support/n8n/node_modules'],
	thresholds: { high: 95, low: 85, break: 85 },
	reporters: ['clear-text', 'json', 'progress-append-only'],
	jsonReporter: { fileName: '.cache/stryker/report.json' },
	clearTextReporter: { logTests: false, reportTests: false },
};
