import type { CredentialRef } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import { startQueueModeN8n } from '../../support/n8n/queue.mts';
import { findQueuePrograms } from '../../support/n8n/queueServers.mts';
import { startService, type Service } from './service.mts';
import { runToEnd, warmUp } from './stage.mts';
import { median, seconds, type Row, verdictOn } from './table.mts';
import { ownWorkflow, SOURCE } from './workflows.mts';

const LOOKUP_MS = 4_000;
const RATE = 10;
const EACH = 150;
const PROCESSES = 3;

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
	/** What was wrong with the results or the charges; empty where nothing was. */
	readonly wrong: readonly string[];
}

/** n8n processes that share a key and nothing else, beside one n8n that has all to do. */
export async function measureProcesses(
	tarball: string,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const service = await startService();
	const places: Place[] = [];
	try {
		while (places.length < PROCESSES) {
			report(`${PROCESSES} n8n processes: starting`);
			places.push(await openPlace(await startN8n({ tarball, report }), service));
		}
		const shared: Shared[] = [];
		const alone: Shared[] = [];
		for (let run = 1; run <= runs; run++) {
			report(`${PROCESSES} n8n processes, run ${run} of ${runs}`);
			shared.push(await runShared(service, places, EACH));
			alone.push(await runShared(service, places.slice(0, 1), PROCESSES * EACH));
		}
		return toRow(`${PROCESSES} n8n processes on one key, ${EACH} single lookups of 4 s each`, {
			shared,
			lookups: PROCESSES * EACH,
			beside: `one n8n with all of them: ${describe(alone)}`,
		});
	} finally {
		await Promise.all(places.map(async ({ n8n }) => await n8n.stop()));
		service.stop();
	}
}

/** Queue mode: each worker has one execution. */
export async function measureWorkers(
	tarball: string,
	workers: number,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const programs = await findQueuePrograms();
	if ('missing' in programs) throw new Error(programs.missing);
	const service = await startService();
	report(`Queue mode with ${workers} workers: starting`);
	const queue = await startQueueModeN8n(programs, tarball, { workers, concurrency: 1 });
	try {
		const place = await openPlace(queue.main, service);
		const shared: Shared[] = [];
		const alone: Shared[] = [];
		for (let run = 1; run <= runs; run++) {
			report(`Queue mode with ${workers} workers, run ${run} of ${runs}`);
			shared.push(await runShared(service, Array<Place>(workers).fill(place), EACH));
			alone.push(await runShared(service, [place], workers * EACH));
		}
		return toRow(`Queue mode, ${workers} workers: ${EACH} single lookups of 4 s each`, {
			shared,
			lookups: workers * EACH,
			beside: `one worker with all of them: ${describe(alone)}`,
		});
	} finally {
		await queue.stop();
		service.stop();
	}
}

async function openPlace(n8n: N8n, service: Service): Promise<Place> {
	const { apiKey, baseUrl } = service;
	const credential = await n8n.api.importCredential({
		name: 'Sandbox',
		type: 'contactDataApi',
		data: { apiKey, baseUrl, requestsPerSecond: RATE },
	});
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
	const { posts, refused, searches, twice } = await service.traffic();
	const lookups = places.length * count;
	const wrong = executions.flatMap((execution, index) => wrongIn(execution, count, index * count));
	if (searches !== lookups) wrong.push(`${searches} of ${lookups} lookups were charged`);
	if (twice > 0) wrong.push(`${twice} lookups were charged twice`);
	const begins = executions.map((execution) => endOf(execution, SOURCE));
	const ends = executions.map((execution) => endOf(execution));
	const tookMs = Math.max(...ends) - Math.min(...begins);
	return { seconds: tookMs / 1000, posts, refused, wrong };
}

/** Whether each item has the result of its own person. */
function wrongIn(execution: Execution, count: number, first: number): string[] {
	const items = execution.json();
	if (items.length !== count) return [`${items.length} of ${count} items came out`];
	const others = items.filter(({ status, info }, index) => {
		const person = `Ada Number${first + index}`;
		return status !== 'completed' || !JSON.stringify(info ?? person).includes(person);
	});
	return others.length === 0 ? [] : [`${others.length} items have no result of their own`];
}

/** By the clock, in milliseconds: of a node, or of the one that ran last. */
function endOf(execution: Execution, node = execution.lastNode): number {
	const run = node === undefined ? undefined : execution.run(node);
	if (run === undefined) throw new Error(`The execution has no node ${node}`);
	return run.startTime + run.executionTime;
}

function toRow(
	what: string,
	{ shared, lookups, beside }: { shared: Shared[]; lookups: number; beside: string },
): Row {
	const limit = lookups / RATE + LOOKUP_MS / 1000;
	const over = median(shared.map((run) => run.seconds)) / limit;
	const wrong = shared.flatMap((run) => run.wrong);
	if (wrong.length > 0) process.exitCode = 1;
	return {
		what,
		ours: `${describe(shared)}, ${over.toFixed(2)} × limit${wrong.length > 0 ? `; ${wrong.join(', ')}` : ''}`,
		beside,
		limit: `${limit.toFixed(0)} s`,
		target: '≤ 1.10 × limit, ≤ 8 % refused, all results right, nothing charged twice',
		met: verdictOn(over <= 1.1, refusedShare(shared) <= 0.08, wrong.length === 0),
		runs: shared.length,
		notes: [
			'All have the same key, and none knows of the others. From the moment at which the first has its items to the last result.',
		],
	};
}

function describe(shared: readonly Shared[]): string {
	const refused = `${(100 * refusedShare(shared)).toFixed(1)} % refused`;
	return `${seconds(shared.map((run) => run.seconds))}, ${refused}`;
}

function refusedShare(shared: readonly Shared[]): number {
	const sum = (of: (run: Shared) => number) => shared.reduce((total, run) => total + of(run), 0);
	return sum(({ refused }) => refused) / sum(({ posts }) => posts);
}
