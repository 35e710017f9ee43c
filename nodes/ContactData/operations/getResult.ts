import { type Problem, ProblemError, refuse, toFailure } from '../common/errors';
import { readId } from '../input/fields';
import { isBare, tellNearColumn } from '../input/readRows';
import {
	certainOutputs,
	failureOf,
	failuresOf,
	type Row,
	type RowOutput,
	rowWithoutSearch,
} from '../input/rows';
import { isAtLimit, isStopped, msLeft, patienceOf, type Run } from '../run/run';
import type { Size } from '../lookups/types';
import type { LedgerRun } from '../orders/ledger';
import type { Order } from '../orders/order';
import { ordersOfIds } from '../orders/plan';
import { readingOf } from '../results/explain';
import { give } from '../results/give';
import { ENDED_AT_LIMIT } from '../results/problems';
import { remarksOn } from '../results/remarks';
import { summarize } from '../results/summary';
import { lookAtAll, waitForAll } from '../waiting/wait';

/** Operations Get Result and Get Bulk Results: what was started before, each id once. */
export async function getResult(
	run: LedgerRun,
): Promise<{ outputs: RowOutput[]; orders: Order[] }> {
	const { settings, connection, signal } = run;
	const { lookup, size, timeoutMs, waitForResult } = settings;
	const rows = readIds(run);
	if (rows.length === 0) {
		run.hint('Nothing to do: the input has no ID.');
		return { outputs: [], orders: [] };
	}
	const [firstFailure] = failuresOf(certainOutputs(rows));
	if (firstFailure !== undefined && !run.continueOnFail) throw new ProblemError(firstFailure);

	const orders = ordersOfIds(size, rows);
	if (waitForResult) {
		const wait = { timeoutMs: Math.min(timeoutMs, msLeft(run)), reachedBefore: false };
		await waitForAll({ connection, lookup, ...wait, signal }, orders);
	} else {
		await lookAtAll({ connection, lookup, signal: patienceOf(run) }, orders);
	}
	const isError = waitForResult && settings.onTimeout === 'error' && !isStopped(run);
	const timeout = { timeoutMs, isAtLimit: isAtLimit(run) };
	const outputs = give(settings, rows, orders, isError ? timeout : undefined);
	run.hint(summarize(run, { outputs, orders }));
	if (waitForResult && isAtLimit(run) && orders.some(({ fate }) => !fate.isOver)) {
		run.hint(ENDED_AT_LIMIT);
	}
	for (const remark of remarksOn(lookup, orders)) {
		run.hint(remark);
		run.logger.warn(remark);
	}
	return { outputs, orders };
}

/** What items name; one that names nothing gives a failure, or the result that it is already. */
function readIds(run: Run): Row[] {
	const { input, parameters, settings } = run;
	const { size } = settings;
	const name = size === 'single' ? 'lookupId' : 'batchId';
	return input.flatMap(({ json }, item): Row[] => {
		const row = rowWithoutSearch(item);
		try {
			const namedId = readId(readingOf(size).label, parameters.get(name, item));
			if (namedId !== undefined) return [{ ...row, namedId }];
			// The Start operations give such results beside the receipts.
			if (json.status === 'completed' && typeof json.found === 'boolean') {
				// Nothing was sent for it: among flat columns an `id` is the lead's own.
				const own = settings.isSimple ? { ...json, id: undefined, batch_id: undefined } : json;
				return [{ ...row, certain: { kind: 'result', json: own } }];
			}
			if (isBare(run, [name])) return [];
			const problem = noIdProblem(size);
			const meant = tellNearColumn(parameters, [name], item);
			return refuse({ ...problem, description: meant ?? problem.description });
		} catch (error) {
			return [{ ...row, certain: failureOf(toFailure(error)) }];
		}
	});
}

function noIdProblem(size: Size): Problem {
	const field = size === 'single' ? 'search_id' : 'batch_id';
	return {
		message: `'${readingOf(size).label}' is empty`,
		description: `Give the ID that an earlier run gave, for example with the expression {{ $json.${field} }}.`,
	};
}
