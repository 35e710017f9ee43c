import { type Problem, ProblemError } from '../common/errors';
import { unlessAborted } from '../common/time';
import { findBadRows } from '../results/badRows';
import type { Row } from '../input/rows';
import { OUT_OF_TIME } from '../run/toolCall';
import type { LedgerRun } from '../orders/ledger';
import type { Entry, Order } from '../orders/order';
import { namedOrders, toEntries } from '../orders/plan';
import { send, type Started } from '../orders/send';

/** Said where it is not known which searches are paid for. */
export const OF_OTHER_VERSION: Problem = {
	message:
		'Another version of this node has started this execution, and this one cannot go on from there',
	description: 'Nothing was sent.',
	remedy: 'stop',
};

/** What the rows ask for: orders that are only read, and searches that are new. */
export async function plan(
	{ connection, ledger, settings: { lookup, size } }: LedgerRun,
	rows: readonly Row[],
): Promise<{ known: Order[]; fresh: Entry[] }> {
	await ledger.refresh();
	const entries = toEntries(lookup, connection.account.baseUrl, rows);
	const { known, rest } = ledger.find(entries);
	return { known: [...namedOrders(size, rows), ...known], fresh: rest };
}

/**
 * The first half of Find and Start: plans what the rows search for, and submits what is new.
 * @throws the error of a row that is wrong, unless the workflow goes on after errors
 */
export async function start(run: LedgerRun, rows: readonly Row[]): Promise<Started> {
	const { ledger } = run;
	if (ledger.isUnreadable) throw new ProblemError({ problem: OF_OTHER_VERSION });
	const bad = run.continueOnFail ? undefined : findBadRows(run.settings.lookup, rows, run.input);
	if (bad !== undefined) throw new ProblemError(bad);
	const startNow = async (): Promise<Started> => {
		const { known, fresh } = await plan(run, rows);
		ledger.adopt(known);
		return await send(run, known, fresh);
	};
	if (run.call === undefined) return await startNow();
	const started = await oneByOne(ledger.receipts, startNow, run.call.timeUp);
	if (started === undefined) throw new ProblemError({ problem: OUT_OF_TIME });
	return started;
}

/** The end of the latest call of each tool in an execution. */
const ends = new WeakMap<object, Promise<void>>();

/**
 * Lets the calls of a tool start one after another: what those before it spend counts for its cap.
 * @returns `undefined` where the time was up before its turn came
 */
async function oneByOne<T>(
	tool: object,
	work: () => Promise<T>,
	timeUp: AbortSignal,
): Promise<T | undefined> {
	const before = ends.get(tool) ?? Promise.resolve();
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	// The next call waits for those before this one, too, also where this one gives up.
	ends.set(
		tool,
		before.then(async () => await ended),
	);
	try {
		return (await unlessAborted(before, timeUp)) ? await work() : undefined;
	} finally {
		end();
	}
}
