import { forEachConcurrently } from '../common/bounds';
import type { Problem } from '../common/errors';
import { endAfter } from '../common/time';
import { tellCredits } from '../common/values';
import { patienceOf, type Run } from '../run/run';
import { NEAR_TIME_LIMIT } from '../run/timeLimit';
import { OUT_OF_TIME } from '../run/toolCall';
import type { Size } from '../lookups/types';
import { askBalance } from '../service/account';
import type { Refusal } from '../service/refusals';
import { LONG_REQUEST_TIMEOUT_MS } from '../service/request';
import { submit, type SubmissionOutcome } from '../service/submission';
import { noteId } from './givenIds';
import { Journal } from './journal';
import type { LedgerRun } from './ledger';
import { Bill } from './bill';
import { describeCost } from './limitProblems';
import { type Before, brakeOf, type Limits, limitsOf, tooManyForTool } from './limits';
import { accepted, type Entry, type Fate, isAccepted, isStarted, type Order } from './order';
import { toBody, toOrders } from './plan';
import { costIn } from './receipts';

/** Submissions under way at once. The pace limits singles; of batches so many are in doubt if answers are lost. */
const MAX_IN_FLIGHT: Record<Size, number> = { single: 50, bulk: 2 };

const HALTED_FATE: Fate = { kind: 'halted' };

const BEING_STARTED: Problem = {
	message: 'Not started, because another execution is starting the same search',
	description: 'Once the other one has started it, its result is read free of charge.',
	remedy: 'again',
};

/** What a run has started, or what was started for it before. */
export interface Started {
	orders: Order[];
	/** The account's credits before; `undefined` where they are not known. */
	balance: number | undefined;
	/** Ends when all is written down: the results are waited for meanwhile. */
	written: Promise<void>;
}

/**
 * Submits what is new, at the pace of the service, as far as the money and the brake let it. Unless the
 * workflow goes on after errors, nothing more is started after the first failure.
 * @param known orders, which are not sent
 */
export async function send(
	run: LedgerRun,
	known: readonly Order[],
	fresh: readonly Entry[],
): Promise<Started> {
	return await new Sending(run, known, fresh).send();
}

/** Whether a run that stops at errors has one before it begins: a search of an earlier try may have been charged. */
export function cannotSucceed({ continueOnFail }: Run, known: readonly Order[]): boolean {
	return !continueOnFail && known.some((order) => !isStarted(order));
}

class Sending {
	/** What the run has sent. */
	private readonly sent: Order[] = [];
	/** What others have sent meanwhile, and what is not sent any more. */
	private readonly notSent: Order[] = [];
	private readonly bill = new Bill();
	private before: Before;
	private readonly journal: Journal;
	/** The fate of what is not sent any more. */
	private verdict: Fate | undefined;
	/** Aborted with it: ends the waiting for a turn. A request that has left is awaited. */
	private readonly ending = new AbortController();

	constructor(
		private readonly run: LedgerRun,
		private readonly known: readonly Order[],
		private readonly fresh: readonly Entry[],
	) {
		this.before = { cost: costIn(run.saved) };
		this.journal = new Journal(run);
	}

	async send(): Promise<Started> {
		await this.begin();
		try {
			await this.sendAll();
		} finally {
			this.run.ledger.free(this.fresh);
		}
		const orders = [...this.known, ...this.sent, ...this.notSent];
		return { orders, balance: this.before.balance, written: this.journal.close() };
	}

	private get limits(): Limits {
		return limitsOf(this.run, this.before, this.bill);
	}

	/** Ends the run where it cannot succeed; else reads the balance. */
	private async begin(): Promise<void> {
		const { run, known, fresh } = this;
		for (const { origin, size, fate } of known) {
			if (origin === 'earlierTry' && 'id' in fate) run.notes.addId(fate.id, size);
		}
		if (cannotSucceed(run, known)) this.endWith(HALTED_FATE);
		this.endWithProblem(brakeOf(run) ?? tooManyForTool(run, fresh.length));
		if (fresh.length === 0 || this.verdict !== undefined) return;
		const read = await askBalance(run.connection, patienceOf(run));
		if ('refusal' in read) this.endWith({ kind: 'refused', problem: read.refusal });
		else this.before = { ...this.before, balance: read.credits };
	}

	/** Sends its own part first, and then waits for what other runs have reserved. */
	private async sendAll(): Promise<void> {
		const { run } = this;
		const { ledger } = run;
		let patience: AbortSignal | undefined;
		for (let queue = this.fresh; queue.length > 0;) {
			const { mine, theirs } = ledger.reserve(this.readKnown(queue));
			if (mine.length > 0) {
				queue = [...(await this.sendSome(mine)), ...theirs];
				continue;
			}
			queue = theirs;
			patience ??= AbortSignal.any([...signalsOf(run), endAfter(run.settings.timeoutMs)]);
			if (this.verdict === undefined && (await ledger.othersDone(theirs, patience))) continue;
			const late = this.readKnown(theirs);
			this.drop(late, this.fateOfUnsent() ?? notStarted(BEING_STARTED));
			return;
		}
	}

	/** What others have sent meanwhile is read. @returns the rest */
	private readKnown(queue: readonly Entry[]): Entry[] {
		const { ledger } = this.run;
		const { known, rest } = ledger.find(queue);
		ledger.adopt(known);
		for (const order of known) this.notSent.push(order);
		return rest;
	}

	/**
	 * Sends as many as may leave now; what may not be sent at all is given up.
	 * @returns what is left
	 */
	private async sendSome(queue: readonly Entry[]): Promise<Entry[]> {
		const { limits } = this;
		const { settings, saved, continueOnFail } = this.run;
		// Under Continue as many go as fit.
		const least = continueOnFail ? 1 : queue.length;
		const problem = limits.room < least ? limits.objection(queue.length) : undefined;
		const fate = this.fateOfUnsent() ?? (problem && notStarted(problem));
		if (fate !== undefined) {
			this.drop(queue, fate);
			return [];
		}
		const some = queue.slice(0, limits.searchesAtOnce);
		const orders = toOrders(settings, some, saved.executionId).slice(0, limits.ordersAtOnce);
		const isSent = new Set<Entry['hash']>();
		await forEachConcurrently(MAX_IN_FLIGHT[settings.size], orders, async (order) => {
			if (this.verdict !== undefined || !(await this.sendOne(order))) return;
			for (const { hash } of order.entries) isSent.add(hash);
		});
		return queue.filter(({ hash }) => !isSent.has(hash));
	}

	/** @returns whether it was sent; else nothing was charged, and its searches are planned anew */
	private async sendOne(order: Order): Promise<boolean> {
		const { run, journal } = this;
		await journal.announce(order);
		const fate = await this.submit(order);
		this.record(order, fate ?? { kind: 'planned' });
		journal.add(order);
		if (fate === undefined) return false;
		this.sent.push(order);
		if (fate.kind === 'refused' && fate.problem.affects === 'account') this.endWith(fate);
		else if (!run.continueOnFail && !isStarted(order)) this.endWith(HALTED_FATE);
		else this.endWithProblem(brakeOf(run));
		return true;
	}

	private async submit(order: Order): Promise<Fate | undefined> {
		const { run, ending } = this;
		const { size, lookup } = run.settings;
		const outcome = await submit(run.connection, `${lookup.path}/${size}`, toBody(lookup, order), {
			// A signal of its own for each: Node warns of one with many listeners.
			signal: AbortSignal.any([ending.signal, ...signalsOf(run)]),
			timeoutMs: size === 'bulk' ? LONG_REQUEST_TIMEOUT_MS : undefined,
			leave: () => {
				if (!this.mayLeave(order)) return false;
				this.record(order, { kind: 'sending' });
				return true;
			},
			comeBack: () => this.record(order, { kind: 'claimed' }),
		});
		return outcome && this.fateBy(order, outcome);
	}

	/** A Start, which waits for nobody, may have paid for it; and another answer may have told a higher price. */
	private mayLeave(order: Order): boolean {
		if (this.run.ledger.isSentByOthers(order.entries)) return false;
		// One that comes back has its share of the cap.
		return order.fate.kind === 'claimed' || this.limits.objection(order.count) === undefined;
	}

	/** @returns `undefined` where it was not sent after all */
	private fateBy(order: Order, outcome: SubmissionOutcome): Fate | undefined {
		const { connection, settings, call } = this.run;
		switch (outcome.kind) {
			case 'accepted': {
				const { id, answer } = outcome;
				const hashes = order.entries.map(({ hash }) => hash);
				const whose = noteId(connection.account, settings.lookup, order.size, id, hashes);
				return whose === 'own' ? accepted(id, answer) : idOfAnother(id);
			}
			case 'refused':
				return this.fateOfRefused(order, outcome.refusal);
			case 'unknown':
				return { kind: 'unknown', reason: outcome.reason, lastAnswer: outcome.quote };
			case 'cancelled': {
				const isTooLate = call?.timeUp.aborted === true && this.verdict === undefined;
				return isTooLate ? { kind: 'refused', problem: outcome.lastRefusal } : undefined;
			}
		}
	}

	private fateOfRefused({ size, entries }: Order, refusal: Refusal): Fate {
		const { lookup } = this.run.settings;
		const { message } = refusal;
		if (size === 'single' && lookup.saysInvalid?.test(message) === true) {
			return { kind: 'invalid', reason: message };
		}
		// Of a batch nobody knows which value is meant.
		const search = size === 'single' ? entries[0]?.rows[0].search : undefined;
		const advice = search && lookup.adviceOnValue?.(message, search);
		const description = advice ?? `${this.tellShortage(refusal)}${refusal.description}`;
		return { kind: 'refused', problem: { ...refusal, description } };
	}

	/** What the rest of the run would cost, and what the account has, where that is too little. */
	private tellShortage({ lacksCredits }: Refusal): string {
		const { balance } = this.before;
		if (lacksCredits !== true || balance === undefined) return '';
		const paid = [...this.sent, ...this.notSent]
			.filter(isAccepted)
			.flatMap(({ entries }) => entries);
		const open = this.fresh.length - paid.length;
		const left = balance - this.bill.cost.credits;
		return `${describeCost(this.run.settings.lookup, this.limits.price, open)} are still to be paid, and the account has ${tellCredits(left)}. `;
	}

	private record(order: Order, fate: Fate): void {
		this.run.ledger.record(order, fate);
		this.bill.enter(order);
	}

	/** Gives up what was not sent. */
	private drop(entries: readonly Entry[], fate: Fate): void {
		if (entries.length === 0) return;
		this.run.ledger.free(entries);
		const { size } = this.run.settings;
		this.notSent.push({ origin: 'new', size, entries, count: entries.length, fate });
	}

	/** Of what is not sent any more, if that is so. */
	private fateOfUnsent(): Fate | undefined {
		const { call, limit, signal } = this.run;
		if (this.verdict !== undefined) return this.verdict;
		if (call?.timeUp.aborted === true) return notStarted(OUT_OF_TIME);
		if (limit?.near.aborted === true) return notStarted(NEAR_TIME_LIMIT);
		return signal?.aborted === true ? HALTED_FATE : undefined;
	}

	private endWith(fate: Fate): void {
		this.verdict ??= fate;
		this.ending.abort();
	}

	private endWithProblem(problem: Problem | undefined): void {
		if (problem !== undefined) this.endWith(notStarted(problem));
	}
}

/** The service has told the id of another search: nobody knows what it has charged, and for whom. */
function idOfAnother(id: string): Fate {
	return {
		kind: 'unknown',
		reason: `the service gave it the ID ${id}, which another search has`,
	};
}

function notStarted(problem: Problem): Fate {
	return { kind: 'notStarted', problem };
}

function signalsOf(run: Run): AbortSignal[] {
	const patience = patienceOf(run);
	return patience === undefined ? [] : [patience];
}
