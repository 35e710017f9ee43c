import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../common/bounds';
import { monotonicMs, unlessAborted } from '../common/time';
import { asRecord, groupBy } from '../common/values';
import type { Run } from '../run/run';
import type { Lookup } from '../lookups/types';
import type { Account } from '../service/request';
import { noteId } from './givenIds';
import { type AcceptedOrder, chargeOf, type Entry, type Fate, type Order } from './order';
import { countOf, fateOf, namesOf, readReceipts, receiptsIn, type Sent, toSent } from './receipts';

const REMEMBERED_MS = 86_400_000;
/** Searches, in at most 30 MB. */
const MAX_REMEMBERED = 100_000;
/** Searches that were sent of late. */
const MAX_SENT = 20_000;

interface Remembered extends Sent {
	/** When, by the monotonic clock, in whole milliseconds. */
	at: number;
}

/** How many searches were paid for in the last day: with these options, and with others. */
export interface PaidBefore {
	repeated: number;
	otherwise: number;
}

/** Orders that this process has sent, by the name of each search. A restart of n8n forgets them. */
const remembered = new RecentMap<string, Remembered>(MAX_REMEMBERED);
/** Searches that are being sent; each promise ends when it is known what became of that. */
const underWay = new Map<string, Promise<void>>();
/** Searches that were sent with whatever options, and when. */
const sentPlainly = new RecentMap<string, number>(MAX_SENT);
/** What one search cost when this process was last charged, and when, by account and lookup. */
const lastPrices = new RecentMap<string, { credits: number; at: number }>(500);

/** By the monotonic clock, in milliseconds. */
function isSince(at: number | undefined): boolean {
	return at !== undefined && monotonicMs() - at < REMEMBERED_MS;
}

/** Credits; `undefined` where this process was not charged in the last day. */
export function lastPriceOf({ fingerprint }: Account, { path }: Lookup): number | undefined {
	const last = lastPrices.get(`${fingerprint} ${path}`);
	return isSince(last?.at) ? last?.credits : undefined;
}

/**
 * Knows the searches that were sent before: by an earlier try of this run, which n8n saves with the execution,
 * and by any run of this process in the last day. They are read, and not sent again. Each new fate of an order
 * is recorded here.
 */
export class Ledger {
	/** As n8n saves them; one object for all calls of a tool. */
	readonly receipts: IDataObject;
	/** Searches of this run that were paid for before. */
	readonly paidAgain: PaidBefore = { repeated: 0, otherwise: 0 };
	private readonly claims = new WeakMap<Order, () => void>();

	constructor(
		private readonly run: Pick<Run, 'settings' | 'connection' | 'saved' | 'notes' | 'call'>,
	) {
		this.receipts = receiptsIn(run.saved);
	}

	/** Whether another version has saved receipts, which this one cannot tell apart. */
	get isUnreadable(): boolean {
		return Object.values(this.receipts).some((saved) => asRecord(saved)?.size === undefined);
	}

	/**
	 * The orders in which these searches were sent before, and the searches that are left. An order of another
	 * run is saved with this execution, so that its retry reads it again, also after a restart or a day later.
	 */
	find(entries: readonly Entry[]): { known: Order[]; rest: Entry[] } {
		const own = this.saved(false);
		const read = this.isReading ? this.saved(true) : new Map<string, Sent>();
		const recent = this.recentOf(entries);
		const sentIn = ({ name }: Entry) => own.get(name) ?? recent.get(name) ?? read.get(name);
		const found = entries.flatMap((entry) => {
			const sent = sentIn(entry);
			return sent === undefined ? [] : { entry, sent };
		});
		const known = groupBy(found, ({ sent }) => sent).map((same): Order => {
			const [{ entry: first, sent }] = same;
			const { size, resumes } = sent;
			const places = new Map(namesOf(sent).map((name, place) => [name, place]));
			const asked = same.map(({ entry }) => ({ ...entry, place: places.get(entry.name) }));
			const order = { size, entries: asked, count: countOf(sent), resumes, fate: fateOf(sent) };
			if (own.has(first.name)) return { origin: 'earlierTry', ...order };
			const { call, settings } = this.run;
			if (call === undefined && !settings.dryRun) this.save(asked, { ...sent, isOnlyRead: true });
			return { origin: 'recent', ...order };
		});
		return { known, rest: entries.filter((entry) => sentIn(entry) === undefined) };
	}

	/** Reserves an order that is about to leave; `false` where another run has sent a part of it, or sends it. */
	claim(order: Order): boolean {
		const { entries } = order;
		const isOfOthers = this.recentOf(entries).size > 0;
		if (isOfOthers || entries.some((entry) => this.isBusy(entry))) return false;
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const names = entries.map(({ name }) => this.nameHere(name));
		// A Start does not wait for a search that another run sends, and others still wait for that one.
		for (const name of names) if (!underWay.has(name)) underWay.set(name, ended);
		this.claims.set(order, () => {
			for (const name of names) if (underWay.get(name) === ended) underWay.delete(name);
			end();
		});
		return true;
	}

	/** Whether another run is sending this search, and this run may read it. */
	isBusy({ name }: Entry): boolean {
		return this.isReading && underWay.has(this.nameHere(name));
	}

	/** Waits until another run has sent one of these; `false` where that took too long. */
	async othersDone(entries: readonly Entry[], signal: AbortSignal): Promise<boolean> {
		const others = entries.flatMap(({ name }) => underWay.get(this.nameHere(name)) ?? []);
		return others.length === 0 || (await unlessAborted(Promise.race(others), signal));
	}

	/** Records what became of an order, before its request leaves and after its answer: in what n8n saves, and for the day. */
	record(order: Order, fate: Fate): void {
		const { notes } = this.run;
		const wasSending = order.fate.kind === 'sending';
		order.fate = fate;
		this.save(order.entries, toSent(order));
		const isKept = 'id' in fate || fate.kind === 'unknown';
		if (fate.kind === 'sending') notes.countSent(1);
		else if (wasSending && !isKept) notes.countSent(-1);
		if (fate.kind === 'unknown') notes.noteUnknown(order.size);
		if ('id' in fate) {
			notes.addId(fate.id, order.size);
			this.noteCharge(order);
			const before = this.paidBefore(order.entries);
			this.paidAgain.repeated += before.repeated;
			this.paidAgain.otherwise += before.otherwise;
		}
		if (fate.kind === 'sending' || fate.kind === 'claimed') return;
		if (isKept) this.remember(order);
		for (const { plainName } of isKept ? order.entries : []) {
			if (plainName !== undefined) sentPlainly.set(this.nameHere(plainName), monotonicMs());
		}
		this.claims.get(order)?.();
	}

	/** How many of these searches are paid for, and could be read, or are so with other options. */
	paidBefore(entries: readonly Entry[]): PaidBefore {
		const isOther = ({ plainName = '' }: Entry) =>
			this.isReading && isSince(sentPlainly.get(this.nameHere(plainName)));
		return {
			repeated: entries.filter(({ name }) => this.recall(name)?.answer).length,
			otherwise: entries.filter(isOther).length,
		};
	}

	private noteCharge(order: Order): void {
		const { connection, settings, notes } = this.run;
		const charge = chargeOf(order);
		if (charge === undefined) return;
		notes.addSpent(charge);
		const price = { credits: charge / order.count, at: monotonicMs() };
		lastPrices.set(`${connection.account.fingerprint} ${settings.lookup.path}`, price);
	}

	/** Whether the service has given the id of a new order to other searches before; notes it where not. */
	isTaken(id: string, { size, entries }: Order): boolean {
		const { connection, settings } = this.run;
		const names = entries.map(({ name }) => name);
		return noteId(connection.account, settings.lookup, size, id, names) === 'anothers';
	}

	/** The service does not know the id any more: the next run searches anew. Another run may have done so already. */
	forget({ entries, fate: { id } }: AcceptedOrder): void {
		for (const { name, plainName = '' } of entries) {
			if (this.recall(name)?.answer?.id !== id) continue;
			remembered.delete(this.nameHere(name));
			sentPlainly.delete(this.nameHere(plainName));
		}
		for (const [key, saved] of Object.entries(this.receipts)) {
			const { isOnlyRead, answer } = asRecord(saved) ?? {};
			if (isOnlyRead === true && asRecord(answer)?.id === id) delete this.receipts[key];
		}
	}

	/**
	 * Deletes the receipts once every row has its result; a tool keeps them for its next call.
	 * @param keepsPaid whether n8n may run the node again: receipts of what was paid for stay then
	 */
	clear(keepsPaid: boolean): void {
		if (this.run.call !== undefined) return;
		for (const [key, saved] of Object.entries(this.receipts)) {
			if (!keepsPaid || asRecord(saved)?.isOnlyRead === true) delete this.receipts[key];
		}
	}

	/** Called before a request leaves, too: n8n may save the execution while it is on its way. */
	private save([first]: readonly Entry[], sent: Sent | undefined): void {
		if (first === undefined) return;
		if (sent === undefined) delete this.receipts[first.name];
		else this.receipts[first.name] = { ...sent, execution: this.run.saved.executionId };
	}

	/** The saved orders by search: each is found again by itself, whatever batch it would be in now. */
	private saved(isOnlyRead: boolean): Map<Entry['name'], Sent> {
		const receipts = readReceipts(this.receipts).filter((sent) => sent.isOnlyRead === isOnlyRead);
		return new Map(receipts.flatMap((sent) => namesOf(sent).map((name) => [name, sent])));
	}

	private remember(order: Order): void {
		const sent = toSent(order);
		if (sent === undefined) return;
		const { size, names, resumes, answer, unknown } = sent;
		const id = answer && { id: answer.id };
		const at = Math.floor(monotonicMs());
		const kept: Remembered = { size, names, resumes, answer: id, unknown, at };
		for (const { name } of order.entries) {
			// An order that can be read is not replaced by one of unknown fate.
			if (id === undefined && this.recall(name)?.answer !== undefined) continue;
			remembered.set(this.nameHere(name), kept);
		}
	}

	/** Of these searches those that this process has sent in the last day, whoever asked. */
	private recentOf(entries: readonly Entry[]): Map<string, Sent> {
		if (!this.isReading) return new Map();
		const found = entries.flatMap(({ name }) => {
			const sent = this.recall(name);
			return sent === undefined ? [] : { name, sent };
		});
		const groups = groupBy(found, ({ sent }) => sent).filter((same) => {
			const [{ sent }] = same;
			// The id of a batch opens all of its results: a chat is not given one with other people in it.
			const isPart = this.run.call !== undefined && same.length < countOf(sent);
			return !isPart || sent.answer === undefined;
		});
		return new Map(groups.flat().map(({ name, sent }) => [name, sent]));
	}

	private recall(name: string): Remembered | undefined {
		const sent = remembered.get(this.nameHere(name));
		return isSince(sent?.at) ? sent : undefined;
	}

	private nameHere(name: string): string {
		return `${this.run.connection.account.fingerprint.slice(0, 8)} ${name}`;
	}

	/** Start operations are orders, and Search Again means it: neither reads what others have sent. */
	private get isReading(): boolean {
		return this.run.settings.task === 'find' && !this.run.settings.searchesAgain;
	}
}

/** A run with its ledger, which is opened with it. */
export interface LedgerRun extends Run {
	ledger: Ledger;
}
