import type { IDataObject } from 'n8n-workflow';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { SeenIds } from '../../../nodes/ContactData/trigger/seen.ts';

const MAX_SEEN = 1000;

/** Entries as they are saved, each a millisecond younger than the one before. */
const entries = (name: string, count: number) =>
	Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, at: n }));

/** The saved ids, in their order. */
function idsIn({ seen }: IDataObject): unknown[] {
	return Array.isArray(seen) ? seen.map((entry: unknown) => isRecord(entry) && entry.id) : [];
}

afterEach(() => vi.useRealTimers());

describe('SeenIds', () => {
	it('adds what another process has saved, by the time of each', () => {
		vi.useFakeTimers({ toFake: ['Date'], now: 10 });
		SeenIds.of('w shared', {}).add('mine');
		const theirs = [
			{ id: 'older', at: 5 },
			{ id: 'mine', at: 10 },
			{ id: 'newer', at: 15 },
		];
		const data: IDataObject = { seen: theirs };
		const seen = SeenIds.of('w shared', data);
		expect(['older', 'newer'].map((id) => seen.has(id))).toEqual([true, true]);
		vi.setSystemTime(20);
		seen.add('new');
		expect(idsIn(data)).toEqual(['older', 'mine', 'newer', 'new']);
	});

	it("knows what it has just seen, also where the machine's clock was ahead and was set back", () => {
		vi.useFakeTimers({ toFake: ['Date'], now: 10 });
		const data: IDataObject = {
			seen: Array.from({ length: MAX_SEEN }, (_, n) => ({ id: `old${n}`, at: 1_000_000 + n })),
		};
		const seen = SeenIds.of('w clock', data);
		const ids = ['a', 'b', 'c'];
		for (const id of ids) expect(seen.add(id)).toBe(true);
		for (const id of ids) expect(seen.add(id)).toBe(false);
		const later = SeenIds.of('w clock in another process', structuredClone(data));
		for (const id of ids) expect(later.has(id)).toBe(true);
		expect(later.has('old0')).toBe(false);
	});

	it('two processes in turn know what the other has just seen, however long both have run', () => {
		let saved: IDataObject = { seen: entries('old', MAX_SEEN) };
		for (let n = 0; n < 20; n++) {
			vi.useFakeTimers({ toFake: ['Date'], now: MAX_SEEN + n });
			const data = structuredClone(saved);
			// What a process remembers is kept by trigger: these two share nothing but the data.
			const seen = SeenIds.of(`w process ${n % 2}`, data);
			expect(seen.add(`id${n - 1}`)).toBe(n === 0);
			expect(seen.add(`id${n}`)).toBe(true);
			saved = structuredClone(data);
		}
		expect(idsIn(saved)).toHaveLength(MAX_SEEN);
	});
});
