import { describe, expect, it } from 'vitest';
import { tellOfOthers } from '../../../nodes/ContactData/results/summary.ts';

describe('that others slow the run', () => {
	it.for([
		{ sent: 20, limited: 5, percent: 25 },
		{ sent: 250, limited: 5, percent: 2 },
		{ sent: 3_000, limited: 100, percent: 3 },
	])('is told of $limited refusals in $sent requests', ({ percent, ...traffic }) => {
		expect(tellOfOthers(traffic)).toMatch(
			new RegExp(`: ${percent} % of the requests had to be sent again\\.$`),
		);
	});

	it.for([
		{ sent: 20, limited: 4 },
		{ sent: 251, limited: 5 },
		{ sent: 0, limited: 0 },
	])('is not told of $limited refusals in $sent requests', (traffic) => {
		expect(tellOfOthers(traffic)).toBeUndefined();
	});
});
