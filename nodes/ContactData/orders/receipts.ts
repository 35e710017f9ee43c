import type { IDataObject } from 'n8n-workflow';
import type { Paid } from '../common/errors';
import { addCredits, asRecord, asText } from '../common/values';
import type { Saved } from '../input/saved';
import { TOOL_TURN } from '../input/saved';
import type { Size } from '../lookups/types';
import type { Accepted, Cost, Entry, Fate, Order } from './order';
import { accepted, chargeOf } from './order';

/** 72 bits. A longer one would be a slice, which keeps the whole hash in memory. */
export const NAME_LENGTH = 12;

/**
 * An order that is paid for, or may be, as n8n saves it and as this process remembers it: no results, and
 * nothing of its searches in clear.
 */
export interface Sent {
	size: Size;
	/** The names of all its searches, one after another. */
	names: string;
	/** The execution that the service resumes when it has ended. */
	resumes?: string;
	/** What the service has answered, with its id. */
	answer?: IDataObject;
	/** Why there is no answer; left out where it has just left. */
	unknown?: string;
	/** What came instead of a receipt. */
	lastAnswer?: string;
	/** Whether this run only reads what another has sent. */
	isRead?: boolean;
}

/** How an order is remembered; `undefined` where nothing was sent for it, or nothing taken. */
export function toSent({ size, entries, resumes, fate }: Order): Sent | undefined {
	const sent: Sent = { size, names: entries.map(({ name }) => name).join(''), resumes };
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

type UnknownFate = Extract<Fate, { kind: 'unknown' }>;

const INTERRUPTED = 'an earlier try was interrupted while it was being sent';

export function namesOf({ names }: Sent): string[] {
	return Array.from({ length: countOf({ names }) }, (_, place) =>
		names.slice(place * NAME_LENGTH, (place + 1) * NAME_LENGTH),
	);
}

/** Of its searches. */
export function countOf({ names }: Pick<Sent, 'names'>): number {
	return Math.floor(names.length / NAME_LENGTH);
}

/**
 * The orders of one run of one node that are paid for, or may be, as n8n saves them with the execution and
 * hands them to the next try, which then submits nothing a second time. A tool has one set for all its calls.
 */
export class Receipts {
	private readonly saved: IDataObject;

	constructor(private readonly run: Pick<Saved, 'node' | 'turn' | 'executionId'>) {
		this.saved = recordIn(recordIn(run.node, 'receipts'), run.turn);
	}

	/** One object for all that share these receipts. */
	get shared(): object {
		return this.saved;
	}

	/** Written before a request leaves, and after each change: a try that follows a crash finds it. */
	write(order: Order): void {
		this.note(order.entries, toSent(order));
	}

	/** @param entries the first of which names its order, as no search is sent twice */
	note([first]: readonly Entry[], sent: Sent | undefined): void {
		if (first === undefined) return;
		if (sent === undefined) delete this.saved[first.name];
		else this.saved[first.name] = { ...sent, execution: this.run.executionId };
	}

	/**
	 * Once every row has its result there is nothing left to go on from, but for a tool's next call.
	 * @param keepsPaid where n8n may run the node again: what was only read it finds in this process
	 */
	clear(keepsPaid = false): void {
		if (this.run.turn === TOOL_TURN) return;
		for (const [key, sent] of Object.entries(this.saved)) {
			if (!keepsPaid || asRecord(sent)?.isRead === true) delete this.saved[key];
		}
	}

	/** What was only read, and is lost at the service. */
	forget(id: string): void {
		for (const [key, sent] of Object.entries(this.saved)) {
			const { isRead, answer } = asRecord(sent) ?? {};
			if (isRead === true && asRecord(answer)?.id === id) delete this.saved[key];
		}
	}

	/** By search: each is known again by itself, in whatever batch it would be now. */
	find(isRead: boolean): Map<Entry['name'], Sent> {
		return new Map(
			this.all
				.filter((sent) => (sent.isRead === true) === isRead)
				.flatMap((sent) => namesOf(sent).map((name) => [name, sent])),
		);
	}

	/** What is paid for, or may be. */
	get paid(): Omit<Paid, 'size'> {
		const own = this.all.filter(({ isRead }) => isRead !== true).map((sent) => toOrder(sent));
		return {
			paidFor: own.flatMap(({ fate }) => ('id' in fate ? fate.id : [])),
			unsure: own.reduce((sum, { fate, count }) => sum + ('id' in fate ? 0 : count), 0),
		};
	}

	/** What this execution has spent: earlier tries of the run, or all calls of a tool. */
	get cost(): Cost {
		const cost: Cost = { credits: 0, inDoubt: 0 };
		for (const sent of this.all) {
			if (sent.execution !== this.run.executionId || sent.isRead === true) continue;
			const charge = chargeOf(toOrder(sent));
			if (charge === undefined) cost.inDoubt += countOf(sent);
			else cost.credits = addCredits(cost.credits, charge);
		}
		return cost;
	}

	/** Whether another version has saved some, which this one cannot tell apart. */
	get areUnreadable(): boolean {
		return Object.values(this.saved).some((saved) => asRecord(saved)?.size === undefined);
	}

	private get all(): Array<Sent & { execution?: string }> {
		return Object.values(this.saved).map((saved) => {
			const { size, names, resumes, execution, answer, unknown, lastAnswer, isRead } =
				asRecord(saved) ?? {};
			return {
				size: size === 'bulk' ? 'bulk' : 'single',
				names: asText(names) ?? '',
				resumes: asText(resumes),
				execution: asText(execution),
				answer: asRecord(answer),
				unknown: asText(unknown),
				lastAnswer: asText(lastAnswer),
				isRead: isRead === true,
			};
		});
	}
}

/** As far as its cost goes. */
function toOrder(sent: Sent) {
	return { origin: 'earlierTry', count: countOf(sent), fate: fateOf(sent) } as const;
}

/** An object in one that is saved; it is made where there is none. */
function recordIn(saved: IDataObject, name: string): IDataObject {
	const record = asRecord(saved[name]) ?? {};
	saved[name] = record;
	return record;
}
