import { RATE, secondsOfMany, type WaitKind } from './executions.mts';
import { memoryDuring, openStage } from './stage.mts';
import { megabytes, type Row, seconds, verdictOn } from './table.mts';

const JOB_MS = 60_000;
const AT_ONCE = 20;
/** Two rounds of polling tell how long all of them would take. */
const POLLING = 2 * AT_ONCE;
/** By default n8n 2.x gives each running execution a V8 isolate of its own for its expressions. */
const WITHOUT_ISOLATES = { N8N_EXPRESSION_ENGINE: 'legacy' };

/**
 * Parked executions of one long lookup each, beside n8n's own Wait node and polling ones that n8n
 * runs 20 at a time.
 */
export async function measureParked(
	tarball: string,
	count: number,
	report: (line: string) => void,
): Promise<Row> {
	const measure = async (kind: WaitKind, executions: number, env: Record<string, string> = {}) => {
		report(`${executions} executions, ${kind} ${Object.values(env).join(' ')}`);
		const stage = await openStage(tarball, report, env);
		const { n8n, service, credential } = stage;
		const target = { api: n8n.api, webhooksAt: n8n.url, service, credential };
		const work = async () => await secondsOfMany(target, kind, JOB_MS, executions);
		const { result, ...memory } = await memoryDuring(n8n, work).finally(
			async () => await stage.stop(),
		);
		return { ...memory, ...result };
	};
	const parked = await measure('suspend', count);
	const withoutIsolates = await measure('suspend', count, WITHOUT_ISOLATES);
	const byHand = await measure('byHand', count);
	const polling = await measure('poll', POLLING, {
		N8N_CONCURRENCY_PRODUCTION_LIMIT: String(AT_ONCE),
	});

	const limit = count / RATE + JOB_MS / 1000;
	const ofAllPolling = polling.seconds * (count / POLLING);
	const over = ({ peak, idle }: { peak: number; idle: number }) => megabytes([peak - idle]);
	const isFlat = ({ peak, idle }: { peak: number; idle: number }) => peak <= 1.25 * idle;
	return {
		what: `${count.toLocaleString('en')} parked executions of ${JOB_MS / 1000} s`,
		ours: `${seconds([parked.seconds])}, ${over(parked)} over idle; with N8N_EXPRESSION_ENGINE=legacy ${seconds([withoutIsolates.seconds])}, ${over(withoutIsolates)}`,
		beside: `HTTP Request and n8n's own Wait: ${seconds([byHand.seconds])}, ${over(byHand)} over idle, ${byHand.failed} of them failed; polling, ${AT_ONCE} at a time: ${seconds([ofAllPolling])}, ${over(polling)}`,
		limit: `${limit.toFixed(0)} s`,
		target: 'the longest job + 10 %; memory flat',
		met: verdictOn(
			parked.seconds <= limit + JOB_MS / 10_000,
			isFlat(parked),
			withoutIsolates.seconds <= limit + JOB_MS / 10_000,
			isFlat(withoutIsolates),
		),
		notes: [
			`The limit is the pace of ${RATE} submissions a second and the job of ${JOB_MS / 1000} s. Memory counts as flat within a quarter of n8n at rest (${megabytes([parked.idle])}). The sandbox delivers a callback again that n8n has refused. One run each.`,
			`n8n 2.41 gives each running execution, and each callback, a V8 isolate of about 10 MB for its expressions (N8N_EXPRESSION_ENGINE=vm, the default), and making one takes most of the CPU; n8n's own Wait node costs the same for as long as it runs. This package's node runs for 10 s before it parks, n8n's Wait parks at once and believes what the callback says; ${byHand.failed} of ${count} executions by hand failed, for nothing there keeps the pace of the service.`,
			`Polling is measured with ${POLLING} executions (${seconds([polling.seconds])}) and extrapolated. A suspending wait is one of the running ones until it parks: with the same cap of ${AT_ONCE}, ${count} would park within ${(count / AT_ONCE) * 10} s.`,
		],
	};
}
