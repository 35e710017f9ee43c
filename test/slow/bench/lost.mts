import type { CallbackTrust, LookHistory } from '../../../nodes/ContactData/suspension/schedule.ts';
import { FIRST_LOOK_MS, nextLookDelay } from '../../../nodes/ContactData/suspension/schedule.ts';
import { secondsOfMany } from './executions.mts';
import { openStage } from './stage.mts';
import { type Row, seconds, verdictOn } from './table.mts';

const REAL_MS = 20_000;
const SEARCHES = 1_000;
/** How late one exact length is seen is luck, and the time between looks may double. */
const SPREAD = Array.from({ length: 41 }, (_, step) => 1 + step / 40);
const JOBS_MS = [3_000, 15_000, 90_000, 450_000].map((ms) => SPREAD.map((factor) => factor * ms));
const TIMEOUT_MS = 7_200_000;

interface Wait {
	name: string;
	size: LookHistory['size'];
	trust: CallbackTrust;
	/** How late the end may be seen, as a share of the job. */
	tolerated: number;
	/** However short the job is. */
	toleratedMs: number;
}

const WAITS: Wait[] = [
	{
		name: 'a single lookup',
		size: 'single',
		trust: 'unknown',
		tolerated: 0.5,
		toleratedMs: 10_000,
	},
	{
		name: 'the same, where callbacks have arrived',
		size: 'single',
		trust: 'arriving',
		tolerated: 1,
		toleratedMs: 20_000,
	},
	{
		name: 'the same, after lost callbacks',
		size: 'single',
		trust: 'missing',
		tolerated: 0.25,
		toleratedMs: 10_000,
	},
	{
		name: 'a batch that tells its progress',
		size: 'bulk',
		trust: 'unknown',
		tolerated: 0.15,
		toleratedMs: 10_000,
	},
];

/** How late parked executions resume that nobody calls back. */
export async function measureLost(tarball: string, report: (line: string) => void): Promise<Row> {
	report(`A lookup of ${REAL_MS / 1000} s whose callback is lost`);
	const stage = await openStage(tarball, report);
	const { n8n, service, credential } = stage;
	const to = { api: n8n.api, webhooksAt: n8n.url, service, credential };
	const real = await secondsOfMany(to, 'suspend', REAL_MS, 1, { send: 'none' }).finally(
		async () => await stage.stop(),
	);
	const late = real.seconds - REAL_MS / 1000;
	const worst = (wait: Wait, jobsMs: number[]) =>
		Math.max(...jobsMs.map((jobMs) => latenessOf(wait, jobMs)));
	const isInTime = (wait: Wait, jobMs: number) =>
		latenessOf(wait, jobMs) <= Math.max(wait.toleratedMs, wait.tolerated * jobMs);
	return {
		what: `A parked execution whose lookup takes ${REAL_MS / 1000} s and whose callback is lost`,
		ours: `${late.toFixed(1)} s late`,
		beside: "n8n's own Wait: not before its time limit",
		limit: `${REAL_MS / 1000} s`,
		target:
			'at most 10 s late, or half of its length; 20 s or all of it where callbacks have arrived so far, 10 s or a quarter once they were lost; batches that tell their progress 15 %',
		met: verdictOn(
			late <= 10,
			...WAITS.flatMap((wait) => JOBS_MS.flat().map((jobMs) => isInTime(wait, jobMs))),
		),
		runs: 1,
		tables: [
			{
				head: ['At most so late, for jobs of', ...JOBS_MS.map(inWords)],
				rows: WAITS.map((wait) => [
					wait.name,
					...JOBS_MS.map((jobsMs) => seconds([worst(wait, jobsMs) / 1000])),
				]),
			},
		],
		notes: [
			`The first line on a real n8n; the table by the schedule of the looks alone, each the worst of ${SPREAD.length} jobs.`,
		],
	};
}

function inWords(jobsMs: number[]): string {
	return `${Math.min(...jobsMs) / 1000} to ${Math.max(...jobsMs) / 1000} s`;
}

function latenessOf({ size, trust }: Wait, jobMs: number): number {
	let elapsedMs = FIRST_LOOK_MS;
	while (elapsedMs < jobMs) {
		const finished = Math.floor((SEARCHES * elapsedMs) / jobMs);
		elapsedMs += nextLookDelay({
			size,
			trust,
			elapsedMs,
			leftMs: TIMEOUT_MS - elapsedMs,
			progress: size === 'bulk' ? { finished, requested: SEARCHES } : undefined,
			faults: 0,
		});
	}
	return elapsedMs - jobMs;
}
