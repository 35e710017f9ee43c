import { monotonicMs } from '../common/clock';
import { tellCredits } from '../common/credits';
import type { Problem } from '../common/itemErrors';
import { RecentMap } from '../common/recentMap';
import type { Lookup, Size } from '../lookups/types';
import type { Account } from '../service/account';
import type { CallsCost } from './receipts';

/** What one entry cost when it was last submitted, and when, by account, lookup and size. */
const learnedPrices = new RecentMap<string, { price: number; at: number }>(500);
/** Then it is learned again: an answer may have been wrong, or the plan has changed. */
const LEARNED_FOR_MS = 3_600_000;

const NOT_STARTED = 'Not started, and nothing charged for it';

/** Why something cannot be started. */
export interface Objection extends Problem {
	/** Whether it is the user's cap that it would pass. */
	isOfCap?: boolean;
}

/**
 * What a run may still start. A price that is not sure refuses nothing: for the balance the service
 * decides, as its refusal costs nothing; for the cap one search goes first and tells the price.
 */
export class Budget {
	/** Credits that the service says it charged in this run, earlier tries included. */
	private charged = 0;
	/** Submissions of this run of which the charge is known. */
	private answers = 0;
	/** The most that one entry has cost in this try. */
	private highest: number | undefined;
	/** Entries that may have been charged: for the cap, they were. */
	private assumed = 0;
	/** The account's credits before the first submission; `undefined` while they are not known. */
	private balance: number | undefined;
	/** Credits charged since the balance was read. */
	private chargedOfBalance = 0;
	/** Entries that are being submitted. */
	private reserved = 0;
	/** Whether the cap is for all calls of a tool, whom a model tells what to do. */
	private isOfCalls = false;
	private readonly priceName: string;

	/**
	 * @param maxCredits the user's cap for this run; 0 for none
	 */
	constructor(
		private readonly lookup: Lookup,
		size: Size,
		account: Account,
		private readonly maxCredits: number,
	) {
		this.priceName = `${account.fingerprint} ${lookup.path} ${size}`;
	}

	/** @param credits `undefined` when the balance could not be read */
	limitToBalance(credits: number | undefined): void {
		this.balance = credits;
	}

	/** The account's credits after what this run was charged; `undefined` where that is not known. */
	get balanceLeft(): number | undefined {
		if (this.balance === undefined || this.assumed > 0) return undefined;
		return this.balance >= this.chargedOfBalance ? this.balance - this.chargedOfBalance : undefined;
	}

	/** Whether one entry must be submitted alone first, so that the cap holds for the others. */
	get needsProbe(): boolean {
		return this.maxCredits > 0 && this.price === undefined;
	}

	/**
	 * How many submissions may be under way at once. Under a cap a learned price may have changed, so
	 * one answer of this run releases one more submission, and not fifty.
	 */
	get mostAtOnce(): number {
		const isSure = this.maxCredits === 0 || this.lookup.documentedPrice !== undefined;
		return isSure ? Infinity : Math.max(1, this.answers);
	}

	/** What an entry is expected to cost, and whether that is sure; `undefined` where nobody knows. */
	get expectedPrice(): { price: number; isSure: boolean } | undefined {
		const { price } = this;
		return price === undefined
			? undefined
			: { price, isSure: this.lookup.documentedPrice !== undefined };
	}

	/** Why so many more entries cannot be started; `undefined` when they can, or nobody can say. */
	objection(entries: number): Objection | undefined {
		return this.objectionOfCap(entries) ?? this.objectionOfBalance(entries);
	}

	private objectionOfCap(entries: number): Objection | undefined {
		const { price, maxCredits } = this;
		if (maxCredits === 0) return undefined;
		if (price === undefined) {
			if (entries === 0 || this.charged < maxCredits) return undefined;
			return {
				message: `'Max Credits' of ${maxCredits} is spent`,
				description: this.adviceOnCap(this.charged),
				isOfCap: true,
			};
		}
		const spent = this.charged + this.assumed * price;
		const underWay = this.reserved * price;
		if (fits(spent + underWay + entries * price, maxCredits)) return undefined;
		return {
			message: `'Max Credits' of ${maxCredits} does not cover ${this.describe(entries, price)}`,
			description: this.adviceOnCap(spent, underWay),
			isOfCap: true,
		};
	}

	private adviceOnCap(spent: number, underWay = 0): string {
		const more = underWay > 0 ? ` and ${tellCredits(underWay)} under way` : '';
		const used =
			spent > 0 ? `; ${tellCredits(spent)} ${spent === 1 ? 'is' : 'are'} spent already${more}` : '';
		return this.isOfCalls
			? `${NOT_STARTED}${used && `${used} in this execution, all calls together`}. Go on with the results that there are; only the user can raise 'Max Credits'.`
			: `${NOT_STARTED}${used}. Raise 'Max Credits' in Options, or send fewer items.`;
	}

	/** By the documented price only: what was learned may have changed with the plan. */
	private objectionOfBalance(entries: number): Objection | undefined {
		const { documentedPrice: price } = this.lookup;
		if (price === undefined || this.balance === undefined) return undefined;
		const needed = entries * price;
		if (fits(this.chargedOfBalance + this.reserved * price + needed, this.balance)) {
			return undefined;
		}
		return {
			message: `The account's balance of ${tellCredits(this.balance)} does not cover ${this.describe(entries, price)}`,
			description: `${NOT_STARTED}. Add credits to your account, or send fewer items.`,
		};
	}

	private describe(entries: number, price: number): string {
		return `${count(entries, this.lookup)} at ${tellCredits(price)} each (${tellCredits(entries * price)})`;
	}

	/** Why entries of a price that is not sure cannot be started: only one may be, to learn it. */
	doubt(entries: number): Objection | undefined {
		if (!this.needsProbe || (entries === 1 && this.assumed === 0)) return undefined;
		return {
			message: `'Max Credits' of ${this.maxCredits} cannot be kept, because the price of one ${this.lookup.noun.one} is not known yet`,
			description: `${NOT_STARTED}: the first one was to tell the price, and did not. For no limit, set 'Max Credits' to 0.`,
			next: 'later',
			isOfCap: true,
		};
	}

	/** Holds the price of entries that are being submitted. */
	reserve(entries: number): () => void {
		this.reserved += entries;
		return () => {
			this.reserved -= entries;
		};
	}

	/**
	 * Books what the service says it charged, and learns the price from it. A charge of 0 tells no
	 * price: the next one may be another.
	 * @param entries all that the charge is for
	 * @param charged `undefined` for a submission that may have been charged
	 */
	charge(entries: number, charged: number | undefined): void {
		this.book(entries, charged);
		this.chargedOfBalance += charged ?? 0;
		if (!charged) return;
		this.learn(charged / entries);
		this.highest = Math.max(this.highest ?? 0, charged / entries);
	}

	/** Books a charge of an earlier try: it counts towards the cap, and may tell the price. */
	chargeOfEarlierTry(entries: number, charged: number | undefined): void {
		this.book(entries, charged);
		if (charged && this.price === undefined) this.learn(charged / entries);
	}

	/** Books what earlier calls of a tool have spent in this execution: the cap is for all of them. */
	chargeOfCalls({ credits, unsure }: CallsCost): void {
		this.isOfCalls = true;
		this.charged += credits;
		this.assumed += unsure;
	}

	private book(entries: number, charged: number | undefined): void {
		if (charged === undefined) this.assumed += entries;
		else this.charged += charged;
		if (charged) this.answers++;
	}

	private learn(price: number): void {
		learnedPrices.set(this.priceName, { price, at: monotonicMs() });
	}

	/**
	 * The highest that this run has seen, so that one cheap answer releases no more than before, or
	 * that another run was told last. Until the first answer what is documented, or was learned.
	 */
	private get price(): number | undefined {
		const { documentedPrice } = this.lookup;
		const learned = this.learned;
		if (this.highest === undefined) return documentedPrice ?? learned;
		return Math.max(this.highest, documentedPrice ?? 0, learned ?? 0);
	}

	/** In the last hour, by any run with this key. */
	private get learned(): number | undefined {
		const learned = learnedPrices.get(this.priceName);
		const isKnown = learned !== undefined && monotonicMs() - learned.at < LEARNED_FOR_MS;
		return isKnown ? learned.price : undefined;
	}
}

/** Three times 1.1 is a little more than 3.3 to a computer. */
function fits(needed: number, available: number): boolean {
	return needed <= available + 1e-6;
}

function count(entries: number, { noun }: Lookup): string {
	return `${entries} ${entries === 1 ? noun.one : noun.many}`;
}
