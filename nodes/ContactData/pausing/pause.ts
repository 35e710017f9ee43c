import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { connectForGood } from '../input/credential';
import type { Row } from '../input/rows';
import type { Run } from '../input/run';
import type { Settings } from '../input/settings';
import type { Receipts } from '../orders/receipts';
import { give } from '../results/give';
import { toNodeItems } from '../results/items';
import { tellShortPause } from '../results/summary';
import { readEstimateMs } from '../service/state';
import { lookout } from './lookout';
import { obstacleOfItems, obstacleOfLimit, obstacleOfOrders } from './obstacles';
import { waitedFor } from './pausedWait';
import { longestPauseMs, notePause, obstacleOfLastPause, TAKEN_LONGER_MS } from './pauseEnd';
import type { Pause } from './savedPause';
import { toSaved } from './savedPause';

/** What a pause comes to: the items of the paused node and its end, or why n8n cannot pause it. */
export type Paused = { rows: Row[]; until: Date } | { obstacle: string };

/**
 * Pauses the execution until the service has called back for all that it waits for.
 * @param resumeUrl where it calls
 */
export async function pauseUntilCalled(
	context: IExecuteFunctions,
	run: Run,
	settings: Settings,
	{ pause, receipts, resumeUrl }: { pause: Pause; receipts: Receipts; resumeUrl: string },
): Promise<Paused> {
	const { orders } = pause;
	const forMs = longestPauseMs(run.limit, settings.timeoutMs);
	const obstacle =
		obstacleOfLastPause(context) ??
		obstacleOfOrders(orders, receipts) ??
		obstacleOfLimit(forMs) ??
		obstacleOfItems(run.node, give(pause.form, pause.rows, orders));
	if (obstacle !== undefined) return { obstacle };
	if (forMs < settings.timeoutMs) run.hint(tellShortPause(forMs));
	const rows = await pauseExecution(context, pause, forMs);
	const { executionId } = run.saved;
	const estimates = orders.map(({ fate }) => readEstimateMs(fate.receipt) ?? 0);
	const estimateMs = estimates.reduce((most, ms) => Math.max(most, ms), 0) || undefined;
	const leftMs = forMs + TAKEN_LONGER_MS;
	lookout.add(
		{ ...waitedFor(pause), executionId, resumeUrl, leftMs, estimateMs },
		connectForGood(context, run.connection.account),
	);
	return { rows, until: new Date(Math.min(Date.now() + forMs, WAIT_INDEFINITELY.getTime())) };
}

/**
 * n8n keeps the node's input in a pause: it is replaced by the items, which come out as they are when the
 * time is over.
 */
async function pauseExecution(
	context: IExecuteFunctions,
	pause: Pause,
	forMs: number,
): Promise<Row[]> {
	const input = context.getInputData();
	const given = give(pause.form, pause.rows, pause.orders);
	const until = notePause(context, forMs, toSaved(pause));
	await context.putExecutionToWait(new Date(Math.min(until, WAIT_INDEFINITELY.getTime())));
	input.length = 0;
	for (const item of toResumedItems(context.getNode(), given)) input.push(item);
	// n8n disables the paused node, and with it all runs of that node that share this object.
	const run = context.getExecuteData();
	run.node = { ...run.node };
	return given;
}

/** The items of a paused execution: n8n routes those that failed by nothing but their keys. */
export function toResumedItems(node: INode, rows: readonly Row[]): INodeExecutionData[] {
	const outputs = rows.flatMap((row) => row.outputs);
	return toNodeItems(node, rows).map(({ json, pairedItem }, index) => {
		const isFailure = outputs[index]?.kind === 'failure';
		const isRouted = isFailure && node.onError === 'continueErrorOutput';
		return { json: isRouted ? forErrorOutput(json) : json, pairedItem };
	});
}

/** n8n, of whatever version, routes a resumed item to the error output when these are its keys. */
function forErrorOutput({ error, ...message }: IDataObject): IDataObject {
	return { error, message };
}
