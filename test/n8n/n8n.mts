import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';

import { N8nApi } from './api.mts';
import { unflattenerOf } from './execution.mts';
import { spawnGroup, type ProcessGroup } from './group.mts';
import { ensureN8n, type InstalledN8n } from './install.mts';
import { installPackage } from './package.mts';

export interface StartOptions {
	/** The packed package to install. Left out: n8n starts without it, or with what is in `dataDir`. */
	tarball?: string;
	/** Port of the editor and API; default: a free one. */
	port?: number;
	/** More environment for n8n, over the harness's own. */
	env?: Record<string, string>;
	/** `N8N_USER_FOLDER` of an earlier start, to go on with its data; it is not removed by `stop`. */
	dataDir?: string;
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
	/** How long the last start took, in milliseconds, from launch to ready. */
	readonly startMs: number;
	/** All that n8n printed, over restarts. */
	logs(): string;
	/** Resident memory of the n8n process in bytes (its task runner is another process). Linux only. */
	memory(): Promise<number>;
	/** Kills n8n and its children with SIGKILL, as a power cut does. Its data stays for `restart`. */
	kill(): Promise<void>;
	/** Ends n8n in order if it runs, and starts it again on the same data and ports. */
	restart(): Promise<void>;
	/** Ends n8n if it runs, and removes its data unless `dataDir` was given. */
	stop(): Promise<void>;
}

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;
const READY_LOOK_MS = 100;
const LOG_TAIL_LINES = 40;

/** Installs n8n if need be, and starts it with an empty data folder on loopback. */
export async function startN8n(options: StartOptions = {}): Promise<N8n> {
	const report = options.report ?? (() => {});
	const installed = await ensureN8n(report);
	const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'contact-data-n8n-')));
	const keepsData = options.dataDir !== undefined;
	if (options.tarball) await installPackage(options.tarball, dataDir);

	const port = options.port ?? (await getPort({ host: '127.0.0.1' }));
	const url = `http://127.0.0.1:${port}/`;
	const env = {
		...environment(installed, dataDir, url),
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1', exclude: [port] })),
		...options.env,
	};
	let log = '';
	let group: ProcessGroup;
	let startMs = 0;
	const logTail = () =>
		`Log of n8n:\n${log.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n')}`;
	const api = new N8nApi(url, unflattenerOf(installed.bin), logTail);

	async function launch(): Promise<void> {
		const launched = Date.now();
		group = spawnGroup(installed.node, [installed.bin, 'start'], {
			cwd: dataDir,
			env,
			onOutput: (text) => (log += text),
		});
		try {
			await ready(url, group, launched + START_TIMEOUT_MS, report);
			startMs = Date.now() - launched;
			await api.login();
		} catch (error) {
			await end('SIGKILL');
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`n8n did not start: ${reason}\n${logTail()}`, { cause: error });
		}
	}

	async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		group.kill(signal);
		const force = setTimeout(() => group.kill('SIGKILL'), STOP_TIMEOUT_MS);
		await group.exited;
		clearTimeout(force);
	}

	async function stop(): Promise<void> {
		await end('SIGTERM');
		if (!keepsData) await rm(dataDir, { recursive: true, force: true });
	}

	try {
		await launch();
	} catch (error) {
		if (!keepsData) await rm(dataDir, { recursive: true, force: true });
		throw error;
	}

	return {
		url,
		api,
		version: installed.version,
		dataDir,
		get startMs() {
			return startMs;
		},
		logs: () => log,
		memory: async () => await residentBytes(group.pid()),
		kill: async () => await end('SIGKILL'),
		restart: async () => {
			await end('SIGTERM');
			await launch();
		},
		stop,
	};
}

/** Nothing of the caller's own environment reaches n8n but what a program needs to run at all. */
function environment(
	installed: InstalledN8n,
	dataDir: string,
	url: string,
): Record<string, string> {
	const { HOME = dataDir, LANG = 'C.UTF-8', TZ = 'UTC' } = process.env;
	return {
		HOME,
		LANG,
		TZ,
		PATH: installed.path,
		TMPDIR: tmpdir(),
		N8N_USER_FOLDER: dataDir,
		N8N_ENCRYPTION_KEY: 'only-for-tests-on-loopback',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: new URL(url).port,
		WEBHOOK_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		// These ask hosts of n8n's own, which a test must not depend on.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
	};
}

async function ready(
	url: string,
	group: ProcessGroup,
	deadline: number,
	report: (line: string) => void,
): Promise<void> {
	let ended: string | undefined;
	void group.exited.then(({ code, signal }) => (ended = `it ended with ${signal ?? code}`));
	const started = Date.now();
	while (Date.now() < deadline) {
		report(`Starting n8n: ${Math.round((Date.now() - started) / 1000)} s`);
		if (ended) throw new Error(ended);
		const answer = await fetch(`${url}healthz/readiness`).catch(() => undefined);
		if (answer?.ok) return;
		await delay(READY_LOOK_MS);
	}
	throw new Error('it was not ready in time');
}

async function residentBytes(pid: number | undefined): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`Process ${pid} does not say how big it is.`);
	return Number(kilobytes) * 1024;
}
