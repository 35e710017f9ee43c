import { forEachConcurrently } from '../common/bounds';
import type { Problem } from '../common/errors';
import { endAfter } from '../common/time';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import { NEAR_TIME_LIMIT } from '../input/timeLimit';
import { OUT_OF_TIME } from '../input/toolCall';
import { readBalance } from '../service/account';
import { LONG_REQUEST_TIMEOUT_MS } from '../service/request';
import { submit } from '../service/submission';
import type { Ledger } from './ledger';
import { Limits } from './limits';
import type { Entry, Fate, Order } from './order';
import { accepted, isAccepted, isStarted } from './order';
import { toBody, toOrders } from './plan';

/** Submissions under way at once: the pace decides how fast they start, not this. */
const MAX_IN_FLIGHT = 50;

const HALTED_FATE: Fate = { kind: 'halted' };

const BEING_STARTED: Problem = {
	message: 'Not started, because another execution is starting the same search',
	description: 'Once the other one has started it, its result is read free of charge.',
	next: 'again',
};

/** What a run has started, or what was started for it before. */
export interface Started {
	orders: Order[];
	/** The account's credits before; `undefined` where they are not known. */
	balance: number | undefined;
	/** Searches that were paid for although they could be read. */
	repeated: number;
}

/** What the orders of a run are counted against, with those that are started already. */
export function openLimits(run: Run, ledger: Ledger, known: readonly Order[]): Limits {
	const limits = new Limits(
		run.settings,
		run.connection.account,
		run.saved.flow,
		ledger.receipts.calls,
	);
	for (const order of known) limits.book(order);
	return limits;
}

/**
 * Submits what is new, at the pace of the service, as far as the money and the brake let it. Unless the
 * workflow goes on after errors, nothing more is started after the first failure.
 * @param known orders, which are not sent
 */
export async function send(
	run: Run,
	ledger: Ledger,
	known: readonly Order[],
	fresh: readonly Entry[],
): Promise<Started> {
	return await new Sending(run, ledger, known).send(fresh);
}

/** Whether a run that stops at errors has one before it begins: what an earlier try may have been charged for. */
export function cannotSucceed({ continueOnFail }: Run, known: readonly Order[]): boolean {
	return !continueOnFail && known.some((order) => !isStarted(order));
}

class Sending {
	private readonly orders: Order[];
	private readonly limits: Limits;
	/** The fate of what is not sent any more. */
	private end: Fate | undefined;
	/** Aborted with it: ends the waiting for a turn. What has left is heard to its end. */
	private readonly ending = new AbortController();

	constructor(
		private readonly run: Run,
		private readonly ledger: Ledger,
		private readonly known: readonly Order[],
	) {
		this.orders = [...known];
		this.limits = openLimits(run, ledger, known);
	}

	async send(fresh: readonly Entry[]): Promise<Started> {
		const balance = await this.begin(fresh);
		await this.sendAll(fresh);
		return { orders: this.orders, balance, repeated: this.ledger.repeated };
	}

	/** @returns the account's credits; `undefined` where nothing is to be sent, or they are not known */
	private async begin(fresh: readonly Entry[]): Promise<number | undefined> {
		const { run, known, limits } = this;
		for (const { origin, size, fate } of known) {
			if (origin === 'earlierTry' && 'id' in fate) run.notes.addId(fate.id, size);
		}
		if (cannotSucceed(run, known)) this.endWith(HALTED_FATE);
		this.endWithProblem(limits.brake ?? limits.tooManyForTool(fresh.length));
		if (fresh.length === 0 || this.end !== undefined) return undefined;
		const read = await readBalance(run.connection, patienceOf(run));
		if ('refusal' in read) {
			this.endWith({ kind: 'refused', problem: read.refusal });
			return undefined;
		}
		limits.limitToBalance(read.credits);
		return read.credits;
	}

	private async sendAll(fresh: readonly Entry[]): Promise<void> {
		const { run, ledger, orders } = this;
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
			for (const order of known) orders.push(order);
			queue = rest;
		}
		// A batch is there already, each as it was accepted.
		if (run.settings.size === 'single') logIds(run, orders);
	}

	/** @returns what others have sent, or are sending, when its turn comes */
	private async sendQueue(queue: readonly Entry[]): Promise<Entry[]> {
		const { limits } = this;
		const { settings, saved, continueOnFail } = this.run;
		const taken: Entry[] = [];
		let rest = queue;
		while (rest.length > 0 && this.end === undefined) {
			if (limits.objection(continueOnFail ? 1 : rest.length) !== undefined) break;
			const now = toOrders(settings, rest.slice(0, limits.searchesAtOnce), saved.executionId);
			const next = now.slice(0, limits.ordersAtOnce);
			const leaving = new Set(next.flatMap(({ entries }) => entries.map(({ name }) => name)));
			rest = rest.filter(({ name }) => !leaving.has(name));
			await forEachConcurrently(MAX_IN_FLIGHT, next, async (order) => {
				if (await this.sendOne(order)) return;
				for (const entry of order.entries) taken.push(entry);
			});
		}
		const problem = limits.objection(rest.length);
		this.drop(rest, this.end ?? (problem === undefined ? HALTED_FATE : notStarted(problem)));
		return taken;
	}

	/** @returns `false` where others have sent it, or are sending it, when its turn comes */
	private async sendOne(order: Order): Promise<boolean> {
		const { run, limits } = this;
		const fate = this.end ?? (await this.submitOne(order));
		if (fate === 'taken') return false;
		this.record(order, fate);
		this.orders.push(order);
		if (order.size === 'bulk') logIds(run, [order]);
		if (fate.kind === 'refused' && fate.problem.scope === 'account') this.endWith(fate);
		else if (!run.continueOnFail && !isStarted(order)) this.endWith(HALTED_FATE);
		else this.endWithProblem(limits.brake);
		return true;
	}

	/** Its fate by the service's answer, or by what ended the run before its turn came. */
	private async submitOne(order: Order): Promise<Fate | 'taken'> {
		const { run, ledger, ending } = this;
		const { size, lookup } = run.settings;
		let objection: Problem | undefined;
		const outcome = await submit(run.connection, `${lookup.path}/${size}`, toBody(lookup, order), {
			// A signal of its own for each: Node warns of one with many listeners.
			signal: AbortSignal.any([ending.signal, ...signalsOf(run)]),
			timeoutMs: size === 'bulk' ? LONG_REQUEST_TIMEOUT_MS : undefined,
			claim: () => {
				objection = this.limits.objection(order.count);
				return objection === undefined && ledger.claim(order);
			},
			inFlight: (now) => this.record(order, { kind: now ? 'sending' : 'planned' }),
		});
		switch (outcome.kind) {
			case 'notClaimed':
				return objection === undefined ? 'taken' : notStarted(objection);
			case 'accepted':
				return ledger.isTaken(outcome.id, order)
					? idOfAnother(outcome.id)
					: accepted(outcome.id, outcome.answer);
			case 'refused': {
				const { message } = outcome.refusal;
				return size === 'single' && lookup.saysInvalid?.test(message) === true
					? { kind: 'invalid', reason: message }
					: { kind: 'refused', problem: outcome.refusal };
			}
			case 'unknown': {
				const { kind, reason, quote } = outcome;
				return { kind, reason, lastAnswer: quote };
			}
			case 'cancelled': {
				const { lastRefusal } = outcome;
				const isTooLate = run.call?.timeUp.aborted === true && this.end === undefined;
				if (isTooLate && lastRefusal !== undefined)
					return { kind: 'refused', problem: lastRefusal };
				return this.end ?? fateOfUnsent(run) ?? HALTED_FATE;
			}
		}
	}

	private record(order: Order, fate: Fate): void {
		this.ledger.record(order, fate);
		// What waits to be sent once more keeps its share.
		if (fate.kind !== 'planned') this.limits.book(order);
	}

	/** Gives up what was not sent. */
	private drop(entries: readonly Entry[], fate: Fate): void {
		if (entries.length === 0) return;
		const { size } = this.run.settings;
		this.orders.push({ origin: 'new', size, entries, count: entries.length, fate });
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

const IDS_IN_A_LINE = 100;

/** Where n8n is killed, or an agent fails, its log is all that holds them. */
function logIds({ logger, saved: { executionId } }: Run, orders: readonly Order[]): void {
	const own = orders.filter(({ origin }) => origin === 'new').filter(isAccepted);
	const ids = own.map(({ fate }) => fate.id);
	for (let from = 0; from < ids.length; from += IDS_IN_A_LINE) {
		const some = ids.slice(from, from + IDS_IN_A_LINE).join(', ');
		logger.info(`Started and paid for in execution ${executionId}: ${some}`);
	}
}
