import type { Lookup, Size } from '../lookups/types';
import type { Account, Caller } from '../service/account';
import type { StateReading } from '../waiting/wait';
import { readState } from '../waiting/wait';

const MAX_READS_AT_ONCE = 10;

/** A reading after which nothing more is to come. */
export type Finished = Extract<StateReading, { kind: 'completed' | 'failed' }>;

export interface Rest {
	caller: Caller;
	account: Account;
	lookup: Lookup;
	size: Size;
	/** Of those that may still run. */
	ids: string[];
}

/**
 * Looks at some of the rest, and at more of it each time that all of them are finished, so that
 * looks in vain stay fewer than those that bring a result.
 * @param finished gets what is seen to be finished, by id
 */
export async function lookAtRest(
	{ ids, ...asked }: Rest,
	finished: Map<string, Finished>,
): Promise<'finished' | 'ongoing' | 'unsure'> {
	let from = 0;
	for (let count = 1; from < ids.length; count = Math.min(2 * count, MAX_READS_AT_ONCE)) {
		let ongoing = 0;
		let faults = 0;
		const next = ids.slice(from, (from += count));
		await Promise.all(
			next.map(async (id) => {
				const reading = await readState(asked, id);
				if (reading.kind === 'ongoing') ongoing++;
				else if (reading.kind === 'fault') faults++;
				else finished.set(id, reading);
			}),
		);
		if (faults > 0) return 'unsure';
		if (ongoing > 0) return 'ongoing';
	}
	return 'finished';
}
