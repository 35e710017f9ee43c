import { isAccepted, type Order } from '../orders/order';
import type { Lookup } from '../lookups/types';
import { type Ended, hasEnded } from '../service/state';
import { areOthersNotFound, countListed, countsIn } from '../service/verdict';
import { listedIn } from './batch';

/** Of thousands of ids nobody reads more. */
const MAX_REMARKS = 5;

/** What the service says of ids beyond the items, for the output pane and the log. */
export function remarksOn(lookup: Lookup, orders: readonly Order[]): string[] {
	const remarks = orders.filter(isAccepted).flatMap(({ size, fate }): string[] => {
		if (fate.kind === 'ongoing' && fate.lastAnswer !== undefined) {
			return [`${fate.id} is not finished; the last answer was: ${fate.lastAnswer}`];
		}
		const isList = size === 'bulk' && hasEnded(fate);
		const short = isList ? tellShortList(lookup, fate.id, fate) : undefined;
		return short === undefined ? [] : [short];
	});
	const more = remarks.length - MAX_REMARKS;
	return more > 0
		? [...remarks.slice(0, MAX_REMARKS), `So it is with ${more} other IDs.`]
		: remarks;
}

/** That a finished batch lists fewer searches than it was asked for, and is silent about the others. */
export function tellShortList(lookup: Lookup, batchId: string, ended: Ended): string | undefined {
	const counts = countsIn(ended.body);
	const { requested = 0 } = counts;
	const results = listedIn(lookup, ended);
	const searches = countListed(results);
	if (ended.kind !== 'completed' || searches >= requested) return undefined;
	if (areOthersNotFound(lookup, counts, results)) return undefined;
	return `Batch ${batchId} lists ${searches} of the ${requested} ${lookup.noun.many} that it was asked for, and does not say what became of the others: ask the provider about this ID.`;
}
