import { createHash } from 'node:crypto';
import { cp, mkdir, open, readFile, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { runNpm } from '../cli/bootstrap.mjs';

/** A problem of the machine, not of the code: its message is one line, to be shown without a stack. */
export class SetupError extends Error {}

/** Gets the progress: one line of text at a time, to be shown in place. */
export type Report = (line: string) => void;

/** Packages that are not the project's own, as the lock file of a folder in the checkout has them. */
export interface Packages {
	/** What is installed, for messages and for the name in the cache, e.g. `n8n`. */
	name: string;
	/** Folder with `package.json`, `package-lock.json` and `.npmrc`. */
	source: string;
	/** Disk space that they take, in GB. */
	gigabytes: number;
	/** What is left to do in the folder after `npm ci`. */
	finish?: (dir: string, report: Report) => Promise<void>;
}

const SOURCE_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const BYTES_PER_GB = 1024 ** 3;
const HEARTBEAT_MS = 5_000;
const STALE_LOCK_MS = 30_000;

/**
 * Gives the folder in which the packages are installed, and installs them first where they are
 * missing: into a cache outside the checkout (`CONTACT_DATA_CACHE`, else the user's cache folder),
 * named by the lock file's hash, so that a second clone or a CI run finds them there.
 *
 * @throws {SetupError} no disk space, or a failed installation
 */
export async function ensureInstalled(packages: Packages, report: Report): Promise<string> {
	const cache = cacheFolder();
	const dir = join(cache, `${packages.name}-${await lockHash(packages.source)}`);
	if (!(await exists(dir))) {
		await mkdir(cache, { recursive: true });
		await withLock(`${dir}.lock`, report, async () => {
			if (!(await exists(dir))) await install(packages, dir, report);
		});
	}
	return dir;
}

function cacheFolder(): string {
	const userCache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return process.env.CONTACT_DATA_CACHE || join(userCache, 'n8n-nodes-contact-data');
}

async function lockHash(source: string): Promise<string> {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const file of SOURCE_FILES) hash.update(await readFile(join(source, file)));
	return hash.digest('hex').slice(0, 12);
}

/** Installs beside the final name and renames at the end, so that half an installation never counts. */
async function install(packages: Packages, dir: string, report: Report): Promise<void> {
	const { name, source, gigabytes, finish } = packages;
	const { bavail, bsize } = await statfs(dirname(dir));
	if (bavail * bsize < gigabytes * BYTES_PER_GB) {
		const free = (bavail * bsize) / BYTES_PER_GB;
		throw new SetupError(
			`Not enough disk space to install ${name}: ${dirname(dir)} has ${free.toFixed(1)} GB free, ${gigabytes} GB are needed.`,
		);
	}
	const partial = `${dir}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial);
	for (const file of SOURCE_FILES) await cp(join(source, file), join(partial, file));

	const title = `Installing ${name}, once on this machine (up to ${gigabytes} GB)`;
	await npm(['ci'], title, report, partial);
	await finish?.(partial, report);
	await rename(partial, dir);
}

/**
 * Runs npm in a folder and shows the time that it takes.
 * @throws {SetupError} with npm's own words
 */
export async function npm(
	args: string[],
	title: string,
	report: Report,
	cwd: string,
	more?: NodeJS.ProcessEnv,
): Promise<void> {
	await runNpm(args, title, report, { cwd, env: { ...npmEnvironment(), ...more } }).catch(
		({ message }: Error) => {
			throw new SetupError(message);
		},
	);
}

/** The own environment, without what an outer `npm run` set for its own package. */
function npmEnvironment(): NodeJS.ProcessEnv {
	const ofOuterRun = /^(npm_(lifecycle|package|command|config_local_prefix)|INIT_CWD|NODE_ENV)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOuterRun.test(name)));
}

/** Runs `work` in one process at a time. A lock that is not touched any more is taken over. */
async function withLock(file: string, report: Report, work: () => Promise<void>): Promise<void> {
	while (!(await takeLock(file))) {
		report('Waiting for another process that installs the same');
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

/** Whether there is a file or folder. */
export async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}

function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
