import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookups, type LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { Budget } from '../../../nodes/ContactData/spending/budget.ts';
import { cannotBeKept, doesNotCover, nothingChargedForIt } from '../../support/texts.mts';

let accounts = 0;

/** An account of which nothing is known yet in this process. */
function newAccount() {
	const fingerprint = `account ${++accounts}`;
	return { fingerprint, baseUrl: '', requestsPerSecond: 10, redact: String };
}

function budgetFor(name: LookupName, maxCredits: number, account = newAccount()): Budget {
	return new Budget(lookups[name], 'single', account, maxCredits);
}

describe('the price', () => {
	it('of a verification is sure; of a phone search, which may vary, and of a find it is to be learned', () => {
		expect(budgetFor('emailVerifier', 1).needsProbe).toBe(false);
		expect(budgetFor('phoneFinder', 1).needsProbe).toBe(true);
		expect(budgetFor('phoneFinder', 100).objection(3)).toBeUndefined();
		expect(budgetFor('emailFinder', 1).objection(1_000)).toBeUndefined();
	});

	it('is learned from a charge, for all runs of the account with this lookup and size', () => {
		const account = newAccount();
		budgetFor('emailFinder', 0, account).charge(4, 6);
		expect(budgetFor('emailFinder', 2, account).objection(2)?.message).toBe(
			`'Max Credits' of 2 ${doesNotCover} 2 email searches at 1.5 credits each (3 credits)`,
		);
		expect(budgetFor('emailFinder', 2).needsProbe).toBe(true);
		expect(new Budget(lookups.emailFinder, 'bulk', account, 2).needsProbe).toBe(true);
	});

	it('is known for an hour, and then learned again', () => {
		const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
		onTestFinished(() => clock.mockRestore());
		const account = newAccount();
		budgetFor('emailFinder', 0, account).charge(1, 2);
		const isKnownAfter = (minutes: number) => {
			clock.mockReturnValue(minutes * 60_000);
			return !budgetFor('emailFinder', 10, account).needsProbe;
		};
		expect([0, 59, 61].map(isKnownAfter)).toEqual([true, true, false]);
	});

	it('is told by earlier tries too, but not against what is known', () => {
		const account = newAccount();
		const budget = budgetFor('emailFinder', 10, account);
		budget.chargeOfEarlierTry(1, 2);
		expect(budget.needsProbe).toBe(false);
		budget.chargeOfEarlierTry(1, 3);
		expect(budget.objection(3)?.message).toContain('at 2 credits each');
	});

	it('that has risen is known to runs under way as soon as one of them is told', () => {
		const account = newAccount();
		const [one, other] = [
			budgetFor('emailFinder', 4, account),
			budgetFor('emailFinder', 4, account),
		];
		one.charge(1, 1);
		other.charge(1, 3);
		expect(one.objection(1)).toBeUndefined();
		expect(one.objection(2)?.message).toContain('at 3 credits each');
		one.charge(1, 1);
		expect(one.objection(2)).toBeUndefined();
		expect(other.objection(1)?.message).toContain('at 3 credits each');
	});

	it('is not told by a charge of 0, nor by a submission of unknown fate', () => {
		const budget = budgetFor('emailFinder', 10);
		budget.charge(1, 0);
		budget.charge(1, undefined);
		expect(budget.needsProbe).toBe(true);
	});
});

describe('the cap', () => {
	it('takes in what is charged, what is under way, and what may have been charged', () => {
		const budget = budgetFor('emailVerifier', 1);
		budget.charge(1, 0.25);
		const release = budget.reserve(1);
		budget.charge(1, undefined);
		expect(budget.objection(1)).toBeUndefined();
		expect(budget.objection(2)?.description).toContain('; 0.5 credits are spent already');
		release();
		expect(budget.objection(2)).toBeUndefined();
		budget.chargeOfEarlierTry(1, 0.25);
		expect(budget.objection(1)).toBeUndefined();
		expect(budget.objection(2)).toBeDefined();
	});

	it('counts a lost answer at the price that is learned later', () => {
		const budget = budgetFor('emailFinder', 10);
		budget.charge(1, undefined);
		budget.charge(1, 4);
		expect(budget.objection(1)?.description).toContain('; 8 credits are spent already');
	});

	it('lets one search tell the price, and none after it while it is not told', () => {
		const budget = budgetFor('phoneFinder', 200);
		expect(budget.needsProbe).toBe(true);
		expect(budget.doubt(2)?.message).toBe(
			`'Max Credits' of 200 ${cannotBeKept}, because the price of one phone search is not known yet`,
		);
		expect(budget.doubt(1)).toBeUndefined();
		budget.charge(1, undefined);
		expect(budget.doubt(1)).toBeDefined();
		budget.charge(1, 80);
		expect(budget.doubt(2)).toBeUndefined();
	});

	it('of a tool takes in what earlier calls have spent, also at a price that is not known any more', () => {
		const budget = budgetFor('phoneFinder', 100);
		budget.chargeOfCalls({ credits: 50, unsure: 0 });
		expect(budget.objection(1)).toBeUndefined();
		budget.charge(1, 50);
		expect(budget.objection(1)?.description).toContain('; 100 credits are spent already');
		const later = budgetFor('phoneFinder', 100);
		later.chargeOfCalls({ credits: 100, unsure: 0 });
		expect(later.objection(0)).toBeUndefined();
		expect(later.objection(1)).toMatchObject({
			message: "'Max Credits' of 100 is spent",
			isOfCap: true,
		});
	});

	it('of a tool takes in what earlier calls may have spent', () => {
		const budget = budgetFor('emailVerifier', 0.5);
		budget.chargeOfCalls({ credits: 0.25, unsure: 1 });
		expect(budget.objection(1)?.description).toContain('; 0.5 credits are spent already');
	});

	it('lets one more go with each answer that tells a charge, where the price may vary', () => {
		const budget = budgetFor('phoneFinder', 1_000);
		const most = [budget.mostAtOnce];
		for (const charged of [50, 0, undefined, 50, 50]) {
			budget.charge(1, charged);
			most.push(budget.mostAtOnce);
		}
		expect(most).toEqual([1, 1, 1, 1, 2, 3]);
		expect(budgetFor('emailVerifier', 1_000).mostAtOnce).toBe(Infinity);
	});

	it('goes by the highest price of an entry so far', () => {
		const budget = budgetFor('emailFinder', 10);
		budget.charge(2, 4);
		budget.charge(2, 2);
		expect(budget.objection(2)).toBeUndefined();
		expect(budget.objection(3)?.message).toContain('3 email searches at 2 credits each');
	});

	it('says what is spent where something is, and what to do', () => {
		const budget = budgetFor('emailVerifier', 1);
		const advice = "Raise 'Max Credits' in Options, or send fewer items.";
		const notStarted = `${nothingChargedForIt} for it`;
		expect(budget.objection(5)?.description).toBe(`${notStarted}. ${advice}`);
		budget.charge(1, 0.25);
		expect(budget.objection(5)?.description).toBe(
			`${notStarted}; 0.25 credits are spent already. ${advice}`,
		);
		expect(budgetFor('phoneFinder', 200).doubt(2)?.description).toBe(
			`${notStarted}: the first one was to tell the price, and did not. For no limit, set 'Max Credits' to 0.`,
		);
	});

	it('of 0 is none', () => {
		const budget = budgetFor('phoneFinder', 0);
		expect(budget.mostAtOnce).toBe(Infinity);
		expect(budget.needsProbe).toBe(false);
		expect(budget.doubt(3_000)).toBeUndefined();
		expect(budget.objection(3_000)).toBeUndefined();
	});
});

describe('the balance', () => {
	it('is compared with what this try charges, not with what earlier ones did', () => {
		const budget = budgetFor('emailVerifier', 0);
		budget.chargeOfEarlierTry(100, 25);
		budget.limitToBalance(1);
		expect(budget.objection(4)).toBeUndefined();
		expect(budget.objection(5)?.message).toBe(
			`The account's balance of 1 credit ${doesNotCover} 5 email verifications at 0.25 credits each (1.25 credits)`,
		);
		budget.charge(2, 0.5);
		expect(budget.objection(3)).toBeDefined();
	});

	it('is enough for what is under way and what is to come', () => {
		const budget = budgetFor('emailVerifier', 0);
		budget.limitToBalance(2);
		budget.charge(2, 0.5);
		budget.reserve(4);
		expect(budget.objection(2)).toBeUndefined();
		expect(budget.objection(3)).toBeDefined();
	});

	it('that is not known stops nothing', () => {
		const budget = budgetFor('emailVerifier', 0);
		budget.limitToBalance(undefined);
		expect(budget.objection(5_000)).toBeUndefined();
	});
});
