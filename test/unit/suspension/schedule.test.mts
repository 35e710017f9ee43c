import { expect, it } from 'vitest';
import { nextLookDelay } from '../../../nodes/ContactData/suspension/schedule.ts';

const MINUTE = 60_000;

it.for([
	['single', 'arriving', 100],
	['single', 'unknown', 50],
	['single', 'missing', 25],
	['bulk', 'arriving', 15],
	['bulk', 'unknown', 15],
	['bulk', 'missing', 15],
] as const)(
	'after 100 minutes, a %s of an account whose callbacks are %s is looked at in %i',
	([size, trust, minutes]) => {
		const times = { elapsedMs: 100 * MINUTE, leftMs: 1_000 * MINUTE };
		expect(nextLookDelay({ size, trust, faults: 0, ...times })).toBe(minutes * MINUTE);
	},
);
