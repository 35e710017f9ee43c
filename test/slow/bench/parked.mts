import { lossesOf, notesOnRefused, RATE, secondsOfMany, type WaitKind } from './executions.mts';
import { memoryDuring, openStage } from './stage.mts';
import { median, megabytes, type Row, seconds, verdictOn } from './table.mts';

/** Longer than all starts and their looks take, so that all executions are parked at once. */
const JOB_MS = 150_000;
const AT_ONCE = 20;
/** One round of polling tells how long all of them would take. */
const POLLING = AT_ONCE;
/** By default n8n 2.x gives each running execution a V8 isolate of its own for its expressions. */
const WITHOUT_ISOLATES = { N8N_EXPRESSION_ENGINE: 'legacy' };

/**
 * Parked executions of one long lookup each, beside n8n's own Wait node and polling ones that n8n
 * runs 20 at a time.
 */
export async function measureParked(
	tarball: string,
	count: number,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const measure = async (kind: WaitKind, executions: number, env: Record<string, string> = {}) => {
		report(`${executions} executions, ${kind} ${Object.values(env).join(' ')}`);
		const stage = await openStage(tarball, report, env);
		const { n8n, service, credential } = stage;
		const target = { api: n8n.api, webhooksAt: n8n.url, service, credential };
		const work = async () => await secondsOfMany(target, kind, JOB_MS, executions);
		const { result, idle, peak } = await memoryDuring(n8n, work).finally(
			async () => await stage.stop(),
		);
		const measured = { ...result, idle, over: peak - idle };
		report(
			`${seconds([measured.seconds])}, ${megabytes([measured.over])} over idle${lossesOf([result])}`,
		);
		return measured;
	};
	type Measured = Awaited<ReturnType<typeof measure>>;
	const parked: Measured[] = [];
	const withoutIsolates: Measured[] = [];
	const byHand: Measured[] = [];
	const polling: Measured[] = [];
	for (let run = 0; run < runs; run++) {
		parked.push(await measure('suspend', count));
		withoutIsolates.push(await measure('suspend', count, WITHOUT_ISOLATES));
		byHand.push(await measure('byHand', count));
		polling.push(
			await measure('poll', POLLING, { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(AT_ONCE) }),
		);
	}

	const limit = count / RATE + JOB_MS / 1000;
	const times = (measured: Measured[]) => measured.map((one) => one.seconds);
	const over = (measured: Measured[]) => megabytes(measured.map((one) => one.over));
	const idle = parked.map((one) => one.idle);
	const isInTime = (measured: Measured[]) => median(times(measured)) <= limit + JOB_MS / 10_000;
	const isFlat = (measured: Measured[]) =>
		median(measured.map((one) => one.over / one.idle)) <= 0.25;
	const ofAllPolling = times(polling).map((one) => one * (count / POLLING));
	const allEnded = [parked, withoutIsolates].map((measured) => lossesOf(measured) === '');
	return {
		what: `${count.toLocaleString('en')} parked executions of ${JOB_MS / 1000} s`,
		ours: `${seconds(times(parked))}, ${over(parked)} over idle${lossesOf(parked)}; with N8N_EXPRESSION_ENGINE=legacy ${seconds(times(withoutIsolates))}, ${over(withoutIsolates)}${lossesOf(withoutIsolates)}`,
		beside: `HTTP Request and n8n's own Wait: ${seconds(times(byHand))}, ${over(byHand)} over idle${lossesOf(byHand)}; polling, ${AT_ONCE} at a time: ${seconds(ofAllPolling)}, ${over(polling)}`,
		limit: `${limit.toFixed(0)} s`,
		target: 'the longest job + 10 %; memory flat',
		met: verdictOn(
			isInTime(parked),
			isFlat(parked),
			isInTime(withoutIsolates),
			isFlat(withoutIsolates),
			...allEnded,
		),
		runs,
		notes: [
			`The limit is the pace of ${RATE} submissions a second and the job of ${JOB_MS / 1000} s. Memory counts as flat within a quarter of n8n at rest (${megabytes(idle)}). The sandbox delivers a callback again that n8n has refused.`,
			`n8n 2.41 gives each running execution, and each callback, a V8 isolate of about 10 MB for its expressions (N8N_EXPRESSION_ENGINE=vm, the default), which is the largest part of what such an execution costs it; n8n's own Wait node costs the same for as long as it runs. This package's node runs for 10 s before it parks; n8n's Wait parks at once and believes what the callback says, and nothing there keeps the pace of the service. In a callback n8n makes one more when the node reads its credentials, which it needs to ask the service; callbacks of a second share one reading.`,
			`Polling is measured with ${POLLING} executions (${seconds(times(polling))}) and extrapolated. A suspending wait is one of the running ones until it parks: with the same cap of ${AT_ONCE}, ${count} would park within ${(count / AT_ONCE) * 10} s.`,
			...notesOnRefused([...parked, ...withoutIsolates, ...byHand, ...polling]),
		],
	};
}
