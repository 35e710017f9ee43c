import { createHash } from 'node:crypto';
import {
	cp,
	mkdir,
	open,
	readFile,
	realpath,
	rename,
	rm,
	stat,
	statfs,
	utimes,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { spawnGroup } from './group.mts';

/** A problem of the machine, not of the code: its message is one line, to be shown without a stack. */
export class SetupError extends Error {}

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
const SOURCE_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const NEEDED_BYTES = 4 * 1024 ** 3;
const MIN_NODE_MAJOR = 24;
const HEARTBEAT_MS = 5_000;
const STALE_LOCK_MS = 30_000;

/**
 * Gives an installed n8n, and installs it first where it is missing: into a cache outside the
 * checkout (`CONTACT_DATA_CACHE`, else the user's cache folder), named by the lock file's hash, so
 * that a second clone or a CI run finds it there. `N8N_TEST_DIR` names another installed n8n
 * instead (a folder whose `node_modules` holds one).
 *
 * @param report gets the progress: one line of text at a time, to be shown in place
 * @throws {SetupError} no disk space, no suitable Node, or a failed installation
 */
export async function ensureN8n(report: (line: string) => void = () => {}): Promise<InstalledN8n> {
	const other = process.env.N8N_TEST_DIR;
	if (other) return await describeInstalled(other);

	const cache = cacheFolder();
	const dir = join(cache, `n8n-${await lockHash()}`);
	if (!(await exists(dir))) {
		await mkdir(cache, { recursive: true });
		await withLock(`${dir}.lock`, report, async () => {
			if (!(await exists(dir))) await install(dir, report);
		});
	}
	return await describeInstalled(dir);
}

function cacheFolder(): string {
	const userCache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return process.env.CONTACT_DATA_CACHE || join(userCache, 'n8n-nodes-contact-data');
}

async function lockHash(): Promise<string> {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const file of SOURCE_FILES) hash.update(await readFile(join(SOURCE, file)));
	return hash.digest('hex').slice(0, 12);
}

/** Installs beside the final name and renames at the end, so that half an n8n never counts. */
async function install(dir: string, report: (line: string) => void): Promise<void> {
	const { bavail, bsize } = await statfs(dirname(dir));
	if (bavail * bsize < NEEDED_BYTES) {
		const free = (bavail * bsize) / 1024 ** 3;
		throw new SetupError(
			`Not enough disk space to install n8n: ${dirname(dir)} has ${free.toFixed(1)} GB free, 4 GB are needed.`,
		);
	}
	const partial = `${dir}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial);
	for (const file of SOURCE_FILES) await cp(join(SOURCE, file), join(partial, file));

	await runNpm(['ci'], partial, {}, 'Installing n8n (about 2 GB, only this once)', report);
	// Scripts are off for all packages; this is the one that needs its own, for its native part.
	await runNpm(
		['rebuild', 'sqlite3', '--ignore-scripts=false'],
		partial,
		await headersOfNode(partial),
		'Building the SQLite driver of n8n',
		report,
	);
	await rename(partial, dir);
}

/** The Node that comes along brings its headers: where they serve, nothing is downloaded. */
async function headersOfNode(dir: string): Promise<NodeJS.ProcessEnv> {
	const node = await realpath(join(dir, 'node_modules', '.bin', 'node')).catch(() => undefined);
	return node === undefined ? {} : { npm_config_nodedir: dirname(dirname(node)) };
}

async function runNpm(
	args: string[],
	dir: string,
	env: NodeJS.ProcessEnv,
	title: string,
	report: (line: string) => void,
): Promise<void> {
	const started = Date.now();
	let output = '';
	const show = () => report(`${title}: ${Math.round((Date.now() - started) / 1000)} s`);
	show();
	const ticker = setInterval(show, 1_000);
	const group = spawnGroup('npm', args, {
		cwd: dir,
		env: { ...npmEnvironment(), ...env },
		onOutput: (text) => {
			output = (output + text).slice(-4_000);
		},
	});
	const { code } = await group.exited.finally(() => clearInterval(ticker));
	if (code !== 0) {
		throw new SetupError(`${title} failed (npm ${args.join(' ')}):\n${output.trimEnd()}`);
	}
}

/** The own environment, without what an outer `npm run` set for its own package. */
function npmEnvironment(): NodeJS.ProcessEnv {
	const ofOuterRun = /^(npm_(lifecycle|package|command|config_local_prefix)|INIT_CWD|NODE_ENV)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOuterRun.test(name)));
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

/** Runs `work` in one process at a time. A lock that is not touched any more is taken over. */
async function withLock(
	file: string,
	report: (line: string) => void,
	work: () => Promise<void>,
): Promise<void> {
	while (!(await takeLock(file))) {
		report('Waiting for another process that installs n8n');
		await delay(1_000);
	}
	const heartbeat = setInterval(() => {
		const now = new Date();
		utimes(file, now, now).catch(() => {});
	}, HEARTBEAT_MS);
	try {
		await work();
	} finally {
		clearInterval(heartbeat);
		await rm(file, { force: true });
	}
}

async function takeLock(file: string): Promise<boolean> {
	try {
		await (await open(file, 'wx')).close();
		return true;
	} catch (error) {
		if (!isCode(error, 'EEXIST')) throw error;
	}
	const found = await stat(file).catch(() => undefined);
	if (found && Date.now() - found.mtimeMs > STALE_LOCK_MS) await rm(file, { force: true });
	return false;
}

async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}

function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
