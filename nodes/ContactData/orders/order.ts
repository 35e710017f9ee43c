import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { DAY_S, epochSeconds } from '../common/time';
import { addCredits, asAmount, asRecord } from '../common/values';
import type { Row } from '../input/rows';
import type { Size } from '../lookups/types';
import { NOT_RETRIEVED, UNKNOWN_ID } from '../service/reading';
import { hasEnded, type Shown } from '../service/state';

/** One POST, a single search or a batch, from the plan to its end; or an id that is only read. */
export interface Order {
	/**
	 * - `new`: it is sent.
	 * - `earlierTry`: an earlier try of this run has sent it.
	 * - `recent`: another run has sent it.
	 * - `named`: its id is in 'ID of an Earlier Search'.
	 * - `read`: its id is in Get Result, or in a notification; nobody here knows its searches.
	 */
	origin: 'new' | 'earlierTry' | 'recent' | 'named' | 'read';
	size: Size;
	entries: readonly Entry[];
	/** Searches that are charged with it: also those that no row asks for now. */
	count: number;
	/** The execution whose resume URL was sent with its POST. */
	resumes?: string;
	/** When it was sent, in seconds since 1970, where another run has sent it. */
	sentAt?: number;
	fate: Fate;
}

/** One search of an order, and the rows that ask for it; the `custom` and webhook of the first are sent. */
export interface Entry {
	/** Equal for equal searches of an account, with equal settings; empty where nobody knows them. */
	hash: string;
	/** Its place in its batch, from 0, where that is known. */
	place?: number;
	rows: readonly [Row, ...Row[]];
}

/**
 * What became of an order: each kind says what it means for the user's credits.
 *
 *     planned → sending → accepted | refused | invalid | unknown
 *                ↑  ↓
 *               claimed
 *
 * `halted` and `notStarted` are of what never leaves.
 */
export type Fate =
	/** Nothing was sent for it, and nothing charged. */
	| { kind: 'planned' | 'halted' }
	/** It was certainly not accepted (429, no connection), and is sent again at its next turn. */
	| { kind: 'claimed' }
	| { kind: 'notStarted' | 'refused'; problem: Problem }
	/** Refused as what cannot exist, which is its result; not charged. */
	| { kind: 'invalid'; reason: string }
	/** It has left, and there is no answer yet. */
	| { kind: 'sending' }
	/** It was sent, and nobody knows whether it was charged. `lastAnswer` is what came instead of a receipt. */
	| UnknownFate
	| Accepted;

export type UnknownFate = { kind: 'unknown'; reason: string; lastAnswer?: string };

/** It is paid for, and has an id; what was seen of it last, and whether to look again would show no more. */
export type Accepted = { id: string; receipt: IDataObject; isOver: boolean } & Shown;

export type AcceptedOrder = Order & { fate: Accepted };

export function accepted(id: string, receipt: IDataObject): Accepted {
	return { kind: 'ongoing', body: undefined, id, receipt, isOver: false };
}

export function isAccepted(order: Order): order is AcceptedOrder {
	return 'id' in order.fate;
}

/** Notes what a look has shown of an order. */
export function noteShown(order: AcceptedOrder, shown: Shown, isOver = hasEnded(shown)): void {
	const { id, receipt } = order.fate;
	order.fate = { ...shown, id, receipt, isOver };
}

/**
 * Whether it is believed that the service knows the id no more. That it could not retrieve a result may pass,
 * unless it is more than a day old.
 */
export function isLost({ fate, sentAt = Infinity }: AcceptedOrder): boolean {
	if (fate.kind !== 'fault' || fate.fault !== 'refused' || !fate.isOver) return false;
	const isOld = epochSeconds() - sentAt > DAY_S;
	const { status = 0, message } = fate.refusal;
	return UNKNOWN_ID.has(status) || (isOld && NOT_RETRIEVED.test(message));
}

/** Whether it is paid for, or may be: it is not sent again. */
export function isSpent(fate: Fate): fate is Accepted | UnknownFate {
	return 'id' in fate || fate.kind === 'unknown';
}

/** Whether it is paid for, or free of charge as invalid. */
export function isStarted(order: Order): boolean {
	return isAccepted(order) || order.fate.kind === 'invalid';
}

/** All rows that ask for it, search by search. */
export function rowsOf({ entries }: Order): Row[] {
	return entries.flatMap(({ rows }) => rows);
}

/** The first row of each of its searches. */
export function searchesOf({ entries }: Order): Row[] {
	return entries.map(({ rows: [first] }) => first);
}

export function countSearches(orders: readonly Order[]): number {
	return orders.reduce((sum, { count }) => sum + count, 0);
}

/** Whether this run, or an earlier try of it, pays for it; any other order was paid for before. */
export function isOwn({ origin }: Pick<Order, 'origin'>): boolean {
	return origin === 'new' || origin === 'earlierTry';
}

/** What searches have cost: credits, and the number of searches whose charge is not known (yet). */
export interface Cost {
	credits: number;
	inDoubt: number;
}

/** Credits that the service says it charged for orders, and whether that is all. */
export function costOf(orders: readonly Order[]): { credits: number; isSure: boolean } {
	const charges = orders.map(chargeOf);
	return {
		credits: charges.reduce<number>((sum, charge = 0) => addCredits(sum, charge), 0),
		isSure: !charges.includes(undefined),
	};
}

/** Credits for one search that are believed. `service-api.md` section 8 has 0.25 and 50; plans may differ. */
const LEAST_PRICE = 0.01;
const HIGHEST_PRICE = 10_000;

/**
 * What the service says that it charged for an order, in credits (`service-api.md` 4.1, 2.9).
 * @returns `undefined` where it says nothing that can be true, or nobody knows what became of it
 */
export function chargeOf({
	fate,
	count,
	origin,
}: Pick<Order, 'fate' | 'count' | 'origin'>): number | undefined {
	if (!isOwn({ origin })) return 0;
	if (fate.kind === 'unknown' || fate.kind === 'sending') return undefined;
	if (!('id' in fate)) return 0;
	const { credits_used: used, credits } = fate.receipt;
	const charged = asAmount(used) ?? asAmount(asRecord(credits)?.amount);
	if (charged === undefined) return undefined;
	const price = charged / count;
	return charged === 0 || (price >= LEAST_PRICE && price <= HIGHEST_PRICE) ? charged : undefined;
}
