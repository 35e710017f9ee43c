import type { Known, Lag } from '../../../nodes/ContactData/waiting/schedule.ts';
import { nextLookMs, RUNNING } from '../../../nodes/ContactData/waiting/schedule.ts';
import { type Row, verdictOn } from './table.mts';

const FIXED_MS = 5_000;
const FIRST_LOOK_MS = 1_000;
const SEARCHES = 5_000;
/** Between looks, whatever is known of a job. */
const LONGEST_MS = 60_000;
/** Jobs within a tenth of each length: the lag of one exact length is luck. */
const SPREAD = Array.from({ length: 41 }, (_, step) => 0.9 + step * 0.005);

interface Wait {
	looks: number;
	lagMs: number;
}

/** What the service tells of a lookup while it runs. */
export type Told = 'progress' | 'estimate' | 'nothing';

interface Job {
	told: Told;
	lengthMs: number;
}

const LENGTHS_S = [1, 4, 15, 60, 600, 3600];
const KINDS: ReadonlyArray<{ name: string; told: Told }> = [
	{ name: 'a batch, which tells its progress', told: 'progress' },
	{ name: 'a right estimate, and no progress', told: 'estimate' },
	{ name: 'a single lookup, of which nothing is known', told: 'nothing' },
];
/** The job of the short row. */
const SHOWN: Job = { told: 'progress', lengthMs: 600_000 };

/** Looks and lag of a wait by the clock of a simulation, beside a look every 5 s. */
export function measureLooks(): Row {
	const jobs = (told: Told) => LENGTHS_S.map((s): Job => ({ told, lengthMs: s * 1000 }));
	const show = ({ looks, lagMs }: Wait) => `${looks.toFixed(1)} / ${(lagMs / 1000).toFixed(1)} s`;
	const inWords = ({ looks, lagMs }: Wait) =>
		`${looks.toFixed(1)} looks, ${(lagMs / 1000).toFixed(1)} s late`;
	const inTime = KINDS.flatMap(({ told }) => jobs(told)).map(
		(job) => worstLag(job) <= Math.min(LONGEST_MS, Math.max(1_500, job.lengthMs / 10)),
	);
	return {
		what: 'Looks at a batch of 10 minutes, and how late its end is seen',
		ours: inWords(mean(SHOWN, adaptive)),
		beside: `every 5 s: ${inWords(mean(SHOWN, fixed))}`,
		limit: '1 look, 0 s',
		target:
			'whatever is known of a wait: at most 1.5 s late or a tenth of the time, and never more than a minute',
		met: verdictOn(...inTime),
		runs: 1,
		tables: [
			{
				head: ['Looks / lag of a wait of', ...LENGTHS_S.map(lengthOf)],
				rows: [
					...KINDS.map(({ name, told }) => [
						name,
						...jobs(told).map((job) => show(mean(job, adaptive))),
					]),
					['a look every 5 s', ...jobs('nothing').map((job) => show(mean(job, fixed)))],
				],
			},
		],
		notes: [
			`In faked time, by the schedule of the node alone; each the mean of ${SPREAD.length} jobs within 10 % of that length.`,
			'Whatever is told only brings a look forward: a false forecast costs no more than none at all. Reading is free and not limited.',
		],
	};
}

function lengthOf(s: number): string {
	if (s < 60) return `${s} s`;
	return s < 3600 ? `${s / 60} min` : `${s / 3600} h`;
}

function waitsOf(job: Job, wait: (job: Job) => Wait): Wait[] {
	return SPREAD.map((factor) => wait({ ...job, lengthMs: job.lengthMs * factor }));
}

function mean(job: Job, wait: (job: Job) => Wait): Wait {
	const waits = waitsOf(job, wait);
	const of = (pick: (one: Wait) => number) =>
		waits.reduce((sum, one) => sum + pick(one), 0) / waits.length;
	return { looks: of(({ looks }) => looks), lagMs: of(({ lagMs }) => lagMs) };
}

function worstLag(job: Job): number {
	return Math.max(...waitsOf(job, adaptive).map(({ lagMs }) => lagMs));
}

function fixed({ lengthMs }: Job): Wait {
	const looks = Math.max(1, Math.ceil(lengthMs / FIXED_MS));
	return { looks, lagMs: looks * FIXED_MS - lengthMs };
}

function adaptive({ lengthMs, told }: Job): Wait {
	return simulate(lengthMs, told, FIRST_LOOK_MS, RUNNING);
}

/** A wait by the schedule alone. */
export function simulate(lengthMs: number, told: Told, firstLookMs: number, lag: Lag): Wait {
	let elapsedMs = firstLookMs;
	let looks = 1;
	for (; elapsedMs < lengthMs; looks++) {
		elapsedMs += nextLookMs(knownAt(elapsedMs, lengthMs, told), lag);
	}
	return { looks, lagMs: elapsedMs - lengthMs };
}

/** What the service tells of a batch (`service-api.md` 4.3, 4.4); the estimate is right. */
function knownAt(elapsedMs: number, lengthMs: number, told: Told): Known {
	if (told === 'nothing') return { elapsedMs };
	if (told === 'estimate') return { elapsedMs, estimateMs: lengthMs };
	const finished = Math.floor((SEARCHES * elapsedMs) / lengthMs);
	return { elapsedMs, estimateMs: lengthMs, progress: { finished, requested: SEARCHES } };
}
