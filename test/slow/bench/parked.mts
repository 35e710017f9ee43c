import { memoryDuring } from '../../support/n8n/memory.mts';
import { RATE, secondsOfMany, type WaitKind } from './executions.mts';
import { giveHalfCore } from './halfCore.mts';
import { openStage } from './stage.mts';
import { megabytes, seconds, type Row } from './table.mts';

const COUNT = 200;
/** Longer than the starts take: all are parked at one moment. */
const JOB_MS = 45_000;
const LOST_MS = 20_000;
/** V8 lets garbage lie while there is room: with more of it the same run took from 0 to 700 MB. */
const HEAP_MB = 512;
/** Executions that n8n has seen before: it has loaded all by then. */
const SEEN_BEFORE = { count: 5, jobMs: 2_000 };

/** Parked executions of one lookup each, started ten a second, beside n8n's own Wait; each callback comes twice. */
export async function measureParked(
	tarball: string,
	report: (line: string) => void,
	isHalfCore = false,
): Promise<Row> {
	const where = isHalfCore ? ', n8n on half a core' : '';
	const measure = async (kind: WaitKind) => {
		report(`${COUNT} executions of ${JOB_MS / 1000} s, ${kind}${where}`);
		const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
		const stage = await openStage(tarball, report, env);
		const { n8n, service, credential } = stage;
		const to = { api: n8n.api, webhooksAt: n8n.url, service, credential };
		const half = isHalfCore ? giveHalfCore(n8n) : undefined;
		try {
			await secondsOfMany(to, kind, SEEN_BEFORE.jobMs, SEEN_BEFORE.count);
			const before = await n8n.cpuSeconds();
			const { result, idle, peak } = await memoryDuring(
				n8n,
				async () => await secondsOfMany(to, kind, JOB_MS, COUNT),
			);
			const cpu = seconds((await n8n.cpuSeconds()) - before);
			const lost = result.failed + result.stuck + result.refused.length;
			return `${seconds(result.seconds)} (${cpu} of CPU), ${megabytes(peak - idle)} over n8n at rest, ${lost} did not end well`;
		} finally {
			half?.stop();
			await stage.stop();
		}
	};
	const own = await measure('suspend');
	const byHand = await measure('byHand');
	return {
		what: `${COUNT} paused executions of ${JOB_MS / 1000} s${where}`,
		limit: seconds(COUNT / RATE + JOB_MS / 1000),
		ours: own,
		beside: `HTTP Request and n8n's own Wait: ${byHand}`,
	};
}

/** A parked execution that nobody calls back. */
export async function measureLost(tarball: string, report: (line: string) => void): Promise<Row> {
	report(`A lookup of ${LOST_MS / 1000} s whose callback is lost`);
	const stage = await openStage(tarball, report);
	const { n8n, service, credential } = stage;
	const to = { api: n8n.api, webhooksAt: n8n.url, service, credential };
	const own = await secondsOfMany(to, 'suspend', LOST_MS, 1, { send: 'none' }).finally(stage.stop);
	return {
		what: `A paused execution of ${LOST_MS / 1000} s whose callback is lost`,
		limit: seconds(LOST_MS / 1000),
		ours: seconds(own.seconds),
		beside: "n8n's own Wait: not before its time limit",
	};
}
