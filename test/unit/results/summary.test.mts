import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { summarize } from '../../../nodes/ContactData/results/summary.ts';
import { orderOf, rowsFor } from '../../support/rows.mts';

const { emailVerifier } = lookups;

it.for([
	['single', 500, "'Verify Many' needs far fewer requests than these 500"],
	['single', 499, undefined],
	['bulk', 1, "For one email verification at a time, 'Verify' answers sooner."],
	['bulk', 2, undefined],
] as const)('the line above the output, %s of %i, advises: %s', ([size, total, advice]) => {
	const rows = rowsFor(
		emailVerifier,
		Array.from({ length: total }, (_, n) => ({ email: `${n}@acme.example` })),
	);
	const sent = size === 'bulk' ? [rows] : rows.map((row) => [row]);
	const orders = sent.map((some, n) => orderOf(size, `id-${n}`, some));
	const line = summarize({ lookup: emailVerifier, size }, { total, given: [], orders });
	if (advice === undefined) expect(line).not.toContain("'Verify");
	else expect(line).toContain(advice);
});
