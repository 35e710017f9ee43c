import { RecentMap } from '../common/recentMap';
import type { CallbackTrust } from './schedule';

/** How much the latest resumption counts against those before it. */
const WEIGHT = 0.3;
const UNKNOWN_SHARE = 0.75;
const ARRIVING_SHARE = 0.9;
const MISSING_SHARE = 0.6;

/** Which share of the callbacks arrived lately, by account. */
const shares = new RecentMap<string, number>(1_000);

/** Notes whether a finished lookup of the account was called back, or had to be found by a look. */
export function noteCallback(account: string, arrived: boolean): void {
	const before = shares.get(account) ?? UNKNOWN_SHARE;
	shares.set(account, before + WEIGHT * ((arrived ? 1 : 0) - before));
}

/** Whether callbacks for this account's lookups reach this n8n. */
export function trustInCallbacks(account: string): CallbackTrust {
	const share = shares.get(account) ?? UNKNOWN_SHARE;
	if (share > ARRIVING_SHARE) return 'arriving';
	return share < MISSING_SHARE ? 'missing' : 'unknown';
}
