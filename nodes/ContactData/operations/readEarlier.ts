import { monotonicMs } from '../common/time';
import type { ItemFailure } from '../common/errors';
import type { ItemSearch } from '../input/itemSearches';
import { patienceOf } from '../input/run';
import { collect } from '../results/collect';
import { findStarted } from '../spending/start';
import type { Fate } from '../service/state';
import { lookAtAll } from '../waiting/wait';
import { throwCause } from './finish';
import type { OperationRun } from './operationRun';
import { toRequest } from './startSearches';

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
	itemSearches: Array<ItemSearch | ItemFailure>,
): Promise<EarlierOutcomes> {
	const { run, lookup, size, options } = operation;
	const { connection, node } = run;
	const started = findStarted(run, toRequest(operation, itemSearches));
	const startedAt = monotonicMs();
	const ids = started.submissions.flatMap(({ earlierId }) => earlierId ?? []);
	const fates = await lookAtAll({ connection, lookup, size, signal: patienceOf(run) }, ids);
	const ended = new Map([...fates].filter(([, fate]) => !isOpen(fate)));
	const waited = { node, lookup, size, started, fates: ended, timeoutMs: options.timeoutMs };
	throwCause(run, collect({ ...waited, onTimeout: 'output' }));
	return { ended, tookMs: monotonicMs() - startedAt };
}
