import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import { renderPages } from './pages.mts';
import { type Measured, type Result, RESULTS } from './result.mts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What a measurement depends on. */
const MEASURED = ['nodes', 'credentials', 'test', 'package.json', 'package-lock.json'];

/** When the run begins: a clock may be faked later, and what is committed meanwhile is not measured. */
const begin = { date: new Date().toISOString().slice(0, 10), ...readCode() };

/** Writes what a run has measured in place of what was measured before, and renders the pages. */
export async function writeResult(name: string, measured: Measured): Promise<void> {
	const file = new URL(`${name}.json`, RESULTS);
	await mkdir(new URL('.', file), { recursive: true });
	await writeFile(file, `${JSON.stringify(stamp(measured), null, '\t')}\n`);
	await renderPages();
}

/** Adds when, of which code and where. */
export function stamp(measured: Measured): Result {
	const { command, runs, ...figures } = measured;
	const [cpu] = cpus();
	const machine = {
		cores: cpus().length,
		cpu: cpu?.model.trim() ?? process.arch,
		memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
		system: process.platform,
		node: process.versions.node,
	};
	return { command, ...begin, machine, runs, ...figures };
}

function readCode(): Pick<Result, 'commit' | 'isChanged'> {
	try {
		const commit = git('rev-parse', '--short=7', 'HEAD');
		const changes = git('status', '--porcelain', '--', ...MEASURED);
		return { commit, ...(changes !== '' && { isChanged: true }) };
	} catch {
		return { commit: 'unknown' }; // Not a clone.
	}
}

function git(...args: string[]): string {
	return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
