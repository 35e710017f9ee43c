import { addCredits, asAmount, asRecord, tellCredits } from '../common/values';
import type { Problem } from '../common/errors';
import { RecentMap } from '../common/bounds';
import type { Lookup, Size } from '../lookups/types';
import type { Account } from '../service/account';
import type { SubmissionOutcome } from '../service/submission';

/** What the calls of a tool have spent in one execution, all together. */
export interface CallsCost {
	/** That the service says it charged. */
	credits: number;
	/** Searches that may have been charged. */
	unsure: number;
}

/** What one search cost when a run of this process was last charged, and when, by account, lookup and size. */
const lastPrices = new RecentMap<string, { price: number; at: number }>(500);
const REMEMBERED_FOR_MS = 86_400_000;

/** Credits for one search that are believed. `service-api.md` section 8 has 0.25 and 50; plans may differ. */
const LEAST_PRICE = 0.01;
const HIGHEST_PRICE = 10_000;
/** Three times 1.1 is a little more than 3.3 to a computer. */
const ROUNDING = 1e-6;

const NOT_STARTED = 'Not started, and nothing charged for it';

/** Why something cannot be started. */
export interface Objection extends Problem {
	/** Whether it is the user's cap that it would pass. */
	isOfCap?: boolean;
}

/**
 * What the service says that it charged for a submission, in credits (`service-api.md` 4.1, 2.9).
 * @returns `undefined` where it says nothing that can be true, or nobody knows what became of it
 */
export function chargeOf(outcome: SubmissionOutcome, searches: number): number | undefined {
	if (outcome.kind !== 'accepted') return outcome.kind === 'unknown' ? undefined : 0;
	const { credits_used: used, credits } = outcome.answer;
	const charged = asAmount(used) ?? asAmount(asRecord(credits)?.amount);
	if (charged === undefined) return undefined;
	const price = charged / searches;
	return charged === 0 || (price >= LEAST_PRICE && price <= HIGHEST_PRICE) ? charged : undefined;
}

/**
 * What a run may still start. A price that is not documented may have changed: it refuses a whole run
 * that does not fit at it, and else the run learns the price by one search before it starts more.
 */
export class Budget {
	/** Credits that the service says it charged in this run, earlier tries included. */
	private spent = 0;
	/** Searches under way, and those that may have been charged: for the cap, they were. */
	private reserved = 0;
	/** Searches that were charged in this try. */
	private charged = 0;
	/** Credits for one search; `undefined` where nobody knows. */
	private price: number | undefined;
	/** When a run before this one was charged that price, by the time of day. */
	private priceSeenAt: number | undefined;
	/** The account's credits, and what was spent and reserved when they were read. */
	private balance: { credits: number; spent: number; reserved: number } | undefined;
	/** Whether the cap is for all calls of a tool, whom a model tells what to do. */
	private isOfCalls = false;
	private readonly priceName: string;

	/** @param maxCredits the user's cap for this run; 0 for none */
	constructor(
		private readonly lookup: Lookup,
		size: Size,
		account: Account,
		private readonly maxCredits: number,
	) {
		this.priceName = `${account.fingerprint} ${lookup.path} ${size}`;
		this.price = lookup.documentedPrice;
		const last = lastPrices.get(this.priceName);
		if (this.price !== undefined || last === undefined) return;
		if (Date.now() - last.at >= REMEMBERED_FOR_MS) return;
		this.price = last.price;
		this.priceSeenAt = last.at;
	}

	/** @param credits `undefined` when the balance could not be read */
	limitToBalance(credits: number | undefined): void {
		const { spent, reserved } = this;
		this.balance = credits === undefined ? undefined : { credits, spent, reserved };
	}

	/** The account's credits after what this run was charged; `undefined` where that is not known. */
	get balanceLeft(): number | undefined {
		if (this.balance === undefined || this.reserved > 0) return undefined;
		const left = addCredits(this.balance.credits, this.balance.spent - this.spent);
		return left >= 0 ? left : undefined;
	}

	/** What the run has cost so far, and whether that is all. */
	get cost(): { spent: number; isSure: boolean } {
		return { spent: this.spent, isSure: this.reserved === 0 };
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
		if (maxCredits === 0 || this.lookup.documentedPrice !== undefined) return Infinity;
		if (this.objectionOfCap(1) !== undefined) return 0;
		const most = roomAfter(this.charged);
		if (price === undefined) return most;
		const left = maxCredits - this.spent - this.reserved * price;
		return Math.min(most, Math.floor((left + ROUNDING) / price));
	}

	/** Why so many more searches cannot be started; `undefined` when they can, or nobody can say. */
	objection(searches: number): Objection | undefined {
		if (searches === 0) return undefined;
		return this.objectionOfCap(searches) ?? this.objectionOfBalance(searches);
	}

	private objectionOfCap(searches: number): Objection | undefined {
		const { price, maxCredits, spent, reserved } = this;
		if (maxCredits === 0) return undefined;
		const refuse = (what: string, description = this.adviceOnCap()): Objection => {
			return { message: `'Max Credits' of ${maxCredits} ${what}`, description, isOfCap: true };
		};
		if (price !== undefined) {
			const isCovered = spent + (reserved + searches) * price <= maxCredits + ROUNDING;
			return isCovered ? undefined : refuse(`does not cover ${this.describe(searches, price)}`);
		}
		if (spent >= maxCredits) return refuse('is spent');
		if (reserved === 0) return undefined;
		return refuse(
			`cannot be kept, because the price of one ${this.lookup.noun.one} is not known yet`,
			`${NOT_STARTED}: the first one was to tell the price, and did not. Set 'Max Credits' to 0 for no limit.`,
		);
	}

	private adviceOnCap(): string {
		const { spent, reserved, price = 0, priceSeenAt } = this;
		const maybe = reserved > 0 ? ` and ${tellCredits(reserved * price)} may be` : '';
		const isAny = spent > 0 || reserved > 0;
		const used = isAny
			? `; ${tellCredits(spent)} ${spent === 1 ? 'is' : 'are'} spent already${maybe}`
			: '';
		const seen =
			priceSeenAt === undefined ? '' : ` That was the price at ${tellTime(priceSeenAt)}.`;
		return this.isOfCalls
			? `${NOT_STARTED}${used && `${used} in this execution, all calls together`}.${seen} Go on with the results that there are; only the user can raise 'Max Credits'.`
			: `${NOT_STARTED}${used}.${seen} Raise 'Max Credits' in Options, or send fewer items.`;
	}

	/** By the documented price only: for any other the service decides, as its refusal costs nothing. */
	private objectionOfBalance(searches: number): Objection | undefined {
		const { balance, spent, reserved } = this;
		const { documentedPrice: price } = this.lookup;
		if (price === undefined || balance === undefined) return undefined;
		const used = spent - balance.spent + (reserved - balance.reserved) * price;
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

	/** Holds the price of searches that are being submitted, until it is known what became of them. */
	reserve(searches: number): void {
		this.reserved += searches;
	}

	/** Books what became of reserved searches, and learns the price: what may have been charged stays reserved. */
	settle(searches: number, outcome: SubmissionOutcome): void {
		const credits = chargeOf(outcome, searches);
		if (credits === undefined) return;
		this.reserved -= searches;
		this.spent = addCredits(this.spent, credits);
		// The next one may cost something all the same.
		if (credits === 0) return;
		this.charged += searches;
		this.learn(credits / searches);
		lastPrices.set(this.priceName, { price: credits / searches, at: Date.now() });
	}

	/** Books what an earlier try has started: it counts towards the cap, and may tell the price. */
	bookEarlierTry(searches: number, outcome: SubmissionOutcome): void {
		const credits = chargeOf(outcome, searches);
		if (credits === undefined) this.reserved += searches;
		else this.spent = addCredits(this.spent, credits);
		if (credits && this.priceSeenAt === undefined) this.learn(credits / searches);
	}

	/** Books what earlier calls of a tool have spent in this execution: the cap is for all of them. */
	bookCalls({ credits, unsure }: CallsCost): void {
		this.isOfCalls = true;
		this.spent = addCredits(this.spent, credits);
		this.reserved += unsure;
	}

	private learn(price: number): void {
		this.price = Math.max(price, this.lookup.documentedPrice ?? 0);
		this.priceSeenAt = undefined;
	}
}

/** How many searches of a price that may change may go at once, when so many have been charged. */
export function roomAfter(charged: number): number {
	return Math.max(1, charged);
}

function tellTime(at: number): string {
	return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
