import type { INodeExecutionData } from 'n8n-workflow';
import { isFailure } from '../common/itemErrors';
import { findWebhook } from '../input/webhookTarget';
import { submissionError } from '../results/failures';
import type { ItemOutput } from '../results/output';
import type { Started } from '../spending/start';
import { finish } from './finish';
import type { OperationRun } from './operationRun';
import { startSearches } from './startSearches';

/** Operations Start Search and Start Bulk Search: submits, and gives the receipts. */
export async function submitOnly(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, size } = operation;
	const started = await startSearches(operation, (itemOptions, item) =>
		findWebhook(context, operation, itemOptions.webhook, item),
	);
	const outputs = receiptsOfItems(operation, started);
	const items = finish(operation, started, outputs);
	if (size === 'single') return items;

	// A batch has one receipt for all its items; items that failed stand for themselves.
	const failed = items.filter((_, index) => {
		const output = outputs[index];
		return output !== undefined && isFailure(output);
	});
	return [...receiptsOfBatches(started), ...failed];
}

function receiptsOfItems({ run, lookup }: OperationRun, { searches }: Started): ItemOutput[] {
	return searches.map((submitted): ItemOutput => {
		if (isFailure(submitted)) return submitted;
		const { item } = submitted.itemSearch;
		const { outcome } = submitted;
		return outcome.kind === 'accepted'
			? { item, json: { ...outcome.answer, status: 'ongoing' } }
			: { item, error: submissionError(run.node, lookup, outcome, item) };
	});
}

function receiptsOfBatches({ submissions, outcomes }: Started): INodeExecutionData[] {
	return submissions.flatMap(({ searches, items }, index) => {
		const outcome = outcomes[index];
		if (outcome?.kind !== 'accepted') return [];
		const inputItems = new Set(items.flat().map(({ item }) => item));
		return [
			{
				json: {
					...outcome.answer,
					batch_id: outcome.id,
					status: 'ongoing',
					size: searches.length,
				},
				pairedItem: [...inputItems].sort((a, b) => a - b).map((item) => ({ item })),
			},
		];
	});
}
