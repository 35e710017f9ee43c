import type { ItemSearch } from '../input/searches';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import type { Balance } from '../service/accountInfo';
import { readBalance } from '../service/accountInfo';
import { roomAfter } from './budget';
import { countSearches, takeFirst } from './plan';
import type { RecordedOutcome } from './receipts';
import type { Prepared, StartRequest } from './prepare';
import { prepare } from './prepare';
import { cannotSucceed } from './start';

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
	/** Of one search; `undefined` where nobody knows. */
	price: { price: number; isSure: boolean } | undefined;
	/** The account's credits, or why they are not known. */
	balance: Balance;
	/** Why none of them would be submitted. */
	objection: string | undefined;
}

/** Plans a run as `start` does, and checks the money; submits nothing. */
export async function forecast(run: Run, request: StartRequest): Promise<Forecast> {
	const prepared = prepare(run, request);
	const { budget, known, unsent } = prepared;
	const balance = await readBalance(run.connection, patienceOf(run));
	if ('credits' in balance) budget.limitToBalance(balance.credits);

	const byItem = new Map<ItemSearch, ItemForecast>();
	for (const submission of [...known.keys(), ...unsent]) {
		for (const [first, ...others] of submission.items) {
			if (first === undefined) continue;
			byItem.set(first, known.get(submission) ?? { kind: 'submit' });
			for (const item of others) {
				byItem.set(item, known.get(submission) ?? { kind: 'same', as: first });
			}
		}
	}
	const searches = countSearches(unsent);
	return {
		byItem,
		searches,
		requests: countRequests(prepared),
		price: budget.expectedPrice,
		balance,
		objection:
			budget.objection(searches)?.message ??
			(searches > 0 && cannotSucceed(run, prepared)
				? 'a search of an earlier try may have been charged'
				: undefined),
	};
}

/** Where the price must be learned, batches are divided. */
function countRequests({ endpoint, budget, unsent }: Prepared): number {
	if (budget.room === Infinity) return unsent.length;
	const queue = [...unsent];
	let requests = 0;
	for (let charged = 0; queue.length > 0;) {
		const next = takeFirst(endpoint, queue, { searches: roomAfter(charged) });
		requests += next.length;
		charged += countSearches(next);
	}
	return requests;
}
