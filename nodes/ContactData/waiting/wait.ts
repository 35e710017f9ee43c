import type { IDataObject } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import type { Account, Caller } from '../service/account';
import type { LookupState, Progress } from '../service/lookupState';
import { readBulkState, readSingleState } from '../service/lookupState';
import { pause } from '../common/pause';
import { eachWithin } from '../common/concurrency';
import { readOnce } from '../service/reading';
import type { Refusal } from '../service/refusals';
import { REQUEST_TIMEOUT_MS } from '../service/request';
import { nextLookDelay } from './pollSchedule';

/** Reads have no rate limit; this many at once is what a good guest takes. */
const MAX_READS_AT_ONCE = 10;
/** Between the tries of a look that is not part of a wait. */
const RETRY_DELAYS_MS = [500, 1500];
/** Looks at which the service may say that it cannot retrieve an id, before that is believed. */
const MAX_REFUSED_LOOKS = 5;
const MAX_FAULT_DELAY_MS = 30_000;
/** Lookups due within the same moment are looked at together. */
const MOMENT_MS = 25;

/** A lookup or batch to wait for. */
export interface Watched {
	id: string;
	/** When it was submitted, in milliseconds since 1970. */
	startedAt: number;
	estimateMs?: number;
}

/** How a wait for one lookup ended. */
export type WaitEnd =
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'failed'; refusal: Refusal }
	/** Still running at the deadline, or not readable until then. */
	| { kind: 'ongoing'; lastFault?: Refusal; body?: unknown }
	| { kind: 'cancelled' };

export interface WaitOptions {
	caller: Caller;
	account: Account;
	lookup: Lookup;
	size: Size;
	/** Milliseconds for the whole wait, not for each look. */
	timeoutMs: number;
	firstDelayMs: number;
	signal?: AbortSignal;
}

interface Pending extends Watched {
	looks: number;
	nextLookAt: number;
	faults: number;
	refusedLooks: number;
	progress?: Progress;
	lastFault?: Refusal;
}

/**
 * Waits for all at once: each is looked at when it is likely to be done, and at the deadline once
 * more. Reading costs nothing, so its faults are tried again until the deadline.
 */
export async function waitForAll(
	options: WaitOptions,
	watched: Watched[],
): Promise<Map<string, WaitEnd>> {
	const { timeoutMs, firstDelayMs, signal } = options;
	const deadline = Date.now() + timeoutMs;
	const ends = new Map<string, WaitEnd>();
	let pending: Pending[] = watched.map((lookup) => ({
		...lookup,
		looks: 0,
		nextLookAt: Math.max(Date.now(), lookup.startedAt + firstDelayMs),
		faults: 0,
		refusedLooks: 0,
	}));

	while (pending.length > 0) {
		const soonest = pending.reduce((at, { nextLookAt }) => Math.min(at, nextLookAt), deadline);
		const going = await pause(Math.max(0, soonest - Date.now()), signal);
		const now = Date.now();
		const last = now >= deadline;
		const due = going
			? pending.filter(({ nextLookAt }) => last || nextLookAt <= now + MOMENT_MS)
			: [];
		await eachWithin(MAX_READS_AT_ONCE, due, async (lookup) => {
			const end = await look(options, lookup, deadline);
			if (end !== undefined) ends.set(lookup.id, end);
		});
		pending = pending.filter(({ id }) => !ends.has(id));
		if (!last && going && signal?.aborted !== true) continue;
		for (const { id, lastFault } of pending) {
			ends.set(id, last ? { kind: 'ongoing', lastFault } : { kind: 'cancelled' });
		}
		break;
	}
	return ends;
}

/** Looks at each once, and again only where the service could not be asked. */
export async function lookAtAll(
	options: Omit<WaitOptions, 'timeoutMs' | 'firstDelayMs'>,
	ids: string[],
): Promise<Map<string, WaitEnd>> {
	const ends = new Map<string, WaitEnd>();
	await eachWithin(MAX_READS_AT_ONCE, ids, async (id) => {
		let reading = await readState(options, id);
		for (const delayMs of RETRY_DELAYS_MS) {
			if (reading.kind !== 'fault' || reading.fault === 'lasting') break;
			if (!(await pause(delayMs, options.signal))) break;
			reading = await readState(options, id);
		}
		ends.set(id, reading.kind === 'fault' ? { kind: 'failed', refusal: reading.refusal } : reading);
	});
	return ends;
}

/** One look; returns how the wait ended, or plans the next look. */
async function look(
	options: WaitOptions,
	pending: Pending,
	deadline: number,
): Promise<WaitEnd | undefined> {
	const reading = await readState(options, pending.id, deadline - Date.now());
	pending.looks++;
	if (reading.kind === 'completed') return { kind: 'completed', body: reading.body };
	if (reading.kind === 'failed') return { kind: 'failed', refusal: reading.refusal };
	const now = Date.now();
	if (reading.kind === 'fault') {
		pending.lastFault = reading.refusal;
		if (reading.fault === 'lasting') return { kind: 'failed', refusal: reading.refusal };
		if (reading.fault === 'refused' && ++pending.refusedLooks >= MAX_REFUSED_LOOKS) {
			return { kind: 'failed', refusal: reading.refusal };
		}
		pending.nextLookAt = now + Math.min(MAX_FAULT_DELAY_MS, 1000 * 2 ** pending.faults++);
		return undefined;
	}
	pending.faults = 0;
	pending.lastFault = undefined;
	pending.progress = reading.progress ?? pending.progress;
	pending.nextLookAt =
		now +
		nextLookDelay({
			elapsedMs: now - pending.startedAt,
			firstDelayMs: options.firstDelayMs,
			looks: pending.looks,
			estimateMs: pending.estimateMs,
			progress: pending.progress,
		});
	return undefined;
}

/** What one GET tells about a lookup. */
export type StateReading =
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'ongoing'; body: unknown; progress?: Progress }
	| { kind: 'failed'; refusal: Refusal }
	| { kind: 'fault'; fault: 'passing' | 'refused' | 'lasting'; refusal: Refusal };

/** Reads the state of one lookup or batch, once. */
export async function readState(
	{ caller, account, lookup, size }: Pick<WaitOptions, 'caller' | 'account' | 'lookup' | 'size'>,
	id: string,
	withinMs = REQUEST_TIMEOUT_MS,
): Promise<StateReading> {
	const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, Math.max(5000, withinMs));
	const reading = await readOnce(caller, account, `${lookup.path}/${size}`, { id }, timeoutMs);
	if (reading.kind === 'fault') return reading;
	const state: LookupState =
		size === 'single'
			? readSingleState(reading.status, reading.body)
			: readBulkState(reading.status, reading.body);
	if (state.kind === 'failed') {
		return {
			kind: 'failed',
			refusal: {
				message: `The service could not process the batch ${id}`,
				description:
					'Its status is "failed". Ask the provider about this id, also whether its credits are refunded, before you start the batch again.',
				scope: 'request',
			},
		};
	}
	if (state.kind !== 'unreadable') return state;
	return {
		kind: 'fault',
		fault: 'passing',
		refusal: {
			message: 'The answer of the service could not be understood',
			description:
				"Check that 'Base URL' in the Contact Data API credential is right and that no proxy changes the answers. Reading costs nothing: try again.",
			scope: 'request',
		},
	};
}
