import type { PollHistory } from '../../../nodes/ContactData/waiting/pollSchedule.ts';
import { nextPollDelay } from '../../../nodes/ContactData/waiting/pollSchedule.ts';
import { type Row, verdictOn } from './table.mts';

const FIXED_MS = 5_000;
const FIRST_LOOK_MS = 1_000;
/** Jobs within a tenth of each length: the lag of one exact length is luck. */
const SPREAD = Array.from({ length: 41 }, (_, step) => 0.9 + step * 0.005);

interface Wait {
	looks: number;
	lagMs: number;
}

interface Job {
	name: string;
	lengthMs: number;
	/** Of a batch, the service tells how far it is and how long it will take. */
	searches: number;
}

const JOBS: Job[] = [
	...[1, 2, 4, 8, 15, 60].map((s) => ({
		name: `single of ${s} s`,
		lengthMs: s * 1000,
		searches: 1,
	})),
	...[10, 60, 600, 3600].map((s) => ({
		name: `batch of ${s} s`,
		lengthMs: s * 1000,
		searches: 5000,
	})),
];

/** Looks and lag of a wait by the clock of a simulation, beside a look every 5 s. */
export function measureLooks(): Row {
	const results = JOBS.map((job) => ({ job, own: mean(job, adaptive), fixed: mean(job, fixed) }));
	const show = ({ looks, lagMs }: Wait) => `${looks.toFixed(1)} / ${(lagMs / 1000).toFixed(2)} s`;
	const lists = (which: 'own' | 'fixed') =>
		results.map((result) => `${result.job.name}: ${show(result[which])}`).join('; ');
	const better = results.map(
		({ own, fixed }) => own.looks <= fixed.looks && own.lagMs <= fixed.lagMs,
	);
	const missed = results.filter((_, index) => !better[index]);
	return {
		what: 'Looks and lag of a wait (faked time)',
		ours: lists('own'),
		beside: `every 5 s: ${lists('fixed')}`,
		limit: '1 look, 0 s',
		target: 'fewer looks and less lag at each job length',
		met: verdictOn(...better),
		notes: [
			'Looks / lag, each the mean of 41 jobs within 10 % of that length.',
			...(missed.length === 0
				? []
				: [
						`Not both for ${missed.map(({ job }) => job.name).join(', ')}: of a single lookup the service tells nothing before its end. A lag of at most 1.5 s or a tenth of the job, at any length, takes this many looks; reading is free and not limited.`,
					]),
		],
	};
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

function adaptive({ lengthMs, searches }: Job): Wait {
	let elapsedMs = FIRST_LOOK_MS;
	let looks = 1;
	while (elapsedMs < lengthMs) {
		elapsedMs += nextPollDelay({ elapsedMs, polls: looks, ...told(lengthMs, searches, elapsedMs) });
		looks++;
	}
	return { looks, lagMs: elapsedMs - lengthMs };
}

/** What the service tells of a batch (`service-api.md` 4.3, 4.4); the estimate is right. */
function told(
	lengthMs: number,
	searches: number,
	elapsedMs: number,
): Omit<PollHistory, 'elapsedMs' | 'polls'> {
	if (searches === 1) return { firstDelayMs: FIRST_LOOK_MS };
	const finished = Math.floor((searches * elapsedMs) / lengthMs);
	const progress = { finished, requested: searches };
	return { firstDelayMs: FIRST_LOOK_MS, estimateMs: lengthMs, progress };
}
