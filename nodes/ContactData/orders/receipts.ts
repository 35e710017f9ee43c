import type { IDataObject } from 'n8n-workflow';
import type { Paid } from '../common/errors';
import { addCredits, asNumber, asRecord, asText } from '../common/values';
import type { Saved } from '../input/saved';
import { TOOL_TURN } from '../input/saved';
import type { Size } from '../lookups/types';
import type { Accepted, Entry, Fate, Order } from './order';
import { accepted, chargeOf } from './order';

/** 72 bits. A longer one would be a slice, which keeps the whole hash in memory. */
export const NAME_LENGTH = 12;

/** What is remembered of an order that is paid for, or may be. */
export interface Sent {
	size: Size;
	/** Of searches. */
	count: number;
	/** The execution that has sent it. */
	execution?: string;
	/** Of what is accepted perhaps its id alone. */
	fate: Accepted | Unknown | string;
}

type Unknown = Extract<Fate, { kind: 'unknown' }>;

/** The same as n8n saves it, with the names of all its searches in their order. */
interface Receipt extends Sent {
	names: string[];
	fate: Accepted | Unknown;
	/** Of what others have paid for in the last day: where each name is in its batch. */
	places?: readonly unknown[];
}

/** A search that was sent before, and its place in its batch, where that is known. */
interface SentSearch {
	origin: 'earlierTry' | 'recent';
	sent: Receipt;
	place?: number;
}

/**
 * The orders of one run of one node that are paid for, or may be, as n8n saves them with the execution and
 * hands them to the next try, which then submits nothing a second time. A tool has one set for all its calls.
 */
export class Receipts {
	private readonly saved: IDataObject;
	private readonly turn: string;
	private readonly executionId: string;

	constructor({ node, turn, executionId }: Pick<Saved, 'node' | 'turn' | 'executionId'>) {
		this.turn = turn;
		this.executionId = executionId;
		this.saved = recordIn(recordIn(node, 'receipts'), turn);
	}

	/** One object for all that share these receipts. */
	get shared(): object {
		return this.saved;
	}

	/** Written before a request leaves, and after each change: a try that follows a crash finds it. */
	write({ origin, size, entries, count, execution, fate }: Order): void {
		const names = entries.map(({ name }) => name);
		// No search is sent twice, so the first one names its order.
		const [key = ''] = names;
		const ofOthers = { execution, count, places: entries.map(({ place }) => place ?? null) };
		const receipt = {
			size,
			names: names.join(''),
			...(origin === 'recent' ? ofOthers : { execution: this.executionId }),
		};
		if ('id' in fate) this.saved[key] = { ...receipt, answer: { ...fate.receipt, id: fate.id } };
		else if (fate.kind === 'sending') this.saved[key] = receipt;
		else if (fate.kind === 'unknown')
			this.saved[key] = { ...receipt, unknown: fate.reason, lastAnswer: fate.lastAnswer };
		else delete this.saved[key];
	}

	/** Once every row has its result there is nothing left to go on from, but for a tool's next call. */
	clear(): void {
		if (this.turn === TOOL_TURN) return;
		for (const key of Object.keys(this.saved)) delete this.saved[key];
	}

	/** What earlier tries have sent, by search: each is known again by itself, in whatever batch it would be now. */
	find(): Map<Entry['name'], SentSearch> {
		return new Map(
			this.all.flatMap((sent) => {
				const { names, places } = sent;
				return names.map((name, index): [string, SentSearch] => {
					if (places === undefined) return [name, { origin: 'earlierTry', sent, place: index }];
					return [name, { origin: 'recent', sent, place: asNumber(places[index]) }];
				});
			}),
		);
	}

	/** What is paid for, or may be. */
	get paid(): Omit<Paid, 'size'> {
		return {
			paidFor: this.own.flatMap(({ fate }) => ('id' in fate ? fate.id : [])),
			unsure: this.own.reduce((sum, { fate, count }) => sum + ('id' in fate ? 0 : count), 0),
		};
	}

	/** What the calls of a tool have spent in this execution, all together; `undefined` for a node that is none. */
	get calls(): { credits: number; unsure: number } | undefined {
		if (this.turn !== TOOL_TURN) return undefined;
		const cost = { credits: 0, unsure: 0 };
		for (const sent of this.all) {
			if (sent.execution !== this.executionId) continue;
			const charged = chargeOf({ ...sent, origin: 'earlierTry' });
			if (charged === undefined) cost.unsure += sent.count;
			else cost.credits = addCredits(cost.credits, charged);
		}
		return cost;
	}

	/** Whether another version has saved some, which this one cannot tell apart. */
	get areUnreadable(): boolean {
		return Object.values(this.saved).some((saved) => asRecord(saved)?.size === undefined);
	}

	/** How many submissions of this run they are of. */
	get size(): number {
		return this.own.length;
	}

	private get own(): Receipt[] {
		return this.all.filter(({ places }) => places === undefined);
	}

	private get all(): Receipt[] {
		return Object.values(this.saved).map((saved): Receipt => {
			const fields = asRecord(saved) ?? {};
			const { size, names: joined, execution, answer, unknown, lastAnswer, places } = fields;
			const receipt = asRecord(answer) ?? {};
			const id = asText(receipt.id);
			const names = namesIn(asText(joined) ?? '');
			return {
				size: size === 'bulk' ? 'bulk' : 'single',
				names,
				count: asNumber(fields.count) ?? names.length,
				execution: asText(execution),
				places: Array.isArray(places) ? places : undefined,
				fate:
					id === undefined
						? {
								kind: 'unknown',
								reason: asText(unknown) ?? INTERRUPTED,
								lastAnswer: asText(lastAnswer),
							}
						: accepted(id, receipt),
			};
		});
	}
}

const INTERRUPTED = 'an earlier try was interrupted while it was being sent';

function namesIn(joined: string): string[] {
	const count = Math.floor(joined.length / NAME_LENGTH);
	return Array.from({ length: count }, (_, index) =>
		joined.slice(index * NAME_LENGTH, (index + 1) * NAME_LENGTH),
	);
}

/** An object in one that is saved; it is made where there is none. */
function recordIn(saved: IDataObject, name: string): IDataObject {
	const record = asRecord(saved[name]) ?? {};
	saved[name] = record;
	return record;
}
