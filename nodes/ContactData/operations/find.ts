import { ProblemError } from '../common/errors';
import { monotonicMs } from '../common/time';
import { readRows } from '../input/readRows';
import { failuresOf, type Row, type RowOutput, rowWithoutSearch } from '../input/rows';
import { isAtLimit, isStopped, msLeft, type Run } from '../run/run';
import type { LedgerRun } from '../orders/ledger';
import { type AcceptedOrder, isAccepted, isStarted, type Order } from '../orders/order';
import { type Execution, openPause, pauseUntilCalled } from '../pausing/pause';
import { pauseOfRetried } from '../pausing/pauseEnd';
import { restorePause } from '../pausing/savedPause';
import { give } from '../results/give';
import { isErrorJson } from '../results/items';
import { ENDED_AT_LIMIT } from '../results/problems';
import { remarksOn, summarize } from '../results/summary';
import { waitForAll } from '../waiting/wait';
import { dryRun } from './dryRun';
import { OF_OTHER_VERSION, start } from './start';

/** What a run waits for, and gives out. */
interface Finding {
	run: LedgerRun;
	rows: readonly Row[];
	orders: readonly Order[];
	/** When the wait ends, by the monotonic clock, in milliseconds. */
	endsAt: number;
	balance?: number;
}

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function find(
	chosen: Execution,
): Promise<{ run: Execution; outputs: RowOutput[]; isPaused?: boolean }> {
	const retried = chosen.settings.dryRun ? undefined : pauseOfRetried(chosen.context);
	if (retried?.isOver === true) return { run: chosen, outputs: replay(chosen) };
	const paused = restorePause(retried?.waiting);
	if (retried !== undefined && paused === undefined) {
		throw new ProblemError({ problem: OF_OTHER_VERSION });
	}
	if (paused === undefined) return { run: chosen, ...(await searchAndGive(chosen)) };
	// What waits was started in the form that was chosen then.
	const run = { ...chosen, settings: { ...chosen.settings, ...paused.form } };
	const endsAt = monotonicMs() + run.settings.timeoutMs;
	return { run, outputs: await waitAndGive({ run, ...paused, endsAt }) };
}

async function searchAndGive(
	run: Execution,
): Promise<{ outputs: RowOutput[]; isPaused?: boolean }> {
	const { settings, hint } = run;
	const { resumeUrl, obstacle } = settings.pauses && !settings.dryRun ? await openPause(run) : {};
	const rows = readRows(run, () => resumeUrl);
	if (rows.length === 0) return { outputs: [] };
	if (settings.dryRun) return { outputs: await dryRun(run, rows) };

	const { orders, balance, written } = await start(run, rows);
	const endsAt = monotonicMs() + settings.timeoutMs;
	const found = { run, rows, orders, endsAt, balance };
	if (resumeUrl !== undefined) await lookAtOthers(found);
	const open = waitedFor(found);
	const keptRunning = (why: string | undefined) =>
		hint(why && `The execution kept running instead of being paused: ${why}.`);
	if (resumeUrl === undefined || open.length === 0) {
		const outputs = await waitAndGive(found);
		await written;
		keptRunning(obstacle);
		return { outputs };
	}
	await written;
	const outputs = give(settings, rows, orders);
	// It ends the run: the results of the others are left for the retry to read.
	if (!run.continueOnFail && failuresOf(outputs).length > 0) return { outputs };
	const pause = { form: settings, rows, orders: open, items: run.input.length };
	const result = await pauseUntilCalled(run, pause, outputs, resumeUrl);
	if ('obstacle' in result) {
		const results = await waitAndGive(found);
		keptRunning(result.obstacle);
		return { outputs: results };
	}
	const waits = { until: result.until, timeZone: run.context.getTimezone() };
	hint(summarize(run, { outputs, orders, balance, pause: waits }));
	return { outputs, isPaused: true };
}

/** What was started before may have ended: only what of it still runs stands against a pause. */
async function lookAtOthers(found: Finding): Promise<void> {
	const { connection, settings, signal, saved } = found.run;
	const others = waitedFor(found).filter(({ resumes }) => resumes !== saved.executionId);
	const once = { timeoutMs: 0, reachedBefore: true, signal };
	await waitForAll({ connection, lookup: settings.lookup, ...once }, others);
}

async function waitAndGive(found: Finding): Promise<RowOutput[]> {
	const { run, rows, orders, balance } = found;
	const { connection, signal, call, settings } = run;
	const { lookup, timeoutMs } = settings;
	const open = waitedFor(found);
	// After a submission that took long a call has no time for a last look.
	if (call?.timeUp.aborted !== true) {
		const leftMs = Math.max(0, Math.min(found.endsAt - monotonicMs(), msLeft(run)));
		// Where only known orders are waited for, nobody has asked the service yet.
		const reachedBefore = open.some(({ origin }) => origin === 'new');
		const wait = { timeoutMs: leftMs, reachedBefore, signal };
		await waitForAll({ connection, lookup, ...wait }, open);
	}
	await run.ledger.settle(open);
	const isError = settings.onTimeout === 'error' && open.length > 0 && !isStopped(run);
	const timeout = { timeoutMs, isAtLimit: isAtLimit(run) };
	const outputs = give(settings, rows, orders, isError ? timeout : undefined);
	run.hint(summarize(run, { outputs, orders, balance }));
	// Errors tell it themselves.
	if (!isError) for (const remark of remarksOn(lookup, open)) run.hint(remark);
	if (isAtLimit(run) && open.some(({ fate }) => !fate.isOver)) run.hint(ENDED_AT_LIMIT);
	return outputs;
}

/** Where a run ends with an error anyway, its results are left for the retry to read. */
function waitedFor({ run, orders }: Finding): AcceptedOrder[] {
	const isWaiting = !isStopped(run) && (run.continueOnFail || orders.every(isStarted));
	return isWaiting ? orders.filter(isAccepted).filter(({ fate }) => !fate.isOver) : [];
}

/** The items that a callback had brought before n8n ended, and that n8n has saved as the node's input. */
function replay({ input }: Run): RowOutput[] {
	return input.map(({ json }, item): RowOutput => {
		const row = rowWithoutSearch(item);
		if (!isErrorJson(json)) return { row, output: { kind: 'result', json, final: json } };
		const problem = { message: String(json.error), description: '' };
		return { row, output: { kind: 'failure', problem, final: json } };
	});
}
