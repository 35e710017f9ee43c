import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { connectForGood } from '../input/credential';
import type { Given } from '../input/rows';
import type { Run } from '../input/run';
import type { Form } from '../input/form';
import { foldLists } from '../results/fold';
import { toNodeItems } from '../results/items';
import { tellShortPause } from '../results/summary';
import { readEstimateMs } from '../service/state';
import { obstacleOfItems, obstacleOfLimit, obstacleOfOrders } from './obstacles';
import { longestPauseMs, notePause, obstacleOfLastPause, TAKEN_LONGER_MS } from './pauseEnd';
import { lookAfter } from './pauses';
import type { Pause } from './savedPause';
import { toSaved } from './savedPause';
import { Watch } from './watch';

/** What a pause comes to: its end, or why n8n cannot pause the execution. */
export type Paused = { until: Date } | { obstacle: string };

/**
 * Pauses the execution until the service has called back for all that it waits for.
 * @param given what all its rows give now
 * @param resumeUrl where the service calls
 */
export async function pauseUntilCalled(
	context: IExecuteFunctions,
	run: Run,
	pause: Pause,
	given: readonly Given[],
	resumeUrl: string,
): Promise<Paused> {
	const { form, orders, items } = pause;
	const { saved, settings, node } = run;
	const forMs = longestPauseMs(run.limit, settings.timeoutMs);
	// n8n pairs the items of a paused node with its input by their position: a list is one of them.
	const parked = foldLists(form, given, items);
	const obstacle =
		obstacleOfLastPause(context) ??
		obstacleOfOrders(orders, saved.executionId) ??
		obstacleOfLimit(forMs) ??
		obstacleOfItems(node, form, parked);
	if (obstacle !== undefined) return { obstacle };
	if (forMs < settings.timeoutMs) run.hint(tellShortPause(forMs));
	const end = notePause(context, forMs, toSaved(pause, given));
	await context.putExecutionToWait(new Date(Math.min(end, WAIT_INDEFINITELY.getTime())));
	replaceInput(context, toResumedItems(node, form, parked));
	const { executionId } = saved;
	const estimates = orders.map(({ fate }) => readEstimateMs(fate.receipt) ?? 0);
	const estimateMs = estimates.reduce((most, ms) => Math.max(most, ms), 0) || undefined;
	const watch = new Watch(form.lookup, orders);
	lookAfter(
		{ executionId, end, watch, resumeUrl, estimateMs },
		forMs + TAKEN_LONGER_MS,
		connectForGood(context, run.connection.account),
	);
	const until = new Date(Math.min(Date.now() + forMs, WAIT_INDEFINITELY.getTime()));
	return { until };
}

/**
 * n8n keeps the node's input in a pause: it is replaced by the items, which come out as they are when the
 * time is over.
 */
function replaceInput(context: IExecuteFunctions, items: readonly INodeExecutionData[]): void {
	const input = context.getInputData();
	input.length = 0;
	for (const item of items) input.push(item);
	// n8n disables the paused node, and with it all runs of that node that share this object.
	const run = context.getExecuteData();
	run.node = { ...run.node };
}

/** The items of a paused execution: n8n routes those that failed by nothing but their keys. */
export function toResumedItems(
	node: INode,
	form: Form,
	given: readonly Given[],
): INodeExecutionData[] {
	return toNodeItems(node, form, given).map(({ json, pairedItem }, index) => {
		const isFailure = given[index]?.output.kind === 'failure';
		const isRouted = isFailure && node.onError === 'continueErrorOutput';
		return { json: isRouted ? forErrorOutput(json) : json, pairedItem };
	});
}

/** n8n, of whatever version, routes a resumed item to the error output when these are its keys. */
function forErrorOutput({ error, ...message }: IDataObject): IDataObject {
	return { error, message };
}
