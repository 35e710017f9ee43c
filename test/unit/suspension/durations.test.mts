import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { noteDuration, usualDuration } from '../../../nodes/ContactData/suspension/durations.ts';

const lookup = lookups.emailFinder;

it('the usual duration follows the latest ones, and goes neither beyond them nor the other way', () => {
	const single = { account: 'an account', lookup, size: 'single' } as const;
	expect(usualDuration(single)).toBeUndefined();
	const usual = [1_000, 2_000, 2_000, 500].map((ms) => {
		noteDuration(single, ms);
		return usualDuration(single);
	});
	expect(usual).toEqual([1_000, 1_300, 1_510, 1_207]);
});

it('a batch has none, as it depends on its size', () => {
	const bulk = { account: 'an account', lookup, size: 'bulk' } as const;
	noteDuration(bulk, 1_000);
	expect(usualDuration(bulk)).toBeUndefined();
});
