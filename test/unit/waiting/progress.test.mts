import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../nodes/ContactData/service/lookupState.ts';
import { type Advance, noteProgress } from '../../../nodes/ContactData/waiting/progress.ts';

/** What is believed at each look, one second after the other. */
function noted(told: Array<Progress | undefined>, advance: Advance = {}) {
	return told.map((progress, second) => noteProgress(advance, progress, second * 1_000));
}

function believed(...given: Parameters<typeof noted>) {
	return noted(...given).map(({ progress, stalledMs }) => ({ progress, stalledMs }));
}

const of10 = (finished: number) => ({ finished, requested: 10 });

describe('progress', () => {
	it('is believed while it grows, and as long as nothing new is told', () => {
		expect(believed([of10(1), of10(4), undefined, of10(4)])).toEqual([
			{ progress: of10(1), stalledMs: 0 },
			{ progress: of10(4), stalledMs: 0 },
			{ progress: of10(4), stalledMs: 1_000 },
			{ progress: of10(4), stalledMs: 2_000 },
		]);
	});

	it('is none where nothing is told', () => {
		expect(believed([undefined])).toEqual([{ stalledMs: 0 }]);
	});

	it('is not believed where it runs backwards, until it is where it was', () => {
		expect(believed([of10(5), of10(3), of10(4), of10(6)])).toEqual([
			{ progress: of10(5), stalledMs: 0 },
			{ stalledMs: 1_000 },
			{ stalledMs: 2_000 },
			{ progress: of10(6), stalledMs: 0 },
		]);
	});

	it('is of all that was sent, or of as many as at first', () => {
		expect(believed([of10(1)], { searches: 3 })).toEqual([{ stalledMs: 0 }]);
		expect(believed([of10(1), { finished: 2, requested: 20 }])).toEqual([
			{ progress: of10(1), stalledMs: 0 },
			{ stalledMs: 1_000 },
		]);
	});

	describe('has a pace', () => {
		const pacesOf = (told: Parameters<typeof noted>[0]) =>
			noted(told).map(({ pace }) => pace && [pace.done, pace.inMs, pace.seenMs]);

		it('from the last look at which it was as at the first', () => {
			expect(
				pacesOf([undefined, of10(0), of10(0), of10(4), undefined, of10(0), of10(5), of10(9)]),
			).toEqual([
				undefined,
				[0, 0, 0],
				[0, 0, 0],
				[4, 1_000, 0],
				[4, 2_000, 1_000],
				undefined,
				[5, 4_000, 3_000],
				[9, 5_000, 4_000],
			]);
			expect(pacesOf([of10(3), of10(3), of10(3), of10(5), of10(5)])).toEqual([
				[0, 0, 0],
				[0, 0, 0],
				[0, 0, 0],
				[2, 1_000, 0],
				[2, 2_000, 1_000],
			]);
		});

		it('from the last look at which nothing was told', () => {
			expect(pacesOf([undefined, undefined, of10(5), of10(5)])).toEqual([
				undefined,
				undefined,
				[5, 1_000, 0],
				[5, 2_000, 1_000],
			]);
		});
	});
});
