import type { Problem } from '../common/errors';
import { ProblemError } from '../common/errors';
import { findBadRows } from '../input/badRows';
import type { Row } from '../input/rows';
import { failuresOf } from '../input/rows';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import type { Settings } from '../input/settings';
import { OUT_OF_TIME } from '../input/toolCall';
import type { Lookup } from '../lookups/types';
import type { AcceptedOrder, Order } from '../orders/order';
import { isAccepted, noteShown, rowsOf } from '../orders/order';
import type { Endpoint } from '../orders/plan';
import { plan } from '../orders/plan';
import { Receipts } from '../orders/receipts';
import type { RecentSearches } from '../orders/recent';
import { send } from '../orders/send';
import { inTurn } from '../orders/turns';
import { collect } from '../results/collect';
import { saysUnknown } from '../service/reading';
import type { Shown } from '../service/state';
import { lookAtAll } from '../waiting/wait';

/** What a run has started, or what was started for it before. */
export interface Started {
	orders: Order[];
	receipts: Receipts;
	/** The account's credits before; `undefined` where they are not known. */
	balance: number | undefined;
}

/** What is known of what was sent before. */
interface Memories {
	receipts: Receipts;
	/** Left out where all is to be sent that this run has not sent. */
	recent?: RecentSearches;
}

/**
 * The first half of Find and Start: plans what the rows search for, and submits what is new. What is paid
 * for is read before anything is sent, free of charge.
 * @throws the error of a row that is wrong, unless the workflow goes on after errors
 */
export async function start(
	run: Run,
	settings: Settings,
	rows: Row[],
	recent?: RecentSearches,
): Promise<Started> {
	const bad = run.continueOnFail ? undefined : findBadRows(settings.lookup, rows, run.input);
	if (bad !== undefined) throw new ProblemError(bad);
	const receipts = new Receipts(run.saved);
	const startNow = async (): Promise<Started> => {
		try {
			const orders = await planKnown(run, settings, rows, { receipts, recent });
			const balance = await send(run, settings, orders, { receipts, recent });
			return { orders, receipts, balance };
		} finally {
			recent?.end();
		}
	};
	if (run.call === undefined) return await startNow();
	// What the other calls of its execution spend counts for its cap.
	const started = await inTurn(receipts.shared, startNow, run.call.timeUp);
	if (started === undefined) throw new ProblemError({ problem: OUT_OF_TIME });
	return started;
}

export function endpointOf({ connection }: Run, { lookup, size, isList }: Settings): Endpoint {
	return { baseUrl: connection.account.baseUrl, lookup, size, isList };
}

/**
 * Plans the orders, reads those that are known, and claims the new ones. A recent search of which nothing
 * can be had any more is forgotten, and planned anew; one that others submit right now is waited for.
 * @throws the error of the first row whose result cannot be had, unless the workflow goes on after errors
 */
async function planKnown(
	run: Run,
	settings: Settings,
	rows: Row[],
	{ receipts, recent }: Memories,
): Promise<Order[]> {
	const { lookup, timeoutMs } = settings;
	const ends = [patienceOf(run), AbortSignal.timeout(timeoutMs)];
	const patience = AbortSignal.any(ends.filter((end) => end !== undefined));
	for (;;) {
		const orders = plan(endpointOf(run, settings), rows, receipts, recent?.find);
		const known = orders.filter(({ origin }) => origin === 'named' || origin === 'recent');
		await readKnown(run, lookup, known.filter(isAccepted), recent);
		const fresh = orders.filter(({ origin }) => origin === 'new').flatMap(({ entries }) => entries);
		// Others may have paid for some while the known ones were read.
		const isChanged =
			recent !== undefined && (forgetLost(known, recent) || recent.find(fresh).recent.length > 0);
		if (!isChanged && !recent?.isUnderWay(fresh)) {
			const [failure] = run.continueOnFail ? [] : failuresOf(known.flatMap(rowsOf));
			if (failure !== undefined) throw new ProblemError(failure);
			recent?.claim(fresh);
			return orders;
		}
		if (!(await recent.othersDone(fresh, patience))) {
			throw new ProblemError({ problem: run.call?.timeUp.aborted ? OUT_OF_TIME : BEING_STARTED });
		}
		for (const row of known.flatMap(rowsOf)) row.outputs = [];
	}
}

const BEING_STARTED: Problem = {
	message: 'Not started, because another execution is starting the same search',
	description:
		'Nothing was sent, and nothing charged. Once the other one has started it, its result is read free of charge.',
	next: 'again',
	scope: 'run',
};

async function readKnown(
	{ connection, ...run }: Run,
	lookup: Lookup,
	orders: AcceptedOrder[],
	recent: RecentSearches | undefined,
): Promise<void> {
	await lookAtAll({ connection, lookup, signal: patienceOf(run) }, orders);
	for (const order of orders) {
		const { fate, origin } = order;
		if (origin !== 'recent' || fate.kind !== 'fault' || fate.fault !== 'refused') continue;
		// Only that it knows no such id ends it, and that not at once.
		if (!saysUnknown(fate) || recent?.isYoung(order)) {
			noteShown(order, { ...fate, fault: 'passing' });
		}
	}
	collect({ lookup, isSplit: true }, orders);
}

/** @returns whether there was anything to forget */
function forgetLost(known: readonly Order[], recent: RecentSearches): boolean {
	let isAny = false;
	for (const order of known) {
		const { origin, fate, entries } = order;
		// What the account may not do now says nothing of the search, and a new one would end like this one.
		const isKept =
			origin !== 'recent' || !('id' in fate) || isLasting(fate) || fate.kind === 'completed';
		const lost = isKept
			? []
			: entries.filter(({ rows: [{ outputs }] }) => outputs.some(({ kind }) => kind === 'failure'));
		recent.forget(order, lost);
		isAny ||= lost.length > 0;
	}
	return isAny;
}

function isLasting(shown: Shown): boolean {
	return shown.kind === 'fault' && shown.fault === 'lasting';
}
