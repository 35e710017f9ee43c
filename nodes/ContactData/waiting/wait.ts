import type { IDataObject } from 'n8n-workflow';
import { forEachConcurrently } from '../common/concurrency';
import { pause } from '../common/pause';
import type { Progress } from '../service/lookupState';
import { READ_RETRY_DELAYS_MS } from '../service/reading';
import type { Refusal } from '../service/refusals';
import { nextPollDelay } from './pollSchedule';
import type { StateSource } from './readState';
import { MAX_CONCURRENT_READS, readState } from './readState';

/** Polls at which the service may say that it cannot retrieve an id, before that is believed. */
const MAX_REFUSED_POLLS = 5;
const MAX_FAULT_DELAY_MS = 30_000;
/** Lookups due within the same moment are polled together. */
const MOMENT_MS = 25;

/** A lookup or batch to wait for. */
export interface Watched {
	id: string;
	/** When it was submitted, in milliseconds since 1970. */
	startedAt: number;
	estimateMs?: number;
}

/** How a wait for one lookup or batch ended. */
export type WaitOutcome =
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'failed'; refusal: Refusal }
	/** Still running at the deadline, or not readable until then. */
	| { kind: 'ongoing'; lastFault?: Refusal; body?: unknown }
	| { kind: 'cancelled' };

export interface WaitOptions extends StateSource {
	/** Milliseconds for the whole wait, not for each poll. */
	timeoutMs: number;
	firstDelayMs: number;
	signal?: AbortSignal;
}

interface Pending extends Watched {
	polls: number;
	nextPollAt: number;
	faults: number;
	refusedPolls: number;
	progress?: Progress;
	lastFault?: Refusal;
}

/**
 * Waits for all at once: each is polled when it is likely to be done, and at the deadline once more.
 * Reading costs nothing, so its faults are tried again until the deadline.
 */
export async function waitForAll(
	options: WaitOptions,
	watched: Watched[],
): Promise<Map<string, WaitOutcome>> {
	const { timeoutMs, firstDelayMs, signal } = options;
	const deadline = Date.now() + timeoutMs;
	const outcomes = new Map<string, WaitOutcome>();
	let pending: Pending[] = watched.map((lookup) => ({
		...lookup,
		polls: 0,
		nextPollAt: Math.max(Date.now(), lookup.startedAt + firstDelayMs),
		faults: 0,
		refusedPolls: 0,
	}));

	while (pending.length > 0) {
		const soonest = pending.reduce((at, { nextPollAt }) => Math.min(at, nextPollAt), deadline);
		const going = await pause(Math.max(0, soonest - Date.now()), signal);
		const now = Date.now();
		const last = now >= deadline;
		const due = going
			? pending.filter(({ nextPollAt }) => last || nextPollAt <= now + MOMENT_MS)
			: [];
		await forEachConcurrently(MAX_CONCURRENT_READS, due, async (lookup) => {
			const outcome = await poll(options, lookup, deadline);
			if (outcome !== undefined) outcomes.set(lookup.id, outcome);
		});
		pending = pending.filter(({ id }) => !outcomes.has(id));
		if (!last && going && signal?.aborted !== true) continue;
		for (const { id, lastFault } of pending) {
			outcomes.set(id, last ? { kind: 'ongoing', lastFault } : { kind: 'cancelled' });
		}
		break;
	}
	return outcomes;
}

/** Reads each once, and again only where the service could not be asked. */
export async function readAll(
	options: StateSource & { signal?: AbortSignal },
	ids: string[],
): Promise<Map<string, WaitOutcome>> {
	const outcomes = new Map<string, WaitOutcome>();
	await forEachConcurrently(MAX_CONCURRENT_READS, ids, async (id) => {
		let reading = await readState(options, id);
		for (const delayMs of READ_RETRY_DELAYS_MS) {
			if (reading.kind !== 'fault' || reading.fault === 'lasting') break;
			if (!(await pause(delayMs, options.signal))) break;
			reading = await readState(options, id);
		}
		outcomes.set(
			id,
			reading.kind === 'fault' ? { kind: 'failed', refusal: reading.refusal } : reading,
		);
	});
	return outcomes;
}

/** One poll; returns how the wait ended, or plans the next poll. */
async function poll(
	options: WaitOptions,
	pending: Pending,
	deadline: number,
): Promise<WaitOutcome | undefined> {
	const reading = await readState(options, pending.id, deadline - Date.now());
	pending.polls++;
	if (reading.kind === 'completed') return { kind: 'completed', body: reading.body };
	if (reading.kind === 'failed') return { kind: 'failed', refusal: reading.refusal };
	const now = Date.now();
	if (reading.kind === 'fault') {
		pending.lastFault = reading.refusal;
		if (reading.fault === 'lasting') return { kind: 'failed', refusal: reading.refusal };
		if (reading.fault === 'refused' && ++pending.refusedPolls >= MAX_REFUSED_POLLS) {
			return { kind: 'failed', refusal: reading.refusal };
		}
		pending.nextPollAt = now + Math.min(MAX_FAULT_DELAY_MS, 1000 * 2 ** pending.faults++);
		return undefined;
	}
	pending.faults = 0;
	pending.lastFault = undefined;
	pending.progress = reading.progress ?? pending.progress;
	pending.nextPollAt =
		now +
		nextPollDelay({
			elapsedMs: now - pending.startedAt,
			firstDelayMs: options.firstDelayMs,
			polls: pending.polls,
			estimateMs: pending.estimateMs,
			progress: pending.progress,
		});
	return undefined;
}
