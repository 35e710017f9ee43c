import { monotonicMs } from '../common/time';
import type { Lookup, Size } from '../lookups/types';
import type { AcceptedOrder } from '../orders/order';
import { isServiceThere } from '../service/account';
import { type Fault, NOT_RETRIEVED, askOnce, UNKNOWN_ID } from '../service/reading';
import { adviceOnId } from '../service/refusals';
import { type Connection, LONG_REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../service/request';
import { type Asked, bulkStateIn, singleStateIn, type Shown } from '../service/state';
import { type Lag, nextLookAfterFaultMs, nextLookMs } from './schedule';

/** Reads have no rate limit; this many at once is what a good guest takes. */
export const MAX_CONCURRENT_READS = 10;

/** How long a look may take in a wait, as it holds up others; whoever waits may raise it. */
export const FIRST_TIMEOUT_MS: Record<Size, number> = { single: 10_000, bulk: 60_000 };

/** How long any look may take: the results of a big batch take a while. */
const LONGEST_TIMEOUT_MS: Record<Size, number> = {
	single: REQUEST_TIMEOUT_MS,
	bulk: LONG_REQUEST_TIMEOUT_MS,
};

/** A lookup or batch that is looked at. */
export interface Target extends Asked {
	size: Size;
}

export function targetOf(lookup: Lookup, order: AcceptedOrder): Target {
	return { lookup, size: order.size, id: order.fate.id };
}

/** Looks at one lookup or batch, once. Costs nothing, and never throws. */
export async function lookOnce(
	connection: Connection,
	{ size, ...asked }: Target,
	limitMs: number,
): Promise<Shown> {
	const timeoutMs = Math.min(limitMs, LONGEST_TIMEOUT_MS[size]);
	const endsAt = monotonicMs() + timeoutMs;
	const reading = await askOnce(connection, `${asked.lookup.path}/${size}`, {
		query: { id: asked.id },
		timeoutMs,
	});
	if (reading.kind === 'fault') return await ofId(connection, asked.id, reading, endsAt);
	const read = size === 'single' ? singleStateIn : bulkStateIn;
	return read(reading.status, reading.body, asked);
}

/** What a refusal says of an id. A gateway may answer 404 in place of the service: then it says nothing. */
async function ofId(
	connection: Connection,
	id: string,
	said: Fault,
	endsAt: number,
): Promise<Fault> {
	if (said.fault !== 'refused') return said;
	const { refusal } = said;
	const isUnknown = UNKNOWN_ID.has(refusal.status ?? 0);
	if (!isUnknown && !NOT_RETRIEVED.test(refusal.message)) return said;
	if (isUnknown && !(await isServiceThere(connection, endsAt - monotonicMs()))) {
		return { ...said, fault: 'passing' };
	}
	const message = isUnknown ? 'The service does not know this ID' : refusal.message;
	return { ...said, refusal: { ...refusal, message, description: adviceOnId(id), namesId: true } };
}

/** The looks at one lookup or batch that have failed, in a row. */
export interface Failed {
	faults: number;
	/** How many of these the service has refused. */
	refusals: number;
}

/** How many refused looks it takes until a new id is believed to be lost: it may not be known everywhere yet. */
const MAX_REFUSED = 5;
/** The same of an older id. */
export const MAX_REFUSED_OF_OLD = 2;

/** Counts a look. @returns whether to look again would show no more */
export function countLook(failed: Failed, shown: Shown, maxRefused = MAX_REFUSED): boolean {
	if (shown.kind !== 'fault') {
		failed.faults = 0;
		failed.refusals = 0;
		return shown.kind !== 'ongoing';
	}
	failed.faults++;
	const { fault, refusal } = shown;
	const isRefused = fault === 'refused' || (fault === 'lasting' && refusal.status !== undefined);
	if (isRefused) failed.refusals++;
	return isRefused && failed.refusals >= maxRefused;
}

/** When one that is not over is looked at next, by the monotonic clock, after a look that has just ended. */
export function nextLookAt(
	failed: Failed,
	shown: Shown,
	{ since, estimateMs }: { since: number; estimateMs?: number },
	lag: Lag,
): number {
	const now = monotonicMs();
	if (shown.kind === 'fault') return now + nextLookAfterFaultMs(failed.faults, failed.refusals > 0);
	const progress = shown.kind === 'ongoing' ? shown.progress : undefined;
	return now + nextLookMs({ elapsedMs: now - since, estimateMs, progress }, lag);
}
