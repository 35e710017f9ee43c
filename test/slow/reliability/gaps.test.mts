import { describe, expect, it } from 'vitest';

import { traceGaps, type Troubles } from './gaps.mts';

const NOTHING = { emptied: [], unsaved: [], lost: [] };
const FROM_THE_START_ON = { at: 0, overAt: 1_000_000 };

/** Everything counts but what a test is about. */
const troublesWith = (troubles: Partial<Troubles>): Troubles => ({
	emptied: [],
	kills: [FROM_THE_START_ON],
	killsSaving: false,
	untilSavedMs: 0,
	...troubles,
});
const emptiedAt = (...times: number[]) =>
	times.map((time) => ({ createdAt: time, startedAt: time }));
const killedAt = (at: number) => [{ at, overAt: at + 5_000 }];

describe('traceGaps', () => {
	it('is empty where nothing is missing', () => {
		expect(traceGaps([], troublesWith({ emptied: emptiedAt(1_000) }))).toEqual(NOTHING);
	});

	it('accounts for one id with each emptied execution that began after its notification', () => {
		const missing = [
			{ id: 'c', takenAt: 9_000 },
			{ id: 'a', takenAt: 5_000 },
			{ id: 'b', takenAt: 8_000 },
		];
		const { emptied, lost } = traceGaps(
			missing,
			troublesWith({ emptied: emptiedAt(8_200, 4_900) }),
		);
		expect(emptied).toEqual(['a', 'b']);
		expect(lost).toEqual(['c']);
	});

	it('loses what was never taken', () => {
		const { lost } = traceGaps(
			[{ id: 'a', takenAt: undefined }],
			troublesWith({ emptied: emptiedAt(0), killsSaving: true, untilSavedMs: 2_000 }),
		);
		expect(lost).toEqual(['a']);
	});

	it.each([
		{ created: 1_999, emptied: 0 },
		{ created: 2_000, emptied: 1 },
		{ created: 14_999, emptied: 1 },
		{ created: 15_000, emptied: 0 },
	])('knows an execution created at $created ms: $emptied', ({ created, emptied }) => {
		const gaps = traceGaps(
			[{ id: 'a', takenAt: 5_000 }],
			troublesWith({ emptied: emptiedAt(created) }),
		);
		expect(gaps.emptied).toHaveLength(emptied);
		expect(gaps.lost).toHaveLength(1 - emptied);
	});

	it.each([
		{ killed: 1_999, unsaved: 0 },
		{ killed: 2_000, unsaved: 1 },
		{ killed: 6_999, unsaved: 1 },
		{ killed: 7_000, unsaved: 0 },
	])('knows a kill at $killed ms: $unsaved', ({ killed, unsaved }) => {
		const gaps = traceGaps(
			[{ id: 'a', takenAt: 5_000 }],
			troublesWith({ kills: killedAt(killed), killsSaving: true, untilSavedMs: 2_000 }),
		);
		expect(gaps.unsaved).toHaveLength(unsaved);
		expect(gaps.lost).toHaveLength(1 - unsaved);
	});

	it('excuses nothing by a kill of what saves no executions', () => {
		const missing = [{ id: 'a', takenAt: 5_000 }];
		const { lost } = traceGaps(
			missing,
			troublesWith({ kills: killedAt(5_500), untilSavedMs: 2_000 }),
		);
		expect(lost).toEqual(['a']);
	});

	it('excuses by one that waited for its turn until the kill', () => {
		const emptied = [{ createdAt: 5_200, startedAt: 60_000 }];
		const troubles = troublesWith({ emptied, kills: killedAt(65_000) });
		expect(traceGaps([{ id: 'a', takenAt: 5_000 }], troubles).emptied).toEqual(['a']);
	});

	it.each([
		{ killed: 15_200, emptied: 1 },
		{ killed: 15_201, emptied: 0 },
		{ killed: -9_799, emptied: 1 },
		{ killed: -9_800, emptied: 0 },
	])('excuses by an execution without ids near a kill at $killed ms: $emptied', (row) => {
		const troubles = troublesWith({ emptied: emptiedAt(5_200), kills: killedAt(row.killed) });
		const gaps = traceGaps([{ id: 'a', takenAt: 5_000 }], troubles);
		expect(gaps.emptied).toHaveLength(row.emptied);
		expect(gaps.lost).toHaveLength(1 - row.emptied);
	});
});
