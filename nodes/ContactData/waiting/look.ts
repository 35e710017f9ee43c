import type { Lookup, Size } from '../lookups/types';
import { readOnce } from '../service/reading';
import type { Connection } from '../service/request';
import { LONG_REQUEST_TIMEOUT_MS, MAX_BATCH_BYTES, REQUEST_TIMEOUT_MS } from '../service/request';
import type { Shown } from '../service/state';
import { readBulkState, readSingleState } from '../service/state';

/** Reads have no rate limit; this many at once is what a good guest takes. */
export const MAX_CONCURRENT_READS = 10;

/** A look in a wait gives up after this time, and then may take twice as long: others wait for it. */
export const FIRST_TIMEOUT_MS: Record<Size, number> = { single: 10_000, bulk: 60_000 };

/** How long any look may take: the results of a big batch take a while. */
const LONGEST_TIMEOUT_MS: Record<Size, number> = {
	single: REQUEST_TIMEOUT_MS,
	bulk: LONG_REQUEST_TIMEOUT_MS,
};

/** Which lookups are looked at, and by what connection. */
export interface LookSource {
	connection: Connection;
	lookup: Lookup;
	size: Size;
}

/**
 * Looks at one lookup or batch, once. Costs nothing, and never throws.
 * @param sent how many searches a batch was sent with, where that is known
 */
export async function lookAt(
	{ connection, lookup, size }: LookSource,
	id: string,
	timeoutMs = Infinity,
	sent?: number,
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
