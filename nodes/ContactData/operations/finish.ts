import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Size } from '../lookups/types';
import { withStartedIds } from '../results/failures';
import type { ItemEnd } from '../results/output';
import { isFailed, toItems } from '../results/output';
import type { Started } from '../spending/start';

const MAX_CUSTOM_DATA_LENGTH = 255;

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
	const ids = started.outcomes.flatMap((outcome) =>
		outcome.kind === 'accepted' ? [outcome.id] : [],
	);
	if (cancelled) {
		noteIds(context, ids);
	} else if (failed === undefined) {
		started.receipts.clear();
	} else if (!context.continueOnFail()) {
		throw withStartedIds(failed.error, ids, size);
	}
	return toItems(context, ends, includeInput);
}

/** n8n drops the data of an execution that is stopped, but neither its custom data nor its log. */
function noteIds(context: IExecuteFunctions, ids: string[]): void {
	if (ids.length === 0) return;
	context.logger.warn(`Cancelled. Already started and paid for: ${ids.join(', ')}`);
	const text = ids.join(' ');
	const end = text.lastIndexOf(' ', MAX_CUSTOM_DATA_LENGTH);
	const fitting = text.length > MAX_CUSTOM_DATA_LENGTH ? text.slice(0, Math.max(0, end)) : text;
	// n8n 1 has no custom data here.
	context.customData?.set('contact_data_ids', fitting);
}
