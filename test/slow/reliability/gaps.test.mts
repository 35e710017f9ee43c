import { describe, expect, it } from 'vitest';

import { traceGaps } from './gaps.mts';

const NOTHING = { emptied: [], unsaved: [], lost: [] };

describe('traceGaps', () => {
	it('is empty where nothing is missing', () => {
		expect(traceGaps([], [1_000], [1_000], 0)).toEqual(NOTHING);
	});

	it('accounts for one id with each emptied execution that began after its notification', () => {
		const missing = [
			{ id: 'c', takenAt: 9_000 },
			{ id: 'a', takenAt: 5_000 },
			{ id: 'b', takenAt: 8_000 },
		];
		const { emptied, lost } = traceGaps(missing, [8_200, 4_900], [], 0);
		expect(emptied).toEqual(['a', 'b']);
		expect(lost).toEqual(['c']);
	});

	it('loses what was never taken', () => {
		const { lost } = traceGaps([{ id: 'a', takenAt: undefined }], [0], [0], 2_000);
		expect(lost).toEqual(['a']);
	});

	it.each([
		{ created: 3_999, emptied: 0 },
		{ created: 4_000, emptied: 1 },
		{ created: 14_999, emptied: 1 },
		{ created: 15_000, emptied: 0 },
	])('knows an execution created at $created ms: $emptied', ({ created, emptied }) => {
		const gaps = traceGaps([{ id: 'a', takenAt: 5_000 }], [created], [], 0);
		expect(gaps.emptied).toHaveLength(emptied);
		expect(gaps.lost).toHaveLength(1 - emptied);
	});

	it.each([
		{ killed: 3_999, unsaved: 0 },
		{ killed: 4_000, unsaved: 1 },
		{ killed: 6_999, unsaved: 1 },
		{ killed: 7_000, unsaved: 0 },
	])('knows a kill at $killed ms: $unsaved', ({ killed, unsaved }) => {
		const gaps = traceGaps([{ id: 'a', takenAt: 5_000 }], [], [killed], 2_000);
		expect(gaps.unsaved).toHaveLength(unsaved);
		expect(gaps.lost).toHaveLength(1 - unsaved);
	});
});
