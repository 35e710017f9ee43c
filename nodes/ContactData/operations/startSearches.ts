import { isFailure } from '../common/itemErrors';
import type { OptionOf } from '../input/envelope';
import { readItemSearches } from '../input/itemSearches';
import { isToolCall } from '../input/run';
import { Receipts } from '../spending/receipts';
import type { Started } from '../spending/start';
import { start } from '../spending/start';
import { notingWhenStopped } from './noteIds';
import type { OperationRun } from './operationRun';

/**
 * The first half of every submit operation: reads and checks all items, and starts their searches.
 * Nothing is sent while an item is wrong, unless the workflow goes on after errors.
 * @param webhookOf where the service is to notify of an item's search
 * @throws the error of the first item that is wrong
 */
export async function startSearches(
	operation: OperationRun,
	webhookOf: (optionOf: OptionOf, item: number) => string | undefined,
): Promise<Started> {
	const { context, run, lookup, size, options } = operation;
	const itemSearches = readItemSearches(context, lookup, size, webhookOf);
	const failure = itemSearches.find(isFailure);
	if (failure !== undefined && !run.continueOnFail) throw failure.error;

	// n8n counts each try of a tool's call as another run.
	const runName = isToolCall(run.node)
		? 'tool'
		: String(context.evaluateExpression('{{ $runIndex }}', 0));
	const receipts = Receipts.of(context.getContext('node'), runName, context.getExecutionId());
	const request = { lookup, size, itemSearches, receipts, maxCredits: options.maxCredits };
	return await notingWhenStopped(
		operation,
		() => receipts.ids(),
		async () => await receipts.inTurn(async () => await start(run, request)),
	);
}
