import type { ItemSearch } from '../input/itemSearches';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import type { Balance } from '../service/accountInfo';
import { readBalance } from '../service/accountInfo';
import type { RecordedOutcome } from './receipts';
import type { StartRequest } from './start';
import { prepare } from './start';
import { countEntries, dividedForProbe, knownOutcomes } from './submitAll';

/** What a run would make of an item. */
export type ItemForecast =
	| { kind: 'submit' }
	/** The search of this item is submitted for both. */
	| { kind: 'same'; as: ItemSearch }
	| RecordedOutcome;

/** What a run would do and cost, if it were started now. */
export interface Forecast {
	byItem: ReadonlyMap<ItemSearch, ItemForecast>;
	/** Searches that would be submitted, and paid for. */
	searches: number;
	/** In so many requests. */
	requests: number;
	/** Whether the first of them is one search alone, to learn the price. */
	isProbed: boolean;
	/** Of one search; `undefined` where nobody knows. */
	price: { price: number; isSure: boolean } | undefined;
	/** The account's credits, or why they are not known. */
	balance: Balance;
	/** Why none of them would be submitted. */
	objection: string | undefined;
}

/** Plans a run as `start` does, and checks the money; submits nothing. */
export async function forecast(run: Run, request: StartRequest): Promise<Forecast> {
	const spending = prepare(run, request);
	const { endpoint, budget, planned } = spending;
	const known = knownOutcomes(spending);
	const unsent = planned.filter((submission) => !known.has(submission));
	const balance = await readBalance(run.connection, patienceOf(run));
	if ('credits' in balance) budget.limitToBalance(balance.credits);

	const byItem = new Map<ItemSearch, ItemForecast>();
	for (const submission of planned) {
		for (const items of submission.items) {
			for (const item of items) {
				const [first = item] = items;
				const own: ItemForecast = item === first ? { kind: 'submit' } : { kind: 'same', as: first };
				byItem.set(item, known.get(submission) ?? own);
			}
		}
	}
	const [first, ...others] = unsent;
	const isProbed = first !== undefined && budget.needsProbe;
	const probed =
		first === undefined || !isProbed ? unsent : [...dividedForProbe(endpoint, first), ...others];
	const searches = countEntries(unsent);
	// With an earlier try of which nobody knows what it cost, no first search can tell the price.
	const objection =
		budget.objection(searches) ?? (first === undefined ? undefined : budget.doubt(1));
	return {
		byItem,
		searches,
		requests: probed.length,
		isProbed,
		price: budget.expectedPrice,
		balance,
		objection: objection?.message,
	};
}
