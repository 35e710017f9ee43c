import { addCredits, tellCredits } from '../common/values';
import type { Problem } from '../common/errors';
import { RecentMap } from '../common/bounds';
import type { Lookup, Size } from '../lookups/types';
import type { Account } from '../service/account';
import type { Order } from './order';
import { chargeOf, isAccepted, isOwn } from './order';

/** What one search cost when this process was last charged, and when, by account, lookup and size. */
const lastPrices = new RecentMap<string, { price: number; at: number }>(500);
const REMEMBERED_FOR_MS = 86_400_000;
/** Three times 1.1 is a little more than 3.3 to a computer. */
const ROUNDING = 1e-6;

/** Searches in a call of a tool that the user has given no cap. */
const MAX_WITHOUT_CAP = 25;
/** Up to version 0.3.0, which added the option with this value. */
const ZERO =
	"0 lets nothing be spent; up to version 0.3.0 it meant no limit. Raise 'Max Credits' in Options, or remove it for no limit.";

const NOT_STARTED = 'Not started, and nothing charged for it';

/** What orders come to. */
interface Cost {
	/** Credits that the service says it charged. */
	spent: number;
	/** Searches of which that is not known (yet): for the cap, they were charged. */
	inDoubt: number;
	/** Searches of this try of which it is known. */
	answered: number;
}
const NOTHING: Cost = { spent: 0, inDoubt: 0, answered: 0 };

/**
 * What a run may still start. A price that is not documented may have changed: it refuses a whole run
 * that does not fit at it, and else the run learns the price by one search before it starts more.
 */
export class Budget {
	/** Of all orders that are booked, earlier tries included. */
	private total = NOTHING;
	/** Each order's share in it. */
	private readonly booked = new Map<Order, Cost>();
	/** Credits for one search; `undefined` where nobody knows. */
	private price: number | undefined;
	/** Whether the price is that of a run before this one. */
	private isRemembered: boolean;
	/** The account's credits, and what was booked when they were read. */
	private balance: (Cost & { credits: number }) | undefined;
	private readonly priceName: string;

	/**
	 * @param maxCredits the user's cap for this run; `undefined` for none
	 * @param calls what the calls of a tool have spent before in its execution: its cap is for all of them
	 */
	constructor(
		private readonly lookup: Lookup,
		size: Size,
		account: Account,
		private readonly maxCredits: number | undefined,
		private readonly calls?: { credits: number; unsure: number },
	) {
		if (calls !== undefined)
			this.total = { ...NOTHING, spent: calls.credits, inDoubt: calls.unsure };
		this.priceName = `${account.fingerprint} ${lookup.path} ${size}`;
		const last = lastPrices.get(this.priceName);
		const isRecent = last !== undefined && Date.now() - last.at < REMEMBERED_FOR_MS;
		this.price = lookup.documentedPrice ?? (isRecent ? last.price : undefined);
		this.isRemembered = lookup.documentedPrice === undefined && isRecent;
	}

	/** Books what is known of an order by now, in the place of what was known before. */
	book(order: Order): void {
		const { origin, count } = order;
		// What the calls of a tool have spent is booked already.
		if (!isOwn(order) || (origin === 'earlierTry' && this.calls !== undefined)) return;
		const isNew = origin === 'new';
		const charged = chargeOf(order);
		const answered = isNew && isAccepted(order) && charged !== undefined ? count : 0;
		const now = { spent: charged ?? 0, inDoubt: charged === undefined ? count : 0, answered };
		const before = this.booked.get(order) ?? NOTHING;
		this.booked.set(order, now);
		this.total = {
			spent: addCredits(this.total.spent, now.spent - before.spent),
			inDoubt: this.total.inDoubt + now.inDoubt - before.inDoubt,
			answered: this.total.answered + now.answered - before.answered,
		};
		// The next one may cost something all the same.
		if (charged !== undefined && charged > 0) this.learn(charged / count, isNew);
	}

	private learn(price: number, isNew: boolean): void {
		if (isNew) lastPrices.set(this.priceName, { price, at: Date.now() });
		else if (this.isRemembered) return;
		this.price = Math.max(price, this.lookup.documentedPrice ?? 0);
		this.isRemembered = false;
	}

	/** @param credits `undefined` when the balance could not be read */
	limitToBalance(credits: number | undefined): void {
		this.balance = credits === undefined ? undefined : { credits, ...this.total };
	}

	/** What the run has cost so far, and whether that is all. */
	get cost(): { spent: number; isSure: boolean } {
		return { spent: this.total.spent, isSure: this.total.inDoubt === 0 };
	}

	/** What a search is expected to cost, and whether that is sure; `undefined` where nobody knows. */
	get expectedPrice(): { price: number; isSure: boolean } | undefined {
		const { price } = this;
		const isSure = this.lookup.documentedPrice !== undefined;
		return price === undefined ? undefined : { price, isSure };
	}

	/** How many searches may go at once, as the price may have changed; 0 where not one fits. */
	get room(): number {
		const { price, maxCredits } = this;
		if (maxCredits === undefined || this.lookup.documentedPrice !== undefined) return Infinity;
		if (this.objectionOfCap(1) !== undefined) return 0;
		const most = roomAfter(this.total.answered);
		if (price === undefined) return most - this.total.inDoubt;
		const left = maxCredits - this.total.spent - this.total.inDoubt * price;
		return Math.min(most, Math.floor((left + ROUNDING) / price));
	}

	/** Why so many more searches cannot be started; `undefined` when they can, or nobody can say. */
	objection(searches: number): Problem | undefined {
		if (searches === 0) return undefined;
		return this.objectionOfCap(searches) ?? this.objectionOfBalance(searches);
	}

	private objectionOfCap(searches: number): Problem | undefined {
		const { price, maxCredits } = this;
		const { spent, inDoubt, answered } = this.total;
		if (maxCredits === undefined) return this.objectionWithoutCap(searches);
		const refuse = (what: string, description = this.adviceOnCap()): Problem => {
			return { message: `'Max Credits' of ${maxCredits} ${what}`, description, isOfCap: true };
		};
		if (price !== undefined) {
			const isCovered = spent + (inDoubt + searches) * price <= maxCredits + ROUNDING;
			return isCovered ? undefined : refuse(`does not cover ${this.describe(searches, price)}`);
		}
		if (spent >= maxCredits) return refuse('is spent');
		if (inDoubt + searches <= roomAfter(answered) || inDoubt === 0) return undefined;
		return refuse(
			`cannot be kept, because the price of one ${this.lookup.noun.one} is not known yet`,
			`${NOT_STARTED}: the first one was to tell the price, and did not. For no limit, remove 'Max Credits' from Options.`,
		);
	}

	/** A text that a model has read may tell it to search for thousands. */
	private objectionWithoutCap(searches: number): Problem | undefined {
		if (this.calls === undefined || searches <= MAX_WITHOUT_CAP) return undefined;
		return {
			message: `A tool without 'Max Credits' starts at most ${MAX_WITHOUT_CAP} searches in a call, and this call has ${searches}`,
			description: `${NOT_STARTED}. Search for fewer in a call. For more, the user has to add 'Max Credits' to the Options of the tool.`,
			isOfCap: true,
		};
	}

	private adviceOnCap(): string {
		if (this.maxCredits === 0) return `${NOT_STARTED}. ${ZERO}`;
		const { price = 0 } = this;
		const { spent, inDoubt } = this.total;
		const maybe = inDoubt > 0 ? ` and ${tellCredits(inDoubt * price)} may be` : '';
		const isAny = spent > 0 || inDoubt > 0;
		const used = isAny
			? `; ${tellCredits(spent)} ${spent === 1 ? 'is' : 'are'} spent already${maybe}`
			: '';
		return this.calls === undefined
			? `${NOT_STARTED}${used}. Raise 'Max Credits' in Options, or send fewer items.`
			: `${NOT_STARTED}${used && `${used} in this execution, all calls together`}. Go on with the results that there are; only the user can raise 'Max Credits'.`;
	}

	/** By the documented price only: for any other the service decides, as its refusal costs nothing. */
	private objectionOfBalance(searches: number): Problem | undefined {
		const { balance } = this;
		const { spent, inDoubt } = this.total;
		const { documentedPrice: price } = this.lookup;
		if (price === undefined || balance === undefined) return undefined;
		const used = spent - balance.spent + (inDoubt - balance.inDoubt) * price;
		if (used + searches * price <= balance.credits + ROUNDING) return undefined;
		return {
			message: `The account's balance of ${tellCredits(balance.credits)} does not cover ${this.describe(searches, price)}`,
			description: `${NOT_STARTED}. Add credits to your account, or send fewer items.`,
		};
	}

	private describe(searches: number, price: number): string {
		const { one, many } = this.lookup.noun;
		return `${searches} ${searches === 1 ? one : many} at ${tellCredits(price)} each (${tellCredits(searches * price)})`;
	}
}

/** How many searches of a price that may change may go at once, when it was told for so many. */
export function roomAfter(answered: number): number {
	return Math.max(1, answered);
}
