import type { IDataObject } from 'n8n-workflow';
import type { Paid } from '../common/errors';
import { addCredits, asRecord, asText, tellIds } from '../common/values';
import type { Saved } from '../input/saved';
import { TOOL_TURN } from '../input/saved';
import type { Size } from '../lookups/types';
import type { Entry, Fate, Order } from './order';
import { accepted, chargeOf } from './order';

/** 48 bits: enough for the few thousand searches of a run, and short in the receipts. */
export const NAME_LENGTH = 8;
/** Raised whenever a search gets another name: no receipt of an earlier version is overlooked then. */
export const NAMING = 2;

/** The key of an order that the user has named by its id: no other has a space in it. */
export function namedKey(id: string): string {
	return `id ${id}`;
}

/** An order as n8n saves it. */
interface Receipt extends Pick<Order, 'key' | 'origin'> {
	/** Of all its searches. */
	names: string[];
	naming: unknown;
	/** The execution that has sent it. */
	execution: unknown;
	fate: Fate;
}

/**
 * The orders of one run of one node that are paid for, or may be, as n8n saves them with the execution and
 * hands them to the next try, which then submits nothing a second time. A tool has one set for all its calls.
 */
export class Receipts {
	private readonly entries: IDataObject;
	private readonly turn: string;
	private readonly executionId: string;

	constructor({ node, turn, executionId }: Pick<Saved, 'node' | 'turn' | 'executionId'>) {
		this.turn = turn;
		this.executionId = executionId;
		this.entries = recordIn(recordIn(node, 'receipts'), turn);
	}

	/** One object for all that share these receipts. */
	get shared(): object {
		return this.entries;
	}

	/** Written before a request leaves, and after each change: a try that follows a crash finds it. */
	write({ key, entries, fate }: Order): void {
		const names = entries.map(({ name }) => name).join('');
		const receipt = { names, naming: NAMING, execution: this.executionId };
		if ('id' in fate) this.entries[key] = { ...receipt, answer: fate.receipt };
		else if (fate.kind === 'unknown')
			this.entries[key] = { ...receipt, unknown: fate.reason, said: fate.said };
		else delete this.entries[key];
	}

	/** Once every row has its result there is nothing left to go on from, but for a tool's next call. */
	clear(): void {
		if (this.turn === TOOL_TURN) return;
		for (const key of Object.keys(this.entries)) delete this.entries[key];
	}

	/**
	 * What earlier tries have sent of these searches: each is known again by itself, in whatever batch it
	 * would be now.
	 * @returns with what is left also its fate, where receipts of another version may be of it
	 */
	find(size: Size, entries: readonly Entry[]): { earlier: Order[]; rest: Entry[]; doubt?: Fate } {
		const receipts = this.list();
		const left = new Map(entries.map((entry) => [entry.name, entry]));
		const unclaimed = receipts.filter(
			({ naming, names }) => naming !== NAMING && !names.every((name) => left.has(name)),
		);
		const earlier = receipts.flatMap(({ key, origin, names, fate }): Order[] => {
			const asked = names.flatMap((name, place) => {
				const entry = left.get(name);
				left.delete(name);
				return entry === undefined ? [] : [{ ...entry, ...(origin !== 'named' && { place }) }];
			});
			const order = { key, origin, size, entries: asked, count: names.length, fate };
			return asked.length === 0 ? [] : [order];
		});
		const doubt = unclaimed.length === 0 ? undefined : fateOfUnclaimed(unclaimed);
		return { earlier, rest: [...left.values()], doubt };
	}

	/** What is paid for, or may be. */
	paid(): Omit<Paid, 'size'> {
		const own = this.list().filter(({ origin }) => origin !== 'named');
		return {
			paidFor: own.flatMap(({ fate }) => ('id' in fate ? fate.id : [])),
			unsure: own.reduce(
				(sum, { fate, names }) => sum + (fate.kind === 'unknown' ? Math.max(1, names.length) : 0),
				0,
			),
		};
	}

	/** What the calls of a tool have spent in this execution, all together; `undefined` for a node that is none. */
	get calls(): { credits: number; unsure: number } | undefined {
		if (this.turn !== TOOL_TURN) return undefined;
		const cost = { credits: 0, unsure: 0 };
		for (const { names, execution, ...receipt } of this.list()) {
			if (execution !== this.executionId) continue;
			const charged = chargeOf({ ...receipt, count: names.length });
			if (charged === undefined) cost.unsure += names.length;
			else cost.credits = addCredits(cost.credits, charged);
		}
		return cost;
	}

	/** Whether another execution has sent it, to which then the service calls back. */
	isOfEarlierExecution({ key }: Order): boolean {
		const { answer, execution } = asRecord(this.entries[key]) ?? {};
		return answer !== undefined && execution !== undefined && execution !== this.executionId;
	}

	/** How many submissions they are of. */
	get size(): number {
		return this.list().filter(({ origin }) => origin !== 'named').length;
	}

	private list(): Receipt[] {
		return Object.entries(this.entries).map(([key, saved]): Receipt => {
			const entry = asRecord(saved) ?? {};
			const { names, naming, execution, answer } = entry;
			const id = asText(asRecord(answer)?.id);
			return {
				key,
				origin: id !== undefined && key === namedKey(id) ? 'named' : 'earlierTry',
				names: namesIn(asText(names) ?? ''),
				naming,
				execution,
				fate: id === undefined ? unknownFate(entry) : accepted(id, asRecord(answer) ?? {}),
			};
		});
	}
}

function unknownFate({ unknown, said }: IDataObject): Fate {
	return {
		kind: 'unknown',
		reason: asText(unknown) ?? 'an earlier try was interrupted while it was being sent',
		said: asText(said),
	};
}

/** The fate of what has no receipt, where there are some of which nobody knows whose they are. */
function fateOfUnclaimed(receipts: readonly Receipt[]): Fate {
	const ids = receipts.flatMap(({ fate }) => ('id' in fate ? fate.id : []));
	const which = ids.length > 0 ? `, as ${tellIds(ids)}` : '';
	return {
		kind: 'unknown',
		reason: `another version of this node has started searches in this execution${which}, and nobody can tell for which items`,
	};
}

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
