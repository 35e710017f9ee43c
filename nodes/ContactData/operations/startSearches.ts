import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemFailure } from '../common/errors';
import { isFailure, ProblemError } from '../common/errors';
import type { ItemSearch } from '../input/itemSearches';
import { savedData } from '../input/savedData';
import { OUT_OF_TIME } from '../input/toolCall';
import { startCall } from '../spending/calls';
import { Receipts } from '../spending/receipts';
import type { Started, StartRequest } from '../spending/start';
import { start } from '../spending/start';
import type { OperationRun } from './operationRun';

/**
 * The first half of every submit operation: starts what all items search for. Nothing is sent while
 * an item is wrong, unless the workflow goes on after errors.
 * @throws the error of the first item that is wrong, or of a tool's call that had no turn in time
 */
export async function startSearches(
	operation: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
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
export function throwFirst(
	{ run }: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
): void {
	const failure = itemSearches.find(isFailure);
	if (failure !== undefined && !run.continueOnFail) throw new ProblemError(failure);
}

/** What is to be started, with what earlier tries have left. */
export function toRequest(
	{ context, run, lookup, size, options: { maxCredits } }: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
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
