import type { Problem } from '../common/errors';
import { ProblemError, toFailure } from '../common/errors';
import { readId } from '../input/ids';
import { isBare, tellNearColumn } from '../input/readRows';
import type { Row } from '../input/rows';
import { failureOf, failuresOf } from '../input/rows';
import type { Run } from '../input/run';
import { isAtLimit, isStopped, msLeft, patienceOf } from '../input/run';
import type { Settings } from '../input/settings';
import type { Refuse, Size } from '../lookups/types';
import { isAccepted, noteShown } from '../orders/order';
import { collect } from '../results/collect';
import { readingOf } from '../results/explain';
import { give } from '../results/give';
import type { NamingItem } from '../results/named';
import { ordersOfItems } from '../results/named';
import { echoedSearch } from '../results/otherSearch';
import { ENDED_AT_LIMIT } from '../results/problems';
import { remarksOn } from '../results/remarks';
import { summarizeRead } from '../results/summary';
import { isOpen } from '../service/state';
import { lookAtAll, waitForAll } from '../waiting/wait';

/** Operations Get Result and Get Bulk Results: what was started before, each id once. */
export async function getResult(run: Run, settings: Settings): Promise<Row[]> {
	const { lookup, size, timeoutMs } = settings;
	const { known, naming } = readIds(run, settings);
	if (known.length + naming.length === 0) {
		run.hint('Nothing to do: the input has no ID.');
		return [];
	}
	const [firstFailure] = failuresOf(known);
	if (firstFailure !== undefined && !run.continueOnFail) throw new ProblemError(firstFailure);

	const { rows, orders } = ordersOfItems(lookup, size, naming);
	const ids = orders.filter(isAccepted);
	const source = { connection: run.connection, lookup };
	if (settings.waitForResult) {
		// What was started earlier may be finished by now: it is read without delay.
		const wait = { timeoutMs: Math.min(timeoutMs, msLeft(run)), firstDelayMs: 0 };
		await waitForAll({ ...source, ...wait, reachedBefore: false, signal: run.signal }, ids);
	} else {
		await lookAtAll({ ...source, signal: patienceOf(run) }, ids);
		for (const order of ids) {
			if (order.fate.kind === 'fault') noteShown(order, { ...order.fate, fault: 'lasting' });
		}
	}
	const isError = settings.waitForResult && settings.onTimeout === 'error' && !isStopped(run);
	collect(
		{ ...settings, ...(isError && { timeout: { timeoutMs, isAtLimit: isAtLimit(run) } }) },
		orders,
	);
	const inOrder = [...known, ...rows].sort((one, other) => one.item - other.item);
	run.hint(summarizeRead(settings, inOrder));
	if (settings.waitForResult && isAtLimit(run) && ids.some(({ fate }) => isOpen(fate))) {
		run.hint(ENDED_AT_LIMIT);
	}
	for (const remark of remarksOn(lookup, orders)) {
		run.hint(remark);
		run.logger.warn(remark);
	}
	return give(settings, inOrder, orders);
}

/** The items that name an id; the others give a failure, or the result that they are already. */
function readIds(run: Run, { lookup, size }: Settings): { known: Row[]; naming: NamingItem[] } {
	const { input, parameters } = run;
	const name = size === 'single' ? 'lookupId' : 'batchId';
	const refuse: Refuse = (problem) => {
		throw new ProblemError({ problem });
	};
	const known: Row[] = [];
	const naming: NamingItem[] = [];
	input.forEach(({ json }, item) => {
		const row = { item, search: {}, key: '', envelope: {} };
		try {
			const id = readId(readingOf(size).label, parameters.get(name, item), refuse);
			if (id !== undefined) naming.push({ item, id, json });
			// The Start operations give such results beside the receipts.
			else if (json.status === 'completed' && typeof json.found === 'boolean') {
				const search = echoedSearch(lookup, json);
				known.push({ ...row, search, outputs: [{ kind: 'result', json }] });
			} else if (!isBare(run, [name])) {
				const problem = emptyProblem(size);
				const meant = tellNearColumn(parameters, [name], item);
				refuse({ ...problem, description: meant ?? problem.description });
			}
		} catch (error) {
			known.push({ ...row, outputs: [failureOf(toFailure(error))] });
		}
	});
	return { known, naming };
}

function emptyProblem(size: Size): Problem {
	const field = size === 'single' ? 'id' : 'batch_id';
	return {
		message: `'${readingOf(size).label}' is empty`,
		description: `Give the ID that an earlier run gave, for example with the expression {{ $json.${field} }}.`,
	};
}
