import type { Lookup, Size } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import { sentWith } from '../orders/order';
import { readOnce } from '../service/reading';
import type { Connection } from '../service/request';
import { LONG_REQUEST_TIMEOUT_MS, MAX_BATCH_BYTES, REQUEST_TIMEOUT_MS } from '../service/request';
import type { Shown } from '../service/state';
import { readBulkState, readSingleState } from '../service/state';

/** Reads have no rate limit; this many at once is what a good guest takes. */
export const MAX_CONCURRENT_READS = 10;
/** Looks at which the service may refuse to tell of an id, before that is believed. */
const MAX_REFUSED_LOOKS = 5;

/** A look in a wait gives up after this time, and then may take twice as long: others wait for it. */
export const FIRST_TIMEOUT_MS: Record<Size, number> = { single: 10_000, bulk: 60_000 };

/** How long any look may take: the results of a big batch take a while. */
const LONGEST_TIMEOUT_MS: Record<Size, number> = {
	single: REQUEST_TIMEOUT_MS,
	bulk: LONG_REQUEST_TIMEOUT_MS,
};

/** A lookup or batch that is looked at. */
export interface Target {
	lookup: Lookup;
	size: Size;
	id: string;
	/** How many searches a batch was sent with, where that is known. */
	sent?: number;
}

export function targetOf(lookup: Lookup, order: AcceptedOrder): Target {
	const { size, fate } = order;
	return { lookup, size, id: fate.id, sent: sentWith(order) };
}

/** Looks at one lookup or batch, once. Costs nothing, and never throws. */
export async function lookAt(
	connection: Connection,
	{ lookup, size, id, sent }: Target,
	timeoutMs = Infinity,
): Promise<Shown> {
	const reading = await readOnce(connection, `${lookup.path}/${size}`, {
		query: { id },
		timeoutMs: Math.min(timeoutMs, LONGEST_TIMEOUT_MS[size]),
		maxBytes: size === 'bulk' ? MAX_BATCH_BYTES : undefined,
	});
	if (reading.kind === 'fault') return reading;
	const { status, body } = reading;
	const read = size === 'single' ? readSingleState : readBulkState;
	return read(status, body, { lookup, id, sent });
}

/** Counts the looks at which the service refuses to tell of an id, and says when that is for good. */
export function isRefusedForGood(counter: { refusedLooks: number }, shown: Shown): boolean {
	if (shown.kind !== 'fault') {
		counter.refusedLooks = 0;
		return false;
	}
	const { fault, refusal } = shown;
	const isAnswer = fault === 'refused' || (fault === 'lasting' && refusal.status !== undefined);
	if (isAnswer) counter.refusedLooks++;
	return isAnswer && counter.refusedLooks >= MAX_REFUSED_LOOKS;
}
