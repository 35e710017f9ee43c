import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { isOfOtherSearches } from '../../../nodes/ContactData/results/otherSearch.ts';

const { emailVerifier } = lookups;
const SEARCHES = [{ email: 'ada@acme.com' }, { email: 'eve@acme.com' }];
const STRANGER = { email: 'grace@globex.com' };

it.for([
	[[STRANGER], true],
	[[STRANGER, null, 'ada@acme.com', STRANGER], true],
	[[STRANGER, { email: 'EVE@acme.com' }], false],
	[[STRANGER, {}], false],
	[[null, 'grace@globex.com'], false],
	[[], false],
] as const)('that the results of a batch %j are of other searches: %s', ([listed, expected]) => {
	expect(isOfOtherSearches(emailVerifier, SEARCHES, listed)).toBe(expected);
});

it('of thousands of results a few are looked at', () => {
	let looks = 0;
	const listed = Array.from({ length: 5_000 }, () => ({
		get email() {
			looks++;
			return STRANGER.email;
		},
	}));
	expect(isOfOtherSearches(emailVerifier, SEARCHES, listed)).toBe(true);
	expect(looks).toBeLessThan(500);
});
