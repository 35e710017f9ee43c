import { expect, it } from 'vitest';
import { believedCharge } from '../../../nodes/ContactData/spending/charges.ts';

it.for([
	[0, 1],
	[0, 5_000],
	[0.01, 1],
	[0.25, 1],
	[50, 1],
	[10_000, 1],
	[150_000, 3_000],
	[50, 5_000],
] as const)('a charge of %d for %d entries is believed', ([charged, entries]) => {
	expect(believedCharge(charged, entries)).toBe(charged);
});

it.for([
	[-1, 1],
	[0.009, 1],
	[49, 5_000],
	[10_001, 1],
	[1e308, 5_000],
	[Infinity, 1],
	[NaN, 1],
	['1', 1],
	[null, 1],
	[undefined, 1],
	[{}, 1],
] as const)('a charge of %j for %d entries is unknown', ([charged, entries]) => {
	expect(believedCharge(charged, entries)).toBeUndefined();
});
