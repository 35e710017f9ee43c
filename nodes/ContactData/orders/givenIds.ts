import { RecentMap } from '../common/bounds';
import { monotonicMs } from '../common/time';
import { shortHash } from '../common/values';
import type { Lookup, Size } from '../lookups/types';
import type { Account } from '../service/request';
import { HASH_LENGTH } from './receipts';

const MAX_GIVEN_IDS = 20_000;
/** For a minute the service may not know a new id everywhere. */
const NEW_ID_MS = 60_000;

/** For each id that this process was given: a hash of the searches that it was first given for, and when. */
const givenIds = new RecentMap<string, { searches: string; at: number }>(MAX_GIVEN_IDS);

/** Whether the service has given this process an id less than a minute ago. */
export function isNewId(account: Account, lookup: Lookup, size: Size, id: string): boolean {
	const first = givenIds.get(keyOf(account, lookup, size, id));
	return first !== undefined && monotonicMs() - first.at < NEW_ID_MS;
}

/**
 * Notes an id that the service has given for these searches.
 * @param searches by their hashes
 * @returns whose it is: `anothers` where it was given for other searches before
 */
export function noteId(
	account: Account,
	lookup: Lookup,
	size: Size,
	id: string,
	searches: readonly string[],
): 'own' | 'anothers' {
	const key = keyOf(account, lookup, size, id);
	const hash = shortHash(searches, HASH_LENGTH);
	const first = givenIds.get(key);
	if (first !== undefined) return first.searches === hash ? 'own' : 'anothers';
	givenIds.set(key, { searches: hash, at: monotonicMs() });
	return 'own';
}

/** Each kind of lookup has its own ids. */
function keyOf({ fingerprint }: Account, { path }: Lookup, size: Size, id: string): string {
	return `${fingerprint.slice(0, 8)} ${path}/${size} ${id}`;
}
