import type { INodeExecutionData } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import { readItemSearches } from '../input/searches';
import { connectForGood } from '../input/credential';
import { lookout } from '../pausing/lookout';
import {
	findResumeUrl,
	obstacleOfExecution,
	obstacleOfItems,
	obstacleOfLimit,
	obstacleOfStarted,
} from '../pausing/obstacles';
import { park, waitedIds } from '../pausing/parked';
import { longestPauseMs, obstacleOfLastPause, TAKEN_LONGER_MS } from '../pausing/pauseEnd';
import type { Waited } from '../results/collect';
import { collect, collectLists } from '../results/collect';
import type { ItemOutput } from '../results/items';
import { summarize, tellShortPause, tellSplitLists } from '../results/summary';
import type { Fate } from '../service/state';
import { readEstimateMs } from '../service/state';
import { forgetFailed } from '../spending/calls';
import type { Started } from '../spending/start';
import type { Watched } from '../waiting/wait';
import { lookAtAll, waitForAll } from '../waiting/wait';
import { dryRun } from './dryRun';
import {
	addHint,
	finish,
	goOn,
	inChosenForm,
	logPaused,
	startSearches,
	tellLimit,
	throwCause,
	throwFirst,
	toRequest,
} from './operationRun';
import type { OperationRun } from './operationRun';
import type { ReadItem } from '../input/searches';
import { isSearch } from '../input/searches';
import { isAtLimit, msLeft, patienceOf } from '../input/run';
import { findStarted, isDone } from '../spending/start';

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function submitAndWait(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const isList = size === 'bulk' && context.getNodeParameter('inputMode', 0, 'each') === 'array';
	const suspends = context.getNodeParameter('waitMode', 0, 'poll') === 'suspend';
	const obstacle = suspends ? obstacleOfExecution(context, options.timeoutMs) : undefined;
	const resumeUrl = suspends && obstacle === undefined ? findResumeUrl(context, run) : undefined;
	const split =
		resumeUrl === undefined && context.getNodeParameter('splitResults', 0, true) !== false;
	const itemSearches = readItemSearches(context, lookup, size, () => resumeUrl);
	if (options.dryRun) return await dryRun(operation, itemSearches);
	throwFirst(operation, itemSearches);
	const earlier = await readEarlier(operation, itemSearches);
	const started = await startSearches(operation, itemSearches);
	const way = { isList, split, suspends, resumeUrl, obstacle, earlier };
	return await goOn(operation, started, async () => await waitForResults(operation, started, way));
}

/** How the results of a run are waited for and given. All that the user says of it was read before. */
interface WaitPlan {
	isList: boolean;
	/** Whether a list gives one item for each of its results. */
	split: boolean;
	/** Whether the user wants it to park. */
	suspends: boolean;
	/** Where the service calls back; `undefined` where the node polls. */
	resumeUrl: string | undefined;
	/** Why it polls although it was to park. */
	obstacle: string | undefined;
	/** What is known of the lookups that the items name by their ids. */
	earlier: EarlierOutcomes;
}

async function waitForResults(
	operation: OperationRun,
	started: Started,
	{ isList, split, suspends, resumeUrl, earlier, ...way }: WaitPlan,
): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const { timeoutMs } = options;
	let { obstacle } = way;
	const onTimeout = suspends || run.call ? 'output' : options.onTimeout;
	const outputsOf = (fates: ReadonlyMap<string, Fate>): Outputs => {
		const wait = { timeoutMs, isAtLimit: isAtLimit(run), onTimeout };
		const waited: Waited = { node: run.node, lookup, size, started, fates, ...wait };
		const all = collect(waited);
		const given = isList ? collectLists(waited, all, split) : all;
		return { waited, all, given: inChosenForm(operation, given) };
	};

	const isStopped = run.signal?.aborted === true;
	const watched = isWaitedFor(operation, started) ? toWatched(started, earlier) : [];
	if (resumeUrl !== undefined && !isStopped && watched.length > 0) {
		const outputs = outputsOf(earlier.ended);
		const pauseMs = longestPauseMs(run.limit, timeoutMs);
		const input = options.includeInputFields ? context.getInputData() : [];
		obstacle =
			obstacleOfLastPause(context) ??
			obstacleOfStarted(started) ??
			obstacleOfLimit(pauseMs) ??
			obstacleOfItems(run.node, outputs.given, input);
		if (obstacle === undefined)
			return await parkRun(operation, started, outputs, { resumeUrl, watched, forMs: pauseMs });
	}
	const { tookMs } = earlier;
	const isNew = started.submissions.some(
		({ earlierId, isSent }) => earlierId === undefined && isSent !== true,
	);
	const timeLeftMs = isNew ? timeoutMs : Math.max(0, timeoutMs - tookMs);
	const fates = await waitForStarted(operation, watched, Math.min(timeLeftMs, msLeft(run)));
	const failed = [...fates].flatMap(([id, { kind }]) => (kind === 'failed' ? id : []));
	if (run.call && failed.length > 0) forgetFailed(run.connection.account, new Set(failed));
	const outputs = outputsOf(new Map([...earlier.ended, ...fates]));
	addHint(context, summarize(outputs.waited, outputs.all));
	if (isList) addHint(context, tellSplitLists(started));
	tellLimit(operation, outputs.all);
	if (obstacle !== undefined) {
		addHint(context, `The execution kept running instead of being paused: ${obstacle}.`);
	}
	return finish(operation, started, outputs.given);
}

/** What a run has to give, and what it was made from. */
interface Outputs {
	waited: Waited;
	/** One for each search. */
	all: ItemOutput[];
	/** One for each item that the node gives out. */
	given: ItemOutput[];
}

async function parkRun(
	operation: OperationRun,
	started: Started,
	{ waited, all, given }: Outputs,
	{ resumeUrl, watched, forMs }: { resumeUrl: string; watched: Watched[]; forMs: number },
): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	addHint(context, summarize(waited, all));
	if (forMs < options.timeoutMs) addHint(context, tellShortPause(forMs));
	throwCause(run, given);
	// The receipts stay: an execution that crashes later can be retried on what is parked here, where
	// the ids that the user gave may be gone.
	started.submissions.forEach((submission, index) => {
		const outcome = started.outcomes[index];
		const isRead = outcome?.kind === 'accepted' && waited.fates.get(outcome.id)?.kind !== 'failed';
		if (submission.earlierId !== undefined && isRead) started.receipts.settle(submission, outcome);
	});
	const items = await park(context, given, options.includeInputFields, forMs);
	logPaused(operation, started);
	const estimateMs =
		watched.reduce((most, { estimateMs: ms = 0 }) => Math.max(most, ms), 0) || undefined;
	const executionId = context.getExecutionId();
	const ids = waitedIds(size, items);
	const leftMs = forMs + TAKEN_LONGER_MS;
	lookout.add(
		{ executionId, ids, lookup, size, resumeUrl, leftMs, estimateMs },
		connectForGood(context, run.connection.account),
	);
	return items;
}

/** Where the run ends with an error anyway, its results are left for the retry to collect. */
function isWaitedFor({ run }: OperationRun, { outcomes }: Started): boolean {
	return run.continueOnFail || outcomes.every(isDone);
}

async function waitForStarted(
	{ run, lookup, size, options: { firstDelayMs } }: OperationRun,
	watched: Watched[],
	timeoutMs: number,
): Promise<ReadonlyMap<string, Fate>> {
	const { connection, signal, call } = run;
	// After a submission that took long there is no time for a last look.
	if (call?.timeUp.aborted) return new Map();
	const wait = { connection, lookup, size, timeoutMs, firstDelayMs, reachedBefore: true, signal };
	return await waitForAll(wait, watched);
}

/** Several submissions may have been given one id: it is looked at once. */
function toWatched({ outcomes }: Started, { ended }: EarlierOutcomes): Watched[] {
	const startedAt = monotonicMs();
	const watched = new Map<string, Watched>();
	for (const outcome of outcomes) {
		if (outcome.kind !== 'accepted' || ended.has(outcome.id)) continue;
		const { id, answer } = outcome;
		watched.set(id, { id, startedAt, estimateMs: readEstimateMs(answer) });
	}
	return [...watched.values()];
}

/** Whether it may still end: it is waited for with what the run starts. */
function isOpen(fate: Fate): boolean {
	return fate.kind === 'ongoing' || (fate.kind === 'fault' && fate.fault === 'passing');
}

/** What a look at the lookups that the items name by their ids has shown. */
export interface EarlierOutcomes {
	/** Of those that have ended, by id. */
	ended: ReadonlyMap<string, Fate>;
	tookMs: number;
}

/**
 * Reads what was started before, once: free of charge, and before anything is paid.
 * @throws the error of the first item whose result cannot be had, unless the workflow goes on after errors
 */
export async function readEarlier(
	operation: OperationRun,
	itemSearches: ReadItem[],
): Promise<EarlierOutcomes> {
	const { run, lookup, size, options } = operation;
	const isNamed = (search: ReadItem) => isSearch(search) && search.earlierId !== undefined;
	if (!itemSearches.some(isNamed)) return { ended: new Map(), tookMs: 0 };
	const { connection, node } = run;
	const started = findStarted(run, toRequest(operation, itemSearches));
	const startedAt = monotonicMs();
	const ids = started.submissions.flatMap(({ earlierId }) => earlierId ?? []);
	const fates = await lookAtAll({ connection, lookup, size, signal: patienceOf(run) }, ids);
	const ended = new Map([...fates].filter(([, fate]) => !isOpen(fate)));
	const { timeoutMs } = options;
	const waited = { node, lookup, size, started, fates: ended, timeoutMs, isAtLimit: false };
	throwCause(run, collect({ ...waited, onTimeout: 'output' }));
	return { ended, tookMs: monotonicMs() - startedAt };
}
