import type { ItemFailure } from '../common/itemErrors';
import { isFailure } from '../common/itemErrors';
import type { ItemSearch } from '../input/itemSearches';
import { isToolCall } from '../input/run';
import { Receipts } from '../spending/receipts';
import type { Started, StartRequest } from '../spending/start';
import { start } from '../spending/start';
import type { OperationRun } from './operationRun';

/**
 * The first half of every submit operation: starts what all items search for. Nothing is sent while
 * an item is wrong, unless the workflow goes on after errors.
 * @throws the error of the first item that is wrong
 */
export async function startSearches(
	operation: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
): Promise<Started> {
	const { run } = operation;
	throwFirst(operation, itemSearches);
	const request = toRequest(operation, itemSearches);
	const { receipts } = request;
	return await receipts.inTurn(async () => await start(run, request));
}

/** @throws the error of the first item that is wrong, unless the workflow goes on after errors */
export function throwFirst(
	{ run }: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
): void {
	const failure = itemSearches.find(isFailure);
	if (failure !== undefined && !run.continueOnFail) throw failure.error;
}

/** What is to be started, with what earlier tries have left. */
export function toRequest(
	{ context, run, lookup, size, options: { maxCredits } }: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
): StartRequest {
	const [saved, executionId] = [context.getContext('node'), context.getExecutionId()];
	const receipts = isToolCall(run.node)
		? Receipts.ofCalls(saved, executionId)
		: Receipts.of(saved, String(context.evaluateExpression('{{ $runIndex }}', 0)), executionId);
	return { lookup, size, itemSearches, receipts, maxCredits };
}
