import type { IDataObject } from 'n8n-workflow';
import { addCredits, asRecord, asText, isRecord } from '../common/values';
import type { Paid } from '../common/errors';
import type { ItemSearch } from '../input/searches';
import type { SubmissionOutcome } from '../service/submission';
import type { CallsCost } from './budget';
import { chargeOf } from './budget';
import type { Endpoint, Submission } from './plan';
import { NAME_LENGTH, NAMING, searchName } from './plan';

/** What is worth remembering: what was charged, or may have been. */
export type RecordedOutcome = Extract<SubmissionOutcome, { kind: 'accepted' | 'unknown' }>;

/** Entries of receipts, by the keys of their submissions. */
export type ReceiptEntries = Array<[key: string, entry: IDataObject]>;

/** Instead of the number of a run. */
const TOOL = 'tool';
/** No execution has this ID. */
const ANOTHER_EXECUTION = 'another';

/**
 * What is known of the submissions of one run of one node, kept in the execution itself. n8n saves
 * it with the execution and hands it to the next try, which then submits nothing a second time.
 */
export class Receipts {
	private readonly entries: IDataObject;

	private constructor(
		saved: IDataObject,
		private readonly run: string,
		private readonly executionId: string,
	) {
		this.entries = recordIn(recordIn(saved, 'receipts'), run);
	}

	/**
	 * The receipts of one run: a node in a loop has others at each turn.
	 * @param saved what n8n saves for the node with the execution; they are kept in it
	 */
	static of(saved: IDataObject, run: string, executionId: string): Receipts {
		return new Receipts(saved, run, executionId);
	}

	/** The receipts of a tool: all its calls in an execution share them, and n8n counts each as a run. */
	static ofTool(saved: IDataObject, executionId: string): Receipts {
		return new Receipts(saved, TOOL, executionId);
	}

	/** What the calls of a tool have spent in this execution; `undefined` for a node that is none. */
	get calls(): CallsCost | undefined {
		if (this.run !== TOOL) return undefined;
		const cost = { credits: 0, unsure: 0 };
		for (const { key, names } of this.list()) {
			const outcome = this.get(key);
			if (outcome === undefined || !this.isOfThisExecution(key)) continue;
			const charged = chargeOf(outcome, names.length);
			if (charged === undefined) cost.unsure += names.length;
			else cost.credits = addCredits(cost.credits, charged);
		}
		return cost;
	}

	/** One object for all that share these receipts. */
	get shared(): object {
		return this.entries;
	}

	private isOfThisExecution(key: string): boolean {
		return asRecord(this.entries[key])?.execution === this.executionId;
	}

	/** The entries of all submissions of nothing but these searches, as `add` takes them. */
	entriesOf(names: string[]): ReceiptEntries {
		const asked = new Set(names);
		const known = this.list().filter((submission) =>
			submission.names.every((name) => asked.has(name)),
		);
		return known.map(({ key }): [string, IDataObject] => [key, asRecord(this.entries[key]) ?? {}]);
	}

	/** Adds what another execution has paid for, or may have; it keeps what it knows already. */
	add(entries: ReceiptEntries): void {
		for (const [key, entry] of entries) {
			this.entries[key] ??= { ...entry, execution: ANOTHER_EXECUTION };
		}
	}

	/** What an earlier try knows of this submission; `undefined` when it was never sent. */
	get(key: string): RecordedOutcome | undefined {
		const entry = asRecord(this.entries[key]);
		return entry === undefined ? undefined : toOutcome(entry);
	}

	/** All that is paid for, or may be. */
	paid(): Omit<Paid, 'size'> {
		const paidFor: string[] = [];
		let unsure = 0;
		for (const { key, names } of this.list()) {
			const known = this.get(key);
			if (known?.kind === 'accepted') paidFor.push(known.id);
			else unsure += Math.max(1, names.length);
		}
		return { paidFor, unsure };
	}

	/** Whether a try of another execution started it, to which then the service calls back. */
	isOfEarlierExecution(key: string): boolean {
		const { answer, execution } = asRecord(this.entries[key]) ?? {};
		return answer !== undefined && execution !== undefined && !this.isOfThisExecution(key);
	}

	/** The submissions that earlier tries made: their keys, and the names of their searches. */
	list(): Array<{ key: string; names: string[] }> {
		return Object.entries(this.entries).map(([key, entry]) => ({ key, names: namesIn(entry) }));
	}

	/** Whether a version of this package made it that may have given its searches other names. */
	hasOtherNames(key: string): boolean {
		return asRecord(this.entries[key])?.naming !== NAMING;
	}

	/** While a request is on its way its outcome is unknown, also for a try that comes after a crash. */
	inFlight({ key, names }: Submission, now: boolean): void {
		if (now) this.entries[key] = this.entryOf(names);
		else delete this.entries[key];
	}

	settle({ key, names }: Submission, outcome: SubmissionOutcome): void {
		const what = this.entryOf(names);
		if (outcome.kind === 'accepted') {
			this.entries[key] = { ...what, answer: outcome.answer };
		} else if (outcome.kind === 'unknown') {
			this.entries[key] = { ...what, unknown: outcome.reason, said: outcome.said };
		} else {
			delete this.entries[key];
		}
	}

	private entryOf(names: string[]): IDataObject {
		return { names: names.join(''), naming: NAMING, execution: this.executionId };
	}

	/** Once every item has its result, there is nothing left to go on from, but for a tool's next call. */
	clear(submissions: Submission[]): void {
		if (this.run === TOOL) return;
		for (const { key } of submissions) delete this.entries[key];
	}
}

/** What an entry says of a submission. */
function toOutcome(entry: IDataObject): RecordedOutcome {
	const id = asText(asRecord(entry.answer)?.id);
	if (isRecord(entry.answer) && id !== undefined) {
		return { kind: 'accepted', id, answer: entry.answer };
	}
	return {
		kind: 'unknown',
		reason: asText(entry.unknown) ?? 'an earlier try was interrupted while it was being sent',
		said: asText(entry.said),
	};
}

/** The names of the searches that an entry is of. */
function namesIn(entry: unknown): string[] {
	const joined = asText(asRecord(entry)?.names) ?? '';
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

/**
 * What earlier tries submitted of what the items search for, and what is left to be planned. A
 * search is known again by itself, in whatever batch it would be now.
 * @returns with what is left also the receipts of another version that none of the items claims:
 *   any of these may be of what is left
 */
export function findEarlierSubmissions(
	endpoint: Endpoint,
	receipts: Receipts,
	itemSearches: ItemSearch[],
): { earlier: Submission[]; remaining: ItemSearch[]; unclaimed: RecordedOutcome[] } {
	const known = receipts.list();
	if (known.length === 0) return { earlier: [], remaining: itemSearches, unclaimed: [] };
	const itemsByName = new Map<string, ItemSearch[]>();
	for (const itemSearch of itemSearches) {
		const name = searchName(endpoint, itemSearch);
		const items = itemsByName.get(name);
		if (items === undefined) itemsByName.set(name, [itemSearch]);
		else items.push(itemSearch);
	}
	const unclaimed = known.flatMap(({ key, names }) => {
		const isClaimed = !receipts.hasOtherNames(key) || names.every((name) => itemsByName.has(name));
		return isClaimed ? [] : (receipts.get(key) ?? []);
	});
	const earlier = known.flatMap(({ key, names }): Submission[] => {
		const asked = names.filter((name) => itemsByName.has(name));
		const items = asked.map((name) => itemsByName.get(name) ?? []);
		for (const name of asked) itemsByName.delete(name);
		const searches = items.flatMap((same) => same.slice(0, 1).map(({ search }) => search));
		const places = asked.map((name) => names.indexOf(name));
		const submission = { key, isSent: true, names: asked, body: {}, searches, places, items };
		return asked.length === 0 ? [] : [{ ...submission, size: names.length }];
	});
	const remaining = new Set([...itemsByName.values()].flat());
	return { earlier, remaining: itemSearches.filter((search) => remaining.has(search)), unclaimed };
}
