import type { PollHistory } from '../../../nodes/ContactData/waiting/pollSchedule.ts';
import { nextPollDelay } from '../../../nodes/ContactData/waiting/pollSchedule.ts';
import { type Advance, noteProgress } from '../../../nodes/ContactData/waiting/progress.ts';
import { type Row, verdictOn } from './table.mts';

const FIXED_MS = 5_000;
const FIRST_LOOK_MS = 1_000;
const SEARCHES = 5_000;
/** Jobs within a tenth of each length: the lag of one exact length is luck. */
const SPREAD = Array.from({ length: 41 }, (_, step) => 0.9 + step * 0.005);

interface Wait {
	looks: number;
	lagMs: number;
}

/** What the service tells of a lookup while it runs. */
type Told = 'progress' | 'estimate' | 'nothing';

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
	const better = KINDS.flatMap(({ told }) => jobs(told)).map((job) => {
		const [own, other] = [mean(job, adaptive), mean(job, fixed)];
		return own.looks <= other.looks && own.lagMs <= other.lagMs;
	});
	return {
		what: 'Looks at a batch of 10 minutes, and how late its end is seen',
		ours: inWords(mean(SHOWN, adaptive)),
		beside: `every 5 s: ${inWords(mean(SHOWN, fixed))}`,
		limit: '1 look, 0 s',
		target: 'fewer looks and less lag, whatever is known of a wait and however long it is',
		met: verdictOn(...better),
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
			'Whatever is told, after the first seconds no job is left alone for more than three tenths of the time so far: it may go on unevenly.',
			'Where nothing is known before the end, a lag of at most 1.5 s or a tenth of the job takes this many looks; reading is free and not limited.',
		],
	};
}

function lengthOf(s: number): string {
	if (s < 60) return `${s} s`;
	return s < 3600 ? `${s / 60} min` : `${s / 3600} h`;
}

function mean(job: Job, wait: (job: Job) => Wait): Wait {
	const waits = SPREAD.map((factor) => wait({ ...job, lengthMs: job.lengthMs * factor }));
	const of = (pick: (one: Wait) => number) =>
		waits.reduce((sum, one) => sum + pick(one), 0) / waits.length;
	return { looks: of(({ looks }) => looks), lagMs: of(({ lagMs }) => lagMs) };
}

function fixed({ lengthMs }: Job): Wait {
	const looks = Math.max(1, Math.ceil(lengthMs / FIXED_MS));
	return { looks, lagMs: looks * FIXED_MS - lengthMs };
}

function adaptive({ lengthMs, told }: Job): Wait {
	const advance: Advance = { searches: SEARCHES };
	let elapsedMs = FIRST_LOOK_MS;
	let looks = 1;
	while (elapsedMs < lengthMs) {
		const { estimateMs, progress } = knownAt(elapsedMs, lengthMs, told);
		const noted = noteProgress(advance, progress, elapsedMs);
		elapsedMs += nextPollDelay({ elapsedMs, estimateMs, ...noted });
		looks++;
	}
	return { looks, lagMs: elapsedMs - lengthMs };
}

/** What the service tells of a batch (`service-api.md` 4.3, 4.4); the estimate is right. */
function knownAt(
	elapsedMs: number,
	lengthMs: number,
	told: Told,
): Pick<PollHistory, 'estimateMs' | 'progress'> {
	if (told === 'nothing') return {};
	if (told === 'estimate') return { estimateMs: lengthMs };
	const finished = Math.floor((SEARCHES * elapsedMs) / lengthMs);
	return { estimateMs: lengthMs, progress: { finished, requested: SEARCHES } };
}
