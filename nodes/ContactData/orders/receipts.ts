import type { IDataObject } from 'n8n-workflow';
import type { Paid } from '../common/errors';
import { addCredits, asNumber, asRecord, asText } from '../common/values';
import type { Saved } from '../run/saved';
import type { Size } from '../lookups/types';
import {
	accepted,
	type Accepted,
	chargeOf,
	type Cost,
	type Order,
	type UnknownFate,
} from './order';

/** In letters: 72 bits. V8 copies a slice of up to 12 letters; a longer one keeps the whole hash in memory. */
export const HASH_LENGTH = 12;

/** An order that is paid for, or may be, as it is saved and remembered: without results, its searches hashed. */
export interface Sent {
	size: Size;
	/** Of all its searches, one after another. */
	hashes: string;
	/** The execution that the service resumes when it has ended. */
	resumes?: string;
	/** When it was sent, in seconds since 1970. */
	at?: number;
	/** What the service has answered, with its id. */
	answer?: IDataObject;
	/** Why there is no answer; left out where it has just left. */
	unknown?: string;
	/** What came instead of a receipt. */
	lastAnswer?: string;
	/** Whether this run only reads what another has sent. */
	isOnlyRead?: boolean;
	/** The execution to which the service has said that it does not know the id any more. */
	lostIn?: string;
}

/** How an order is remembered; `undefined` where nothing was sent, or the service took nothing. */
export function toSent({ size, entries, resumes, fate }: Order): Sent | undefined {
	const sent: Sent = { size, hashes: hashesIn(entries), resumes };
	if ('id' in fate) return { ...sent, answer: { ...fate.receipt, id: fate.id } };
	if (fate.kind === 'sending') return sent;
	return fate.kind === 'unknown'
		? { ...sent, unknown: fate.reason, lastAnswer: fate.lastAnswer }
		: undefined;
}

export function fateOf({ answer = {}, unknown, lastAnswer }: Sent): Accepted | UnknownFate {
	const id = asText(answer.id);
	if (id !== undefined) return accepted(id, answer);
	return { kind: 'unknown', reason: unknown ?? INTERRUPTED, lastAnswer };
}

const INTERRUPTED = 'an earlier try was interrupted while it was being sent';

export function hashesIn(entries: Order['entries']): string {
	return entries.map(({ hash }) => hash).join('');
}

export function hashesOf({ hashes }: Pick<Sent, 'hashes'>): string[] {
	return Array.from({ length: countOf({ hashes }) }, (_, place) =>
		hashes.slice(place * HASH_LENGTH, (place + 1) * HASH_LENGTH),
	);
}

/** How many searches it has. */
export function countOf({ hashes }: Pick<Sent, 'hashes'>): number {
	return Math.floor(hashes.length / HASH_LENGTH);
}

/** What an order is saved as: with the execution that has sent it. */
type Receipt = Sent & { execution?: string };

/**
 * The receipts of one run of one node, by the hash of the first search of each order. n8n saves them with the
 * execution and hands them to the next try, which submits none of them again. All calls of a tool share one set.
 */
export function receiptsIn({ node, loopTurn }: Pick<Saved, 'node' | 'loopTurn'>): IDataObject {
	return recordIn(recordIn(node, 'receipts'), loopTurn);
}

/** What is paid for, or may be. */
export function paidIn(saved: Saved): Omit<Paid, 'size'> {
	const own = restoreReceipts(receiptsIn(saved))
		.filter(({ isOnlyRead }) => isOnlyRead !== true)
		.map((receipt) => toOrder(receipt));
	return {
		paidFor: own.flatMap(({ fate }) => ('id' in fate ? fate.id : [])),
		unsure: own.reduce((sum, { fate, count }) => sum + ('id' in fate ? 0 : count), 0),
	};
}

/** The credits that this execution has spent: in earlier tries of the run, or in all calls of a tool. */
export function costIn(saved: Saved): Cost {
	const cost: Cost = { credits: 0, inDoubt: 0 };
	for (const receipt of restoreReceipts(receiptsIn(saved))) {
		if (receipt.execution !== saved.executionId || receipt.isOnlyRead === true) continue;
		const charge = chargeOf(toOrder(receipt));
		if (charge === undefined) cost.inDoubt += countOf(receipt);
		else cost.credits = addCredits(cost.credits, charge);
	}
	return cost;
}

export function restoreReceipts(receipts: IDataObject): Receipt[] {
	return Object.values(receipts).map((saved): Receipt => {
		const { size, hashes, at, answer, isOnlyRead, ...texts } = asRecord(saved) ?? {};
		return {
			size: size === 'bulk' ? 'bulk' : 'single',
			hashes: asText(hashes) ?? '',
			resumes: asText(texts.resumes),
			at: asNumber(at),
			execution: asText(texts.execution),
			answer: asRecord(answer),
			unknown: asText(texts.unknown),
			lastAnswer: asText(texts.lastAnswer),
			isOnlyRead: isOnlyRead === true,
			lostIn: asText(texts.lostIn),
		};
	});
}

/** The part of an order that tells its cost. */
function toOrder(sent: Sent) {
	return { origin: 'earlierTry', count: countOf(sent), fate: fateOf(sent) } as const;
}

/** An object in one that is saved; it is made where there is none. */
function recordIn(saved: IDataObject, name: string): IDataObject {
	const record = asRecord(saved[name]) ?? {};
	saved[name] = record;
	return record;
}
