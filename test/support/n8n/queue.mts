import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ownPort } from '../ports.mts';
import { ensureN8n } from './install.mts';
import { environment, startN8n, type N8n } from './n8n.mts';
import { N8nProcess } from './process.mts';
import { startQueueServers, type QueuePrograms } from './queueServers.mts';

const READY_TIMEOUT_MS = 120_000;
const LONGEST_LOOK_MS = 30_000;

/** One main, the workers and the webhook processors over PostgreSQL and Redis. */
export interface QueueModeN8n {
	/** The main process: editor and API, no webhooks. */
	readonly main: N8n;
	readonly workers: readonly N8nProcess[];
	readonly webhookProcessors: readonly N8nProcess[];
	/** Where each webhook processor serves webhooks, with a trailing slash. */
	readonly webhookUrls: readonly string[];
	/** The first of them, which n8n takes for its own address. */
	readonly webhookUrl: string;
	/** All that it has left: the logs of its processes, and the lines of its database as SQL. */
	remains(): AsyncIterable<string>;
	/** Starts one more worker, with an empty folder of its own. */
	addWorker(env?: Readonly<Record<string, string>>): Promise<N8nProcess>;
	/** Launches one that has ended, and waits until it is ready. */
	launch(process: N8nProcess): Promise<void>;
	stop(): Promise<void>;
}

export interface QueueModeOptions {
	/** Default two. */
	workers?: number;
	/** Executions that a worker runs at the same time; default five. */
	concurrency?: number;
	webhookProcessors?: number;
	/** Each process has a user folder of its own, as on machines of their own; default: they share one. */
	ownFolders?: boolean;
	/** Environment variables of all processes. */
	env?: Readonly<Record<string, string>>;
}

/**
 * Starts n8n in queue mode. Nothing of it can outlive this process.
 *
 * @param tarball the packed package for the folder of the main process; left out: without it
 */
export async function startQueueModeN8n(
	programs: QueuePrograms,
	tarball: string | undefined,
	options: QueueModeOptions = {},
): Promise<QueueModeN8n> {
	const { workers = 2, concurrency = 5, webhookProcessors = 1, env: more = {} } = options;
	const installed = await ensureN8n();
	const servers = await startQueueServers(programs);
	const urlAt = (port: number) => `http://127.0.0.1:${port}/`;
	const webhookPorts: number[] = [];
	while (webhookPorts.length < webhookProcessors) webhookPorts.push(await ownPort());
	const webhookUrls = webhookPorts.map(urlAt);
	const [webhookUrl = ''] = webhookUrls;
	const env = {
		...servers.env,
		WEBHOOK_URL: webhookUrl,
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		...more,
	};
	const members: Member[] = [];
	let started: N8n | undefined;
	const stop = async () => {
		await Promise.all(members.map(async ({ process }) => await process.end('SIGKILL')));
		await started?.stop();
		await servers.stop();
	};
	try {
		const main = (started = await startN8n({ tarball, port: await ownPort(), env }));
		const add = async ({ args, port, isReady, ownFolder, env: own }: Addition) => {
			const folder = ownFolder ? join(main.dataDir, `member-${members.length}`) : main.dataDir;
			await mkdir(folder, { recursive: true });
			const all = { ...environment(installed, folder, port, await ownPort()), ...env, ...own };
			const member = { process: new N8nProcess(installed, args, all, folder), isReady };
			members.push(member);
			return member;
		};
		const { ownFolders: ownFolder = false } = options;
		const workerAt = async () => ({
			args: ['worker', `--concurrency=${concurrency}`],
			port: await ownPort(),
			isReady: (log: string) => log.includes('worker is now ready'),
		});
		for (let count = 0; count < workers; count++) await add({ ...(await workerAt()), ownFolder });
		for (const port of webhookPorts) {
			const isReady = async () => {
				const answer = await fetch(`${urlAt(port)}healthz/readiness`, {
					signal: AbortSignal.timeout(LONGEST_LOOK_MS),
				}).catch(() => undefined);
				return answer?.ok === true;
			};
			await add({ args: ['webhook'], port, isReady, ownFolder });
		}
		await Promise.all(members.map(launch));
		const processes = members.map(({ process }) => process);
		return {
			main,
			workers: processes.slice(0, workers),
			webhookProcessors: processes.slice(workers),
			webhookUrls,
			webhookUrl,
			remains: async function* () {
				yield main.logs();
				for (const { process } of members) yield process.logs();
				yield* servers.dump();
			},
			addWorker: async (own) => {
				const member = await add({ ...(await workerAt()), ownFolder: true, env: own });
				await launch(member);
				return member.process;
			},
			launch: async (process) => {
				const member = members.find((one) => one.process === process);
				if (member === undefined) throw new Error('It belongs to another n8n.');
				await launch(member);
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** A process beside the main one. */
interface Member {
	process: N8nProcess;
	/** @param log what it has printed since its launch */
	isReady: (log: string) => boolean | Promise<boolean>;
}

/** A process to be added. */
interface Addition extends Pick<Member, 'isReady'> {
	args: string[];
	port: number;
	ownFolder: boolean;
	env?: Readonly<Record<string, string>>;
}

/** Launches a process and waits until it is ready. */
async function launch({ process, isReady }: Member): Promise<void> {
	const { length } = process.logs();
	process.launch();
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (!(await isReady(process.logs().slice(length)))) {
		if (!process.isRunning || Date.now() > deadline) throw new Error(process.logTail());
		await delay(200);
	}
}
