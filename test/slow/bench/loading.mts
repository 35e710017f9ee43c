import { execFile } from 'node:child_process';
import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { temporaryFolder } from '../../support/n8n/folder.mts';
import type { InstalledN8n } from '../../support/n8n/install.mts';
import { installPackage } from '../../support/n8n/package.mts';
import { median, type Row, withRange } from './table.mts';

const run = promisify(execFile);
const LOAD_TIME = fileURLToPath(new URL('loadTime.mjs', import.meta.url));
const OWN_NODE =
	'.n8n/nodes/node_modules/n8n-nodes-contact-data/dist/nodes/ContactData/ContactData.node.js';
const BUILT_IN = 'node_modules/n8n-nodes-base';
const BESIDE = 10;

/** Loading the action node, beside the ten built-in nodes with the most code. */
export async function measureLoading(
	installed: InstalledN8n,
	tarball: string,
	runs: number,
): Promise<Row> {
	const folder = await temporaryFolder('loading');
	await installPackage(tarball, folder.path);
	await symlink(join(installed.dir, 'node_modules'), join(folder.path, 'node_modules'));
	const largest = await largestNodes(join(installed.dir, BUILT_IN));

	const timesOf = async (file: string) => {
		const times: number[] = [];
		for (let count = 0; count < runs; count++) {
			const { stdout } = await run(installed.node, [LOAD_TIME, installed.dir, file]);
			times.push(Number(stdout));
		}
		return times;
	};
	const own = await timesOf(join(folder.path, OWN_NODE));
	const others = new Map<string, number>();
	for (const { file, bytes } of largest) {
		const name = `${basename(file, '.node.js')} (${Math.round(bytes / 1024)} kB)`;
		others.set(name, median(await timesOf(file)));
	}
	await folder.remove();

	const ms = (value: number) => `${value.toFixed(0)} ms`;
	const { size } = await stat(tarball);
	return {
		what: 'Loading the package',
		ours: `${withRange(own, ms)}; tarball ${Math.round(size / 1024)} kB`,
		beside: `ten largest built-in nodes: median ${ms(median([...others.values()]))}`,
		limit: '',
		target: 'stated',
		met: 'yes',
		runs,
		notes: [
			`Each in a new process in which n8n-workflow is loaded already. The largest built-in nodes by their code: ${[...others].map(([name, time]) => `${name} ${ms(time)}`).join(', ')}.`,
		],
	};
}

async function largestNodes(packageDir: string): Promise<Array<{ file: string; bytes: number }>> {
	const manifest = await readFile(join(packageDir, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[] } };
	const folders = new Map<string, string>();
	for (const file of n8n.nodes) {
		const folder = dirname(file);
		if (!folders.has(folder)) folders.set(folder, join(packageDir, file));
	}
	const sized = await Promise.all(
		[...folders.values()].map(async (file) => ({ file, bytes: await codeSize(dirname(file)) })),
	);
	return sized.sort((one, other) => other.bytes - one.bytes).slice(0, BESIDE);
}

async function codeSize(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const scripts = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.js'));
	const sizes = await Promise.all(
		scripts.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}
