import type { INodeExecutionData } from 'n8n-workflow';
import { isFailure } from '../common/itemErrors';
import { withStartedIds } from '../results/failures';
import type { ItemOutput } from '../results/output';
import { toNodeItems } from '../results/output';
import type { Started } from '../spending/start';
import type { OperationRun } from './operationRun';

const MAX_CUSTOM_DATA_LENGTH = 255;

/**
 * Hands the run over to n8n. Unless the workflow goes on after errors, the first one ends the run,
 * and names the ids that are already paid for; the receipts stay for the next try.
 */
export function finish(
	operation: OperationRun,
	{ outcomes, receipts }: Started,
	outputs: ItemOutput[],
): INodeExecutionData[] {
	const { context, run, size, options } = operation;
	const failure = outputs.find(isFailure);
	const ids = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.id] : []));
	if (run.signal?.aborted === true) {
		noteIds(operation, ids);
	} else if (failure === undefined) {
		receipts.clear();
	} else if (!run.continueOnFail) {
		throw withStartedIds(failure.error, ids, size);
	}
	const input = options.includeInputFields ? context.getInputData() : undefined;
	return toNodeItems(run.node, outputs, input);
}

/** n8n drops the data of an execution that is stopped, but neither its custom data nor its log. */
function noteIds({ context, run }: OperationRun, ids: string[]): void {
	if (ids.length === 0) return;
	run.logger.warn(`Cancelled. Already started and paid for: ${ids.join(', ')}`);
	const text = ids.join(' ');
	const end = text.lastIndexOf(' ', MAX_CUSTOM_DATA_LENGTH);
	const fitting = text.length > MAX_CUSTOM_DATA_LENGTH ? text.slice(0, Math.max(0, end)) : text;
	// n8n 1 has no custom data here.
	context.customData?.set('contact_data_ids', fitting);
}
