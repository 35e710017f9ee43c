import { monotonicMs } from '../common/clock';
import { RecentMap } from '../common/recentMap';
import type { StateReading, StateSource } from '../waiting/readState';
import { readState } from '../waiting/readState';

/** For how long the service may refuse to tell of a lookup, and in how many reads, until that is believed. */
const REFUSED_FOR_MS = 300_000;
const MOST_REFUSED_READS = 5;

interface Refused {
	since: number;
	reads: number;
}

/** The reads since the last answer. */
const refused = new RecentMap<string, Refused>(10_000);

/**
 * Reads what an execution is parked for. What cannot be had counts as failed after a while, as it does
 * to who keeps polling: it would hold up the others until the Timeout.
 */
export async function readParkedState(
	source: StateSource,
	id: string,
	timeoutMs: number,
): Promise<StateReading> {
	const reading = await readState(source, id, timeoutMs);
	const { connection, lookup, size } = source;
	const name = `${connection.account.fingerprint} ${lookup.path} ${size} ${id}`;
	if (reading.kind !== 'fault') {
		refused.delete(name);
		return reading;
	}
	const { fault, refusal, isOver = false } = reading;
	if (refusal.scope === 'account' || (fault === 'passing' && !isOver)) return reading;
	const now = monotonicMs();
	const { since, reads } = refused.get(name) ?? { since: now, reads: 0 };
	refused.set(name, { since, reads: reads + 1 });
	return reads >= MOST_REFUSED_READS && now - since >= REFUSED_FOR_MS
		? { kind: 'failed', refusal, mayChange: true }
		: reading;
}
