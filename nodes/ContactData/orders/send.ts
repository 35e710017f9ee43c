import { forEachConcurrently } from '../common/bounds';
import type { Problem } from '../common/errors';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import type { Settings } from '../input/settings';
import { NEAR_TIME_LIMIT } from '../input/timeLimit';
import { OUT_OF_TIME } from '../input/toolCall';
import { readBalance } from '../service/accountInfo';
import { LONG_REQUEST_TIMEOUT_MS } from '../service/request';
import { submit } from '../service/submission';
import { Brake } from './brake';
import { Budget } from './budget';
import type { Fate, Order } from './order';
import { accepted, chargeOf, countSearches, idsPaidFor, isStarted } from './order';
import { takeFirst, toBody } from './plan';
import type { Receipts } from './receipts';
import type { RecentSearches } from './recent';

/** Submissions under way at once: the pace decides how fast they start, not this. */
const MAX_IN_FLIGHT = 50;

const PLANNED: Fate = { kind: 'planned' };
const HALTED: Fate = { kind: 'halted' };
const BEING_SENT: Fate = {
	kind: 'unknown',
	reason: 'an earlier try was interrupted while it was being sent',
};

/** What the orders of a run are counted against, with those that are started already. */
export function openBudget(
	{ connection }: Pick<Run, 'connection'>,
	{ lookup, size, maxCredits }: Settings,
	orders: readonly Order[],
	receipts: Receipts,
): Budget {
	const budget = new Budget(lookup, size, connection.account, maxCredits, receipts.calls);
	for (const order of orders) budget.book(order);
	return budget;
}

/**
 * Submits what is planned, at the pace of the service, as far as the money and the brake let it. Unless
 * the workflow goes on after errors, nothing more is started after the first failure.
 * @param orders get their fates; one that is sent in parts is replaced by them
 * @returns the account's credits before it; left out where they are not known
 */
export async function send(
	run: Run,
	settings: Settings,
	orders: Order[],
	{ receipts, recent }: { receipts: Receipts; recent?: RecentSearches },
): Promise<number | undefined> {
	const { continueOnFail } = run;
	const budget = openBudget(run, settings, orders, receipts);
	const brake = new Brake(run.saved.flow, settings.size);
	const queue = orders.filter(({ fate }) => fate.kind === 'planned');
	for (const { origin, fate } of orders) {
		if (origin === 'earlierTry' && 'id' in fate) run.notes.addId(fate.id, settings.size);
	}
	let balance: number | undefined;
	let end: Fate | undefined;
	// Ends the waiting of those whose turn has not come; what is under way is never cut off.
	const ending = new AbortController();
	const endWith = (fate: Fate | undefined) => {
		end ??= fate;
		if (end !== undefined) ending.abort();
	};
	const endIfRestIsTooMuch = () => endWith(notStarted(budget.objection(countSearches(queue))));
	const sendOne = async (order: Order) => {
		const sent = end ?? (await submitOne({ run, settings, receipts, budget, ending }, order));
		order.fate = sent ?? end ?? fateOfUnsent(run);
		brake.note(order.fate);
		if (isLoggedAtOnce(run, settings)) logIds(run, [order]);
		recent?.settle(order);
		const { fate } = order;
		if (fate.kind === 'refused' && fate.problem.scope === 'account') endWith(fate);
		else endWith(!continueOnFail && !isStarted(order) ? HALTED : notStarted(brake.problem));
	};

	endWith(notStarted(brake.problem));
	if (cannotSucceed(run, orders)) endWith(HALTED);
	if (queue.length > 0 && end === undefined) {
		const read = await readBalance(run.connection, patienceOf(run));
		if ('refusal' in read) endWith({ kind: 'refused', problem: read.refusal });
		else balance = read.credits;
		budget.limitToBalance(balance);
		endIfRestIsTooMuch();
	}
	const sent: Order[] = [];
	while (queue.length > 0 && end === undefined && budget.room > 0) {
		const next = takeFirst(orders, queue, { searches: budget.room, most: brake.room });
		for (const order of next) sent.push(order);
		await forEachConcurrently(MAX_IN_FLIGHT, next, sendOne);
		if (!continueOnFail) endIfRestIsTooMuch();
	}
	if (!isLoggedAtOnce(run, settings)) logIds(run, sent);
	for (const order of queue)
		order.fate = end ?? notStarted(budget.objection(order.count)) ?? HALTED;
	return balance;
}

/** Whether n8n may end with many searches, or with a call of an agent, before the submitting ends. */
function isLoggedAtOnce({ call }: Run, { size }: Settings): boolean {
	return size === 'bulk' || call !== undefined;
}

const IDS_IN_A_LINE = 100;

/** Where n8n is killed, or an agent fails, its log is all that holds them. */
function logIds({ logger, saved: { executionId } }: Run, orders: readonly Order[]): void {
	const ids = idsPaidFor(orders);
	for (let from = 0; from < ids.length; from += IDS_IN_A_LINE) {
		const some = ids.slice(from, from + IDS_IN_A_LINE).join(', ');
		logger.info(`Started and paid for in execution ${executionId}: ${some}`);
	}
}

interface Sending {
	run: Run;
	settings: Settings;
	receipts: Receipts;
	budget: Budget;
	/** Aborted when the run ends before the turns of some have come. */
	ending: AbortController;
}

/** `undefined` when the run ended before its turn came. */
async function submitOne(sending: Sending, order: Order): Promise<Fate | undefined> {
	const { run, settings, receipts, budget } = sending;
	const problem = budget.objection(order.count);
	if (problem !== undefined) return notStarted(problem);
	// As one that may be charged it counts before its turn comes.
	order.fate = BEING_SENT;
	budget.book(order);
	const { fate, lastRefusal } = await heardOut(sending, order);
	order.fate = fate;
	budget.book(order);
	receipts.write(order);
	if (fate.kind === 'refused') run.notes.inFlight(false);
	if ('id' in fate) {
		run.notes.addId(fate.id, settings.size);
		run.notes.addSpent(chargeOf(order) ?? 0);
	}
	if (fate.kind === 'refused' && settings.size === 'single') {
		const { message } = fate.problem;
		if (settings.lookup.saysInvalid?.test(message)) return { kind: 'invalid', reason: message };
	}
	if (fate.kind !== 'planned') return fate;
	return isTooLate(run) && lastRefusal !== undefined
		? { kind: 'refused', problem: lastRefusal }
		: undefined;
}

/** Its fate by the service's answer: planned still where the run ended before its turn came. */
async function heardOut(
	{ run, settings: { lookup, size }, receipts, ending }: Sending,
	order: Order,
): Promise<{ fate: Fate; lastRefusal?: Problem }> {
	const patience = patienceOf(run);
	const outcome = await submit(run.connection, `${lookup.path}/${size}`, toBody(lookup, order), {
		// A signal of its own for each: Node warns of one with many listeners.
		signal: AbortSignal.any([ending.signal, ...(patience === undefined ? [] : [patience])]),
		timeoutMs: size === 'bulk' ? LONG_REQUEST_TIMEOUT_MS : undefined,
		inFlight: (now) => {
			order.fate = now ? BEING_SENT : PLANNED;
			receipts.write(order);
			run.notes.inFlight(now);
		},
	});
	switch (outcome.kind) {
		case 'accepted':
			return { fate: accepted(outcome.id, outcome.answer) };
		case 'refused':
			return { fate: { kind: 'refused', problem: outcome.refusal } };
		case 'unknown':
			return { fate: { kind: 'unknown', reason: outcome.reason, said: outcome.quote } };
		case 'notClaimed':
			return { fate: PLANNED };
		case 'cancelled':
			return { fate: PLANNED, lastRefusal: outcome.lastRefusal };
	}
}

/** Whether a run that stops at errors has one before it begins: what an earlier try may have been charged for. */
export function cannotSucceed(
	{ continueOnFail }: Pick<Run, 'continueOnFail'>,
	orders: readonly Order[],
): boolean {
	return (
		!continueOnFail && orders.some((order) => order.fate.kind !== 'planned' && !isStarted(order))
	);
}

function notStarted(problem: Problem | undefined): Fate | undefined {
	return problem === undefined ? undefined : { kind: 'notStarted', problem };
}

/** Whether the call of a tool is due, so that nothing more is sent. */
function isTooLate({ call }: Run): boolean {
	return call?.timeUp.aborted === true;
}

/** The fate of an order whose turn did not come. */
function fateOfUnsent(run: Run): Fate {
	if (isTooLate(run)) return { kind: 'notStarted', problem: OUT_OF_TIME };
	return run.limit?.near?.aborted === true
		? { kind: 'notStarted', problem: NEAR_TIME_LIMIT }
		: HALTED;
}
