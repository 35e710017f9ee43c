import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Lookup, Size } from '../lookups/types';
import { submissionError } from '../results/failures';
import { finish } from './finish';
import type { ItemEnd } from '../results/output';
import { isFailed } from '../results/output';
import { readRunOptions } from '../input/runOptions';
import type { Started } from '../spending/start';
import { isPlaced, start } from '../spending/start';
import { findWebhook } from '../input/webhookTarget';

/** Operations Start Search and Start Bulk Search: submits, and gives the receipts. */
export async function submitOnly(
	context: IExecuteFunctions,
	lookup: Lookup,
	size: Size,
): Promise<INodeExecutionData[]> {
	const options = readRunOptions(context, size);
	const started = await start(context, lookup, size, options, (itemOptions, item) =>
		findWebhook(context, lookup, size, itemOptions.webhook, item),
	);
	const ends = endsOfItems(context, lookup, started);
	const items = finish(context, size, started, ends, options.includeInputFields);
	if (size === 'single') return items;

	// A batch has one receipt for all its items; items that failed stand for themselves.
	const failed = ends.flatMap((end, index) => (isFailed(end) ? items.slice(index, index + 1) : []));
	return [...batchReceipts(started), ...failed];
}

function endsOfItems(context: IExecuteFunctions, lookup: Lookup, started: Started): ItemEnd[] {
	return started.places.map((place): ItemEnd => {
		if (!isPlaced(place)) return place;
		const { item } = place.ask;
		const { outcome } = place;
		return outcome.kind === 'accepted'
			? { item, json: { ...outcome.answer, status: 'ongoing' } }
			: { item, error: submissionError(context, lookup, outcome, item) };
	});
}

function batchReceipts({ submissions, outcomes }: Started): INodeExecutionData[] {
	return submissions.flatMap(({ searches, asks }, index) => {
		const outcome = outcomes[index];
		if (outcome?.kind !== 'accepted') return [];
		const items = new Set(asks.flat().map(({ item }) => item));
		return [
			{
				json: {
					...outcome.answer,
					batch_id: outcome.id,
					status: 'ongoing',
					size: searches.length,
				},
				pairedItem: [...items].sort((a, b) => a - b).map((item) => ({ item })),
			},
		];
	});
}
