import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';

import { ensureN8n } from './install.mts';
import { environment, startN8n, type N8n } from './n8n.mts';
import { N8nProcess } from './process.mts';
import { startQueueServers, type QueuePrograms } from './queueServers.mts';

const READY_TIMEOUT_MS = 120_000;
const CONCURRENCY = 5;

/** One main, two workers and one webhook processor over PostgreSQL and Redis. */
export interface QueueModeN8n {
	/** The main process: editor and API, no webhooks. */
	readonly main: N8n;
	readonly workers: readonly N8nProcess[];
	/** Where webhooks are served, with a trailing slash. */
	readonly webhookUrl: string;
	stop(): Promise<void>;
}

/** Starts n8n in queue mode. Nothing of it can outlive this process. */
export async function startQueueModeN8n(
	programs: QueuePrograms,
	tarball: string,
): Promise<QueueModeN8n> {
	const installed = await ensureN8n();
	const servers = await startQueueServers(programs);
	const webhookPort = await getPort({ host: '127.0.0.1' });
	const webhookUrl = `http://127.0.0.1:${webhookPort}/`;
	const env = {
		...servers.env,
		WEBHOOK_URL: webhookUrl,
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	};
	const processes: N8nProcess[] = [];
	let main: N8n | undefined;
	const stop = async () => {
		await Promise.all(processes.map(async (process) => await process.end('SIGKILL')));
		await main?.stop();
		await servers.stop();
	};
	try {
		const { dataDir } = (main = await startN8n({ tarball, env }));
		const launch = async (args: string[], port: number, isReady: IsReady) => {
			const brokerPort = await getPort({ host: '127.0.0.1', exclude: [port, webhookPort] });
			const all = { ...environment(installed, dataDir, port, brokerPort), ...env };
			const process = new N8nProcess(installed, args, all, dataDir);
			processes.push(process);
			process.launch();
			await untilReady(process, isReady);
			return process;
		};
		const workers: N8nProcess[] = [];
		for (let count = 0; count < 2; count++) {
			const port = await getPort({ host: '127.0.0.1', exclude: [webhookPort] });
			workers.push(
				await launch(['worker', `--concurrency=${CONCURRENCY}`], port, ({ log }) =>
					log.includes('worker is now ready'),
				),
			);
		}
		await launch(['webhook'], webhookPort, async () => {
			const answer = await fetch(`${webhookUrl}healthz/readiness`).catch(() => undefined);
			return answer?.ok === true;
		});
		return { main, workers, webhookUrl, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

type IsReady = (state: { log: string }) => boolean | Promise<boolean>;

async function untilReady(process: N8nProcess, isReady: IsReady): Promise<void> {
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (!(await isReady({ log: process.logs() }))) {
		if (!process.isRunning || Date.now() > deadline) throw new Error(process.logTail());
		await delay(200);
	}
}
