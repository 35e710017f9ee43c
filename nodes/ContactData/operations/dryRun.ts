import type { INodeExecutionData } from 'n8n-workflow';
import { ProblemError } from '../common/errors';
import type { ReadItem } from '../input/searches';
import { isSearch } from '../input/searches';
import { toNodeItems } from '../results/items';
import { dryRunItems, tellForecast } from '../results/summary';
import { recallCall } from '../spending/calls';
import { forecast } from '../spending/forecast';
import type { OperationRun } from './operationRun';
import { addHint, nameOfTool, toRequest } from './operationRun';

/**
 * Tells what a run would do and cost, and submits nothing.
 * @throws ProblemError when the service refuses the account, as it would refuse the run
 */
export async function dryRun(
	operation: OperationRun,
	itemSearches: ReadItem[],
): Promise<INodeExecutionData[]> {
	const { context, run, lookup, size, options } = operation;
	const request = toRequest(operation, itemSearches);
	if (run.call) recallCall(run, request, nameOfTool(context));
	const expected = await forecast(run, request);
	const { balance } = expected;
	// What cannot be reached now may be there later, and the items are checked all the same. A run that
	// submits nothing does not ask for the balance.
	const isRefused =
		'refusal' in balance &&
		!balance.isUnreachable &&
		(expected.searches > 0 || balance.refusal.scope === 'account');
	if (isRefused) {
		const first = itemSearches.find(isSearch);
		throw new ProblemError({ problem: balance.refusal, item: first?.item });
	}
	const items = dryRunItems({ lookup, size }, expected, itemSearches);
	const { requestsPerSecond } = run.connection.account;
	addHint(context, tellForecast(lookup, expected, items, requestsPerSecond));
	const input = options.includeInputFields ? context.getInputData() : undefined;
	return toNodeItems(run.node, items, input);
}
