import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { Budget } from '../../../nodes/ContactData/orders/budget.ts';
import {
	accepted,
	chargeOf,
	type Fate,
	type Order,
} from '../../../nodes/ContactData/orders/order.ts';
import { doesNotCover } from '../../support/texts.mts';

let accounts = 0;

/** An account of which nothing is known yet in this process. */
function newAccount() {
	const fingerprint = `account ${++accounts}`;
	return { fingerprint, baseUrl: '', requestsPerSecond: 10, redact: String };
}

function budgetFor(
	name: LookupName,
	maxCredits: number | undefined,
	account = newAccount(),
): Budget {
	return new Budget(lookups[name], 'single', account, maxCredits);
}

const UNKNOWN: Fate = { kind: 'unknown', reason: 'no answer' };
const REFUSED: Fate = { kind: 'refused', problem: { message: '', description: '' } };
const receipt = (charged?: unknown): Fate => {
	return accepted('a', { id: 'a', credits_used: charged } as IDataObject);
};

function orderOf(count: number, fate: Fate, origin: Order['origin'] = 'new'): Order {
	return { key: '', origin, size: 'bulk', entries: [], count, fate };
}

/** Submits so many searches; what it is answered is a charge, or another fate. */
function submit(budget: Budget, searches: number, answer: number | Fate): void {
	const order = orderOf(searches, UNKNOWN);
	budget.book(order);
	order.fate = typeof answer === 'number' ? receipt(answer) : answer;
	budget.book(order);
}

/** Sends so many searches, of which nothing is known yet. */
function sendOff(budget: Budget, searches: number): (fate: Fate) => void {
	const order = orderOf(searches, UNKNOWN);
	budget.book(order);
	return (fate) => {
		order.fate = fate;
		budget.book(order);
	};
}

const bookEarlierTry = (budget: Budget, searches: number, fate: Fate) =>
	budget.book(orderOf(searches, fate, 'earlierTry'));

describe('the price', () => {
	it('of a verification is documented; any other is to be learned, and refuses nothing before', () => {
		expect(budgetFor('emailVerifier', 1).room).toBe(Infinity);
		expect(budgetFor('emailVerifier', 1).objection(5)).toBeDefined();
		for (const name of ['emailFinder', 'phoneFinder'] as const) {
			expect(budgetFor(name, 1).room).toBe(1);
			expect(budgetFor(name, 1).objection(1_000)).toBeUndefined();
		}
	});

	it('that a run was charged is known to all runs of the account with this lookup and size', () => {
		const account = newAccount();
		submit(budgetFor('emailFinder', undefined, account), 4, 6);
		expect(budgetFor('emailFinder', 3, account).objection(2)).toBeUndefined();
		expect(budgetFor('emailFinder', 2, account).objection(2)?.message).toContain(doesNotCover);
		expect(budgetFor('emailFinder', 2).expectedPrice).toBeUndefined();
		expect(budgetFor('phoneFinder', 2, account).expectedPrice).toBeUndefined();
		expect(new Budget(lookups.emailFinder, 'bulk', account, 2).expectedPrice).toBeUndefined();
	});

	it('is told by earlier tries too, the last of them, but not against what is known', () => {
		const account = newAccount();
		const retried = budgetFor('emailFinder', 10, account);
		bookEarlierTry(retried, 1, receipt(2));
		bookEarlierTry(retried, 1, receipt(3));
		expect(retried.expectedPrice).toEqual({ price: 3, isSure: false });
		submit(budgetFor('emailFinder', undefined, account), 1, 1);
		const later = budgetFor('emailFinder', 10, account);
		bookEarlierTry(later, 1, receipt(3));
		expect(later.expectedPrice).toEqual({ price: 1, isSure: false });
	});

	it('is the last one of the run; a documented one does not fall', () => {
		const find = budgetFor('emailFinder', 10);
		submit(find, 2, 4);
		submit(find, 2, 2);
		expect(find.expectedPrice?.price).toBe(1);
		const verify = budgetFor('emailVerifier', 10);
		submit(verify, 1, 0.01);
		expect(verify.expectedPrice?.price).toBe(0.25);
		submit(verify, 1, 1);
		expect(verify.expectedPrice?.price).toBe(1);
	});
});

describe('a charge', () => {
	it.for([
		[0, 1],
		[0, 5_000],
		[0.01, 1],
		[10_000, 1],
		[150_000, 3_000],
		[50, 5_000],
	] as const)('of %d for %d searches is believed', ([charged, searches]) => {
		expect(chargeOf(orderOf(searches, receipt(charged)))).toBe(charged);
	});

	it.for([
		[-1, 1],
		[0.009, 1],
		[49, 5_000],
		[10_001, 1],
		[1e308, 5_000],
		[Infinity, 1],
		[NaN, 1],
		['one', 1],
		[null, 1],
		[undefined, 1],
		[{}, 1],
	] as const)('of %j for %d searches is unknown', ([charged, searches]) => {
		expect(chargeOf(orderOf(searches, receipt(charged)))).toBeUndefined();
	});
});

describe('the cap', () => {
	it('takes in what is charged, what is under way, and what may have been charged', () => {
		const budget = budgetFor('emailVerifier', 1);
		submit(budget, 1, 0.25);
		submit(budget, 1, UNKNOWN);
		const settle = sendOff(budget, 1);
		expect(budget.objection(1)).toBeUndefined();
		expect(budget.objection(2)).toBeDefined();
		settle(REFUSED);
		expect(budget.objection(2)).toBeUndefined();
		bookEarlierTry(budget, 1, receipt(0.25));
		expect(budget.objection(1)).toBeUndefined();
		expect(budget.objection(2)).toBeDefined();
	});

	it('that is spent refuses what is to be sent, and nothing where all is there', () => {
		expect(budgetFor('phoneFinder', 0).objection(1)).toBeDefined();
		expect(budgetFor('phoneFinder', 0).objection(0)).toBeUndefined();
	});

	it('left out is none', () => {
		const budget = budgetFor('phoneFinder', undefined);
		expect(budget.room).toBe(Infinity);
		submit(budget, 1, UNKNOWN);
		expect(budget.objection(3_000)).toBeUndefined();
	});
});

describe('the balance', () => {
	it('is compared with what this try charges, not with what earlier ones did', () => {
		const budget = budgetFor('emailVerifier', undefined);
		bookEarlierTry(budget, 100, receipt(25));
		bookEarlierTry(budget, 100, UNKNOWN);
		budget.limitToBalance(1);
		expect(budget.objection(4)).toBeUndefined();
		expect(budget.objection(5)?.message).toContain(doesNotCover);
		submit(budget, 2, 0.5);
		expect(budget.objection(3)).toBeDefined();
	});

	it('is enough for what is under way and what is to come', () => {
		const budget = budgetFor('emailVerifier', undefined);
		budget.limitToBalance(2);
		submit(budget, 2, 0.5);
		sendOff(budget, 4);
		expect(budget.objection(2)).toBeUndefined();
		expect(budget.objection(3)).toBeDefined();
	});

	it('that is not known stops nothing', () => {
		const budget = budgetFor('emailVerifier', undefined);
		budget.limitToBalance(undefined);
		expect(budget.objection(5_000)).toBeUndefined();
	});
});
