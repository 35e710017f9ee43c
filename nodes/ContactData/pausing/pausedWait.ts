import type { LastingConnection } from '../input/credential';
import type { Lookup, Size } from '../lookups/types';
import type { Ended, Shown } from '../service/state';
import { hasEnded } from '../service/state';
import { sentWith } from '../orders/order';
import { MAX_CONCURRENT_READS } from '../waiting/look';
import type { Pause } from './savedPause';

/** What a pause waits for. */
export function waitedFor({ form, orders }: Pause): Omit<WaitedFor, 'executionId'> {
	const { lookup, size } = form;
	const ids = [...new Set(orders.map(({ fate }) => fate.id))];
	if (size === 'single') return { lookup, size, ids };
	return { lookup, size, ids, sent: new Map(orders.map((one) => [one.fate.id, sentWith(one)])) };
}

/** An execution, and what it waits for. */
export interface WaitedFor {
	executionId: string;
	lookup: Lookup;
	size: Size;
	/** In the order of submission. */
	ids: string[];
	/** How many searches each batch was sent with, where that is known. */
	sent?: ReadonlyMap<string, number | undefined>;
}

/** What a process knows of an execution that is paused until its lookups have ended. */
export interface PausedWait extends Omit<WaitedFor, 'ids'> {
	/**
	 * By id. What has ended stays ended. Of a result that there is no room for, such as any batch, only
	 * the word `ended` is kept.
	 */
	fates: Map<string, Ended | 'ended' | 'open'>;
	/** When the rest of the pause is left to n8n; by the monotonic clock, in milliseconds. */
	deadline: number;
	/** Whether a callback is being followed up, and whether another one has come meanwhile. */
	isBeingRead: boolean;
	isCalledAgain: boolean;
	/** Lookups whose results the execution has got, also in its pauses before. */
	brought?: Set<string>;
	/** In the process that has paused the execution. */
	watch?: Watch;
	/** Of results that may still be kept, as JSON. */
	lettersLeft: number;
	/** That it takes in memory at most. */
	readonly bytes: number;
}

/** How the process that has paused an execution looks after it; times are of the monotonic clock. */
export interface Watch {
	/** One for all waits with the same credential and key. */
	shared: { connection: LastingConnection };
	resumeUrl: string;
	/** From `estimated_duration`. */
	estimateMs?: number;
	pausedAt: number;
	nextLookAt: number;
	isUnderWay: boolean;
	/** Looks in a row that failed. */
	faults: number;
	/** Calls of the resume URL, and whether n8n has taken one. */
	calls: number;
	isTaken: boolean;
}

/** Of results that are kept until the execution is resumed, as JSON: a usual one has 350. */
const KEPT_LETTERS = 500;
/** As measured: an execution, and what its ids and results take beside their letters. */
const BYTES = { execution: 1_000, id: 150, letter: 2 };

/**
 * @param deadline when the rest of the pause is left to n8n
 * @param brought in the pauses before
 */
export function toPausedWait(
	{ executionId, lookup, size, ids, sent }: WaitedFor,
	deadline: number,
	brought?: Set<string>,
): PausedWait {
	const fates: PausedWait['fates'] = new Map(ids.map((id) => [id, 'open']));
	// A batch is too long to keep.
	const lettersLeft = size === 'single' ? ids.length * KEPT_LETTERS : 0;
	const named = [...ids, ...(brought ?? [])];
	const letters = named.reduce((sum, { length }) => sum + length, lettersLeft);
	return {
		executionId,
		lookup,
		size,
		sent,
		fates,
		deadline,
		isBeingRead: false,
		isCalledAgain: false,
		brought,
		lettersLeft,
		bytes: BYTES.execution + BYTES.id * named.length + BYTES.letter * letters,
	};
}

/** All results of a wait are brought together. */
export function isBrought({ brought, fates }: PausedWait): boolean {
	const [first] = fates.keys();
	return first === undefined || brought?.has(first) === true;
}

/** How many may still run. */
export function countOpen({ fates }: PausedWait): number {
	return [...fates.values()].filter((fate) => fate === 'open').length;
}

export function noteEnd(wait: PausedWait, id: string, fate: Ended): void {
	if (!wait.fates.has(id)) return;
	const { length } = JSON.stringify(fate);
	const isKept = length <= wait.lettersLeft;
	if (isKept) wait.lettersLeft -= length;
	wait.fates.set(id, isKept ? fate : 'ended');
}

/**
 * Checks what may still be running: the last submission first, as it is likely to end last, then twice as
 * many each time all of them have ended.
 * @param results gets all that have ended, also what was not kept; without it that is not read again
 * @returns the fate of one that is not seen to have ended; `undefined` when all have
 */
export async function readUnfinished(
	wait: PausedWait,
	look: (id: string) => Promise<Shown>,
	results?: Map<string, Ended>,
): Promise<Shown | undefined> {
	const open: string[] = [];
	const notKept: string[] = [];
	for (const [id, fate] of wait.fates) {
		if (fate === 'open') open.push(id);
		else if (fate !== 'ended') results?.set(id, fate);
		else if (results?.has(id) === false) notKept.push(id);
	}
	const ids = [...open.reverse(), ...notKept];
	let from = 0;
	for (let count = 1; from < ids.length; count = Math.min(2 * count, MAX_CONCURRENT_READS)) {
		const fates = await Promise.all(
			ids.slice(from, (from += count)).map(async (id) => {
				const fate = await look(id);
				if (!hasEnded(fate)) return fate;
				noteEnd(wait, id, fate);
				results?.set(id, fate);
				return undefined;
			}),
		);
		const unfinished = fates.find((fate) => fate !== undefined);
		if (unfinished !== undefined) return unfinished;
	}
	return undefined;
}
