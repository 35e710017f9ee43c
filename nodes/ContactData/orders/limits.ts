import type { Problem } from '../common/errors';
import { addCredits } from '../common/values';
import type { Run } from '../run/run';
import type { Account } from '../service/request';
import type { Bill } from './bill';
import { balanceProblem, capProblem, dayProblem, notCharged, unsureProblem } from './limitProblems';
import { memoryOf } from './memory';
import type { Cost } from './order';
import { lastPriceOf, type Price } from './prices';

/** Three times 1.1 is a little more than 3.3 to a computer. */
const ROUNDING = 1e-6;
/** Submissions of unknown fate in an execution after which nothing more is sent; of batches it is one. */
export const MAX_UNKNOWN_SINGLES = 3;
/** Searches in a call of a tool that the user has given no cap. */
const MAX_WITHOUT_CAP = 25;

/** Two figures that are read when a run begins to send. */
export interface Before {
	/** The account's credits; left out where they are not known. */
	balance?: number;
	/** What earlier tries of the run, and earlier calls of a tool, have spent in this execution. */
	cost: Cost;
}

/** What a run may still start: by the user's cap, by the limit of the account's day, and by its balance. */
export interface Limits {
	price: Price;
	/** How many more searches they cover, and how many the user's cap covers. */
	room: number;
	roomOfCap: number;
	/** How many may leave now. While a cap has only the usual price, one search leaves first to learn it. */
	searchesAtOnce: number;
	/** How many orders may leave at once: one until the service has accepted any. */
	ordersAtOnce: number;
	/** Why so many more searches cannot be started; `undefined` when they can. */
	objection(searches: number): Problem | undefined;
}

/** @param bill of what the run has sent so far */
export function limitsOf(
	run: Pick<Run, 'settings' | 'connection' | 'call' | 'continueOnFail'>,
	before: Before,
	bill: Bill,
): Limits {
	const { account } = run.connection;
	const { maxCredits = Infinity } = run.settings;
	const { maxCreditsPerDay = Infinity } = account;
	const price = priceOf(run, bill);
	const isCapped = maxCredits < Infinity || maxCreditsPerDay < Infinity;
	const isPriceSure = !isCapped || price.source !== 'usual';
	const spent: Cost = {
		credits: addCredits(before.cost.credits, bill.cost.credits),
		inDoubt: before.cost.inDoubt + bill.cost.inDoubt,
	};
	// With the usual price only, a search of unknown charge may have cost more than the cap.
	const canBeKept = isPriceSure || spent.inDoubt === 0;
	const ofCap = canBeKept ? roomIn(maxCredits, spent, price.credits) : 0;
	// What this run has sent is a part of it.
	const { ofDay } = memoryOf(account);
	const ofLimit = roomIn(maxCreditsPerDay, { ...ofDay, inDoubt: 0 }, price.credits);
	// The service decides: only what the balance does not cover at the lowest price is refused here.
	const { least, isDocumented } = run.settings.lookup.price;
	const lowest = isDocumented ? price.credits : least;
	const balance = before.balance ?? Infinity;
	const ofBalance = roomIn(balance, bill.cost, lowest);
	const room = Math.min(ofCap, ofLimit, ofBalance);
	return {
		price,
		room,
		roomOfCap: ofCap,
		searchesAtOnce: isPriceSure ? room : Math.min(room, 1),
		ordersAtOnce: isPriceSure && bill.hasAccepted ? Infinity : 1,
		objection(searches) {
			if (searches <= room) return undefined;
			if (ofBalance < Math.min(ofCap, ofLimit)) {
				const left = Math.max(0, balance - worthOf(bill.cost, lowest));
				return balanceProblem(run, lowest, searches, left, worthOf(spent, 1) === 0);
			}
			if (ofLimit < ofCap) return dayProblem(run, price, searches, ofDay);
			return canBeKept
				? capProblem(run, price, searches, spent)
				: unsureProblem(run, searches, bill.hasUntold);
		},
	};
}

/** Credits that may still be spent today; `undefined` where the account has no such limit. */
export function leftOfDay(account: Account): number | undefined {
	const { maxCreditsPerDay: most } = account;
	if (most === undefined) return undefined;
	return Math.max(0, addCredits(most, -memoryOf(account).ofDay.credits));
}

/** How many searches at a price are covered. */
function roomIn(credits: number, spent: Cost, price: number): number {
	return Math.max(0, Math.floor((credits - worthOf(spent, price) + ROUNDING) / price));
}

function worthOf({ credits, inDoubt }: Cost, price: number): number {
	return credits + inDoubt * price;
}

function priceOf(
	{ settings: { lookup }, connection }: Pick<Run, 'settings' | 'connection'>,
	{ highest }: Bill,
): Price {
	const { credits, isDocumented } = lookup.price;
	// A higher charge than the documented price holds for the rest of the run.
	if (isDocumented) return { credits: Math.max(credits, highest), source: 'documented' };
	const charged = lastPriceOf(connection.account, lookup);
	return charged === undefined
		? { credits, source: 'usual' }
		: { credits: charged, source: 'charged' };
}

/** Why a tool without a cap may not start so many: a text that a model has read may ask for thousands. */
export function tooManyForTool(
	{ settings: { maxCredits }, call }: Pick<Run, 'settings' | 'call'>,
	searches: number,
): Problem | undefined {
	if (call === undefined || maxCredits !== undefined || searches <= MAX_WITHOUT_CAP) {
		return undefined;
	}
	return {
		message: `A tool without 'Max Credits' starts at most ${MAX_WITHOUT_CAP} searches in a call, and this call has ${searches}`,
		description: `${notCharged(searches)} Search for fewer in a call. For more, the user has to add 'Max Credits' to the Options of the tool.`,
		limit: 'run',
	};
}

/** Why the answers of the service are not to be paid for any longer; `undefined` while they come. */
export function brakeOf({ notes }: Pick<Run, 'notes'>): Problem | undefined {
	const singles = notes.countUnknown('single');
	const isOfBatch = notes.countUnknown('bulk') > 0;
	if (!isOfBatch && singles < MAX_UNKNOWN_SINGLES) return undefined;
	const before = isOfBatch ? 'a batch before it was' : `${singles} searches before it were`;
	return {
		message: `Not started, because nobody knows whether ${before} charged`,
		description:
			'Nothing was charged for this item. The answers of the service are lost, so no retry of this execution starts anything more: check the usage of your account, and ask the provider.',
		remedy: 'stop',
	};
}
