import type { INodeExecutionData } from 'n8n-workflow';
import { isFailure } from '../common/errors';
import type { Envelope } from '../input/envelope';
import { invalidResult, readItemSearches } from '../input/searches';
import { findWebhook } from '../input/webhook';
import type { ItemOutput } from '../results/items';
import { ofSearch } from '../results/items';
import { submissionFailure } from '../results/problems';
import { summarizeStart } from '../results/summary';
import type { Started } from '../spending/start';
import { isSubmitted } from '../spending/start';
import { dryRun } from './dryRun';
import { addHint, finish, goOn, itemsOf, startSearches } from './operationRun';
import type { OperationRun } from './operationRun';

const MAX_ITEMS_SHOWN = 10;

/** Operations Start Search and Start Bulk Search: submits, and gives the receipts. */
export async function submitOnly(operation: OperationRun): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const { baseUrl } = run.connection.account;
	const itemSearches = readItemSearches(context, lookup, size, (optionOf, item) =>
		findWebhook(context, { lookup, size, baseUrl }, optionOf('webhook'), item),
	);
	if (options.dryRun) return await dryRun(operation, itemSearches);
	const started = await startSearches(operation, itemSearches);
	return await goOn(operation, started, async () => giveReceipts(operation, started));
}

function giveReceipts(operation: OperationRun, started: Started): INodeExecutionData[] {
	const { context, lookup, size } = operation;
	addHint(context, summarizeStart(lookup, size, started));
	const unused = itemsWithUnusedWebhook(started);
	if (unused.length > 0) {
		addHint(
			context,
			`Equal searches were paid for once, and the service notifies the webhook of the first. Not used: the webhook of ${listOfItems(unused)}.`,
		);
	}
	const outputs = receiptsOfItems(operation, started);
	if (size === 'single') return finish(operation, started, outputs);

	// A batch has one receipt for all its items; what is in none stands for itself.
	const isOfBatch = (output: ItemOutput, index: number) => {
		const submitted = started.searches[index];
		return !isFailure(output) && submitted !== undefined && isSubmitted(submitted);
	};
	const others = itemsOf(
		operation,
		outputs.filter((output, index) => !isOfBatch(output, index)),
	);
	return finish(operation, started, outputs, { items: [...receiptsOfBatches(started), ...others] });
}

function receiptsOfItems({ lookup }: OperationRun, { searches }: Started): ItemOutput[] {
	return searches.map((submitted): ItemOutput => {
		if (!isSubmitted(submitted)) return submitted;
		const { item, search, custom } = submitted.itemSearch;
		const { outcome, submission } = submitted;
		if (outcome.kind === 'invalid') {
			return { item, json: invalidResult(search, outcome.reason, custom) };
		}
		return outcome.kind === 'accepted'
			? { item, json: { ...outcome.answer, status: 'ongoing' } }
			: ofSearch(search, submissionFailure(lookup, outcome, item, submission.size));
	});
}

/** The positions of the items that share a search with an earlier item that names another webhook. */
function itemsWithUnusedWebhook({ submissions }: Started): number[] {
	return submissions.flatMap(({ items }) =>
		items.flatMap(([first, ...others]) =>
			others
				.filter(({ envelope }) => webhookOf(envelope) !== webhookOf(first?.envelope))
				.map(({ item }) => item),
		),
	);
}

function webhookOf(envelope: Envelope | undefined): unknown {
	return envelope?.settings?.webhook;
}

function listOfItems(items: number[]): string {
	const shown = items.slice(0, MAX_ITEMS_SHOWN).join(', ');
	const more = items.length > MAX_ITEMS_SHOWN ? ` and ${items.length - MAX_ITEMS_SHOWN} more` : '';
	return `${items.length === 1 ? 'item' : 'items'} ${shown}${more}`;
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
