import type { IDataObject } from 'n8n-workflow';
import { isFailure } from '../common/itemErrors';
import { readItemSearches } from '../input/itemSearches';
import { isToolCall } from '../input/run';
import { Receipts } from '../spending/receipts';
import type { Started } from '../spending/start';
import { start } from '../spending/start';
import { noteIds } from './noteIds';
import type { OperationRun } from './operationRun';

/**
 * The first half of every submit operation: reads and checks all items, and starts their searches.
 * Nothing is sent while an item is wrong, unless the workflow goes on after errors.
 * @param webhookOf where the service is to notify of an item's search
 * @throws the error of the first item that is wrong
 */
export async function startSearches(
	{ context, run, lookup, size, options }: OperationRun,
	webhookOf: (options: IDataObject, item: number) => string | undefined,
): Promise<Started> {
	const itemSearches = readItemSearches(context, lookup, size, webhookOf);
	const failure = itemSearches.find(isFailure);
	if (failure !== undefined && !run.continueOnFail) throw failure.error;

	// n8n counts each try of a tool's call as another run.
	const runName = isToolCall(run.node)
		? 'tool'
		: String(context.evaluateExpression('{{ $runIndex }}', 0));
	const receipts = Receipts.of(context.getContext('node'), runName, context.getExecutionId());
	const { maxCredits } = options;
	// n8n saves a stopped execution at once: what is known by then is noted before that.
	const note = () => noteIds(context, receipts.ids());
	run.signal?.addEventListener('abort', note);
	try {
		return await receipts.inTurn(
			async () => await start(run, { lookup, size, itemSearches, receipts, maxCredits }),
		);
	} finally {
		run.signal?.removeEventListener('abort', note);
	}
}
