import type { Problem } from '../common/errors';
import { addCredits, counted, tellAmount, tellCredits } from '../common/values';
import type { Run } from '../run/run';
import type { Lookup } from '../lookups/types';
import { lastPriceOf } from './ledger';
import { chargeOf, type Cost, isAccepted, type Order } from './order';

/** Three times 1.1 is a little more than 3.3 to a computer. */
const ROUNDING = 1e-6;
/** Submissions of unknown fate in an execution after which nothing more is sent; of batches it is one. */
const MAX_UNKNOWN_SINGLES = 3;
/** Searches in a call of a tool that the user has given no cap. */
const MAX_WITHOUT_CAP = 25;

/** What a search is expected to cost, and who says so. */
export interface Price {
	credits: number;
	source: 'documented' | 'charged' | 'usual';
}

/** Two figures that are read when a run begins to send. */
export interface Before {
	/** The account's credits; left out where they are not known. */
	balance?: number;
	/** What earlier tries of the run, and earlier calls of a tool, have spent in this execution. */
	cost: Cost;
}

/** What a run may still start: by the user's cap, and by the account's balance. */
export interface Limits {
	price: Price;
	/** How many more searches they cover. */
	room: number;
	/** How many may leave now. While a cap has only the usual price, one search leaves first to learn it. */
	searchesAtOnce: number;
	/** How many orders may leave at once: one until the service has accepted any. */
	ordersAtOnce: number;
	/** Why so many more searches cannot be started; `undefined` when they can. */
	objection(searches: number): Problem | undefined;
}

/** @param sent what the run sends, and how far it has come */
export function limitsOf(
	run: Pick<Run, 'settings' | 'connection' | 'call' | 'continueOnFail'>,
	{ balance = Infinity, cost: before }: Before,
	sent: readonly Order[],
): Limits {
	const { lookup, maxCredits = Infinity } = run.settings;
	const price = priceOf(run, sent);
	const isPriceSure = maxCredits === Infinity || price.source !== 'usual';
	const cost = costOfSent(sent);
	const spent: Cost = {
		credits: addCredits(before.credits, cost.credits),
		inDoubt: before.inDoubt + cost.inDoubt,
	};
	const worthOf = ({ credits, inDoubt }: Cost) => credits + inDoubt * price.credits;
	// The balance counts only where the price is sure: else the service decides, and its refusal costs nothing.
	const leftOfBalance = lookup.price.isDocumented ? balance - worthOf(cost) : Infinity;
	const leftOfCap = maxCredits - worthOf(spent);
	const left = Math.min(leftOfCap, leftOfBalance);
	// With the usual price only, a search of unknown charge may have cost more than the cap.
	const isKept = isPriceSure || spent.inDoubt === 0;
	const room = isKept ? Math.max(0, Math.floor((left + ROUNDING) / price.credits)) : 0;
	return {
		price,
		room,
		searchesAtOnce: isPriceSure ? room : Math.min(room, 1),
		ordersAtOnce: isPriceSure && sent.some(isAccepted) ? Infinity : 1,
		objection(searches) {
			if (searches <= room) return undefined;
			return leftOfBalance < leftOfCap
				? balanceProblem(run, price, searches, leftOfBalance, worthOf(spent) === 0)
				: capProblem(run, price, searches, spent, isKept);
		},
	};
}

function priceOf(
	{ settings: { lookup }, connection }: Pick<Run, 'settings' | 'connection'>,
	sent: readonly Order[],
): Price {
	const { credits, isDocumented } = lookup.price;
	if (isDocumented) {
		// A higher charge than the documented price holds for the rest of the run.
		const charges = sent.map((order) => (chargeOf(order) ?? 0) / order.count);
		const highest = charges.reduce((most, charge) => Math.max(most, charge), credits);
		return { credits: highest, source: 'documented' };
	}
	const charged = lastPriceOf(connection.account, lookup);
	return charged === undefined
		? { credits, source: 'usual' }
		: { credits: charged, source: 'charged' };
}

function costOfSent(sent: readonly Order[]): Cost {
	const cost: Cost = { credits: 0, inDoubt: 0 };
	for (const order of sent) {
		// An order that waits to be sent once more keeps its share of the cap.
		const charge = order.fate.kind === 'claimed' ? undefined : chargeOf(order);
		if (charge === undefined) cost.inDoubt += order.count;
		else cost.credits = addCredits(cost.credits, charge);
	}
	return cost;
}

function capProblem(
	{ settings, call, continueOnFail }: Pick<Run, 'settings' | 'call' | 'continueOnFail'>,
	price: Price,
	searches: number,
	{ credits, inDoubt }: Cost,
	isKept: boolean,
): Problem {
	const { maxCredits = 0, lookup } = settings;
	const isUnspent = credits === 0 && inDoubt === 0;
	const others = searches * price.credits;
	const perhaps = inDoubt === 0 ? '' : `, and perhaps ${tellAmount(inDoubt * price.credits)} more`;
	const reached = isUnspent
		? `does not cover ${describeCost(lookup, price, searches)}`
		: `is reached: ${call === undefined ? 'this run has' : 'the calls of this execution have'} spent ${tellAmount(credits)}${perhaps}, and the other ${searches === 1 ? lookup.noun.one : counted(searches, '', lookup.noun.many)} would cost ${tellAmount(others)}`;
	const what = isKept
		? reached
		: `cannot be kept, because nobody knows what the first ${lookup.noun.one} has cost`;
	const none = maxCredits === 0 ? ' 0 lets nothing be spent.' : '';
	const enough = tellAmount(Math.ceil(100 * others) / 100);
	const raise = `Raise 'Max Credits' in Options to ${enough}`;
	const advice = isUnspent
		? [`${raise}, or send fewer items.`]
		: [
				others > maxCredits && `${raise}.`,
				continueOnFail
					? 'Send only the items with this error: each run begins at 0.'
					: 'A retry begins at 0.',
			];
	const ofTool = 'Go on with the results that there are; only the user can raise it.';
	const unknown = 'A later run learns the price from another search.';
	const how = call ? ofTool : isKept ? advice.filter(Boolean).join(' ') : unknown;
	return {
		message: `'Max Credits' of ${maxCredits} ${what}`,
		description: `${notCharged(searches)}.${none} ${how}`,
		isOfCap: true,
	};
}

function balanceProblem(
	{ settings: { lookup }, continueOnFail }: Pick<Run, 'settings' | 'continueOnFail'>,
	price: Price,
	searches: number,
	left: number,
	isUnspent: boolean,
): Problem {
	const orFewer = isUnspent ? ', or send fewer items' : '';
	const then = !isUnspent && continueOnFail ? ' Then send only the items with this error.' : '';
	return {
		message: `The account's balance of ${tellCredits(Math.max(0, left))} does not cover ${describeCost(lookup, price, searches)}`,
		description: `${notCharged(searches)}. Add credits to your account${orFewer}.${then}`,
	};
}

function notCharged(searches: number): string {
	return `Nothing was charged for ${searches === 1 ? 'that one' : 'those'}`;
}

/** E.g. `4 phone searches at the usual 50 credits each (200 credits)`. */
export function describeCost({ noun }: Lookup, price: Price, searches: number): string {
	const usual = price.source === 'usual' ? 'the usual ' : '';
	return `${counted(searches, noun.one, noun.many)} at ${usual}${tellCredits(price.credits)} each (${tellCredits(searches * price.credits)})`;
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
		description: `${notCharged(searches)}. Search for fewer in a call. For more, the user has to add 'Max Credits' to the Options of the tool.`,
		isOfCap: true,
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
