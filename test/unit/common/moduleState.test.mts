import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { getPace } from '../../../nodes/ContactData/service/pace.ts';
import { Budget } from '../../../nodes/ContactData/spending/budget.ts';
import { SeenIds } from '../../../nodes/ContactData/trigger/seen.ts';

const KEYS = 10_000;

const accountOf = (number: number) => ({
	fingerprint: `of key ${number}`,
	baseUrl: '',
	requestsPerSecond: 10,
	redact: String,
});
const budgetOf = (number: number) =>
	new Budget(lookups.emailFinder, 'single', accountOf(number), 1);
const chargeOf = (number: number) => {
	const budget = budgetOf(number);
	budget.reserve(1);
	budget.settle(1, { kind: 'accepted', id: 'a', answer: { id: 'a', credits_used: 2 } });
};

it(`what the process remembers stays bounded when ${KEYS} keys pass through`, () => {
	const first = getPace(accountOf(0), '/email/find/single');
	for (let number = 0; number < KEYS; number++) {
		getPace(accountOf(number), '/email/find/single');
		chargeOf(number);
		SeenIds.of(`workflow ${number}`, {}).add('id');
	}
	// What came last is still there, and what came first made room for it.
	expect(getPace(accountOf(0), '/email/find/single')).not.toBe(first);
	expect([0, KEYS - 1].map((number) => budgetOf(number).expectedPrice)).toEqual([
		undefined,
		{ price: 2, isSure: false },
	]);
	const isKnown = (number: number) => SeenIds.of(`workflow ${number}`, {}).has('id');
	expect([isKnown(KEYS - 1), isKnown(0)]).toEqual([true, false]);
});
