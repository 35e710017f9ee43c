import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Run } from '../input/run';
import { isAtLimit } from '../input/run';
import type { RunOptions } from '../input/options';
import type { Lookup, Size } from '../lookups/types';
import { isFailure, ProblemError, toFailure } from '../common/errors';
import { findBadItems } from '../input/badItems';
import type { ReadItem } from '../input/searches';
import { savedData } from '../input/parameters';
import { OUT_OF_TIME } from '../input/toolCall';
import { startCall } from '../spending/calls';
import { Receipts } from '../spending/receipts';
import type { StartRequest } from '../spending/prepare';
import type { Started } from '../spending/start';
import { start } from '../spending/start';
import type { ItemOutput } from '../results/items';
import { toNodeItems } from '../results/items';
import { PAID_FOR } from '../results/explain';
import { ENDED_AT_LIMIT } from '../results/problems';
import { simplify } from '../results/simplify';
import { willRunAgain } from '../pausing/obstacles';

/** What an operation is given: what to do, and n8n. Only operations see the context. */
export interface OperationRun {
	context: IExecuteFunctions;
	run: Run;
	lookup: Lookup;
	size: Size;
	options: RunOptions;
}

/** Shows one line in the output pane, where there is one. */
export function addHint(context: IExecuteFunctions, message: string | undefined): void {
	if (message === undefined) return;
	context.addExecutionHints({ message, location: 'outputPane', type: 'info' });
}

/** Says where n8n's time limit has ended a wait, and what still runs is given as ongoing. */
export function tellLimit({ context, run }: OperationRun, outputs: ItemOutput[]): void {
	const isOngoing = (output: ItemOutput) => !isFailure(output) && output.json.status === 'ongoing';
	if (isAtLimit(run) && outputs.some(isOngoing)) addHint(context, ENDED_AT_LIMIT);
}

/**
 * The first half of every submit operation: starts what all items search for. Nothing is sent while
 * an item is wrong, unless the workflow goes on after errors.
 * @throws the error of the first item that is wrong, or of a tool's call that had no turn in time
 */
export async function startSearches(
	operation: OperationRun,
	itemSearches: ReadItem[],
): Promise<Started> {
	const { context, run } = operation;
	throwFirst(operation, itemSearches);
	const request = toRequest(operation, itemSearches);
	if (run.call === undefined) return await start(run, request);
	const started = await startCall(run, request, nameOfTool(context));
	if (started === undefined) throw new ProblemError({ problem: OUT_OF_TIME });
	return started;
}

/** @throws the error of the first item that is wrong, unless the workflow goes on after errors */
export function throwFirst({ run, lookup }: OperationRun, itemSearches: ReadItem[]): void {
	const failure = run.continueOnFail ? undefined : findBadItems(lookup, itemSearches);
	if (failure !== undefined) throw new ProblemError(failure);
}

/** What is to be started, with what earlier tries have left. */
export function toRequest(
	{ context, run, lookup, size, options: { maxCredits } }: OperationRun,
	itemSearches: ReadItem[],
): StartRequest {
	const receipts = run.call ? Receipts.ofTool(...savedReceipts(context)) : receiptsOf(context);
	return { lookup, size, itemSearches, receipts, maxCredits };
}

/** What is known of a run of a node that is no tool. */
export function receiptsOf(context: IExecuteFunctions): Receipts {
	const [saved, executionId] = savedReceipts(context);
	return Receipts.of(saved, String(context.evaluateExpression('{{ $runIndex }}', 0)), executionId);
}

function savedReceipts(context: IExecuteFunctions): [saved: IDataObject, executionId: string] {
	return [savedData(context, 'node'), context.getExecutionId()];
}

/** Names the tool among all that use an account. */
export function nameOfTool(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id ?? ''} ${context.getNode().name}`;
}

/** Goes on with what is started. Whatever goes wrong then, the error names what is paid for. */
export async function goOn<T>(
	{ size }: OperationRun,
	started: Started,
	work: () => Promise<T>,
): Promise<T> {
	return await work().catch((thrown: unknown) => {
		const paid = { size, paidFor: idsOfStarted(started), unsure: countUnsure(started) };
		throw new ProblemError({ ...toFailure(thrown), paid });
	});
}

/**
 * Hands the items of a run over to n8n. The receipts stay where n8n may try again.
 * @param items what is given out, where that is not one item for each output
 */
export function finish(
	operation: OperationRun,
	started: Started,
	outputs: ItemOutput[],
	{ items = itemsOf(operation, outputs) }: { items?: INodeExecutionData[] } = {},
): INodeExecutionData[] {
	const { run } = operation;
	const isStopped = run.signal?.aborted === true;
	if (isStopped) logStopped(run, idsOfStarted(started));
	else throwCause(run, outputs);
	if (!isStopped && !outputs.some(isFailure) && !willRunAgain(run.node, items)) {
		started.receipts.clear(started.submissions);
	}
	addCost(started, items);
	return items;
}

/** As items of n8n, over the fields of their input items where these are included. */
export function itemsOf(
	{ context, run, options }: OperationRun,
	outputs: ItemOutput[],
): INodeExecutionData[] {
	const input = options.includeInputFields ? context.getInputData() : undefined;
	return toNodeItems(run.node, outputs, input);
}

/** The results in the form that the user has chosen. */
export function inChosenForm(
	{ context, lookup }: OperationRun,
	outputs: ItemOutput[],
): ItemOutput[] {
	return context.getNodeParameter('simplify', 0, true) === false
		? outputs
		: simplify(lookup, outputs);
}

/**
 * Unless the workflow goes on after errors, the one that caused the others ends the run.
 * @throws the error of the first item that failed by itself
 */
export function throwCause({ continueOnFail, call }: Run, outputs: ItemOutput[]): void {
	const failures = outputs.filter(isFailure);
	const cause = failures.find(({ isConsequence }) => isConsequence !== true) ?? failures[0];
	if (cause === undefined || continueOnFail) return;
	// An error would end some agents, and they could do something else.
	const isAnswer = cause.isOfCap === true && call !== undefined;
	if (!isAnswer) throw new ProblemError(cause);
}

/** A model is told with each answer what the calls of its tool have spent so far. */
function addCost({ receipts: { calls } }: Started, items: INodeExecutionData[]): void {
	if (calls === undefined) return;
	const { credits, unsure } = calls;
	const cost = { credits_spent: credits, ...(unsure > 0 && { searches_maybe_charged: unsure }) };
	for (const item of items) item.json = { ...item.json, ...cost };
}

function logStopped({ logger }: Run, ids: string[]): void {
	if (ids.length === 0) return;
	logger.warn(`Cancelled. ${PAID_FOR}${ids.join(', ')}`);
}

/** What n8n's custom data has no room for is in its log, should n8n end the execution before it is resumed. */
export function logPaused({ context, run }: OperationRun, started: Started): void {
	const ids = idsOfStarted(started).join(', ');
	if (ids !== '')
		run.logger.info(`Execution ${context.getExecutionId()} is paused. ${PAID_FOR}${ids}`);
}

/** Searches that may have been charged. */
function countUnsure({ outcomes, submissions }: Started): number {
	const sizes = outcomes.map(({ kind }, index) =>
		kind === 'unknown' ? (submissions[index]?.size ?? 0) : 0,
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}

/** Paid for by this run: what was started before is the user's already. */
function idsOfStarted({ outcomes, submissions }: Started): string[] {
	const ids = outcomes.flatMap((outcome, index) =>
		'id' in outcome && submissions[index]?.earlierId === undefined ? [outcome.id] : [],
	);
	return [...new Set(ids)];
}
