import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { asText } from '../common/values';
import { connectForGood } from '../run/credential';
import type { Form } from '../input/settings';
import type { RowOutput } from '../input/rows';
import { mayRunAgain, type Run } from '../run/run';
import type { LedgerRun } from '../orders/ledger';
import { itemsOf } from '../results/items';
import { tellShortPause } from '../results/summary';
import { estimateMsIn } from '../service/state';
import { findResumeUrl, obstacleOfAddress } from './address';
import { longestPauseMs, notePause, obstacleOfLastPause, TAKEN_LONGER_MS } from './pauseEnd';
import { lookAfter } from './lookAfter';
import { type Pause, savePause } from './savedPause';
import { Watch } from './watch';

/** A run in n8n's context. */
export interface Execution extends LedgerRun {
	context: IExecuteFunctions;
}

/** The id of the caller of a sub-workflow that is no execution, such as an MCP client. */
const NO_EXECUTION = '__UNKNOWN__';

/** Ids of n8n's opt-in engine, which would hand on what waits as results. Others are numbers. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** n8n looks once a minute for waits that are over; its own Wait node does not pause for less either. */
const LEAST_PAUSE_MS = 65_000;

/** Where the service calls back for this execution, or why n8n cannot pause it. */
export type Pausing = { resumeUrl?: string; obstacle?: string };

/** @throws ProblemError when the service could never call back, before money is spent */
export async function openPause({ context, settings, connection }: Execution): Promise<Pausing> {
	const ofExecution = obstacleOfExecution(context, settings.timeoutMs);
	if (ofExecution !== undefined) return { obstacle: ofExecution };
	const resumeUrl = findResumeUrl(context, connection.account.baseUrl);
	const obstacle = await obstacleOfAddress(context, resumeUrl);
	return obstacle === undefined ? { resumeUrl } : { obstacle };
}

/** Why n8n cannot pause this execution, in the user's words; `undefined` where it can. */
function obstacleOfExecution(context: IExecuteFunctions, timeoutMs: number): string | undefined {
	// n8n then gives the node a copy of its input, and saves its own: the IDs would be lost.
	if (context.getNode().executeOnce === true) {
		return "with 'Execute Once', n8n would not keep the IDs";
	}
	const executionId = asText(context.getExecutionId());
	if (executionId === undefined) return 'n8n gave this execution no ID';
	if (context.getExecutionContext()?.parentExecutionId === NO_EXECUTION) {
		return 'the MCP client that called this workflow is waiting for its answer';
	}
	// Each test case is over once it is paused, and n8n goes on to the next one.
	if (context.getMode() === 'evaluation') return "n8n's evaluation waits for this execution";
	if (UUID.test(executionId)) return "n8n's new engine cannot pause an execution";
	if (timeoutMs < LEAST_PAUSE_MS) {
		return "with a 'Timeout' of less than 65 seconds, n8n could be a minute late";
	}
	return undefined;
}

/** Why n8n cannot pause the execution for this wait; its items until then begin with `first`. */
function obstacleOfWait(
	run: Run,
	{ orders }: Pause,
	forMs: number,
	[first]: readonly INodeExecutionData[],
): string | undefined {
	if (orders.some(({ resumes }) => resumes !== run.saved.executionId)) {
		return 'some searches were started before, and the service does not notify this execution of them';
	}
	if (forMs < LEAST_PAUSE_MS) {
		return "n8n's time limit for this execution would end it before a pause is over";
	}
	return mayRunAgain(run) && (first?.json.error ?? null) !== null
		? "with 'Retry On Fail', n8n would run the node again, as the first item has an error"
		: undefined;
}

/** What a pause comes to: its end, or why n8n cannot pause the execution. */
export type Paused = { until: Date } | { obstacle: string };

/**
 * Pauses the execution until the service has called back for all that it waits for.
 * @param outputs of all its rows, as they are now
 * @param resumeUrl where the service calls
 */
export async function pauseUntilCalled(
	run: Execution,
	pause: Pause,
	outputs: readonly RowOutput[],
	resumeUrl: string,
): Promise<Paused> {
	const { form, orders, items } = pause;
	const { context, settings, node } = run;
	const { executionId } = run.saved;
	const forMs = longestPauseMs(run.limit, settings.timeoutMs);
	// n8n pairs the items of a paused node with its input by their position: a list is one of them.
	const parked = toResumedItems(node, form, outputs, items);
	const obstacle = obstacleOfWait(run, pause, forMs, parked) ?? obstacleOfLastPause(context);
	if (obstacle !== undefined) return { obstacle };
	if (forMs < settings.timeoutMs) run.hint(tellShortPause(forMs));
	const { wakesAt, until } = notePause(context, forMs, savePause(pause, outputs));
	await context.putExecutionToWait(new Date(wakesAt));
	replaceInput(context, parked);
	const estimates = orders.map(({ fate }) => estimateMsIn(fate.receipt) ?? 0);
	const estimateMs = estimates.reduce((most, ms) => Math.max(most, ms), 0) || undefined;
	const watch = new Watch(form.lookup, orders);
	lookAfter(
		{ executionId, wakesAt, watch, resumeUrl, estimateMs },
		forMs + TAKEN_LONGER_MS,
		connectForGood(context, run.connection.account),
	);
	return { until };
}

/** n8n keeps the node's input in a pause: the items that come out when the time is over take its place. */
function replaceInput(context: IExecuteFunctions, items: readonly INodeExecutionData[]): void {
	const input = context.getInputData();
	input.length = 0;
	for (const item of items) input.push(item);
	// n8n disables the paused node, and with it all runs of that node that share this object.
	const executeData = context.getExecuteData();
	executeData.node = { ...executeData.node };
}

/** The items of a paused execution: n8n routes those that failed by nothing but their keys. */
export function toResumedItems(
	node: INode,
	form: Form,
	outputs: readonly RowOutput[],
	items: number,
): INodeExecutionData[] {
	return itemsOf(node, form, outputs, { items }).map(({ json, pairedItem, error }) => {
		return { json: error === undefined ? json : forErrorOutput(json), pairedItem };
	});
}

/** n8n, of whatever version, routes a resumed item to the error output when these are its keys. */
function forErrorOutput({ error, ...message }: IDataObject): IDataObject {
	return { error, message };
}
