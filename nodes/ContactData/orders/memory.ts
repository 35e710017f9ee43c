import { RecentMap } from '../common/bounds';
import { DAY_S, epochSeconds } from '../common/time';
import { addCredits, counted } from '../common/values';
import type { PastRow } from '../run/memoryTable';
import type { Account } from '../service/request';
import { hashesOf, type Sent } from './receipts';

const MINUTE_S = 60;
/** Searches of one account; in at most 64 MB (`docs/limits.md`). */
const MAX_SEARCHES = 500_000;
/** V8 doubles the space of a map of 2 ** 19 entries, of which it counts the deleted ones. */
const MOST_IN_A_MAP = 515_000;
const MAX_ACCOUNTS = 200;
const NO_ANSWER = 'another process of n8n has sent it, and no answer is known';
/** Of other processes. */
const MAX_DOUBTS = 10_000;

/** An order as it is remembered: when it was sent is known. */
export type Remembered = Sent & { at: number };

/** An order of another process that may have been charged, and the credits that it may have cost. */
type Doubt = { order: Remembered; credits: number };

/**
 * What a process remembers of the searches of one account: the order in which each was sent, and what the last
 * 24 hours have cost. A restart of n8n forgets it; the rows of a table bring it back.
 */
export class Memory {
	/** By the hash of each search. A single one that has an id is a text, which takes half of the space. */
	private orders = new Map<string, Remembered | string>();
	/** Credits that were spent, or may have been, by minute. */
	private readonly costs = new Map<number, number>();
	/** By execution and first search. */
	private readonly doubts = new RecentMap<string, Doubt>(MAX_DOUBTS);
	/** Whether nothing of the table was read into it. */
	isNew = true;

	/** @param forS how long a search is remembered, in seconds */
	constructor(public forS: number) {}

	/** @returns `undefined` where it is not known, or too long ago */
	recall(hash: string): Remembered | undefined {
		const kept = this.orders.get(hash);
		if (kept === undefined) return undefined;
		const order = typeof kept === 'string' ? unpack(hash, kept) : kept;
		return epochSeconds() - order.at < this.forS ? order : undefined;
	}

	remember(order: Remembered, hashes: readonly string[] = hashesOf(order)): void {
		const kept = pack(order);
		for (const hash of hashes) {
			// An order that can be read is not replaced by one of unknown fate.
			if (order.answer === undefined && this.recall(hash)?.answer !== undefined) continue;
			this.orders.set(hash, kept);
		}
		if (this.orders.size > MOST_IN_A_MAP) this.forgetOldest();
	}

	/** Forgets what has become of searches, unless they were sent anew since. */
	forget(hashes: readonly string[], id: string | undefined): void {
		for (const hash of hashes) {
			if (this.recall(hash)?.answer?.id === id) this.orders.delete(hash);
		}
	}

	private forgetOldest(): void {
		let surplus = this.orders.size - MAX_SEARCHES;
		const kept = new Map<string, Remembered | string>();
		for (const [hash, order] of this.orders) if (surplus-- <= 0) kept.set(hash, order);
		this.orders = kept;
	}

	/** Adds to what was spent; less than 0 for what was given back, or was not charged after all. */
	spend(credits: number, at = epochSeconds()): void {
		const minute = Math.floor(at / MINUTE_S);
		this.costs.set(minute, addCredits(this.costs.get(minute) ?? 0, credits));
	}

	/** What was spent in the last 24 hours, and when the first of that is a day ago, in seconds since 1970. */
	get ofDay(): { credits: number; freeAt: number } {
		const since = Math.floor((epochSeconds() - DAY_S) / MINUTE_S);
		let sum = 0;
		let first = Infinity;
		for (const [minute, credits] of this.costs) {
			if (minute < since) {
				this.costs.delete(minute);
				continue;
			}
			sum = addCredits(sum, credits);
			if (credits > 0) first = Math.min(first, minute);
		}
		return { credits: sum, freeAt: (first + 1) * MINUTE_S + DAY_S };
	}

	/** Takes in what another process has written. */
	takeIn({ kind, event, search_id: id, searches, credits, execution, at }: PastRow): void {
		const size = kind.endsWith('/bulk') ? 'bulk' : 'single';
		const sent = { size, hashes: searches, at } as const;
		const hashes = hashesOf(sent);
		const [first = ''] = hashes;
		const name = `${execution} ${first}`;
		const doubt = this.doubts.get(name);
		switch (event) {
			case 'leaving':
			case 'unknown':
				return doubt === undefined ? this.doubt(name, sent, credits) : undefined;
			case 'accepted':
				this.settle(name, doubt);
				this.spend(credits, at);
				return this.remember({ ...sent, answer: { id } });
			case 'refused':
				this.settle(name, doubt);
				for (const hash of hashes) {
					// An earlier order of the same search stays.
					if (doubt?.order === this.orders.get(hash)) this.orders.delete(hash);
				}
				return;
			case 'lost':
				return this.forget(hashes, id);
			case 'refunded':
				// It ends with the charge that it belongs to.
				return this.spend(-credits, this.recall(first)?.at ?? at);
		}
	}

	/** What another process may have been charged counts as spent until that is known. */
	private doubt(name: string, sent: Omit<Remembered, 'unknown'>, credits: number): void {
		const order: Remembered = { ...sent, unknown: NO_ANSWER };
		this.doubts.set(name, { order, credits });
		this.spend(credits, order.at);
		this.remember(
			order,
			hashesOf(order).filter((hash) => this.recall(hash) === undefined),
		);
	}

	private settle(name: string, doubt: Doubt | undefined): void {
		if (doubt === undefined) return;
		this.spend(-doubt.credits, doubt.order.at);
		this.doubts.delete(name);
	}
}

/** By account. */
const memories = new RecentMap<string, Memory>(MAX_ACCOUNTS);

export function memoryOf({ fingerprint, memoryDays = 1 }: Account): Memory {
	const forS = memoryDays * DAY_S;
	const memory = memories.get(fingerprint) ?? new Memory(forS);
	memories.set(fingerprint, memory);
	// Credentials may say it differently of one account: the latest counts.
	memory.forS = forS;
	return memory;
}

/** For how long a search is remembered, in words. */
export function tellMemory({ memoryDays }: Pick<Account, 'memoryDays'>): string {
	return memoryDays === undefined ? '24 hours' : counted(memoryDays, 'day', 'days');
}

/** A text that is put together would keep its parts; one that is joined is of its own. */
function pack(order: Remembered): Remembered | string {
	const { size, at, answer, resumes = '' } = order;
	if (size === 'bulk' || typeof answer?.id !== 'string') return order;
	return [at.toString(36), resumes, answer.id].join(' ');
}

function unpack(hash: string, packed: string): Remembered {
	const [at = '', resumes = '', ...id] = packed.split(' ');
	return {
		size: 'single',
		hashes: hash,
		resumes: resumes === '' ? undefined : resumes,
		answer: { id: id.join(' ') },
		at: Number.parseInt(at, 36),
	};
}
