import { forEachConcurrently } from '../common/bounds';
import type { Problem } from '../common/errors';
import { endAfter, sleepUnlessAborted } from '../common/time';
import { tellCredits } from '../common/values';
import { patienceOf, type Run } from '../run/run';
import { NEAR_TIME_LIMIT } from '../run/timeLimit';
import { OUT_OF_TIME } from '../run/toolCall';
import type { Size } from '../lookups/types';
import { readBalance } from '../service/account';
import type { Refusal } from '../service/refusals';
import { LONG_REQUEST_TIMEOUT_MS } from '../service/request';
import { submit } from '../service/submission';
import type { LedgerRun } from './ledger';
import {
	type Before,
	brakeOf,
	describeCost,
	type Limits,
	limitsOf,
	tooManyForTool,
} from './limits';
import {
	accepted,
	costOf,
	countSearches,
	type Entry,
	type Fate,
	isAccepted,
	isStarted,
	type Order,
} from './order';
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
	/** What the run sends. */
	private readonly sent: Order[] = [];
	/** What others have sent meanwhile, and what is not sent any more. */
	private readonly notSent: Order[] = [];
	private before: Before;
	private readonly log: IdLog;
	/** The fate of orders that are not sent any more. */
	private end: Fate | undefined;
	/** Aborted with it: ends the waiting for a turn. A request that has left is awaited. */
	private readonly ending = new AbortController();

	constructor(
		private readonly run: LedgerRun,
		private readonly known: readonly Order[],
		private readonly fresh: readonly Entry[],
	) {
		this.before = { cost: costIn(run.saved) };
		this.log = new IdLog(run);
	}

	async send(): Promise<Started> {
		await this.begin();
		await this.sendAll();
		this.log.write();
		const orders = [...this.known, ...this.sent, ...this.notSent];
		return { orders, balance: this.before.balance };
	}

	private get limits(): Limits {
		return limitsOf(this.run, this.before, this.sent);
	}

	/** Ends the run where it cannot succeed; else reads the balance. */
	private async begin(): Promise<void> {
		const { run, known, fresh } = this;
		for (const { origin, size, fate } of known) {
			if (origin === 'earlierTry' && 'id' in fate) run.notes.addId(fate.id, size);
		}
		if (cannotSucceed(run, known)) this.endWith(HALTED_FATE);
		this.endWithProblem(brakeOf(run) ?? tooManyForTool(run, fresh.length));
		if (fresh.length === 0 || this.end !== undefined) return;
		const read = await readBalance(run.connection, patienceOf(run));
		if ('refusal' in read) this.endWith({ kind: 'refused', problem: read.refusal });
		else this.before = { ...this.before, balance: read.credits };
	}

	private async sendAll(): Promise<void> {
		const { run, fresh } = this;
		const { ledger } = run;
		let patience: AbortSignal | undefined;
		for (let queue = fresh; queue.length > 0;) {
			const busy = queue.filter((entry) => ledger.isBusy(entry));
			const free = queue.filter((entry) => !ledger.isBusy(entry));
			if (free.length === 0) {
				patience ??= AbortSignal.any([...signalsOf(run), endAfter(run.settings.timeoutMs)]);
				if (this.end !== undefined || !(await ledger.othersDone(busy, patience))) {
					this.drop(busy, this.end ?? fateOfUnsent(run) ?? notStarted(BEING_STARTED));
					break;
				}
			}
			// What others have sent meanwhile is read.
			const { known, rest } = ledger.find([...busy, ...(await this.sendQueue(free))]);
			for (const order of known) this.notSent.push(order);
			queue = rest;
		}
	}

	/** @returns what others have sent, or are sending, when its turn comes */
	private async sendQueue(queue: readonly Entry[]): Promise<Entry[]> {
		const { settings, saved, continueOnFail } = this.run;
		const taken: Entry[] = [];
		let rest = queue;
		while (rest.length > 0 && this.end === undefined) {
			const { limits } = this;
			if (limits.objection(continueOnFail ? 1 : rest.length) !== undefined) break;
			const planned = toOrders(settings, rest.slice(0, limits.searchesAtOnce), saved.executionId);
			const leaving = planned.slice(0, limits.ordersAtOnce);
			const names = new Set(leaving.flatMap(({ entries }) => entries.map(({ name }) => name)));
			rest = rest.filter(({ name }) => !names.has(name));
			await forEachConcurrently(MAX_IN_FLIGHT[settings.size], leaving, async (order) => {
				if (await this.sendOne(order)) return;
				for (const entry of order.entries) taken.push(entry);
			});
		}
		const problem = this.limits.objection(rest.length);
		this.drop(rest, this.end ?? (problem === undefined ? HALTED_FATE : notStarted(problem)));
		return taken;
	}

	/** @returns `false` where others have sent it, or are sending it, when its turn comes */
	private async sendOne(order: Order): Promise<boolean> {
		const { run } = this;
		const fate = this.end ?? (await this.submitOne(order));
		if (fate === 'taken') return false;
		if (order.fate.kind === 'planned') this.sent.push(order);
		run.ledger.record(order, fate);
		this.log.add(order);
		if (fate.kind === 'refused' && fate.problem.affects === 'account') this.endWith(fate);
		else if (!run.continueOnFail && !isStarted(order)) this.endWith(HALTED_FATE);
		else this.endWithProblem(brakeOf(run));
		return true;
	}

	/** Its fate by the service's answer, or by what ended the run before its turn came. */
	private async submitOne(order: Order): Promise<Fate | 'taken'> {
		const { run, ending } = this;
		const { ledger } = run;
		const { size, lookup } = run.settings;
		let notWanted: Fate | 'taken' | undefined;
		const outcome = await submit(run.connection, `${lookup.path}/${size}`, toBody(lookup, order), {
			// A signal of its own for each: Node warns of one with many listeners.
			signal: AbortSignal.any([ending.signal, ...signalsOf(run)]),
			timeoutMs: size === 'bulk' ? LONG_REQUEST_TIMEOUT_MS : undefined,
			leave: () => {
				if (order.fate.kind === 'planned') {
					const problem = this.limits.objection(order.count);
					if (problem !== undefined) notWanted = notStarted(problem);
					else if (!ledger.claim(order)) notWanted = 'taken';
					if (notWanted !== undefined) return false;
					this.sent.push(order);
				}
				ledger.record(order, { kind: 'sending' });
				return true;
			},
			comeBack: () => ledger.record(order, { kind: 'claimed' }),
		});
		switch (outcome?.kind) {
			case 'accepted':
				return ledger.isTaken(outcome.id, order)
					? idOfAnother(outcome.id)
					: accepted(outcome.id, outcome.answer);
			case 'refused':
				return this.fateOfRefused(order, outcome.refusal);
			case 'unknown': {
				const { kind, reason, quote } = outcome;
				return { kind, reason, lastAnswer: quote };
			}
			default: {
				const isTooLate = run.call?.timeUp.aborted === true && this.end === undefined;
				if (isTooLate && outcome !== undefined)
					return { kind: 'refused', problem: outcome.lastRefusal };
				return notWanted ?? this.end ?? fateOfUnsent(run) ?? HALTED_FATE;
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
		const open = this.fresh.length - countSearches(this.sent.filter(isAccepted));
		const left = balance - costOf(this.sent).credits;
		return `${describeCost(this.run.settings.lookup, this.limits.price, open)} are still to be paid, and the account has ${tellCredits(left)}. `;
	}

	/** Gives up what was not sent. */
	private drop(entries: readonly Entry[], fate: Fate): void {
		if (entries.length === 0) return;
		const { size } = this.run.settings;
		this.notSent.push({ origin: 'new', size, entries, count: entries.length, fate });
	}

	private endWith(fate: Fate): void {
		this.end ??= fate;
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

/** The fate of an order whose turn did not come. */
function fateOfUnsent({ call, limit }: Run): Fate | undefined {
	if (call?.timeUp.aborted === true) return notStarted(OUT_OF_TIME);
	return limit?.near.aborted === true ? notStarted(NEAR_TIME_LIMIT) : undefined;
}

function signalsOf(run: Run): AbortSignal[] {
	const patience = patienceOf(run);
	return patience === undefined ? [] : [patience];
}

const MAX_IDS_IN_A_LINE = 100;
const MAX_UNLOGGED_MS = 10_000;

/** Writes ids into n8n's log soon after they are paid for: where n8n is killed, or an agent fails, only it has them. */
class IdLog {
	private ids: string[] = [];
	private waiting = new AbortController();

	constructor(private readonly run: Pick<Run, 'logger' | 'saved'>) {}

	add(order: Order): void {
		if (!isAccepted(order)) return;
		if (this.ids.push(order.fate.id) === 1) {
			this.waiting = new AbortController();
			const { signal } = this.waiting;
			void sleepUnlessAborted(MAX_UNLOGGED_MS, signal).then((isOver) => isOver && this.write());
		}
		if (order.size === 'bulk' || this.ids.length >= MAX_IDS_IN_A_LINE) this.write();
	}

	write(): void {
		this.waiting.abort();
		if (this.ids.length === 0) return;
		const { logger, saved } = this.run;
		logger.info(`Started and paid for in execution ${saved.executionId}: ${this.ids.join(', ')}`);
		this.ids = [];
	}
}
