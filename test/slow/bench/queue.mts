import { startQueueModeN8n } from '../../support/n8n/queue.mts';
import { findQueuePrograms, type QueuePrograms } from '../../support/n8n/queueServers.mts';
import { lossesOf, notesOnRefused, RATE, secondsOfMany, type Ended } from './executions.mts';
import { startService } from './service.mts';
import { median, seconds, type Row, verdictOn } from './table.mts';

const JOB_MS = 30_000;

/** Suspended executions in queue mode with two workers, and with one of them ended. */
export async function measureQueue(
	tarball: string,
	count: number,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const programs = await findQueuePrograms();
	if ('missing' in programs) throw new Error(programs.missing);
	const one: Ended[] = [];
	const two: Ended[] = [];
	for (let run = 1; run <= runs; run++) {
		report(`Queue mode: ${count} suspended executions, run ${run}`);
		const measured = await measureOnce(programs, tarball, count);
		one.push(measured.one);
		two.push(measured.two);
	}
	const limit = count / RATE + JOB_MS / 1000;
	const times = (measured: Ended[]) => measured.map((ended) => ended.seconds);
	return {
		what: `Queue mode: ${count} suspended executions of ${JOB_MS / 1000} s, one worker of 5`,
		ours: `${seconds(times(one))}${lossesOf(one)}`,
		beside: `two workers of 5: ${seconds(times(two))}${lossesOf(two)}`,
		limit: `${limit} s`,
		target: 'one worker within 10 % of two, both 1.15 × the limit',
		met: verdictOn(
			median(times(one)) <= median(times(two)) * 1.1,
			Math.max(...times(one), ...times(two)) <= 1.15 * limit,
			lossesOf([...one, ...two]) === '',
		),
		runs,
		notes: [
			'An execution holds its place in a worker only until its search is submitted.',
			...notesOnRefused([...one, ...two]),
		],
	};
}

/** With one worker and with two. */
async function measureOnce(programs: QueuePrograms, tarball: string, count: number) {
	const service = await startService();
	const n8n = await startQueueModeN8n(programs, tarball);
	try {
		const { apiKey, baseUrl } = service;
		const { api } = n8n.main;
		const credential = await api.importCredential({
			name: 'Sandbox',
			type: 'contactDataApi',
			data: { apiKey, baseUrl, requestsPerSecond: 10 },
		});
		const target = { api, webhooksAt: n8n.webhookUrl, service, credential };
		const two = await secondsOfMany(target, 'suspend', JOB_MS, count);
		await n8n.workers[1]?.end('SIGTERM');
		const one = await secondsOfMany(target, 'suspend', JOB_MS, count);
		return { one, two };
	} finally {
		await n8n.stop();
		service.stop();
	}
}
