// `npm run test:mutation`: runs Stryker with the same arguments, and writes the figures of each
// folder that it went through as a whole.
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { schema } from '@stryker-mutator/api/core';

import { writeResult } from '../../support/results/write.mts';
import { foldersIn, toMeasured, wholeFolders } from './figures.mts';
import { MUTATED } from './files.mts';

const ROOT = new URL('../../../', import.meta.url);
const CONFIG = 'test/slow/mutation/stryker.config.mjs';
const STRYKER = fileURLToPath(new URL('node_modules/.bin/stryker', ROOT));
const REPORT = new URL('.cache/stryker/report.json', ROOT);

await rm(REPORT, { force: true });
const { status } = spawnSync(STRYKER, ['run', CONFIG, ...process.argv.slice(2)], {
	cwd: fileURLToPath(ROOT),
	stdio: 'inherit',
	env: { ...process.env, [MUTATED]: foldersIn(process.argv).join() },
});
const text = await readFile(REPORT, 'utf8').catch(() => undefined);
if (text !== undefined) {
	const report = JSON.parse(text) as schema.MutationTestResult;
	for (const folder of wholeFolders(report)) {
		await writeResult(`mutation/${folder}`, toMeasured(folder, report));
	}
}
process.exitCode = status ?? 1;
