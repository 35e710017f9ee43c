import { RecentMap } from '../common/bounds';
import { monotonicMs } from '../common/time';
import type { Lookup } from '../lookups/types';
import type { Account } from '../service/request';
import { costOfOne } from './bill';
import type { Order } from './order';

/** What a search is expected to cost, and who says so. */
export interface Price {
	credits: number;
	source: 'documented' | 'charged' | 'usual';
}

const REMEMBERED_MS = 86_400_000;

/** What one search cost when this process was last charged, and when, by account and lookup. */
const lastPrices = new RecentMap<string, { credits: number; at: number }>(500);

/**
 * Learns the price of one search from a charge. A search that was free (a trial, a repeat) tells none, and of a
 * batch only a part may have been charged: it tells a first price, or a higher one.
 */
export function notePrice(account: Account, lookup: Lookup, order: Order, charge: number): void {
	const credits = charge / order.count;
	if (credits < lookup.price.least) return;
	const known = lastPriceOf(account, lookup) ?? 0;
	if (order.size === 'bulk' && credits < known) return;
	lastPrices.set(nameOf(account, lookup), { credits, at: monotonicMs() });
}

/** Credits; `undefined` where this process was not charged in the last day. */
export function lastPriceOf(account: Account, lookup: Lookup): number | undefined {
	const { credits, at = -Infinity } = lastPrices.get(nameOf(account, lookup)) ?? {};
	return monotonicMs() - at < REMEMBERED_MS ? credits : undefined;
}

/** The credits that an order has cost, or may have. */
export function presumedCostOf(account: Account, lookup: Lookup, order: Order): number {
	const { credits, inDoubt } = costOfOne(order);
	return credits + inDoubt * (lastPriceOf(account, lookup) ?? lookup.price.credits);
}

function nameOf({ fingerprint }: Account, { path }: Lookup): string {
	return `${fingerprint} ${path}`;
}
