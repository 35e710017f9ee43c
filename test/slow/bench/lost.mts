import { FIRST_LOOK_MS } from '../../../nodes/ContactData/pausing/lookout.ts';
import { PAUSED } from '../../../nodes/ContactData/waiting/schedule.ts';
import { secondsOfMany } from './executions.mts';
import { simulate, type Told } from './looks.mts';
import { openStage } from './stage.mts';
import { seconds, type Row, verdictOn } from './table.mts';

const REAL_MS = 20_000;
/** How late one exact length is seen is luck, and the time between looks may double. */
const SPREAD = Array.from({ length: 41 }, (_, step) => 1 + step / 40);
const JOBS_MS = [3_000, 15_000, 90_000, 450_000].map((ms) => SPREAD.map((factor) => factor * ms));
const WAITS: ReadonlyArray<{ name: string; told: Told }> = [
	{ name: 'a single lookup, of which nothing is known', told: 'nothing' },
	{ name: 'a batch with a right estimate', told: 'estimate' },
	{ name: 'a batch that tells its progress', told: 'progress' },
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
	return {
		what: `A parked execution whose lookup takes ${REAL_MS / 1000} s and whose callback is lost`,
		ours: `${late.toFixed(1)} s late`,
		beside: "n8n's own Wait: not before its time limit",
		limit: `${REAL_MS / 1000} s`,
		...lostBySchedule(),
		met: verdictOn(late <= 10, lostBySchedule().met),
		runs: 1,
	};
}

/** The part of the row that needs no n8n. */
export function lostBySchedule() {
	const worst = (told: Told, jobsMs: number[]) =>
		Math.max(...jobsMs.map((jobMs) => latenessOf(told, jobMs)));
	const isInTime = (told: Told, jobMs: number) =>
		latenessOf(told, jobMs) <= Math.min(60_000, Math.max(10_000, jobMs / 4));
	return {
		target: 'at most 10 s late or a quarter of its length, and never more than a minute',
		met: WAITS.every(({ told }) => JOBS_MS.flat().every((jobMs) => isInTime(told, jobMs))),
		tables: [
			{
				head: ['At most so late, for jobs of', ...JOBS_MS.map(inWords)],
				rows: WAITS.map(({ name, told }) => [
					name,
					...JOBS_MS.map((jobsMs) => seconds([worst(told, jobsMs) / 1000])),
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

function latenessOf(told: Told, jobMs: number): number {
	return simulate(jobMs, told, FIRST_LOOK_MS, PAUSED).lagMs;
}
