import { execFile } from 'node:child_process';
import { access, chown, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { ownPort } from '../ports.mts';
import { temporaryFolder } from './folder.mts';
import { spawnGroup, type ProcessGroup } from '../processes/group.mts';

const run = promisify(execFile);

const HOST = '127.0.0.1';
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

/** The installed programs that n8n's queue mode needs beside itself. */
export interface QueuePrograms {
	/** Folder with `postgres` and `initdb`. */
	postgres: string;
	redis: string;
}

/** Finds PostgreSQL and Redis, or says what is missing. @throws in CI, where nothing is skipped */
export async function findQueuePrograms(): Promise<QueuePrograms | { missing: string }> {
	const redis = await which('redis-server');
	const postgres = await findPostgres();
	const missing = [
		postgres === undefined ? 'PostgreSQL' : undefined,
		redis === undefined ? 'Redis' : undefined,
		// PostgreSQL refuses to run as root.
		process.getuid?.() === 0 && (await postgresUser()) === undefined
			? 'a user postgres (PostgreSQL does not run as root)'
			: undefined,
	].filter((what) => what !== undefined);
	if (postgres === undefined || redis === undefined || missing.length > 0) {
		if (process.env.CI) throw new Error(`CI skips nothing: there is no ${missing.join(' and ')}.`);
		return { missing: missing.join(' and ') };
	}
	return { postgres, redis };
}

async function findPostgres(): Promise<string | undefined> {
	const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
	const folders = versions.map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
	for (const folder of folders.sort().reverse()) {
		if (
			await access(join(folder, 'initdb')).then(
				() => true,
				() => false,
			)
		)
			return folder;
	}
	const initdb = await which('initdb');
	return initdb?.replace(/\/initdb$/, '');
}

async function which(program: string): Promise<string | undefined> {
	return await run('sh', ['-c', `command -v ${program}`]).then(
		({ stdout }) => stdout.trim(),
		() => undefined,
	);
}

async function postgresUser(): Promise<{ uid: number; gid: number } | undefined> {
	const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
	try {
		return { uid: await id('-u'), gid: await id('-g') };
	} catch {
		return undefined;
	}
}

/** A PostgreSQL and a Redis that cannot outlive this process. */
export interface QueueServers {
	/** n8n's environment for them. */
	readonly env: Record<string, string>;
	stop(): Promise<void>;
}

/** Starts both on free ports of loopback, with empty data. */
export async function startQueueServers(programs: QueuePrograms): Promise<QueueServers> {
	const folder = await temporaryFolder('queue');
	const postgresPort = await ownPort();
	const redisPort = await ownPort();
	const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
	if (user !== undefined) await chown(folder.path, user.uid, user.gid);
	const asUser =
		user === undefined
			? []
			: ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];

	const data = join(folder.path, 'postgres');
	const initdb = [...asUser, join(programs.postgres, 'initdb')];
	const initOptions = ['-D', data, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
	await run(initdb[0] ?? '', [...initdb.slice(1), ...initOptions], { cwd: folder.path });

	let log = '';
	const groups: ProcessGroup[] = [];
	const launch = (command: string[]) => {
		const [program = '', ...args] = command;
		const group = spawnGroup(program, args, {
			cwd: folder.path,
			env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
			onOutput: (text) => (log += text),
		});
		groups.push(group);
	};
	launch([
		...asUser,
		...[join(programs.postgres, 'postgres'), '-D', data, '-p', String(postgresPort)],
		...['-k', '', '-h', HOST, '-c', 'fsync=off', '-c', 'max_connections=200'],
	]);
	launch([
		programs.redis,
		...['--bind', HOST, '--port', String(redisPort), '--dir', folder.path],
		...['--save', '', '--appendonly', 'no'],
	]);
	const stop = async () => {
		// PostgreSQL takes this for a fast shutdown.
		for (const group of groups) group.kill('SIGINT');
		const force = setTimeout(() => {
			for (const group of groups) group.kill('SIGKILL');
		}, STOP_TIMEOUT_MS);
		await Promise.all(groups.map(({ exited }) => exited));
		clearTimeout(force);
		await folder.remove();
	};
	try {
		const ready = [...asUser, join(programs.postgres, 'pg_isready'), '-h', HOST];
		await until(async () => {
			await run(ready[0] ?? '', [...ready.slice(1), '-p', String(postgresPort)]);
		});
		await until(async () => await answers(redisPort));
	} catch {
		await stop();
		throw new Error(`PostgreSQL or Redis did not start:\n${log}`);
	}
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_DATABASE: 'postgres',
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: String(redisPort),
		},
		stop,
	};
}

/** Tries until it no longer rejects. */
async function until(attempt: () => Promise<unknown>): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		try {
			await attempt();
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await delay(100);
		}
	}
}

/** Resolves when a Redis answers on this port. */
async function answers(port: number): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const socket = connect(port, HOST, () => socket.write('PING\r\n'));
		socket.once('data', () => resolve(socket.destroy() && undefined));
		socket.once('error', reject);
	});
}
