import type { CallbackTrust, LookHistory } from '../../../nodes/ContactData/suspension/schedule.ts';
import { FIRST_LOOK_MS, nextLookDelay } from '../../../nodes/ContactData/suspension/schedule.ts';
import { secondsOfMany } from './executions.mts';
import { openStage } from './stage.mts';
import { type Row, seconds, verdictOn } from './table.mts';

const REAL_MS = 20_000;
const LENGTHS_MS = [4_000, 20_000, 120_000, 600_000];
const SEARCHES = 1_000;
/** Jobs of about each length: how late one exact length is seen is luck, and the looks may double. */
const SPREAD = Array.from({ length: 41 }, (_, step) => 0.7 + step * 0.0175);
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
	const worst = (wait: Wait, jobMs: number) =>
		Math.max(...SPREAD.map((factor) => latenessOf(wait, factor * jobMs) / factor));
	const isInTime = (wait: Wait, jobMs: number) =>
		worst(wait, jobMs) <= Math.max(wait.toleratedMs, wait.tolerated * jobMs);
	return {
		what: `A parked execution whose lookup takes ${REAL_MS / 1000} s and whose callback is lost`,
		ours: `${late.toFixed(1)} s late`,
		beside: "n8n's own Wait: not before its time limit",
		limit: `${REAL_MS / 1000} s`,
		target:
			'at most 10 s late, or half of its length; 20 s or all of it where callbacks have arrived so far, 10 s or a quarter once they were lost; batches that tell their progress 15 %',
		met: verdictOn(
			late <= 10,
			...WAITS.flatMap((wait) => LENGTHS_MS.map((jobMs) => isInTime(wait, jobMs))),
		),
		runs: 1,
		tables: [
			{
				head: ['At most so late, for a job of', ...LENGTHS_MS.map((ms) => seconds([ms / 1000]))],
				rows: WAITS.map((wait) => [
					wait.name,
					...LENGTHS_MS.map((jobMs) => seconds([worst(wait, jobMs) / 1000])),
				]),
			},
		],
		notes: [
			`The first line on a real n8n; the table by the schedule of the looks alone, each the worst of ${SPREAD.length} jobs of 0.7 to 1.4 times that length.`,
		],
	};
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
