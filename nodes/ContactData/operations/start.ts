import { ProblemError } from '../common/errors';
import { findBadRows } from '../input/badRows';
import type { Row } from '../input/rows';
import { failuresOf } from '../input/rows';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import type { Settings } from '../input/settings';
import { OUT_OF_TIME } from '../input/toolCall';
import { inTurnOfCall } from '../orders/calls';
import type { Order } from '../orders/order';
import { isAccepted } from '../orders/order';
import type { Endpoint } from '../orders/plan';
import { plan, toEntries } from '../orders/plan';
import { Receipts } from '../orders/receipts';
import { send } from '../orders/send';
import { collect } from '../results/collect';
import { lookAtAll } from '../waiting/wait';

/** What a run has started, or what was started for it before. */
export interface Started {
	orders: Order[];
	receipts: Receipts;
	/** The account's credits before; `undefined` where they are not known. */
	balance: number | undefined;
}

/**
 * The first half of Find and Start: plans what the rows search for, and submits what is new. What the user
 * names is read before anything is paid, free of charge.
 * @throws the error of a row that is wrong, unless the workflow goes on after errors
 */
export async function start(run: Run, settings: Settings, rows: Row[]): Promise<Started> {
	refuseBadRows(run, settings, rows);
	const endpoint = endpointOf(run, settings);
	const receipts = new Receipts(run.saved);
	const startNow = async (): Promise<Started> => {
		const orders = plan(endpoint, rows, receipts);
		await readNamed(run, settings, orders);
		const balance = await send(run, settings, orders, receipts);
		return { orders, receipts, balance };
	};
	if (run.call === undefined) return await startNow();
	const names = toEntries(endpoint, rows).map(({ name }) => name);
	const started = await inTurnOfCall(run, receipts, names, startNow);
	if (started === undefined) throw new ProblemError({ problem: OUT_OF_TIME });
	return started;
}

export function endpointOf({ connection }: Run, { lookup, size, isList }: Settings): Endpoint {
	return { baseUrl: connection.account.baseUrl, lookup, size, isList };
}

/** @throws the error of the first row that is wrong, unless the workflow goes on after errors */
function refuseBadRows({ continueOnFail }: Run, { lookup }: Settings, rows: Row[]): void {
	const failure = continueOnFail ? undefined : findBadRows(lookup, rows);
	if (failure !== undefined) throw new ProblemError(failure);
}

/** @throws the error of the first row whose result cannot be had, unless the workflow goes on after errors */
async function readNamed(run: Run, { lookup }: Settings, orders: readonly Order[]): Promise<void> {
	const named = orders.filter(isAccepted).filter(({ origin }) => origin === 'named');
	if (named.length === 0) return;
	await lookAtAll({ connection: run.connection, lookup, signal: patienceOf(run) }, named);
	if (run.continueOnFail) return;
	collect({ lookup, isSplit: true }, named);
	const rows = named.flatMap(({ entries }) => entries.flatMap((entry) => entry.rows));
	const [failure] = failuresOf(rows);
	if (failure !== undefined) throw new ProblemError(failure);
}
