import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { ensureInstalled, exists, npm, SetupError, type Report } from './cache.mts';

export { SetupError };

/** An installed n8n, ready to be started. */
export interface InstalledN8n {
	/** Folder whose `node_modules` holds n8n. */
	dir: string;
	/** The Node binary to run it with: the one that came along, or this process's own. */
	node: string;
	/** `PATH` for it and its children, with that Node first. */
	path: string;
	/** n8n's command line. */
	bin: string;
	version: string;
}

const SOURCE = dirname(fileURLToPath(import.meta.url));
const GIGABYTES = 4;
const MIN_NODE_MAJOR = 24;

/**
 * Gives an installed n8n, and installs it first where it is missing. `N8N_TEST_DIR` names another
 * installed n8n instead (a folder whose `node_modules` holds one).
 *
 * @throws {SetupError} no disk space, no suitable Node, or a failed installation
 */
export async function ensureN8n(report: Report = () => {}): Promise<InstalledN8n> {
	const other = process.env.N8N_TEST_DIR;
	return await describeInstalled(other || (await installN8n('n8n', SOURCE, report)));
}

/**
 * Gives the folder of an n8n that a lock file names, and installs it first where it is missing.
 *
 * @param name in messages and in the cache
 * @param source folder with the lock file; left out: the one of the end-to-end tests
 * @throws {SetupError} no disk space, or a failed installation
 */
export async function installN8n(
	name: string,
	source: string,
	report: Report = () => {},
): Promise<string> {
	const packages = { name, source, gigabytes: GIGABYTES, finish: buildDriver };
	return await ensureInstalled(packages, report);
}

/** `2.41.1 on Node 24.21.0` */
export async function versionsOf({ node, version }: InstalledN8n): Promise<string> {
	const { stdout } = await promisify(execFile)(node, ['--version']);
	return `${version} on Node ${stdout.trim().slice(1)}`;
}

/** Scripts are off for all packages; this is the one that needs its own, for its native part. */
async function buildDriver(dir: string, report: Report): Promise<void> {
	const args = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
	await npm(args, 'Building the SQLite driver of n8n', report, dir, await headersOfNode(dir));
}

/** The Node that comes along brings its headers: where they serve, nothing is downloaded. */
async function headersOfNode(dir: string): Promise<NodeJS.ProcessEnv> {
	const node = await realpath(join(dir, 'node_modules', '.bin', 'node')).catch(() => undefined);
	return node === undefined ? {} : { npm_config_nodedir: dirname(dirname(node)) };
}

async function describeInstalled(dir: string): Promise<InstalledN8n> {
	const modules = join(dir, 'node_modules');
	const manifest = join(modules, 'n8n', 'package.json');
	if (!(await exists(manifest))) throw new SetupError(`No n8n is installed in ${dir}.`);
	const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };

	const own = join(modules, '.bin', 'node');
	const broughtAlong = await exists(own);
	if (!broughtAlong && Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR) {
		throw new SetupError(
			`n8n ${version} needs Node ${MIN_NODE_MAJOR} or newer, and no Node for ${process.platform} ${process.arch} comes along: this is Node ${process.versions.node}.`,
		);
	}
	const node = broughtAlong ? own : process.execPath;
	return {
		dir,
		node,
		path: [dirname(node), process.env.PATH].join(delimiter),
		bin: join(modules, 'n8n', 'bin', 'n8n'),
		version,
	};
}
