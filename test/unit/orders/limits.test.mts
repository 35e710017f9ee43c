import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Size } from '../../../nodes/ContactData/lookups/types.ts';
import { Limits } from '../../../nodes/ContactData/orders/limits.ts';
import type { Order } from '../../../nodes/ContactData/orders/order.ts';
import { accepted } from '../../../nodes/ContactData/orders/order.ts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;

interface Given {
	lookup?: Lookup;
	size?: Size;
	cap?: number;
	/** Of the account. */
	balance?: number;
	booked?: Order[];
	calls?: { credits: number; unsure: number };
	/** Default another account for each. */
	fingerprint?: string;
}

let accounts = 0;

function limitsWith(given: Given): Limits {
	const { lookup = phoneFinder, size = 'single', cap, balance, booked = [], calls } = given;
	const { fingerprint = `account ${++accounts}` } = given;
	const account = { fingerprint, baseUrl: '', requestsPerSecond: 10, redact: String };
	const limits = new Limits({ lookup, size, maxCredits: cap }, account, {}, calls);
	for (const order of booked) limits.book(order);
	limits.limitToBalance(balance);
	return limits;
}

function order(fate: Order['fate'], more: Partial<Order> = {}): Order {
	return { origin: 'new', size: 'single', entries: [], count: 1, fate, ...more };
}
const paid = (credits?: number, more?: Partial<Order>) =>
	order(accepted('an-id', { credits_used: credits }), more);
const EARLIER = paid(50, { origin: 'earlierTry' });
const unknown = (more?: Partial<Order>) => order({ kind: 'unknown', reason: 'lost' }, more);

describe('how many more searches fit', () => {
	it.for<[what: string, given: Given, room: number]>([
		['no cap: all', {}, Infinity],
		['the usual price', { cap: 149 }, 2],
		['the documented price', { lookup: emailVerifier, cap: 1 }, 4],
		['a price above the documented one', { lookup: emailVerifier, cap: 1, booked: [paid(0.5)] }, 1],
		['no price: nobody knows', { lookup: emailFinder, cap: 10 }, Infinity],
		['a price that was learned', { lookup: emailFinder, cap: 10, booked: [paid(2)] }, 4],
		['the price of a batch', { cap: 100, booked: [paid(20, { size: 'bulk', count: 2 })] }, 8],
		['three times 1.1', { lookup: emailFinder, cap: 3.3, booked: [paid(1.1)] }, 2],
		['one free tells no price', { cap: 100, booked: [paid(0)] }, 2],
		['no price, and one in doubt', { lookup: emailFinder, cap: 10, booked: [unknown()] }, 0],
		['once one is in doubt, the usual price counts as none', { cap: 100, booked: [unknown()] }, 0],
		['so does one under way', { cap: 100, booked: [order({ kind: 'sending' })] }, 0],
		['one that does not tell what it cost, too', { cap: 100, booked: [paid()] }, 0],
		['an earlier try counts', { cap: 100, booked: [EARLIER] }, 1],
		['what is only read does not', { cap: 100, booked: [paid(50, { origin: 'recent' })] }, 2],
		['what was refused does not', { cap: 100, booked: [order({ kind: 'halted' })] }, 2],
		['a cap of 0', { cap: 0 }, 0],
		['the balance at a documented price', { lookup: emailVerifier, cap: 9, balance: 0.6 }, 2],
		['no balance at a price that may have changed', { cap: 100, balance: 0 }, 2],
		['other calls of a tool', { cap: 100, calls: { credits: 10, unsure: 1 } }, 0],
		['those once', { cap: 100, calls: { credits: 50, unsure: 0 }, booked: [EARLIER] }, 1],
	])('%s', ([, given, room]) => {
		expect(limitsWith(given).room).toBe(room);
	});
});

describe('why no more are started', () => {
	it.for<[searches: number, given: Given, message: string | undefined]>([
		[2, { cap: 100 }, undefined],
		[99, { lookup: emailFinder, cap: 10 }, undefined],
		[0, { cap: 0 }, undefined],
		[
			4,
			{ cap: 100 },
			"'Max Credits' of 100 does not cover 4 phone searches at the usual 50 credits each (200 credits)",
		],
		[
			3,
			{ cap: 100, booked: [paid(50)] },
			"'Max Credits' of 100 is reached: 50 spent, 3 of 4 phone searches (150 credits) not started",
		],
		[
			1,
			{ cap: 100, booked: [paid(50), unknown()] },
			"'Max Credits' of 100 is reached: 50 spent, 50 perhaps charged, 1 of 3 phone searches (50 credits) not started",
		],
		[
			1,
			{ cap: 100, calls: { credits: 80, unsure: 0 } },
			"'Max Credits' of 100 is reached: 80 spent in all calls of this execution, 1 of 1 phone searches (50 credits) not started",
		],
		[1, { lookup: emailFinder, cap: 0 }, "'Max Credits' of 0 does not cover 1 email search"],
		[
			3,
			{ lookup: emailFinder, cap: 10, booked: [unknown()] },
			"'Max Credits' of 10 cannot be kept, because nobody knows what the first email search has cost",
		],
		[
			3,
			{ lookup: emailVerifier, balance: 0.5 },
			"The account's balance of 0.5 credits does not cover 3 email verifications at 0.25 credits each (0.75 credits)",
		],
	])('%i more: %j: %s', ([searches, given, message]) => {
		expect(limitsWith(given).objection(searches)?.message).toBe(message);
	});

	it('a tool without a cap starts at most 25', () => {
		const calls = { credits: 0, unsure: 0 };
		expect(limitsWith({ calls }).tooManyForTool(25)).toBeUndefined();
		expect(limitsWith({ calls }).tooManyForTool(26)?.message).toContain('at most 25 searches');
		expect(limitsWith({ calls, cap: 9_999 }).tooManyForTool(26)).toBeUndefined();
		expect(limitsWith({}).tooManyForTool(26)).toBeUndefined();
	});
});

it('a price is remembered for a day, by account and lookup, and not by size', () => {
	const account = { lookup: emailFinder, fingerprint: 'remembers' };
	limitsWith({ ...account, size: 'bulk', booked: [paid(6, { size: 'bulk', count: 3 })] });
	expect(limitsWith(account).price).toEqual({ credits: 2, source: 'charged' });
	expect(limitsWith({ ...account, fingerprint: 'another' }).price).toBeUndefined();
	expect(limitsWith({ ...account, lookup: phoneFinder }).price?.source).toBe('usual');
	const later = performance.now() + 86_400_000;
	const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
	onTestFinished(() => clock.mockRestore());
	expect(limitsWith(account).price).toBeUndefined();
});

it.for<[what: string, given: Given, searches: number, orders: number]>([
	['one goes alone until the service accepts any', {}, Infinity, 1],
	['then all', { booked: [paid(50)] }, Infinity, Infinity],
	['one tells the price to a cap', { lookup: emailFinder, cap: 10 }, 1, 1],
	['also where the usual one is known', { cap: 200 }, 1, 1],
	['then all that fit', { cap: 200, booked: [paid(50)] }, 3, Infinity],
	['as many again as were free', { cap: 200, booked: [paid(0), paid(0)] }, 2, 1],
])('%s', ([, given, searches, orders]) => {
	const { searchesAtOnce, ordersAtOnce } = limitsWith(given);
	expect([searchesAtOnce, ordersAtOnce]).toEqual([searches, orders]);
});

it.for<[Order[], boolean]>([
	[[unknown(), unknown()], false],
	[[unknown(), unknown(), unknown()], true],
	[[unknown({ size: 'bulk' })], true],
	[[unknown({ origin: 'earlierTry' }), unknown({ origin: 'recent', size: 'bulk' })], false],
])('the brake, by how many are of unknown fate in the execution: %j', ([booked, isOn]) => {
	expect(limitsWith({ booked }).brake !== undefined).toBe(isOn);
});
