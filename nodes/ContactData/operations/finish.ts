import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Size } from '../lookups/types';
import { withStartedIds } from './failures';
import type { ItemEnd } from './output';
import { isFailed, toItems } from './output';
import type { Started } from './start';

/**
 * Hands the run over to n8n. Unless the workflow goes on after errors, the first one ends the run,
 * and names the ids that are already paid for; the receipts stay for the next try.
 */
export function finish(
	context: IExecuteFunctions,
	size: Size,
	started: Started,
	ends: ItemEnd[],
	includeInput: boolean,
): INodeExecutionData[] {
	const failed = ends.find(isFailed);
	const cancelled = context.getExecutionCancelSignal()?.aborted === true;
	if (failed !== undefined && !context.continueOnFail() && !cancelled) {
		const ids = started.outcomes.flatMap((outcome) =>
			outcome.kind === 'accepted' ? [outcome.id] : [],
		);
		throw withStartedIds(failed.error, ids, size);
	}
	if (failed === undefined && !cancelled) started.receipts.clear();
	return toItems(context, ends, includeInput);
}
