import type { IExecuteFunctions } from 'n8n-workflow';
import { monotonicMs } from '../common/time';
import type { Row } from '../input/rows';
import { readRows } from '../input/readRows';
import type { Run } from '../input/run';
import { isAtLimit, isStopped, msLeft } from '../input/run';
import type { Settings } from '../input/settings';
import type { AcceptedOrder, Order } from '../orders/order';
import { isAccepted, isStarted } from '../orders/order';
import { RecentSearches } from '../orders/recent';
import { openPause } from '../pausing/obstacles';
import { pauseUntilCalled } from '../pausing/pause';
import { pauseOfRetried } from '../pausing/pauseEnd';
import { readSaved } from '../pausing/savedPause';
import { collect } from '../results/collect';
import { give } from '../results/give';
import { ENDED_AT_LIMIT } from '../results/problems';
import { remarksOn } from '../results/remarks';
import { summarize, summarizePause, tellSplitLists } from '../results/summary';
import { isOpen } from '../service/state';
import { waitForAll } from '../waiting/wait';
import { dryRun } from './dryRun';
import { start } from './start';

/** Operations Find and Find Many: submits, waits for the whole set, and gives the results. */
export async function find(
	context: IExecuteFunctions,
	run: Run,
	settings: Settings,
): Promise<Row[]> {
	const retried = settings.dryRun ? undefined : pauseOfRetried(context);
	if (retried?.isOver) return handOn(run);
	const paused = readSaved(retried?.waiting);
	if (paused !== undefined) {
		const { rows, orders } = paused;
		return await waitAndGive(run, settings, { rows, orders, timeoutMs: settings.timeoutMs });
	}

	const { resumeUrl, ...pausing } =
		settings.pauses && !settings.dryRun ? await openPause(context, run, settings.timeoutMs) : {};
	const rows = readRows(run, settings, () => resumeUrl);
	if (rows.length === 0) return rows;
	const recent = new RecentSearches(run.connection.account, settings);
	if (settings.dryRun) return await dryRun(run, settings, rows, recent.find);
	const begunAt = monotonicMs();
	const { orders, receipts, balance } = await start(run, settings, rows, recent);

	let { obstacle } = pausing;
	const open = ordersWaitedFor(run, orders);
	if (resumeUrl !== undefined && open.length > 0) {
		collect(settings, orders);
		const pause = { form: settings, rows, orders: open };
		const tried = await pauseUntilCalled(context, run, settings, { pause, receipts, resumeUrl });
		if ('rows' in tried) {
			const end = { until: tried.until, timeZone: context.getTimezone() };
			run.hint(summarizePause(settings, rows, orders, { balance, ...end }));
			return tried.rows;
		}
		({ obstacle } = tried);
	}
	const isNew = orders.some(({ origin }) => origin === 'new');
	const timeoutMs = Math.max(0, settings.timeoutMs - (isNew ? 0 : monotonicMs() - begunAt));
	const given = await waitAndGive(run, settings, { rows, orders, timeoutMs, balance });
	if (obstacle !== undefined) {
		run.hint(`The execution kept running instead of being paused: ${obstacle}.`);
	}
	return given;
}

/** What is given out by a run, and how long it waits for it. */
interface Waited {
	rows: Row[];
	orders: Order[];
	timeoutMs: number;
	balance?: number;
}

async function waitAndGive(
	run: Run,
	settings: Settings,
	{ rows, orders, timeoutMs, balance }: Waited,
): Promise<Row[]> {
	const open = ordersWaitedFor(run, orders);
	const { connection, signal, call } = run;
	// After a submission that took long a call has no time for a last look.
	if (call?.timeUp.aborted !== true) {
		const { lookup, firstDelayMs } = settings;
		await waitForAll(
			{
				connection,
				lookup,
				firstDelayMs,
				timeoutMs: Math.min(timeoutMs, msLeft(run)),
				reachedBefore: true,
				signal,
			},
			open,
		);
	}
	const isError = settings.onTimeout === 'error' && open.length > 0 && !isStopped(run);
	const timeout = { timeoutMs: settings.timeoutMs, isAtLimit: isAtLimit(run) };
	collect({ ...settings, ...(isError && { timeout }) }, orders);
	run.hint(summarize(settings, rows, orders, balance));
	if (settings.isList) run.hint(tellSplitLists(orders));
	// Errors tell it themselves.
	if (!isError) for (const remark of remarksOn(settings.lookup, open)) run.hint(remark);
	if (isAtLimit(run) && open.some(({ fate }) => isOpen(fate))) run.hint(ENDED_AT_LIMIT);
	return give(settings, rows, orders);
}

/** Where a run ends with an error anyway, its results are left for the retry to collect. */
function ordersWaitedFor(run: Run, orders: readonly Order[]): AcceptedOrder[] {
	const isWaiting = !isStopped(run) && (run.continueOnFail || orders.every(isStarted));
	return isWaiting ? orders.filter(isAccepted).filter(({ fate }) => isOpen(fate)) : [];
}

/** The results that a callback had brought before n8n ended, and that n8n has saved as the node's input. */
function handOn({ input }: Run): Row[] {
	return input.map(({ json }, item) => ({
		item,
		search: {},
		key: '',
		envelope: {},
		outputs: [{ kind: 'asItIs', json }],
	}));
}
