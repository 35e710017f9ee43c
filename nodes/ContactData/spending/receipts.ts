import type { IDataObject } from 'n8n-workflow';
import { addCredits } from '../common/credits';
import { asNumber, asRecord, asText, isRecord } from '../common/json';
import type { SubmissionOutcome } from '../service/submission';
import { chargeOf } from './charges';
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

/** n8n counts each try of a tool's call as another run: all of them share receipts. */
const CALLS = 'tool';

/** The end of what is being started, by its receipts. */
const starts = new WeakMap<IDataObject, Promise<void>>();

/**
 * What is known of the submissions of one run of one node, kept in the execution itself. n8n saves
 * it with the execution and hands it to the next try, which then submits nothing a second time.
 */
export class Receipts {
	private readonly entries: IDataObject;

	private constructor(
		private readonly saved: IDataObject,
		private readonly run: string,
		private readonly executionId: string,
		/** Of the calls of a tool, as it is saved. */
		private readonly counted?: IDataObject,
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

	/** The receipts of a tool: all its calls share them, and what they have spent together. */
	static ofCalls(saved: IDataObject, executionId: string): Receipts {
		// Also calls at the same moment count in one object. A retry has that of the execution before.
		const known = asRecord(saved.calls);
		const counted = known?.execution === executionId ? known : undefined;
		// Where n8n gives no id, there is none at first either.
		const calls: IDataObject = counted ?? { execution: executionId };
		saved.calls = calls;
		return new Receipts(saved, CALLS, executionId, calls);
	}

	/** What the calls of a tool have spent so far; `undefined` for a node that is none. */
	get calls(): CallsCost | undefined {
		if (this.counted === undefined) return undefined;
		const { credits, unsure } = this.counted;
		return { credits: asNumber(credits) ?? 0, unsure: asNumber(unsure) ?? 0 };
	}

	/** Whether it is counted among what the calls of a tool have spent. */
	isOfCalls(key: string): boolean {
		const execution = asRecord(this.entries[key])?.execution;
		return this.counted !== undefined && execution === this.executionId;
	}

	/** One start after another, where calls at the same moment share receipts: each sees the others'. */
	async inTurn<T>(start: () => Promise<T>): Promise<T> {
		const started = (starts.get(this.entries) ?? Promise.resolve()).then(start, start);
		const over = () => {};
		starts.set(this.entries, started.then(over, over));
		return await started;
	}

	/** What an earlier try knows of this submission; `undefined` when it was never sent. */
	get(key: string): RecordedOutcome | undefined {
		const entry = asRecord(this.entries[key]);
		if (entry === undefined) return undefined;
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

	/** Of all that is paid for. */
	ids(): string[] {
		return Object.keys(this.entries).flatMap((key) => {
			const known = this.get(key);
			return known?.kind === 'accepted' ? [known.id] : [];
		});
	}

	/** Whether a try of another execution started it, to which then the service calls back. */
	isOfEarlierExecution(key: string): boolean {
		const { answer, execution } = asRecord(this.entries[key]) ?? {};
		return answer !== undefined && execution !== undefined && execution !== this.executionId;
	}

	/** The submissions that earlier tries made: their keys, and the names of their searches. */
	list(): Array<{ key: string; names: string[] }> {
		return Object.entries(this.entries).map(([key, entry]) => {
			const joined = asText(asRecord(entry)?.names) ?? '';
			const count = Math.floor(joined.length / NAME_LENGTH);
			const names = Array.from({ length: count }, (_, index) =>
				joined.slice(index * NAME_LENGTH, (index + 1) * NAME_LENGTH),
			);
			return { key, names };
		});
	}

	/** While a request is on its way its outcome is unknown, also for a try that comes after a crash. */
	inFlight({ key, names }: Submission, now: boolean): void {
		if (now) this.entries[key] = { names: names.join('') };
		else delete this.entries[key];
	}

	settle({ key, names, size }: Submission, outcome: SubmissionOutcome): void {
		const what = { names: names.join(''), execution: this.executionId };
		if (outcome.kind === 'accepted') {
			this.entries[key] = { ...what, answer: outcome.answer };
		} else if (outcome.kind === 'unknown') {
			this.entries[key] = { ...what, unknown: outcome.reason, said: outcome.said };
		} else {
			delete this.entries[key];
			return;
		}
		const { counted, calls } = this;
		if (counted === undefined || calls === undefined) return;
		const charged = chargeOf(outcome, size);
		if (charged === undefined) counted.unsure = calls.unsure + size;
		else counted.credits = addCredits(calls.credits, charged);
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
		// Each call of a tool has its own answer.
		if (this.counted !== undefined) return { found, total };
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
		// Another call may wait for the same, or ask for it again.
		if (this.counted !== undefined) return;
		for (const { key } of submissions) delete this.entries[key];
		delete asRecord(this.saved.told)?.[this.run];
		if (Object.keys(asRecord(this.saved.told) ?? {}).length === 0) delete this.saved.told;
	}
}

/** An object in one that is saved; it is made where there is none. */
function recordIn(saved: IDataObject, name: string): IDataObject {
	const record = asRecord(saved[name]) ?? {};
	saved[name] = record;
	return record;
}
