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
			noted(told).map(({ pace }) => pace && [pace.done, pace.inMs]);

		it('from the first look at which it moved', () => {
			expect(pacesOf([undefined, of10(3), of10(3), of10(5), of10(6)])).toEqual([
				undefined,
				undefined,
				undefined,
				[0, 0],
				[1, 1_000],
			]);
		});

		it('but not at a look that tells nothing, or something that cannot be', () => {
			expect(pacesOf([of10(3), of10(4), undefined, of10(2), of10(5)])).toEqual([
				undefined,
				[0, 0],
				undefined,
				undefined,
				[1, 3_000],
			]);
		});

		it('of the later half of its way or more', () => {
			const finished = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
			const at = [0, 1, 2, 4, 5, 6, 7, 8, 16, 17].map((second) => second * 1_000);
			const advance: Advance = {};
			const paces = finished.map(
				(done, look) => noteProgress(advance, of10(done), at[look] ?? NaN).pace,
			);
			expect(paces.map((pace) => pace && [pace.done, pace.inMs])).toEqual([
				undefined,
				[0, 0],
				[1, 1_000],
				[1, 2_000],
				[2, 3_000],
				[2, 2_000],
				[3, 3_000],
				[2, 2_000],
				[1, 8_000],
				[2, 9_000],
			]);
		});
	});
});
