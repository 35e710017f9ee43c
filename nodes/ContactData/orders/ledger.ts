import { groupBy } from '../common/values';
import type { ExecutionNotes } from '../input/notes';
import type { Saved } from '../input/saved';
import type { Settings } from '../input/settings';
import type { Account } from '../service/request';
import type { Entry, Fate, Order } from './order';
import { accepted, chargeOf } from './order';
import type { Sent } from './receipts';
import { Receipts } from './receipts';
import { RecentSearches } from './recent';

/** A search that was sent before, and where. */
interface KnownFate {
	origin: 'earlierTry' | 'recent';
	sent: Sent;
	entry: Entry;
}

/**
 * What is known of what was sent before: by an earlier try of this run, which is saved with the execution
 * and holds over a restart, and by anybody in this process in the last day. Such a search is read, and not
 * sent. Each change of what became of an order is written here.
 */
export class Ledger {
	readonly receipts: Receipts;
	/** Searches that were paid for although they could be read. */
	repeated = 0;
	private readonly recent: RecentSearches;

	constructor(
		private readonly saved: Saved,
		account: Account,
		private readonly settings: Settings,
		private readonly notes: ExecutionNotes,
	) {
		this.receipts = new Receipts(saved);
		this.recent = new RecentSearches(account, settings.lookup);
	}

	/** The orders in which these searches were sent before, and what is left. */
	find(entries: readonly Entry[]): { known: Order[]; rest: Entry[] } {
		return this.findIn(this.receipts.find(), entries);
	}

	private findIn(
		earlier: ReturnType<Receipts['find']>,
		entries: readonly Entry[],
	): { known: Order[]; rest: Entry[] } {
		const rest: Entry[] = [];
		const found: KnownFate[] = [];
		for (const entry of entries) {
			const saved = earlier.get(entry.name);
			const ofOthers = this.isReading ? (this.recent.recall(entry) ?? saved) : undefined;
			const known = saved?.origin === 'earlierTry' ? saved : ofOthers;
			if (known === undefined) rest.push(entry);
			else {
				const origin = known === saved ? saved.origin : 'recent';
				found.push({ origin, sent: known.sent, entry: { ...entry, place: known.place } });
			}
		}
		const known = groupBy(found, ({ sent }) => sent).flatMap((same): Order[] => {
			const [{ origin, sent }] = same;
			const asked = same.map(({ entry }) => entry);
			const { size, count, execution } = sent;
			const fate = typeof sent.fate === 'string' ? accepted(sent.fate, {}) : sent.fate;
			const isPart = this.settings.isTool && origin === 'recent' && asked.length < count;
			if (!isPart) return [{ origin, size, entries: asked, count, execution, fate }];
			// Who knows the id of a batch can read all of it: a chat is given none with people of another's.
			if ('id' in fate) {
				for (const entry of asked) rest.push({ ...entry, place: undefined });
				return [];
			}
			return [{ origin, size, entries: asked, count, fate: { ...fate, lastAnswer: undefined } }];
		});
		return { known, rest };
	}

	/**
	 * Saves with the execution what this run reads of the last day: its retry reads it again, also after a
	 * restart, or the next day.
	 */
	noteRead(known: readonly Order[]): void {
		if (this.settings.isTool) return;
		for (const order of known) if (order.origin === 'recent') this.receipts.write(order);
	}

	/** Takes an order whose turn to be sent has come; not where somebody else has sent a part of it, or does. */
	claim({ entries }: Order): boolean {
		if (this.isReading) {
			if (entries.some((entry) => this.isBusy(entry))) return false;
			if (this.findIn(new Map(), entries).known.length > 0) return false;
		}
		this.recent.claim(entries);
		return true;
	}

	/** Whether another run sends it right now. */
	isBusy(entry: Entry): boolean {
		return this.isReading && this.recent.isUnderWay(entry);
	}

	/** Waits until another run has sent one of these; `false` where that took too long. */
	async othersDone(entries: readonly Entry[], signal: AbortSignal): Promise<boolean> {
		return await this.recent.othersDone(entries, signal);
	}

	/**
	 * Writes down what became of an order, before its request leaves and when its answer is there: in what n8n
	 * saves, in the memory of the day, and in the custom data of the execution.
	 */
	record(order: Order, fate: Fate): void {
		const wasSending = order.fate.kind === 'sending';
		order.fate = fate;
		this.receipts.write(order);
		const isKept = 'id' in fate || fate.kind === 'unknown';
		if (fate.kind === 'sending') this.notes.countSent(1);
		else if (wasSending && !isKept) this.notes.countSent(-1);
		if ('id' in fate) {
			this.notes.addId(fate.id, order.size);
			this.notes.addSpent(chargeOf(order) ?? 0);
			this.repeated += order.entries.filter((entry) => this.canRead(entry)).length;
		}
		if (fate.kind === 'sending' || fate.kind === 'planned') return;
		if (isKept) this.recent.remember(order);
		this.recent.release(order.entries);
	}

	/** Whether the service has given the id of a new order to another search before. */
	isTaken(id: string, order: Order): boolean {
		return this.recent.isTaken(id, order);
	}

	/** What can be had no more is searched anew by the next run. */
	forget(order: Order): void {
		this.recent.forget(order);
	}

	/** Whether the service calls back for an order, if it does, in another execution. */
	isOfAnotherExecution({ execution }: Order): boolean {
		return execution !== this.saved.executionId;
	}

	private canRead(entry: Entry): boolean {
		return typeof this.recent.recall(entry)?.sent.fate === 'string';
	}

	/** Start operations are orders, and Search Again means it: neither reads what others have sent. */
	private get isReading(): boolean {
		return this.settings.task === 'find' && !this.settings.searchesAgain;
	}
}
