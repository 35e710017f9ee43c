import { RecentMap } from '../common/bounds';
import { monotonicMs, unlessAborted } from '../common/time';
import type { Lookup } from '../lookups/types';
import type { Account } from '../service/request';
import type { Entry, Order } from './order';
import type { Sent } from './receipts';

export const REMEMBERED_MS = 86_400_000;
/** Searches, in at most 30 MB. */
const MAX_REMEMBERED = 100_000;
/** Ids that were given of late. */
const MAX_GIVEN_IDS = 20_000;

/** A search of which it is known what became, and its place in its batch. */
export interface Remembered {
	/** When, by the monotonic clock, in whole milliseconds. */
	sent: Sent & { at: number };
	place?: number;
}

const remembered = new RecentMap<string, Remembered>(MAX_REMEMBERED);
/** Searches that are being sent; each promise ends when it is known what became of that. */
const underWay = new Map<string, Promise<void>>();
/** The first search for which the service has given an id. */
const searchById = new RecentMap<string, string>(MAX_GIVEN_IDS);

/**
 * What this process has sent for an account in the last day, whoever has asked: no results, and nothing in
 * clear. A restart of n8n forgets it, and another worker does not know it.
 */
export class RecentSearches {
	private readonly claims = new Map<string, () => void>();

	constructor(
		private readonly account: Account,
		private readonly lookup: Lookup,
	) {}

	recall({ name }: Entry): Remembered | undefined {
		const found = remembered.get(this.nameHere(name));
		return found === undefined || monotonicMs() - found.sent.at >= REMEMBERED_MS
			? undefined
			: found;
	}

	remember({ size, count, execution, entries, fate }: Order): void {
		if (!('id' in fate) && fate.kind !== 'unknown') return;
		const kept = 'id' in fate ? fate.id : fate;
		const sent = { size, count, execution, fate: kept, at: Math.floor(monotonicMs()) };
		for (const entry of entries) {
			// Of two, the one that can be read.
			const known = this.recall(entry)?.sent.fate;
			if (typeof kept !== 'string' && typeof known === 'string') continue;
			remembered.set(this.nameHere(entry.name), { sent, place: entry.place });
		}
	}

	/** What can be had no more is searched for again; another may have done so meanwhile. */
	forget({ entries, fate }: Order): void {
		for (const { name } of entries) {
			const known = remembered.get(this.nameHere(name));
			if ('id' in fate && known?.sent.fate === fate.id) remembered.delete(this.nameHere(name));
		}
	}

	isUnderWay({ name }: Entry): boolean {
		return underWay.has(this.nameHere(name));
	}

	/** Tells others that these searches are being sent, until `release`. */
	claim(entries: readonly Entry[]): void {
		for (const { name } of entries) {
			const here = this.nameHere(name);
			let end = () => {};
			const ended = new Promise<void>((resolve) => {
				end = resolve;
			});
			underWay.set(here, ended);
			this.claims.set(here, () => {
				if (underWay.get(here) === ended) underWay.delete(here);
				end();
			});
		}
	}

	release(entries: readonly Entry[]): void {
		for (const { name } of entries) this.claims.get(this.nameHere(name))?.();
	}

	/**
	 * Waits until it is known what became of one of these searches, which others send right now.
	 * @returns whether that was in time
	 */
	async othersDone(entries: readonly Entry[], signal: AbortSignal): Promise<boolean> {
		const others = entries.flatMap(({ name }) => underWay.get(this.nameHere(name)) ?? []);
		return others.length === 0 || (await unlessAborted(Promise.race(others), signal));
	}

	/**
	 * Notes the id that the service has given to an order.
	 * @returns whether another search has it already
	 */
	isTaken(id: string, { size, entries: [first] }: Order): boolean {
		const kind = this.nameHere(`${this.lookup.path}/${size} ${id}`);
		const owner = searchById.get(kind);
		if (owner === undefined && first !== undefined) searchById.set(kind, first.name);
		return owner !== undefined && owner !== first?.name;
	}

	private nameHere(name: string): string {
		return `${this.account.fingerprint.slice(0, 8)} ${name}`;
	}
}
