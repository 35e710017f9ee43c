import type { CredentialRef } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import type { N8n } from '../../support/n8n/n8n.mts';
import { startQueueModeN8n } from '../../support/n8n/queue.mts';
import { findQueuePrograms } from '../../support/n8n/queueServers.mts';
import { startService, type Service } from './service.mts';
import { runToEnd, saveCredential, warmUp } from './stage.mts';
import { seconds, type Row } from './table.mts';
import { ownWorkflow, SOURCE } from './workflows.mts';

const LOOKUP_MS = 4_000;
const RATE = 10;
const EACH = 150;
const WORKERS = 2;

/** An n8n, or the main one of some workers, that a workflow is given to. */
interface Place {
	readonly n8n: N8n;
	readonly credential: CredentialRef;
}

/** What came of one run. */
interface Shared {
	readonly seconds: number;
	readonly posts: number;
	readonly refused: number;
}

/** Queue mode with two workers on one key, one execution each, beside one worker that has all to do. */
export async function measureWorkers(
	tarball: string,
	report: (line: string) => void,
): Promise<Row> {
	const programs = await findQueuePrograms();
	if ('missing' in programs) throw new Error(programs.missing);
	const service = await startService();
	report(`Queue mode with ${WORKERS} workers`);
	const queue = await startQueueModeN8n(programs, tarball, { workers: WORKERS, concurrency: 1 });
	try {
		const place = await openPlace(queue.main, service);
		const shared = await runShared(service, Array<Place>(WORKERS).fill(place), EACH);
		const alone = await runShared(service, [place], WORKERS * EACH);
		const limit = (WORKERS * EACH) / RATE + LOOKUP_MS / 1000;
		return {
			what: `Queue mode, ${WORKERS} workers on one key: ${EACH} single lookups of ${LOOKUP_MS / 1000} s each`,
			limit: seconds(limit),
			ours: `${describe(shared)}, ${(shared.seconds / limit).toFixed(2)} × limit`,
			beside: `one worker with all of them ${describe(alone)}`,
		};
	} finally {
		await queue.stop();
		service.stop();
	}
}

async function openPlace(n8n: N8n, service: Service): Promise<Place> {
	const credential = await saveCredential(n8n, service);
	await warmUp({ n8n, service, credential, stop: async () => {} });
	return { n8n, credential };
}

/** One execution in each place, all begun at the same moment, each for other people. */
async function runShared(
	service: Service,
	places: readonly Place[],
	count: number,
): Promise<Shared> {
	await service.reset({ single: LOOKUP_MS });
	const executions = await Promise.all(
		places.map(async ({ n8n, credential }, index) => {
			const workflow = ownWorkflow(credential, 'submitAndWait', count, index * count);
			return await runToEnd(n8n, workflow);
		}),
	);
	const { posts, refused, searches } = await service.traffic();
	if (searches !== places.length * count) throw new Error(`${searches} lookups were charged`);
	const begins = executions.map((execution) => endOf(execution, SOURCE));
	const ends = executions.map((execution) => endOf(execution));
	const tookMs = Math.max(...ends) - Math.min(...begins);
	return { seconds: tookMs / 1000, posts, refused };
}

/** By the clock, in milliseconds: of a node, or of the one that ran last. */
function endOf(execution: Execution, node = execution.lastNode): number {
	const run = node === undefined ? undefined : execution.run(node);
	if (run === undefined) throw new Error(`The execution has no node ${node}`);
	return run.startTime + run.executionTime;
}

function describe({ seconds: took, refused, posts }: Shared): string {
	return `${seconds(took)}, ${((100 * refused) / posts).toFixed(1)} % refused`;
}
