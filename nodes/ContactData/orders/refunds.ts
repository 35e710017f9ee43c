import { asAmount, asRecord } from '../common/values';
import type { Lookup } from '../lookups/types';
import { hasEnded } from '../service/state';
import { chargeOf, type Order } from './order';

/** Credits that a batch gave back (`service-api.md` section 3, rules 3 and 4), where that can be true. */
export function refundOf({ batchRefunds }: Lookup, order: Order): number {
	if (!batchRefunds) return 0;
	const { fate } = order;
	const stats = 'id' in fate && hasEnded(fate) ? asRecord(fate.body.stats) : undefined;
	const { credits_to_refund: ofPhones, credits_cost: cost } = stats ?? {};
	const charge = chargeOf(order) ?? 0;
	// Older phone batches have only the cost of what was found.
	const refunded =
		asAmount(ofPhones) ?? asAmount(asRecord(cost)?.refunded) ?? charge - (asAmount(cost) ?? charge);
	return refunded > 0 && refunded <= charge ? refunded : 0;
}
