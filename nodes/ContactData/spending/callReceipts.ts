import type { IDataObject } from 'n8n-workflow';
import { addCredits } from '../common/credits';
import { asNumber, asRecord } from '../common/json';
import type { Account } from '../service/account';
import type { SubmissionOutcome } from '../service/submission';
import { chargeOf } from './budget';
import type { Submission } from './plan';
import type { CallsCost, RecordedOutcome } from './receipts';
import { namesIn, Receipts, toOutcome } from './receipts';
import { inTurn } from './turns';
import { UnheardOf } from './unheard';

/** n8n counts each try of a tool's call as another run: all of them share receipts. */
const CALLS = 'tool';

/**
 * The receipts of a tool: all its calls in an execution share them, and what they have spent
 * together. What earlier executions have paid for, and nobody was told the result of, is in them too.
 */
export class CallReceipts extends Receipts {
	private readonly counted: IDataObject;
	private readonly unheard: UnheardOf;
	private readonly tool: string;

	/** @param tool names it among all that use the account */
	constructor(saved: IDataObject, executionId: string, account: Account, tool: string) {
		super(saved, CALLS, executionId);
		// Also calls at the same moment count in one object. A retry has that of the execution before.
		const known = asRecord(saved.calls);
		const counted = known?.execution === executionId ? known : undefined;
		// Where n8n gives no id, there is none at first either.
		this.counted = counted ?? { execution: executionId };
		saved.calls = this.counted;
		this.tool = `${account.fingerprint} ${tool}`;
		this.unheard = new UnheardOf(this.tool);
	}

	override get calls(): CallsCost {
		const { credits, unsure } = this.counted;
		return { credits: asNumber(credits) ?? 0, unsure: asNumber(unsure) ?? 0 };
	}

	/** What the calls of this execution have spent is counted already; the others have caps of their own. */
	override countsForCap(key: string): boolean {
		const entry = asRecord(this.entries[key]);
		return entry !== undefined && entry.execution !== this.executionId;
	}

	/** An equal search of another execution, or of a call that n8n gives none, has its turn, too. */
	override async inTurn<T>(
		names: () => string[],
		start: () => Promise<T>,
		timeUp?: AbortSignal,
	): Promise<T | undefined> {
		const searches = names().map((name) => `${this.tool} ${name}`);
		return await inTurn([this.entries, ...searches], start, timeUp);
	}

	override get(key: string): RecordedOutcome | undefined {
		const entry = this.unheard.get(key);
		return super.get(key) ?? (entry === undefined ? undefined : toOutcome(entry));
	}

	override list(): Array<{ key: string; names: string[] }> {
		const own = super.list();
		const keys = new Set(own.map(({ key }) => key));
		const others = this.unheard.list().filter(([key]) => !keys.has(key));
		return [...own, ...others.map(([key, entry]) => ({ key, names: namesIn(entry) }))];
	}

	override inFlight(submission: Submission, now: boolean): void {
		super.inFlight(submission, now);
		this.keep(submission, now ? 'another call is sending it at this moment' : undefined);
	}

	override settle(submission: Submission, outcome: SubmissionOutcome): void {
		super.settle(submission, outcome);
		this.keep(submission);
		if (outcome.kind !== 'accepted' && outcome.kind !== 'unknown') return;
		const { size } = submission;
		const { credits, unsure } = this.calls;
		const charged = chargeOf(outcome, size);
		if (charged === undefined) this.counted.unsure = unsure + size;
		else this.counted.credits = addCredits(credits, charged);
	}

	/** Once its result is given, an equal call of another execution is a new one. */
	heard({ key }: Submission): void {
		this.unheard.forget(key);
	}

	/** Another call may wait for the same, or ask for it again. */
	override clear(): void {}

	/** Lets calls of other executions know what the entry of a submission says now. */
	private keep({ key }: Submission, unknown?: string): void {
		const entry = asRecord(this.entries[key]);
		if (entry === undefined) {
			this.unheard.forget(key);
			return;
		}
		// An answer may be of any size and depth.
		const { id, credits_used: credits, estimated_duration: minutes } = asRecord(entry.answer) ?? {};
		const numbers = { credits_used: asNumber(credits), estimated_duration: asNumber(minutes) };
		const answer = id === undefined ? undefined : { id, ...numbers };
		this.unheard.keep(key, { unknown, ...entry, answer });
	}
}
