import { RATE, secondsOfMany, type Target } from './executions.mts';
import { memoryDuring, openStage, type Stage } from './stage.mts';
import { megabytes, type Row, seconds, verdictOn } from './table.mts';

const JOB_MS = 60_000;
const AT_ONCE = 20;
/** Two rounds of polling tell how long all of them would take. */
const POLLING = 2 * AT_ONCE;

/** Parked executions of one long lookup each, beside polling ones that n8n runs 20 at a time. */
export async function measureParked(
	tarball: string,
	count: number,
	report: (line: string) => void,
): Promise<Row> {
	report(`${count} parked executions`);
	const parked = await withStage(
		tarball,
		{},
		report,
		async (stage) =>
			await memoryDuring(
				stage.n8n,
				async () => await secondsOfMany(toTarget(stage), 'suspend', JOB_MS, count),
			),
	);
	report(`${POLLING} polling executions, ${AT_ONCE} at a time`);
	const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(AT_ONCE) };
	const polling = await withStage(
		tarball,
		env,
		report,
		async (stage) =>
			await memoryDuring(
				stage.n8n,
				async () => await secondsOfMany(toTarget(stage), 'poll', JOB_MS, POLLING),
			),
	);
	const limit = count / RATE + JOB_MS / 1000;
	const ofAllPolling = polling.result * (count / POLLING);
	const over = parked.peak - parked.idle;
	return {
		what: `${count.toLocaleString('en')} parked executions of ${JOB_MS / 1000} s`,
		ours: `${seconds([parked.result])}, ${megabytes([over])} over idle`,
		beside: `polling, ${AT_ONCE} at a time: ${seconds([ofAllPolling])}, ${megabytes([polling.peak - polling.idle])} over idle`,
		limit: `${limit.toFixed(0)} s`,
		target: 'the longest job + 10 %; memory flat',
		met: verdictOn(parked.result <= limit * 1.1, over <= parked.idle * 0.25),
		notes: [
			`The limit is the pace of ${RATE} submissions a second and the job of ${JOB_MS / 1000} s. Memory counts as flat within a quarter of n8n at rest (${megabytes([parked.idle])}). The sandbox delivers a callback again that n8n has refused: without that, a lookup that ends before a busy n8n has saved the parked execution is noticed only at the timeout. One run.`,
			`Polling is measured with ${POLLING} executions (${seconds([polling.result])}) and extrapolated. A suspending wait looks for 10 s before it parks, and is one of the running ones until then: with the same cap of ${AT_ONCE}, ${count} would park within ${(count / AT_ONCE) * 10} s.`,
		],
	};
}

async function withStage<T>(
	tarball: string,
	env: Record<string, string>,
	report: (line: string) => void,
	use: (stage: Stage) => Promise<T>,
): Promise<T> {
	const stage = await openStage(tarball, report, env);
	return await use(stage).finally(async () => await stage.stop());
}

function toTarget({ n8n, service, credential }: Stage): Target {
	return { api: n8n.api, webhooksAt: n8n.url, service, credential };
}
