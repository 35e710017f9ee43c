import type { IDataObject } from 'n8n-workflow';
import { epochSeconds } from '../common/time';
import { asRecord, groupBy } from '../common/values';
import type { Run } from '../run/run';
import type { MemoryRow } from '../run/memoryTable';
import { isServiceThere } from '../service/account';
import { rowOf } from './journal';
import {
	type AcceptedOrder,
	chargeOf,
	type Entry,
	type Fate,
	isLost,
	isSpent,
	type Order,
} from './order';
import { type Memory, memoryOf } from './memory';
import { notePrice, presumedCostOf } from './prices';
import {
	countOf,
	fateOf,
	hashesOf,
	restoreReceipts,
	receiptsIn,
	type Sent,
	toSent,
} from './receipts';
import { refundOf } from './refunds';
import { Reservations } from './reservations';

const ACCOUNT_TIMEOUT_MS = 5_000;

/**
 * Knows the searches that were sent before: by an earlier try of this run, which n8n saves with the execution,
 * and by any run that is remembered. They are read, and not sent again. Each new fate of an order is recorded
 * here.
 */
export class Ledger {
	/** As n8n saves them; one object for all calls of a tool. */
	readonly receipts: IDataObject;
	private readonly reservations: Reservations;
	private readonly memory: Memory;
	/** What its orders count for in the account's day, from the second in which each was planned. */
	private readonly counted = new WeakMap<Order, { credits: number; at: number }>();

	constructor(
		private readonly run: Pick<
			Run,
			'settings' | 'connection' | 'saved' | 'notes' | 'call' | 'table'
		>,
	) {
		const { account } = run.connection;
		this.receipts = receiptsIn(run.saved);
		this.reservations = new Reservations(account.fingerprint);
		this.memory = memoryOf(account);
	}

	/** Takes in what other processes have written, before a run plans. */
	async refresh(): Promise<void> {
		const { memory } = this;
		const { table } = this.run;
		if (table === undefined) return;
		if (memory.isNew) table.readAnew();
		memory.isNew = false;
		await table.readNew((row) => memory.takeIn(row));
	}

	/** Whether another version has saved receipts, which this one cannot tell apart. */
	get isUnreadable(): boolean {
		return Object.values(this.receipts).some((saved) => asRecord(saved)?.hashes === undefined);
	}

	/** The orders in which these searches were sent before, and the searches that are left. */
	find(entries: readonly Entry[]): { known: Order[]; rest: Entry[] } {
		const { own, read } = this.saved();
		const recent = this.recentOf(entries);
		const sentIn = ({ hash }: Entry) =>
			own.get(hash) ?? recent.get(hash) ?? (this.isReading ? read.get(hash) : undefined);
		const found = entries.flatMap((entry) => {
			const sent = sentIn(entry);
			return sent === undefined ? [] : { entry, sent };
		});
		const known = groupBy(found, ({ sent }) => sent).map((same): Order => {
			const [{ entry: first, sent }] = same;
			const places = new Map(hashesOf(sent).map((hash, place) => [hash, place]));
			return {
				origin: own.has(first.hash) ? 'earlierTry' : 'recent',
				size: sent.size,
				entries: same.map(({ entry }) => ({ ...entry, place: places.get(entry.hash) })),
				count: countOf(sent),
				resumes: sent.resumes,
				sentAt: sent.at,
				fate: fateOf(sent),
			};
		});
		return { known, rest: entries.filter((entry) => sentIn(entry) === undefined) };
	}

	/**
	 * Saves with this execution what it reads of other runs: its retry reads that again, also after a restart or
	 * a day later. The calls of a tool are one execution, which reads what it needs.
	 */
	adopt(known: readonly Order[]): void {
		if (this.run.call !== undefined) return;
		for (const order of known) {
			if (order.origin !== 'recent') continue;
			const sent = this.memory.recall(order.entries[0]?.hash ?? '');
			if (sent !== undefined) this.save(order.entries, { ...sent, isOnlyRead: true });
		}
	}

	/** Reserves what this run is going to send. What another run has reserved is left to that. */
	reserve(entries: readonly Entry[]): { mine: Entry[]; theirs: Entry[] } {
		const isTheirs = ({ hash }: Entry) => this.isReading && this.reservations.isOfAnother(hash);
		const mine = entries.filter((entry) => !isTheirs(entry));
		for (const { hash } of mine) this.reservations.take(hash);
		return { mine, theirs: entries.filter(isTheirs) };
	}

	/** These are not sent any more. */
	free(entries: readonly Entry[]): void {
		for (const { hash } of entries) this.reservations.free(hash);
	}

	/** Waits until other runs have sent these, or have given them up; `false` where that took too long. */
	async othersDone(entries: readonly Entry[], signal: AbortSignal): Promise<boolean> {
		return await this.reservations.othersDone(
			entries.map(({ hash }) => hash),
			signal,
		);
	}

	/** Whether another run has sent one of these meanwhile, and this run may read it. */
	isSentByOthers(entries: readonly Entry[]): boolean {
		return this.recentOf(entries).size > 0;
	}

	/** Records what became of an order, before its request leaves and after its answer. */
	record(order: Order, fate: Fate): void {
		this.book(order, fate);
		this.count(order);
		if (fate.kind === 'sending' || fate.kind === 'claimed') return;
		if (isSpent(fate)) this.remember(order);
		this.free(order.entries);
	}

	/** In the account's day. */
	private count(order: Order): void {
		const { connection, settings } = this.run;
		const { credits: before, at } = this.counted.get(order) ?? { credits: 0, at: epochSeconds() };
		const credits = presumedCostOf(connection.account, settings.lookup, order);
		this.counted.set(order, { credits, at });
		this.memory.spend(credits - before, at);
	}

	/** In what n8n saves with the execution. */
	private book(order: Order, fate: Fate): void {
		const { notes } = this.run;
		const wasSending = order.fate.kind === 'sending';
		order.fate = fate;
		this.save(order.entries, toSent(order));
		if (fate.kind === 'sending') notes.countSent(1);
		else if (wasSending && !isSpent(fate)) notes.countSent(-1);
		if (fate.kind === 'unknown') notes.noteUnknown(order.size);
		if (!('id' in fate)) return;
		notes.addId(fate.id, order.size);
		notes.addSpent(chargeOf(order) ?? 0);
	}

	/** For later runs. */
	private remember(order: Order): void {
		const { connection, settings } = this.run;
		const charge = chargeOf(order);
		if (charge !== undefined) notePrice(connection.account, settings.lookup, order, charge);
		const sent = toSent(order);
		if (sent === undefined) return;
		const { size, hashes, resumes, answer, unknown } = sent;
		const id = answer && { id: answer.id };
		this.memory.remember({ size, hashes, resumes, answer: id, unknown, at: epochSeconds() });
	}

	/** Notes what has come of orders that were waited for: what came back of their credits, and which are lost. */
	async settle(orders: readonly AcceptedOrder[]): Promise<void> {
		const { settings, connection, table } = this.run;
		const rows: MemoryRow[] = [];
		const lost = new Set(orders.filter((order) => order.origin === 'recent' && isLost(order)));
		const isSure = lost.size > 0 && (await isServiceThere(connection, ACCOUNT_TIMEOUT_MS));
		for (const order of orders) {
			if (isSure && lost.has(order)) {
				this.forget(order);
				rows.push(rowOf(this.run, 'lost', order, 0));
			}
			const refund = order.origin === 'new' ? refundOf(settings.lookup, order) : 0;
			if (refund === 0) continue;
			// It ends with the charge that it belongs to.
			this.memory.spend(-refund, this.counted.get(order)?.at);
			rows.push(rowOf(this.run, 'refunded', order, refund));
		}
		await table?.append(rows);
	}

	/** How many of these searches are paid for, and could be read. */
	countReadable(entries: readonly Entry[]): number {
		return entries.filter(({ hash }) => this.memory.recall(hash)?.answer).length;
	}

	/**
	 * The service does not know the id any more: the next execution searches anew. Another run may have done so
	 * already. A second try of this one does not: the service may say so only for a moment.
	 */
	private forget({ entries, fate: { id } }: AcceptedOrder): void {
		this.memory.forget(
			entries.map(({ hash }) => hash),
			id,
		);
		for (const saved of Object.values(this.receipts)) {
			const receipt = asRecord(saved);
			const isOfId = asRecord(receipt?.answer)?.id === id;
			if (receipt?.isOnlyRead === true && isOfId) receipt.lostIn = this.run.saved.executionId;
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
		if (sent === undefined) delete this.receipts[first.hash];
		else this.receipts[first.hash] = { ...sent, execution: this.run.saved.executionId };
	}

	/** The saved orders by search: each is found again by itself, whatever batch it would be in now. */
	private saved(): Record<'own' | 'read', Map<Entry['hash'], Sent>> {
		const { executionId } = this.run.saved;
		const saved = { own: new Map<string, Sent>(), read: new Map<string, Sent>() };
		for (const sent of restoreReceipts(this.receipts)) {
			if ((sent.lostIn ?? executionId) !== executionId) continue;
			for (const hash of hashesOf(sent)) saved[sent.isOnlyRead ? 'read' : 'own'].set(hash, sent);
		}
		return saved;
	}

	/** Of these searches those that are remembered, whoever asked. */
	private recentOf(entries: readonly Entry[]): Map<string, Sent> {
		if (!this.isReading) return new Map();
		const found = entries.flatMap(({ hash }) => {
			const sent = this.memory.recall(hash);
			return sent === undefined ? [] : { hash, sent };
		});
		const groups = groupBy(found, ({ sent }) => sent).filter((same) => {
			const [{ sent }] = same;
			// The id of a batch opens all of its results: a chat is not given one with other people in it.
			const isPart = this.run.call !== undefined && same.length < countOf(sent);
			return !isPart || sent.answer === undefined;
		});
		return new Map(groups.flat().map(({ hash, sent }) => [hash, sent]));
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
