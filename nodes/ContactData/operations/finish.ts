import type { INodeExecutionData } from 'n8n-workflow';
import { isFailure } from '../common/itemErrors';
import { withStartedIds } from '../results/failures';
import type { ItemOutput } from '../results/output';
import { toNodeItems } from '../results/output';
import type { Started } from '../spending/start';
import { willRunAgain } from '../suspension/suspend';
import { noteIds } from './noteIds';
import type { OperationRun } from './operationRun';

/**
 * Hands the run over to n8n. Unless the workflow goes on after errors, the one that caused the others
 * ends the run, and names the ids that are already paid for; the receipts stay for the next try.
 */
export function finish(
	{ context, run, size, options }: OperationRun,
	{ submissions, outcomes, receipts }: Started,
	outputs: ItemOutput[],
): INodeExecutionData[] {
	const failures = outputs.filter(isFailure);
	const cause = failures.find(({ isConsequence }) => isConsequence !== true) ?? failures[0];
	const ids = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.id] : []));
	const isStopped = run.signal?.aborted === true;
	if (isStopped && ids.length > 0) {
		noteIds(context, ids);
		run.logger.warn(`Cancelled. Already started and paid for: ${ids.join(', ')}`);
	}
	if (!isStopped && cause !== undefined && !run.continueOnFail) {
		throw withStartedIds(cause.error, ids, size);
	}
	const input = options.includeInputFields ? context.getInputData() : undefined;
	const items = toNodeItems(run.node, outputs, input);
	if (!isStopped && cause === undefined && !willRunAgain(run.node, items)) {
		receipts.clear(submissions);
	}
	return items;
}
