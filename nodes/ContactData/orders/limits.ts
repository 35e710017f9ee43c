import type { IDataObject } from 'n8n-workflow';
import { RecentMap } from '../common/bounds';
import type { Problem } from '../common/errors';
import { monotonicMs } from '../common/time';
import { addCredits, asNumber, tellAmount, tellCredits } from '../common/values';
import type { Settings } from '../input/settings';
import type { Size } from '../lookups/types';
import type { Account } from '../service/request';
import type { Order } from './order';
import { chargeOf, isOwn } from './order';
import { REMEMBERED_MS } from './ledger';

/** What one search cost when this process was last charged, and when, by account and lookup. */
const lastPrices = new RecentMap<string, { credits: number; at: number }>(500);
/** Three times 1.1 is a little more than 3.3 to a computer. */
const ROUNDING = 1e-6;

/** Searches in a call of a tool that the user has given no cap. */
const MAX_WITHOUT_CAP = 25;
/** Submissions of unknown fate in an execution after which nothing more is sent. */
const MAX_UNKNOWN: Record<Size, number> = { single: 3, bulk: 1 };
/** Count them, in what n8n saves with the execution. */
const COUNTED_UNKNOWN: Record<Size, string> = {
	single: 'contactDataUnknownSingles',
	bulk: 'contactDataUnknownBatches',
};

const ZERO = "0 lets nothing be spent: raise 'Max Credits' in Options, or remove it for no limit.";
const NOT_CHARGED = 'Not started, and nothing charged for it';

/** What a search is expected to cost, and who says so. */
export interface Price {
	credits: number;
	source: 'documented' | 'charged' | 'usual';
}

/** What an order comes to: credits, and searches of which it is not known (yet), which count as charged. */
interface Cost {
	spent: number;
	inDoubt: number;
	/** Searches that this try has started, or is starting. */
	started: number;
}

/** What a run may still start: by the user's cap, by the account's balance, and by the brake. */
export class Limits {
	/** Of all orders of the run, earlier tries included; of a tool, of all its calls in the execution. */
	private readonly total: Cost = { spent: 0, inDoubt: 0, started: 0 };
	private readonly booked = new Map<Order, Cost>();
	/** In credits for one search, as this run was charged. */
	private charged: number | undefined;
	private hasAccepted = false;
	/** The account's credits, less what was spent when they were read. */
	private balance = Infinity;
	private readonly priceName: string;

	/**
	 * @param flow what n8n saves with the execution, of all its nodes
	 * @param calls what the calls of a tool have spent before in its execution
	 */
	constructor(
		private readonly settings: Pick<Settings, 'lookup' | 'size' | 'maxCredits'>,
		account: Account,
		private readonly flow: IDataObject,
		private readonly calls?: { credits: number; unsure: number },
	) {
		this.priceName = `${account.fingerprint} ${settings.lookup.path}`;
		this.total.spent = calls?.credits ?? 0;
		this.total.inDoubt = calls?.unsure ?? 0;
	}

	/** Counts what is known of an order by now, in the place of what was known before. */
	book(order: Order): void {
		const { count, fate, origin, size } = order;
		// What the calls of a tool have spent is counted already.
		if (!isOwn(order) || (origin === 'earlierTry' && this.calls !== undefined)) return;
		const credits = chargeOf(order);
		const isNew = origin === 'new';
		const before = this.booked.get(order) ?? { spent: 0, inDoubt: 0, started: 0 };
		const isStarted = 'id' in fate || fate.kind === 'sending' || fate.kind === 'unknown';
		const now: Cost = {
			spent: credits ?? 0,
			inDoubt: credits === undefined ? count : 0,
			started: isNew && isStarted ? count : 0,
		};
		this.booked.set(order, now);
		this.total.spent = addCredits(this.total.spent, now.spent - before.spent);
		this.total.inDoubt += now.inDoubt - before.inDoubt;
		this.total.started += now.started - before.started;
		if (isNew && 'id' in fate) this.hasAccepted = true;
		if (isNew && fate.kind === 'unknown')
			this.flow[COUNTED_UNKNOWN[size]] = this.countUnknown(size) + 1;
		// One that costs nothing does not say what the next one costs.
		if (credits === undefined || credits === 0) return;
		this.charged = credits / count;
		if (isNew) lastPrices.set(this.priceName, { credits: this.charged, at: monotonicMs() });
	}

	/** @param credits of the account; `undefined` where they could not be read */
	limitToBalance(credits = Infinity): void {
		const { spent, inDoubt } = this.total;
		this.balance = credits + spent + inDoubt * (this.price?.credits ?? 0);
	}

	/** `undefined` where nobody knows. */
	get price(): Price | undefined {
		const { documentedPrice, usualPrice } = this.settings.lookup;
		const last = lastPrices.get(this.priceName);
		const isRecent = last !== undefined && monotonicMs() - last.at < REMEMBERED_MS;
		const charged = this.charged ?? (isRecent ? last.credits : undefined);
		if (documentedPrice !== undefined)
			return { credits: Math.max(documentedPrice, this.charged ?? 0), source: 'documented' };
		if (charged !== undefined) return { credits: charged, source: 'charged' };
		// Once one may have been charged otherwise, a cap cannot be kept by it.
		const isOfUse = this.settings.maxCredits === undefined || this.total.inDoubt === 0;
		return usualPrice !== undefined && isOfUse
			? { credits: usualPrice, source: 'usual' }
			: undefined;
	}

	/** How many orders may leave now: one alone, until the service accepts any, and its price is known to a cap. */
	get ordersAtOnce(): number {
		return this.hasAccepted && this.isPriceSure ? Infinity : 1;
	}

	/** How many searches may leave now: one tells the price to a cap, and as many again as have cost nothing. */
	get searchesAtOnce(): number {
		return this.isPriceSure ? this.room : Math.min(this.room, Math.max(1, this.total.started));
	}

	private get isPriceSure(): boolean {
		const { source = 'usual' } = this.price ?? {};
		return this.settings.maxCredits === undefined || source !== 'usual';
	}

	/** How many more searches the cap and the balance cover, as far as anybody knows. */
	get room(): number {
		const { price } = this;
		const { spent, inDoubt } = this.total;
		const left = this.creditsAllowed - spent;
		if (price === undefined)
			return left === Infinity || (inDoubt === 0 && left > ROUNDING) ? Infinity : 0;
		return Math.max(0, Math.floor((left + ROUNDING) / price.credits - inDoubt));
	}

	/** By a price that may have changed the balance is not judged: the service's refusal costs nothing. */
	private get creditsAllowed(): number {
		const { lookup, maxCredits = Infinity } = this.settings;
		return lookup.documentedPrice === undefined ? maxCredits : Math.min(maxCredits, this.balance);
	}

	/** Why so many more searches cannot be started; `undefined` when they can, or nobody can say yet. */
	objection(searches: number): Problem | undefined {
		if (this.room >= searches) return undefined;
		const { maxCredits } = this.settings;
		const isOfBalance = this.creditsAllowed < (maxCredits ?? Infinity);
		return isOfBalance ? this.balanceProblem(searches) : this.capProblem(searches);
	}

	private capProblem(searches: number): Problem {
		const { maxCredits = 0, lookup } = this.settings;
		const { price } = this;
		const { spent, inDoubt, started } = this.total;
		const isOfTool = this.calls !== undefined;
		const where = isOfTool ? ' in all calls of this execution' : '';
		const rest = `${searches} of ${started + searches} ${lookup.noun.many}`;
		let notCharged = NOT_CHARGED;
		let what = `does not cover ${this.describe(searches)}`;
		if (price === undefined && inDoubt > 0) {
			what = `cannot be kept, because nobody knows what the first ${lookup.noun.one} has cost`;
		} else if (spent > 0 || inDoubt > 0) {
			const { credits = 0 } = price ?? {};
			const perhaps = inDoubt === 0 ? '' : `, ${tellAmount(inDoubt * credits)} perhaps charged`;
			const worth = price === undefined ? '' : ` (${tellCredits(searches * credits)})`;
			what = `is reached: ${tellAmount(spent)} spent${where}${perhaps}, ${rest}${worth} not started`;
			notCharged = 'Nothing was charged for it';
		}
		const raise = isOfTool
			? 'Go on with the results that there are; only the user can raise it.'
			: "Raise 'Max Credits' in Options, or send fewer items.";
		return {
			message: `'Max Credits' of ${maxCredits} ${what}`,
			description: `${notCharged}. ${maxCredits === 0 ? ZERO : raise}`,
			isOfCap: true,
		};
	}

	private balanceProblem(searches: number): Problem {
		const credits = Math.max(0, this.balance - this.total.spent);
		return {
			message: `The account's balance of ${tellCredits(credits)} does not cover ${this.describe(searches)}`,
			description: `${NOT_CHARGED}. Add credits to your account, or send fewer items.`,
		};
	}

	private describe(searches: number): string {
		const { one, many } = this.settings.lookup.noun;
		const what = `${searches} ${searches === 1 ? one : many}`;
		const { price } = this;
		if (price === undefined) return what;
		const usual = price.source === 'usual' ? 'the usual ' : '';
		return `${what} at ${usual}${tellCredits(price.credits)} each (${tellCredits(searches * price.credits)})`;
	}

	/** A text that a model has read may tell it to search for thousands. */
	tooManyForTool(searches: number): Problem | undefined {
		const isBounded = this.calls === undefined || this.settings.maxCredits !== undefined;
		if (isBounded || searches <= MAX_WITHOUT_CAP) return undefined;
		return {
			message: `A tool without 'Max Credits' starts at most ${MAX_WITHOUT_CAP} searches in a call, and this call has ${searches}`,
			description: `${NOT_CHARGED}. Search for fewer in a call. For more, the user has to add 'Max Credits' to the Options of the tool.`,
			isOfCap: true,
		};
	}

	/** Why the answers of the service are not to be paid for any longer; `undefined` while they come. */
	get brake(): Problem | undefined {
		const singles = this.countUnknown('single');
		const isOfBatch = this.countUnknown('bulk') >= MAX_UNKNOWN.bulk;
		if (!isOfBatch && singles < MAX_UNKNOWN.single) return undefined;
		const before = isOfBatch ? 'a batch before it was' : `${singles} searches before it were`;
		return {
			message: `Not started, because nobody knows whether ${before} charged`,
			description:
				'Nothing was charged for this item. The answers of the service are lost, so no retry of this execution starts anything more: check the usage of your account, and ask the provider.',
			next: 'stop',
		};
	}

	private countUnknown(size: Size): number {
		return asNumber(this.flow[COUNTED_UNKNOWN[size]]) ?? 0;
	}
}
