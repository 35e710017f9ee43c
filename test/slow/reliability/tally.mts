import { isFound } from '../../support/sandbox/answers.mts';
import type { LedgerEntry } from '../../support/sandbox/ledger.mts';
import {
	isNear,
	ON_ITS_WAY_MS,
	traceGaps,
	type Gaps,
	type Kill,
	UNTIL_CREATED_MS,
} from './gaps.mts';
import type { Losses } from './moody.mts';
import type { Known, Start, WorkDone } from './readAll.mts';
import { runOf, WORK, workOf } from './work.mts';

/** Resident memory of n8n. */
export interface Sample {
	/** In ms since 1970. */
	readonly at: number;
	readonly bytes: number;
}

/** What a soak has left. Times are in ms since 1970. */
export interface Remains {
	/** When the last kill was over, and when the work ended. */
	readonly calmFrom: number;
	readonly end: number;
	readonly kills: readonly Kill[];
	/** Whether they hit the process that saves executions. */
	readonly killsSaving: boolean;
	/** The executions by the number of their run. */
	readonly executions: ReadonlyMap<number, string>;
	/** All that was charged. */
	readonly entries: readonly LedgerEntry[];
	/** When the trigger took the notification of each id. */
	readonly takenAt: ReadonlyMap<string, number>;
	readonly known: Known;
	readonly losses: Losses;
	readonly samples: readonly Sample[];
}

/** What a soak came to, apart from what the ledger says by itself. Lists without a note are of ids. */
export interface Tally {
	/** Of ids that the trigger took, and n8n knows no execution of it with. */
	readonly gaps: Gaps;
	/** How many of those no execution of the work knows either. */
	readonly forgotten: { readonly emptied: number; readonly unsaved: number };
	/** The longest time from an answer of the trigger until its execution began, in ms. */
	readonly longestLagMs: number;
	/** That the trigger has started with more than once, though n8n was not killed in between. */
	readonly startedTwice: readonly string[];
	/** That the trigger has started with, and given no result for each search, without a kill. */
	readonly startedInVain: readonly string[];
	/** That only the trigger knows. */
	readonly caughtOnly: readonly string[];
	/** Those of them that their own execution had no reason to lose. */
	readonly unexplained: readonly string[];
	/** The numbers of the kinds of work of which several executions were started, and none succeeded. */
	readonly failedKinds: readonly number[];
	/** Executions that succeeded without a result for each item. */
	readonly incomplete: readonly string[];
	/** The work's executions that began after the last kill. */
	readonly calm: {
		readonly executions: number;
		readonly succeeded: number;
		/** The ids of those that failed, though the answer of none of their submissions was lost. */
		readonly failed: readonly string[];
		/** Those that were parked, and over before the service told anybody of their lookup. */
		readonly unprompted: number;
	};
	/** Of the time after the last kill without its first tenth: the first and the second half, in bytes. */
	readonly memory: readonly [before: number, after: number];
}

/** In a short soak the longest is not seen. */
const AT_LEAST_UNTIL_SAVED_MS = 5_000;
/** One that is started less often may fail by chance. */
const SEVERAL = 3;
const WARM_FROM = 0.1;
const HALF_OF_WARM = 0.55;

/** Counts what came of a soak. */
export function tally(remains: Remains): Tally {
	const { kills, killsSaving, entries, takenAt, known, losses } = remains;
	const { own, caught, emptied } = known;
	const longestLagMs = Math.max(0, ...lagsOf(remains));
	const untilSavedMs = Math.min(Math.max(longestLagMs, AT_LEAST_UNTIL_SAVED_MS), UNTIL_CREATED_MS);
	const missing = entries
		.filter(({ id }) => !caught.has(id))
		.map(({ id }) => ({ id, takenAt: takenAt.get(id) }));
	const gaps = traceGaps(missing, { emptied, kills, killsSaving, untilSavedMs });
	const unknown = (ids: readonly string[]) => ids.filter((id) => !own.has(id)).length;
	const caughtOnly = entries.filter(({ id }) => !own.has(id) && caught.has(id));
	const runs = runsOf(remains);
	const succeeded = runs.filter(isSuccess);
	const calm = runs.filter(({ done }) => done.createdAt > remains.calmFrom);
	const inCalm = calm.filter(isSuccess);
	return {
		gaps,
		forgotten: { emptied: unknown(gaps.emptied), unsaved: unknown(gaps.unsaved) },
		longestLagMs,
		startedTwice: [...caught].filter(isStartedTwice(remains)).map(([id]) => id),
		startedInVain: entries.filter(isStartedInVain(remains)).map(({ id }) => id),
		caughtOnly: caughtOnly.map(({ id }) => id),
		unexplained: caughtOnly
			.filter(({ id }) => !losses.unanswered.has(id))
			.filter((entry) => !isKilled(entry, remains))
			.map(({ id }) => id),
		failedKinds: WORK.flatMap((kind, number) => {
			const isOfKind = ({ run }: Run) => workOf(run) === kind;
			return runs.filter(isOfKind).length >= SEVERAL && !succeeded.some(isOfKind) ? [number] : [];
		}),
		incomplete: succeeded.filter(isIncomplete).map(({ id }) => id),
		calm: {
			executions: calm.length,
			succeeded: inCalm.length,
			failed: calm.filter(isFailed(remains)).map(({ id }) => id),
			unprompted: inCalm.filter(({ id, done }) => isBefore(done.endedAt, losses.calledAt.get(id)))
				.length,
		},
		memory: [meanOf(remains, WARM_FROM, HALF_OF_WARM), meanOf(remains, HALF_OF_WARM, 1)],
	};
}

/** An execution of the work that n8n knows. */
interface Run {
	readonly run: number;
	readonly id: string;
	readonly done: WorkDone;
}

function runsOf({ executions, known }: Remains): Run[] {
	return [...executions].flatMap(([run, id]) => {
		const done = known.work.get(id);
		return done === undefined ? [] : [{ run, id, done }];
	});
}

function isFailed({ entries, losses }: Remains) {
	const unanswered = entries.filter(({ id }) => losses.unanswered.has(id));
	const excused = new Set(unanswered.map(({ searches }) => runOf(searches)));
	return ({ run, done }: Run): boolean => done.status !== 'success' && !excused.has(run);
}

function isSuccess({ done }: Run): boolean {
	return done.status === 'success';
}

/** From the answers of the trigger until their executions began; a kill in between says nothing of n8n. */
function lagsOf({ known, takenAt, kills }: Remains): number[] {
	return [...known.caught].flatMap(([id, [start]]) => {
		const taken = takenAt.get(id);
		if (taken === undefined || start === undefined) return [];
		const isKilled = kills.some(({ at, overAt }) => at < start.startedAt && overAt > taken);
		return isKilled ? [] : [start.startedAt - taken];
	});
}

/** What the trigger remembers, n8n saves with the execution: a kill may come before that. */
function isStartedTwice({ kills, killsSaving }: Remains) {
	return ([, starts]: readonly [string, readonly Start[]]): boolean => {
		const times = starts.map(({ startedAt }) => startedAt).sort((one, other) => one - other);
		return times.some((time, n) => {
			const next = times[n + 1];
			if (next === undefined) return false;
			return !(killsSaving && kills.some((kill) => kill.at < next && isNear(kill, time)));
		});
	};
}

function isStartedInVain({ known, kills }: Remains) {
	return ({ id, endpoint, searches }: LedgerEntry): boolean => {
		const starts = known.caught.get(id) ?? [];
		// A batch of phone searches lists only what was found.
		const listed = endpoint === 'POST /phone/bulk' ? searches.filter(isFound) : searches;
		const isWhole = ({ given = [] }: Start) => isComplete(given, listed.length);
		const isHit = ({ startedAt, given }: Start) =>
			given === undefined && kills.some((kill) => isNear(kill, startedAt));
		return starts.length > 0 && !starts.some((start) => isWhole(start) || isHit(start));
	};
}

/** Whether something was killed while the execution that had submitted it was running. */
function isKilled({ at, searches }: LedgerEntry, { kills, executions, known }: Remains): boolean {
	const execution = executions.get(runOf(searches));
	const endedAt = known.work.get(execution ?? '')?.endedAt ?? Infinity;
	// What was on its way when the kill struck reaches the service a moment after it.
	return kills.some((kill) => kill.at >= at - ON_ITS_WAY_MS && kill.at <= endedAt);
}

function isIncomplete({ run, done }: Run): boolean {
	const { waits, items } = workOf(run);
	return waits && !isComplete(done.given ?? [], items);
}

function isComplete(given: readonly unknown[], count: number): boolean {
	return given.length === count && given.every((status) => status === 'completed');
}

function isBefore(one: number | undefined, other: number | undefined): boolean {
	return one !== undefined && other !== undefined && one < other;
}

function meanOf({ samples, calmFrom, end }: Remains, from: number, to: number): number {
	const [first = 0, last = 0] = [from, to].map((part) => calmFrom + part * (end - calmFrom));
	const within = samples.filter(({ at }) => at >= first && at < last);
	return within.reduce((sum, { bytes }) => sum + bytes, 0) / within.length;
}
