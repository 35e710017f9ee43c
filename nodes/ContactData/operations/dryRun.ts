import { ProblemError } from '../common/errors';
import type { Row } from '../input/rows';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import type { Settings } from '../input/settings';
import type { Budget } from '../orders/budget';
import { roomAfter } from '../orders/budget';
import type { Order } from '../orders/order';
import { countSearches } from '../orders/order';
import type { FindRecent } from '../orders/plan';
import { plan, takeFirst } from '../orders/plan';
import { Receipts } from '../orders/receipts';
import { cannotSucceed, openBudget } from '../orders/send';
import { forecastRows, tellForecast } from '../results/forecast';
import { readBalance } from '../service/accountInfo';
import { endpointOf } from './start';

/**
 * Tells what a run would do and cost, and submits nothing.
 * @throws ProblemError when the service refuses the account, as it would refuse the run
 */
export async function dryRun(
	run: Run,
	settings: Settings,
	rows: Row[],
	findRecent?: FindRecent,
): Promise<Row[]> {
	const { lookup } = settings;
	const endpoint = endpointOf(run, settings);
	const receipts = new Receipts(run.saved);
	const orders = plan(endpoint, rows, receipts, findRecent);
	const planned = orders.filter(({ fate }) => fate.kind === 'planned');
	const searches = countSearches(planned);
	const budget = openBudget(run, settings, orders, receipts);
	const balance = await readBalance(run.connection, patienceOf(run));
	if ('credits' in balance) budget.limitToBalance(balance.credits);
	// What cannot be reached now may be there later, and the items are checked all the same. A run that
	// submits nothing does not ask for the balance.
	else if (!balance.isUnreachable && (searches > 0 || balance.refusal.scope === 'account')) {
		throw new ProblemError({ problem: balance.refusal, item: orders[0]?.entries[0]?.rows[0].item });
	}
	const given = forecastRows(lookup, rows, orders, budget.expectedPrice?.price);
	const forecast = {
		orders,
		requests: countRequests(budget, planned),
		requestsPerSecond: run.connection.account.requestsPerSecond,
		price: budget.expectedPrice,
		balance,
		objection:
			budget.objection(searches)?.message ??
			(searches > 0 && cannotSucceed(run, orders)
				? 'a search of an earlier try may have been charged'
				: undefined),
	};
	run.hint(tellForecast(lookup, forecast, given));
	return given;
}

/** Where the price must be learned, batches are divided. */
function countRequests(budget: Budget, planned: readonly Order[]): number {
	if (budget.room === Infinity) return planned.length;
	const [orders, queue] = [[...planned], [...planned]];
	let requests = 0;
	for (let answered = 0; queue.length > 0;) {
		const next = takeFirst(orders, queue, { searches: roomAfter(answered) });
		requests += next.length;
		answered += countSearches(next);
	}
	return requests;
}
