import { addCredits } from '../common/values';
import { chargeOf, type Cost, isAccepted, type Order } from './order';

/** What a run has sent, and what that costs: a running sum, as the orders may be thousands. */
export class Bill {
	cost: Cost = { credits: 0, inDoubt: 0 };
	/** The highest charge for one search. */
	highest = 0;
	/** Whether the service has accepted any. */
	hasAccepted = false;
	/** Whether it has accepted one, and did not tell its charge. */
	hasUntold = false;
	private readonly entered = new Map<Order, Cost>();

	/** Enters an order, or its new fate. */
	enter(order: Order): void {
		const { credits, inDoubt } = this.entered.get(order) ?? { credits: 0, inDoubt: 0 };
		const now = costOfOne(order);
		this.entered.set(order, now);
		this.cost = {
			credits: addCredits(this.cost.credits, now.credits - credits),
			inDoubt: this.cost.inDoubt + now.inDoubt - inDoubt,
		};
		this.highest = Math.max(this.highest, now.credits / order.count);
		if (!isAccepted(order)) return;
		this.hasAccepted = true;
		this.hasUntold ||= now.inDoubt > 0;
	}
}

/** What an order costs, as far as that is known. */
export function costOfOne(order: Order): Cost {
	// An order that waits to be sent once more keeps its share of the cap.
	const charge = order.fate.kind === 'claimed' ? undefined : chargeOf(order);
	return charge === undefined
		? { credits: 0, inDoubt: order.count }
		: { credits: charge, inDoubt: 0 };
}
