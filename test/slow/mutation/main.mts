// `npm run test:mutation`: runs Stryker with the same arguments, and writes the figures of each
// folder that it went through as a whole. With `--sample <percent> <folder>,<folder>` it changes a part
// of the folders' lines, and writes the figures of that; a further argument `--draw 2` takes others.
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { schema } from '@stryker-mutator/api/core';

import { writeResult } from '../../support/results/write.mts';
import { foldersIn, NODES, toMeasured, wholeFolders } from './figures.mts';
import { MUTATED } from './files.mts';
import { sampleLines } from './sample.mts';

const ROOT = new URL('../../../', import.meta.url);
const CONFIG = 'test/slow/mutation/stryker.config.mjs';
const STRYKER = fileURLToPath(new URL('node_modules/.bin/stryker', ROOT));
const REPORT = new URL('.cache/stryker/report.json', ROOT);

const [flag, percent, sampled = '', ...rest] = process.argv.slice(2);
const isSample = flag === '--sample';
const folders = sampled.split(',');
const [draw = '1', others] = rest[0] === '--draw' ? [rest[1], rest.slice(2)] : [undefined, rest];
const linesOf = (name: string) => sampleLines(`${NODES}${name}/`, Number(percent), Number(draw));
const args = isSample
	? ['--mutate', folders.flatMap(linesOf).join(), ...others]
	: process.argv.slice(2);

await rm(REPORT, { force: true });
const { status } = spawnSync(STRYKER, ['run', CONFIG, ...args], {
	cwd: fileURLToPath(ROOT),
	stdio: 'inherit',
	env: { ...process.env, [MUTATED]: (isSample ? folders : foldersIn(args)).join() },
});
const text = await readFile(REPORT, 'utf8').catch(() => undefined);
if (text !== undefined) {
	const report = JSON.parse(text) as schema.MutationTestResult;
	for (const folder of isSample ? folders : wholeFolders(report)) {
		await writeResult(
			`mutation/${folder}`,
			toMeasured(folder, report, isSample ? { percent, draw } : undefined),
		);
	}
}
process.exitCode = status ?? 1;
