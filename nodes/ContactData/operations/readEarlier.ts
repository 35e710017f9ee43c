import { monotonicMs } from '../common/clock';
import type { ItemFailure } from '../common/itemErrors';
import type { ItemSearch } from '../input/itemSearches';
import { msLeft } from '../input/toolCall';
import { collect } from '../results/collect';
import { findStarted } from '../spending/start';
import type { WaitOutcome } from '../waiting/wait';
import { waitForAll } from '../waiting/wait';
import { throwCause } from './finish';
import type { OperationRun } from './operationRun';
import { toRequest } from './startSearches';

/** What takes longer to tell of itself is waited for with what the run starts. */
const LONGEST_LOOK_MS = 60_000;

/** What a look at the lookups that the items name by their ids has shown. */
export interface EarlierOutcomes {
	/** Of those that have ended, by id. */
	ended: ReadonlyMap<string, WaitOutcome>;
	tookMs: number;
}

/**
 * Reads what was started before, once: free of charge, and before anything is paid.
 * @throws the error of the first item whose result cannot be had, unless the workflow goes on after errors
 */
export async function readEarlier(
	operation: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
): Promise<EarlierOutcomes> {
	const { run, lookup, size, options } = operation;
	const { connection, node, signal } = run;
	const started = findStarted(run, toRequest(operation, itemSearches));
	const startedAt = monotonicMs();
	const watched = started.submissions.flatMap(({ earlierId: id }) =>
		id === undefined ? [] : [{ id, startedAt, isEarlier: true }],
	);
	const timeoutMs = Math.min(options.timeoutMs, LONGEST_LOOK_MS, msLeft(run.call));
	const look = { connection, lookup, size, signal, timeoutMs, firstDelayMs: 0 };
	const outcomes = await waitForAll({ ...look, reachedBefore: false, looksOnly: true }, watched);
	const ended = new Map(
		[...outcomes].filter(([, { kind }]) => kind === 'completed' || kind === 'failed'),
	);
	const waited = { node, lookup, size, started, waitOutcomes: ended, timeoutMs };
	throwCause(run, collect({ ...waited, onTimeout: 'output' }));
	return { ended, tookMs: monotonicMs() - startedAt };
}
