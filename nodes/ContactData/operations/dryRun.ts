import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemFailure } from '../common/itemErrors';
import { isFailure, ProblemError } from '../common/itemErrors';
import type { ItemSearch } from '../input/itemSearches';
import { dryRunItems, tellForecast } from '../results/dryRunItems';
import { toNodeItems } from '../results/items';
import { forecast } from '../spending/forecast';
import type { OperationRun } from './operationRun';
import { addHint } from './operationRun';
import { toRequest } from './startSearches';

/**
 * Tells what a run would do and cost, and submits nothing.
 * @throws ProblemError when the service refuses the account, as it would refuse the run
 */
export async function dryRun(
	operation: OperationRun,
	itemSearches: Array<ItemSearch | ItemFailure>,
): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const expected = await forecast(run, toRequest(operation, itemSearches));
	const { balance } = expected;
	// What cannot be reached now may be there later, and the items are checked all the same. A run that
	// submits nothing does not ask for the balance.
	const isRefused =
		'refusal' in balance &&
		!balance.isUnreachable &&
		(expected.searches > 0 || balance.refusal.scope === 'account');
	if (isRefused) {
		const first = itemSearches.find((search) => !isFailure(search));
		throw new ProblemError({ problem: balance.refusal, item: first?.item });
	}
	const items = dryRunItems({ lookup, size }, expected, itemSearches);
	const { requestsPerSecond } = run.connection.account;
	addHint(
		context,
		tellForecast(lookup, expected, items, {
			requestsPerSecond,
			continueOnFail: run.continueOnFail,
		}),
	);
	const input = options.includeInputFields ? context.getInputData() : undefined;
	return toNodeItems(run.node, items, input);
}
