import { memoryDuring } from '../../support/n8n/memory.mts';
import {
	lossesOf,
	notesOnRefused,
	RATE,
	secondsOfMany,
	type Ended,
	type WaitKind,
} from './executions.mts';
import { openStage } from './stage.mts';
import { median, megabytes, seconds, type Row, verdictOn, withRange } from './table.mts';

/** A row on executions that park: how many, with a lookup of how long, and what they must reach. */
interface Goal {
	count: number;
	jobMs: number;
	/** Times the limit, which is the pace and the job. */
	within: number;
	target: string;
	/** Whether n8n's own Wait is measured beside it: once, where starts and ends come together. */
	besideOwnWait: boolean;
	isMet(measured: Pick<Measured, 'idle' | 'over' | 'readsEach'>): boolean;
}

interface Measured extends Ended {
	idle: number;
	/** Bytes over n8n at rest, at most. */
	over: number;
	readsEach: number;
}

const MB = 1024 ** 2;

/** V8 lets garbage lie while there is room: with more of it the same run took from 0 to 700 MB. */
const HEAP_MB = 512;

/** Executions that n8n has seen before: it knows then that callbacks arrive, and has loaded all. */
const SEEN_BEFORE = { count: 5, jobMs: 2_000 };

const OWN_WAIT =
	"n8n's own Wait believes what the callback says, and nothing there keeps the pace of the service.";

const GOALS = {
	parkedFew: {
		count: 200,
		jobMs: 45_000,
		within: 1.03,
		target: '1.03 × the limit, 150 MB, 5 reads each',
		besideOwnWait: false,
		isMet: ({ over, readsEach }) => over <= 150 * MB && readsEach <= 5,
	},
	parked: {
		count: 1_000,
		// Longer than the starts take: all are parked at one moment.
		jobMs: 120_000,
		within: 1.02,
		target: '1.02 × the limit; memory within a quarter of n8n at rest',
		besideOwnWait: false,
		isMet: ({ over, idle }) => over <= idle / 4,
	},
	parkedRush: {
		count: 1_000,
		jobMs: 60_000,
		within: 1.1,
		// Before it parked at once, it took 6,085 MB.
		target: '1.1 × the limit, 3,042 MB',
		besideOwnWait: true,
		isMet: ({ over }) => over <= 3_042 * MB,
	},
} satisfies Record<string, Goal>;

/** Parked executions of one lookup each, started ten a second. */
export async function measureParked(
	tarball: string,
	name: keyof typeof GOALS,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const goal: Goal = GOALS[name];
	const { count, jobMs, within, target, besideOwnWait } = goal;
	const measure = async (kind: WaitKind): Promise<Measured> => {
		report(`${count} executions of ${jobMs / 1000} s, ${kind}`);
		const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
		const stage = await openStage(tarball, report, env);
		const { n8n, service, credential } = stage;
		const to = { api: n8n.api, webhooksAt: n8n.url, service, credential };
		try {
			await secondsOfMany(to, kind, SEEN_BEFORE.jobMs, SEEN_BEFORE.count);
			const { result, idle, peak } = await memoryDuring(
				n8n,
				async () => await secondsOfMany(to, kind, jobMs, count),
			);
			const { gets } = await service.traffic();
			return { ...result, idle, over: peak - idle, readsEach: gets / count };
		} finally {
			await stage.stop();
		}
	};
	const parked: Measured[] = [];
	while (parked.length < runs) parked.push(await measure('suspend'));
	const byHand = besideOwnWait ? [await measure('byHand')] : [];
	const limit = count / RATE + jobMs / 1000;
	const of = (all: Measured[], figure: 'seconds' | 'over' | 'readsEach' | 'idle') =>
		all.map((one) => one[figure]);
	const inWords = (all: Measured[]) =>
		`${seconds(of(all, 'seconds'))}, ${megabytes(of(all, 'over'))} over rest${lossesOf(all)}`;
	const middle = {
		idle: median(of(parked, 'idle')),
		over: median(of(parked, 'over')),
		readsEach: median(of(parked, 'readsEach')),
	};
	return {
		what: `${count.toLocaleString('en')} parked executions of ${jobMs / 1000} s`,
		ours: `${inWords(parked)}, ${withRange(of(parked, 'readsEach'), (reads) => reads.toFixed(2))} reads each`,
		beside: besideOwnWait ? `HTTP Request and n8n's own Wait: ${inWords(byHand)}` : '',
		limit: `${limit.toFixed(0)} s`,
		target,
		met: verdictOn(
			median(of(parked, 'seconds')) <= within * limit,
			goal.isMet(middle),
			lossesOf(parked) === '',
		),
		runs,
		notes: [
			`The limit is the pace of ${RATE} submissions a second and the job of ${jobMs / 1000} s. n8n at rest: ${megabytes(of(parked, 'idle'))}. The sandbox delivers a callback again that n8n has refused. Each n8n has seen ${SEEN_BEFORE.count} such executions end before, and has a heap of ${HEAP_MB} MB at most.`,
			...(besideOwnWait ? [OWN_WAIT] : []),
			...notesOnRefused([...parked, ...byHand]),
		],
	};
}
