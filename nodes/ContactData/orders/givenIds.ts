import { RecentMap } from '../common/bounds';
import { monotonicMs } from '../common/time';
import type { Lookup, Size } from '../lookups/types';
import type { Account } from '../service/request';

/** Ids that were given of late. */
const MAX_GIVEN_IDS = 20_000;
/** For a minute the service may not know a new id everywhere. */
const NEW_ID_MS = 60_000;

/** For each id: the hash of the searches that it was first given for, and when. */
const givenIds = new RecentMap<string, { searches: string; at: number }>(MAX_GIVEN_IDS);

/** Whether the service has given this process an id a moment ago. */
export function isNewId(account: Account, lookup: Lookup, size: Size, id: string): boolean {
	const { at = -Infinity } = givenIds.get(nameOf(account, lookup, size, id)) ?? {};
	return monotonicMs() - at < NEW_ID_MS;
}

/**
 * Notes the id of a new order.
 * @param searches their hash
 * @returns whose it is: the service may have given it to other searches before
 */
export function noteId(
	account: Account,
	lookup: Lookup,
	size: Size,
	id: string,
	searches: string,
): 'own' | 'anothers' {
	const name = nameOf(account, lookup, size, id);
	const first = givenIds.get(name);
	if (first === undefined) givenIds.set(name, { searches, at: monotonicMs() });
	return first === undefined || first.searches === searches ? 'own' : 'anothers';
}

function nameOf({ fingerprint }: Account, { path }: Lookup, size: Size, id: string): string {
	return `${fingerprint.slice(0, 8)} ${path}/${size} ${id}`;
}
