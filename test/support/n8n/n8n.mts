import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ownPort } from '../ports.mts';
import { N8nApi } from './api.mts';
import { unflattenerOf } from './execution.mts';
import { temporaryFolder } from './folder.mts';
import { ensureN8n, type InstalledN8n } from './install.mts';
import { installPackage } from './package.mts';
import { N8nProcess } from './process.mts';

interface StartOptions {
	/** The packed package to install. Left out: n8n starts without it. */
	tarball?: string;
	/** Port of the editor and API; default: a free one. */
	port?: number;
	/** More environment for n8n, over the harness's own. */
	env?: Record<string, string>;
	/** Gets the progress of an installation and of the start, one line at a time. */
	report?: (line: string) => void;
}

/** A running n8n with an owner account, logged in. */
export interface N8n {
	/** Base URL of the editor, with a trailing slash. */
	readonly url: string;
	/** The REST API as the owner. */
	readonly api: N8nApi;
	readonly version: string;
	/** `N8N_USER_FOLDER`. */
	readonly dataDir: string;
	isRunning(): boolean;
	/** All that n8n printed, over restarts. */
	logs(): string;
	/** Resident memory of the n8n process in bytes (its task runner is another process). Linux only. */
	memory(): Promise<number>;
	/** Seconds that the n8n process has had a core for. Linux only. */
	cpuSeconds(): Promise<number>;
	/** Of the n8n process, while it runs. */
	pid(): number | undefined;
	/** Kills n8n and its children with SIGKILL, as a power cut does. Its data stays for `restart`. */
	kill(): Promise<void>;
	/** Ends n8n in order if it runs, and starts it again on the same data and ports. */
	restart(): Promise<void>;
	/** Ends n8n if it runs, and removes its data. */
	stop(): Promise<void>;
}

const START_TIMEOUT_MS = 180_000;
const READY_LOOK_MS = 100;
const LONGEST_LOOK_MS = 30_000;

/** With this and 200 n8n answers any call while it starts, before its database is ready. */
export const STARTING = 'n8n is starting up';

/**
 * Installs n8n if need be, and starts it on loopback with an empty data folder. It cannot outlive
 * this process, however that ends.
 *
 * @throws {SetupError} where n8n cannot be installed; an Error with the log where it does not start
 */
export async function startN8n(options: StartOptions = {}): Promise<N8n> {
	const report = options.report ?? (() => {});
	const installed = await ensureN8n(report);
	const folder = await temporaryFolder('n8n');
	if (options.tarball) await installPackage(options.tarball, folder.path);

	const port = options.port ?? (await ownPort());
	const brokerPort = await ownPort();
	const url = `http://127.0.0.1:${port}/`;
	const env = { ...environment(installed, folder.path, port, brokerPort), ...options.env };
	const main = new N8nProcess(installed, ['start'], env, folder.path);
	const api = new N8nApi(url, unflattenerOf(installed.bin), () => main.logTail());

	const launch = async () => {
		main.launch();
		await untilReady(url, main, report);
		requireLoaded(main);
		await api.login();
	};
	const stop = async () => {
		await main.end('SIGTERM');
		await folder.remove();
	};

	try {
		await launch();
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		url,
		api,
		version: installed.version,
		dataDir: folder.path,
		isRunning: () => main.isRunning,
		logs: () => main.logs(),
		memory: async () => await main.memory(),
		cpuSeconds: async () => await main.cpuSeconds(),
		pid: () => main.pid,
		kill: async () => await main.end('SIGKILL'),
		restart: async () => {
			await main.end('SIGTERM');
			await launch();
		},
		stop,
	};
}

/** Nothing of the caller's own environment reaches n8n but what a program needs to run at all. */
export function environment(
	installed: InstalledN8n,
	dataDir: string,
	port: number,
	brokerPort: number,
): Record<string, string> {
	const { HOME = dataDir, LANG = 'C.UTF-8', TZ = 'UTC' } = process.env;
	return {
		HOME,
		LANG,
		TZ,
		PATH: installed.path,
		TMPDIR: dataDir,
		N8N_USER_FOLDER: dataDir,
		N8N_ENCRYPTION_KEY: 'only-for-tests-on-loopback',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		// What thousands of executions have left is read at the end of a soak.
		EXECUTIONS_DATA_PRUNE: 'false',
		// These ask hosts of n8n's own, which a test must not depend on.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		...(hasMcpRegistry(installed) && { N8N_DISABLED_MODULES: 'mcp-registry' }),
		...(installed.version.startsWith('1.') && OF_N8N_1),
	};
}

/** As n8n 2 does it, and n8n 1 asks for when it starts. */
const OF_N8N_1 = {
	// Without it a Code node gives items that its expressions cannot read.
	N8N_RUNNERS_ENABLED: 'true',
	// All use one connection without it, and its transactions get mixed up.
	DB_SQLITE_POOL_SIZE: '3',
};

/** An older n8n does not know the module, and would not start when told to do without it. */
function hasMcpRegistry({ dir }: InstalledN8n): boolean {
	return existsSync(join(dir, 'node_modules/n8n/dist/modules/mcp-registry'));
}

/** n8n starts without a package that it cannot load, and says so in its log only. */
function requireLoaded(main: N8nProcess): void {
	const failure = /^Failed to load package .*\n.*$/m.exec(main.logs());
	if (failure) throw new Error(failure[0]);
}

/** Early 2.x says that it is ready before its API is there, so both are asked for. */
async function untilReady(
	url: string,
	main: N8nProcess,
	report: (line: string) => void,
): Promise<void> {
	const started = Date.now();
	while (Date.now() - started < START_TIMEOUT_MS) {
		report(`Starting n8n: ${Math.round((Date.now() - started) / 1000)} s`);
		if (!main.isRunning) throw new Error(`n8n ended while it started.\n${main.logTail()}`);
		if ((await isUp(`${url}healthz/readiness`)) && (await isUp(`${url}rest/settings`))) return;
		await delay(READY_LOOK_MS);
	}
	throw new Error(`n8n was not ready within ${START_TIMEOUT_MS / 1000} s.\n${main.logTail()}`);
}

/** Whether something answers there that all is well. */
export async function isUp(url: string): Promise<boolean> {
	const signal = AbortSignal.timeout(LONGEST_LOOK_MS);
	const answer = await fetch(url, { signal }).catch(() => undefined);
	return answer?.ok === true;
}
