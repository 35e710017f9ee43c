import type { IDataObject } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import type { LookupState, Progress } from '../service/lookupState';
import { readBulkState, readSingleState, saysDone } from '../service/lookupState';
import { readOnce } from '../service/reading';
import type { Refusal } from '../service/refusals';
import { CHECK_ANSWERS, UNREADABLE_ANSWER } from '../service/refusals';
import type { Connection } from '../service/request';
import { LONG_REQUEST_TIMEOUT_MS, MAX_BATCH_BYTES, REQUEST_TIMEOUT_MS } from '../service/request';

/** Reads have no rate limit; this many at once is what a good guest takes. */
export const MAX_CONCURRENT_READS = 10;

/** What one GET tells about a lookup or a batch. */
export type StateReading =
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'ongoing'; body: unknown; progress?: Progress }
	| { kind: 'failed'; refusal: Refusal }
	/** `isOver`: the end was told, but no result. */
	| {
			kind: 'fault';
			fault: 'passing' | 'refused' | 'lasting';
			refusal: Refusal;
			isOver?: boolean;
	  };

/** A reading after which nothing more is to come. */
export type FinalReading = Extract<StateReading, { kind: 'completed' | 'failed' }>;

export function isFinal(reading: StateReading | undefined): reading is FinalReading {
	return reading?.kind === 'completed' || reading?.kind === 'failed';
}

/** Which lookups are read, and by what way. */
export interface StateSource {
	connection: Connection;
	lookup: Lookup;
	size: Size;
}

/** How long the first poll may take, and those after many that failed. */
const POLL_TIMEOUT_MS: Record<Size, [first: number, longest: number]> = {
	single: [10_000, REQUEST_TIMEOUT_MS],
	bulk: [REQUEST_TIMEOUT_MS, LONG_REQUEST_TIMEOUT_MS],
};

/**
 * How long a poll may take after so many that failed: one that hangs holds up others, and the results
 * of a whole batch may take the service longer than a poll usually does.
 */
export function pollTimeoutMs({ size }: StateSource, faults: number): number {
	const [first, longest] = POLL_TIMEOUT_MS[size];
	return Math.min(longest, first * 2 ** faults);
}

/** Reads the state of one lookup or batch, once. */
export async function readState(
	{ connection, lookup, size }: StateSource,
	id: string,
	timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<StateReading> {
	const maxBytes = size === 'bulk' ? MAX_BATCH_BYTES : undefined;
	const path = `${lookup.path}/${size}`;
	const reading = await readOnce(connection, path, { query: { id }, timeoutMs, maxBytes });
	if (reading.kind === 'fault') return reading;
	const state: LookupState =
		size === 'single'
			? readSingleState(reading.status, reading.body)
			: readBulkState(reading.status, reading.body);
	if (state.kind === 'failed') {
		return {
			kind: 'failed',
			refusal: {
				message: `The service could not process the ${size === 'bulk' ? 'batch' : lookup.noun.one} ${id}`,
				description: `Its status is "failed": ask the provider about this ID, and whether its credits are refunded, before you start it again.`,
				scope: 'request',
			},
		};
	}
	if (state.kind !== 'unreadable') return state;
	const isOver = saysDone(reading.body);
	return {
		kind: 'fault',
		fault: 'passing',
		isOver,
		refusal: {
			message: isOver
				? 'The service says that the search is finished, but gives no result'
				: UNREADABLE_ANSWER,
			description: `${CHECK_ANSWERS}, then try again.`,
			scope: 'request',
		},
	};
}
