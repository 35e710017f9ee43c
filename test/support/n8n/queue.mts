import { setTimeout as delay } from 'node:timers/promises';

import { ownPort } from '../ports.mts';
import { ensureN8n } from './install.mts';
import { environment, isUp, startN8n, type N8n } from './n8n.mts';
import { N8nProcess } from './process.mts';
import { startQueueServers, type QueuePrograms } from './queueServers.mts';

const READY_TIMEOUT_MS = 120_000;

/** One main, the workers and the webhook processors over PostgreSQL and Redis. */
export interface QueueModeN8n {
	/** The main process: editor and API, no webhooks. */
	readonly main: N8n;
	readonly workers: readonly N8nProcess[];
	/** Where each webhook processor serves webhooks, with a trailing slash. */
	readonly webhookUrls: readonly string[];
	/** All that its processes have printed. */
	logs(): string;
	stop(): Promise<void>;
}

export interface QueueModeOptions {
	/** Default two. */
	workers?: number;
	/** Executions that a worker runs at the same time; default five. */
	concurrency?: number;
	webhookProcessors?: number;
}

/**
 * Starts n8n in queue mode. Nothing of it can outlive this process.
 *
 * @param tarball the packed package, for all processes
 */
export async function startQueueModeN8n(
	programs: QueuePrograms,
	tarball: string,
	options: QueueModeOptions = {},
): Promise<QueueModeN8n> {
	const { workers = 2, concurrency = 5, webhookProcessors = 1 } = options;
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
		const add = async (args: string[], port: number, isReady: Member['isReady']) => {
			const own = environment(installed, main.dataDir, port, await ownPort());
			const process = new N8nProcess(installed, args, { ...own, ...env }, main.dataDir);
			members.push({ process, isReady });
		};
		for (let count = 0; count < workers; count++) {
			const args = ['worker', `--concurrency=${concurrency}`];
			await add(args, await ownPort(), (log) => log.includes('worker is now ready'));
		}
		for (const port of webhookPorts) {
			await add(['webhook'], port, async () => await isUp(`${urlAt(port)}healthz/readiness`));
		}
		await Promise.all(members.map(launch));
		const processes = members.map(({ process }) => process);
		return {
			main,
			workers: processes.slice(0, workers),
			webhookUrls,
			logs: () => [main, ...processes].map((process) => process.logs()).join('\n'),
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
	isReady: (log: string) => boolean | Promise<boolean>;
}

/** Launches a process and waits until it is ready. */
async function launch({ process, isReady }: Member): Promise<void> {
	process.launch();
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (!(await isReady(process.logs()))) {
		if (!process.isRunning || Date.now() > deadline) throw new Error(process.logTail());
		await delay(200);
	}
}
