import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { SubmissionFate } from '../service/submission';
import { asNumber, asRecord, asText, isRecord } from '../service/wire';

/** What is worth remembering. */
export type KnownFate = Extract<SubmissionFate, { kind: 'accepted' | 'unknown' }>;

/**
 * What is known of the submissions of one run of one node, kept in the execution itself. n8n saves
 * it with the execution and hands it to the next try, which then submits nothing a second time.
 */
export class Receipts {
	private constructor(
		private readonly entries: IDataObject,
		private readonly executionId: string,
	) {}

	/** The receipts of this run: a node in a loop has others at each turn. */
	static of(context: IExecuteFunctions): Receipts {
		const kept = context.getContext('node');
		const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
		const runs = asRecord(kept.receipts) ?? {};
		kept.receipts = runs;
		const entries = asRecord(runs[run]) ?? {};
		runs[run] = entries;
		return new Receipts(entries, context.getExecutionId());
	}

	/** What an earlier try knows of this submission; `undefined` when it was never sent. */
	get(key: string): KnownFate | undefined {
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

	/** Whether a try of another execution submitted it, to which then the service calls back. */
	isOfEarlierExecution(key: string): boolean {
		const execution = asRecord(this.entries[key])?.execution;
		return execution !== undefined && execution !== this.executionId;
	}

	/**
	 * How many searches the first batch of this run takes, as its first try decided: divided in another
	 * way, searches that are paid for would not be known again.
	 */
	firstBatchSize(decided: number): number {
		const size = asNumber(this.entries.firstBatchSize) ?? decided;
		this.entries.firstBatchSize = size;
		return size;
	}

	/** While a request is on its way its fate is unknown, also for a try that comes after a crash. */
	inFlight(key: string, now: boolean): void {
		if (now) this.entries[key] = {};
		else delete this.entries[key];
	}

	settle(key: string, fate: SubmissionFate): void {
		if (fate.kind === 'accepted') {
			this.entries[key] = { answer: fate.answer, execution: this.executionId };
		} else if (fate.kind === 'unknown') {
			this.entries[key] = { unknown: fate.reason, said: fate.said };
		} else delete this.entries[key];
	}

	/** Once every item has its result, there is nothing left to go on from. */
	clear(): void {
		for (const key of Object.keys(this.entries)) delete this.entries[key];
	}
}
