import { expect, it } from 'vitest';
import { nextLookDelay } from '../../../nodes/ContactData/suspension/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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

it.for([
	[HOUR, 60_000, 45_000],
	[SECOND, 15_001, 1],
	[SECOND, 15_000, 10_000],
	[SECOND, 10_000, 10_000],
	[SECOND, 1_000, 10_000],
])(
	'after %i ms and with %i ms left, the next look is in %i ms: the last one is before the end',
	([elapsedMs = 0, leftMs = 0, delayMs]) => {
		const history = { size: 'single', trust: 'missing', faults: 0, elapsedMs, leftMs } as const;
		expect(nextLookDelay(history)).toBe(delayMs);
	},
);
