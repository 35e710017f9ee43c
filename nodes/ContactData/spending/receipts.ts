import type { IDataObject } from 'n8n-workflow';
import type { Paid } from '../common/itemErrors';
import { asNumber, asRecord, asText, isRecord } from '../common/json';
import type { SubmissionOutcome } from '../service/submission';
import type { Submission } from './plan';
import { NAME_LENGTH } from './plan';

/** What is worth remembering: what was charged, or may have been. */
export type RecordedOutcome = Extract<SubmissionOutcome, { kind: 'accepted' | 'unknown' }>;

/** What the calls of a tool have spent in one execution, all together. */
export interface CallsCost {
	/** That the service says it charged. */
	credits: number;
	/** Searches that may have been charged. */
	unsure: number;
}

/**
 * What is known of the submissions of one run of one node, kept in the execution itself. n8n saves
 * it with the execution and hands it to the next try, which then submits nothing a second time.
 */
export class Receipts {
	protected readonly entries: IDataObject;

	protected constructor(
		private readonly saved: IDataObject,
		private readonly run: string,
		protected readonly executionId: string,
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

	/** What the calls of a tool have spent so far; `undefined` for a node that is none. */
	get calls(): CallsCost | undefined {
		return undefined;
	}

	/** Whether its charge is still to be booked against this execution's cap. */
	countsForCap(key: string): boolean {
		return this.entries[key] !== undefined;
	}

	/**
	 * One start after another, where several share receipts: each sees the others'.
	 * @param names of what is to be started
	 * @returns `undefined` where the time was up before its turn came
	 */
	async inTurn<T>(
		_names: () => string[],
		start: () => Promise<T>,
		timeUp?: AbortSignal,
	): Promise<T | undefined> {
		return timeUp?.aborted ? undefined : await start();
	}

	/** What an earlier try knows of this submission; `undefined` when it was never sent. */
	get(key: string): RecordedOutcome | undefined {
		const entry = asRecord(this.entries[key]);
		return entry === undefined ? undefined : toOutcome(entry);
	}

	/** All that is paid for, or may be. */
	paid(): Omit<Paid, 'size'> {
		const known = Object.keys(this.entries).map((key) => this.get(key));
		return {
			paidFor: known.flatMap((one) => (one?.kind === 'accepted' ? one.id : [])),
			mayBePaid: known.some((one) => one?.kind === 'unknown'),
		};
	}

	/** Whether a try of another execution started it, to which then the service calls back. */
	isOfEarlierExecution(key: string): boolean {
		const { answer, execution } = asRecord(this.entries[key]) ?? {};
		return answer !== undefined && execution !== undefined && execution !== this.executionId;
	}

	/** The submissions that earlier tries made: their keys, and the names of their searches. */
	list(): Array<{ key: string; names: string[] }> {
		return Object.entries(this.entries).map(([key, entry]) => ({ key, names: namesIn(entry) }));
	}

	/** While a request is on its way its outcome is unknown, also for a try that comes after a crash. */
	inFlight({ key, names }: Submission, now: boolean): void {
		if (now) this.entries[key] = { names: names.join('') };
		else delete this.entries[key];
	}

	settle({ key, names }: Submission, outcome: SubmissionOutcome): void {
		const what = { names: names.join(''), execution: this.executionId };
		if (outcome.kind === 'accepted') {
			this.entries[key] = { ...what, answer: outcome.answer };
		} else if (outcome.kind === 'unknown') {
			this.entries[key] = { ...what, unknown: outcome.reason, said: outcome.said };
		} else {
			delete this.entries[key];
		}
	}

	/** Whether its refund, if it has one, is still to be told; then it counts as told. */
	tellRefund({ key }: Submission): boolean {
		const entry = asRecord(this.entries[key]);
		if (entry === undefined || entry.refundTold === true) return false;
		entry.refundTold = true;
		return true;
	}

	/**
	 * What a try of this run has found is told instead of what an earlier try of the execution has.
	 * @returns what is to be added to what is told already
	 */
	tellFound(found: number, total: number): { found: number; total: number } {
		const before = asRecord(asRecord(this.saved.told)?.[this.run]) ?? {};
		recordIn(this.saved, 'told')[this.run] = { execution: this.executionId, found, total };
		if (before.execution !== this.executionId) return { found, total };
		const { found: foundBefore, total: totalBefore } = before;
		return {
			found: found - (asNumber(foundBefore) ?? 0),
			total: total - (asNumber(totalBefore) ?? 0),
		};
	}

	/** Once every item has its result, there is nothing left to go on from. */
	clear(submissions: Submission[]): void {
		for (const { key } of submissions) delete this.entries[key];
		delete asRecord(this.saved.told)?.[this.run];
		if (Object.keys(asRecord(this.saved.told) ?? {}).length === 0) delete this.saved.told;
	}
}

/** What an entry says of a submission. */
export function toOutcome(entry: IDataObject): RecordedOutcome {
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
export function namesIn(entry: unknown): string[] {
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
