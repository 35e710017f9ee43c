import type { Lookup, Problem, Size } from '../lookups/types';
import type { Account } from '../service/account';
import { RecentMap } from '../service/recentMap';

/** What one entry cost when it was last submitted, by account, lookup and size. */
const learnedPrices = new RecentMap<string, number>(500);

const NOT_STARTED = 'Not started, and nothing charged for it.';

/**
 * What a run may still start. The price of an entry is what the account was last charged for one,
 * else what `service.md` section 8 documents, else unknown until the first answer.
 */
export class Budget {
	/** Credits charged in this run, earlier tries included. */
	private spent = 0;
	/** Credits charged since the balance was read. */
	private spentOfBalance = 0;
	private reserved = 0;
	private readonly priceName: string;

	/**
	 * @param maxCredits the user's cap for this run; 0 for none
	 * @param balance the account's credits at the start; `undefined` when they could not be read
	 */
	constructor(
		private readonly lookup: Lookup,
		size: Size,
		account: Account,
		private readonly maxCredits: number,
		private readonly balance: number | undefined,
	) {
		this.priceName = `${account.fingerprint} ${lookup.path} ${size}`;
	}

	get price(): number | undefined {
		return learnedPrices.get(this.priceName) ?? this.lookup.documentedPrice?.credits;
	}

	/** Credits that earlier tries of this run were charged; they count towards the cap. */
	alreadySpent(credits: number): void {
		this.spent += credits;
	}

	/** Why so many more entries cannot be started; `undefined` when they can, or nobody can say. */
	objection(entries: number): Problem | undefined {
		const { price } = this;
		if (price === undefined) return undefined;
		const needed = entries * price;
		const figures = `${count(entries, this.lookup)} at ${credits(price)} each`;
		if (this.maxCredits > 0 && this.spent + this.reserved + needed > this.maxCredits) {
			const used = this.spent > 0 ? ` ${credits(this.spent)} of it are spent.` : '';
			return {
				message: `'Max Credits' of ${this.maxCredits} does not cover ${figures} (${credits(needed)})`,
				description: `${NOT_STARTED}${used} Raise 'Max Credits' in Options, or send fewer items.${this.priceNote()}`,
			};
		}
		if (this.balance !== undefined && this.spentOfBalance + this.reserved + needed > this.balance) {
			return {
				message: `The account's ${credits(this.balance)} do not cover ${figures} (${credits(needed)})`,
				description: `${NOT_STARTED} Add credits to your account, or send fewer items.${this.priceNote()}`,
			};
		}
		return undefined;
	}

	/** Holds the price of entries that are being submitted. */
	reserve(entries: number): () => void {
		const held = entries * (this.price ?? 0);
		this.reserved += held;
		return () => {
			this.reserved -= held;
		};
	}

	/** A submission of unknown fate may have been charged: for the cap, it was. */
	assumeCharged(entries: number): void {
		this.alreadySpent(entries * (this.price ?? 0));
	}

	/** Books what the service says it charged, and learns the price from it. */
	charge(entries: number, charged: number): void {
		this.spent += charged;
		this.spentOfBalance += charged;
		learnedPrices.set(this.priceName, charged / entries);
	}

	private priceNote(): string {
		const known = learnedPrices.has(this.priceName);
		return this.lookup.documentedPrice?.mayVary === true && !known
			? ` The price depends on your plan: after the first ${this.lookup.noun.one} the node knows it.`
			: '';
	}
}

function credits(amount: number): string {
	return `${Number(amount.toFixed(2))} ${amount === 1 ? 'credit' : 'credits'}`;
}

function count(entries: number, { noun }: Lookup): string {
	return `${entries} ${entries === 1 ? noun.one : noun.many}`;
}
