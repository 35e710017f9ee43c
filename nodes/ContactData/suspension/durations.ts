import { RecentMap } from '../common/recentMap';
import type { Lookup, Size } from '../lookups/types';

/** How much the latest duration counts against those before it. */
const WEIGHT = 0.3;

/** How long the waits for an account's lookups of a kind took lately, in milliseconds. */
const durations = new RecentMap<string, number>(1_000);

interface WaitOfAccount {
	account: string;
	lookup: Lookup;
	size: Size;
}

export function noteDuration(wait: WaitOfAccount, ms: number): void {
	const name = waitKey(wait);
	const before = durations.get(name) ?? ms;
	durations.set(name, before + WEIGHT * (ms - before));
}

/** Of single lookups only: how long a batch takes depends on its size. */
export function usualDuration(wait: WaitOfAccount): number | undefined {
	return wait.size === 'single' ? durations.get(waitKey(wait)) : undefined;
}

function waitKey({ account, lookup, size }: WaitOfAccount): string {
	return `${account} ${lookup.path} ${size}`;
}
