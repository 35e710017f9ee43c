import { groupBy, shortHash } from '../common/values';
import { RecentMap } from '../common/bounds';
import { monotonicMs, unlessAborted } from '../common/time';
import type { Row } from '../input/rows';
import type { Settings } from '../input/settings';
import type { Size } from '../lookups/types';
import type { Account } from '../service/account';
import type { Entry, Fate, Order } from './order';
import { accepted } from './order';
import type { FindRecent } from './plan';
import { resultSettings } from './plan';

const REMEMBERED_MS = 86_400_000;
/** Searches, in at most 25 MB. */
const MAX_REMEMBERED = 100_000;
/** 72 bits. A longer one would be a slice, which keeps the whole hash in memory. */
const NAME_LENGTH = 12;
/** So long after it was accepted the service may not know an id yet: a refusal to tell of it is not believed. */
const SETTLES_IN_MS = 600_000;

/** What became of a submission: its id, or nobody knows. */
interface Remembered {
	size: Size;
	/** Searches that were sent with it. */
	count: number;
	fate: string | Extract<Fate, { kind: 'unknown' }>;
	/** By the monotonic clock, in whole milliseconds. */
	at: number;
}

/** What this process has submitted for Find and Verify in the last day, by search; no results, and nothing in clear. */
const remembered = new RecentMap<string, { of: Remembered; place?: number }>(MAX_REMEMBERED);
/** Searches that are being submitted; each promise ends when it is known what became of that. */
const underWay = new Map<string, Promise<void>>();

/**
 * The searches that this process has paid for in the last 24 hours, whoever has asked: an equal one is read
 * by its id. A restart of n8n forgets them, and another worker does not know them.
 */
export class RecentSearches {
	private readonly found = new Map<Order, Remembered>();
	private readonly claims = new Map<string, () => void>();
	/** To hash them is slow. */
	private readonly names = new WeakMap<Row, string>();

	constructor(
		private readonly account: Account,
		private readonly settings: Settings,
	) {}

	/** The orders in which these searches were sent, and what is left. */
	readonly find: FindRecent = (entries) => {
		const known: Array<{ of: Remembered; entry: Entry }> = [];
		const rest: Entry[] = [];
		for (const entry of entries) {
			const found = this.recall(entry);
			if (found === undefined) rest.push(entry);
			else known.push({ of: found.of, entry: { ...entry, place: found.place } });
		}
		const recent = groupBy(known, ({ of }) => of).flatMap((same): Order[] => {
			const [{ of }] = same;
			const { size, count, fate } = of;
			// Who knows the id of a batch can read all of it: a chat is given none with people of another's.
			const isPart = this.settings.isTool && same.length < count;
			if (isPart && typeof fate === 'string') {
				for (const { entry } of same) rest.push({ ...entry, place: undefined });
				return [];
			}
			const order: Order = {
				key: '',
				origin: 'recent',
				size,
				entries: same.map(({ entry }) => entry),
				count,
				fate:
					typeof fate === 'string'
						? accepted(fate, { id: fate, credits_used: 0 })
						: { ...fate, ...(isPart && { said: undefined }) },
			};
			this.found.set(order, of);
			return [order];
		});
		return { recent, rest };
	};

	private recall(entry: Entry) {
		const { size, isList, isSimple, searchesAgain } = this.settings;
		const found = searchesAgain ? undefined : remembered.get(this.nameOf(entry));
		if (found === undefined || monotonicMs() - found.of.at >= REMEMBERED_MS) return undefined;
		// The service's own fields differ between a single result and one of a batch.
		return found.of.size === size || (isSimple && !isList) ? found : undefined;
	}

	/**
	 * Waits until it is known what became of these searches where others submit them right now.
	 * @returns whether that was in time
	 */
	async othersDone(entries: readonly Entry[], signal: AbortSignal): Promise<boolean> {
		const others = entries.flatMap((entry) => underWay.get(this.nameOf(entry)) ?? []);
		return (
			others.length === 0 ||
			(await unlessAborted(
				Promise.all(others).then(() => {}),
				signal,
			))
		);
	}

	isUnderWay(entries: readonly Entry[]): boolean {
		return (
			!this.settings.searchesAgain && entries.some((entry) => underWay.has(this.nameOf(entry)))
		);
	}

	/** Tells others that these searches are being submitted, until `settle` or `end`. */
	claim(entries: readonly Entry[]): void {
		for (const entry of entries) {
			const name = this.nameOf(entry);
			let end = () => {};
			const ended = new Promise<void>((resolve) => {
				end = resolve;
			});
			underWay.set(name, ended);
			this.claims.set(name, () => {
				if (underWay.get(name) === ended) underWay.delete(name);
				end();
			});
		}
	}

	/** Remembers what became of an order, where it is paid for or may be. */
	settle({ fate, size, count, entries }: Order): void {
		const isKept = 'id' in fate || fate.kind === 'unknown';
		if (isKept) {
			const kept = 'id' in fate ? fate.id : fate;
			const of: Remembered = { size, count, fate: kept, at: Math.floor(monotonicMs()) };
			for (const entry of entries) {
				remembered.set(this.nameOf(entry), { of, place: entry.place });
			}
		}
		for (const entry of entries) this.claims.get(this.nameOf(entry))?.();
	}

	/** Gives up what was claimed and has not been submitted. */
	end(): void {
		for (const end of this.claims.values()) end();
	}

	/** What nothing can be had of any more is searched for again; another may have done so meanwhile. */
	forget(order: Order, entries: readonly Entry[]): void {
		for (const entry of entries) {
			const name = this.nameOf(entry);
			if (remembered.get(name)?.of === this.found.get(order)) remembered.delete(name);
		}
	}

	/** Whether an order is so young that the service may not know its id yet. */
	isYoung(order: Order): boolean {
		const { at = -Infinity } = this.found.get(order) ?? {};
		return monotonicMs() - at < SETTLES_IN_MS;
	}

	private nameOf({ rows: [first] }: Entry): string {
		const { lookup } = this.settings;
		const what = [this.account.fingerprint, lookup.path, first.key, resultSettings(lookup, first)];
		const name = this.names.get(first) ?? shortHash(what, NAME_LENGTH);
		this.names.set(first, name);
		return name;
	}
}
