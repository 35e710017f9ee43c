import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { SeenIds } from '../../../nodes/ContactData/trigger/seen.ts';

const MAX_SEEN = 1000;

describe('SeenIds', () => {
	it('tells calls of the same trigger of each other, each with its own copy of the data', () => {
		const [one, two]: IDataObject[] = [{}, {}];
		const first = SeenIds.of('w n', one);
		const second = SeenIds.of('w n', two);
		expect(first.add('a')).toBe(true);
		expect(second.has('a')).toBe(true);
		expect(second.add('a')).toBe(false);
		expect(second.add('b')).toBe(true);
		// Whichever is saved last, nothing is lost.
		expect([one.seen, two.seen]).toEqual([
			['a', 'b'],
			['a', 'b'],
		]);
		expect(SeenIds.of('w other', {}).has('a')).toBe(false);
	});

	it('adds what another process has saved', () => {
		SeenIds.of('w shared', {}).add('mine');
		const data: IDataObject = { seen: ['theirs', 'mine'] };
		const seen = SeenIds.of('w shared', data);
		expect(seen.has('theirs')).toBe(true);
		seen.add('new');
		expect(data.seen).toEqual(['theirs', 'mine', 'new']);
	});

	it('keeps the last 1,000, whatever was saved', () => {
		const data: IDataObject = { seen: Array.from({ length: 5000 }, (_, n) => `saved${n}`) };
		const seen = SeenIds.of('w bounded', data);
		for (let n = 0; n < 3 * MAX_SEEN; n++) {
			SeenIds.of('w bounded', structuredClone(data)).add(`id${n}`);
			seen.add(`id${n}`);
		}
		seen.add('last');
		expect(data.seen).toHaveLength(MAX_SEEN);
		expect(seen.has('last')).toBe(true);
		expect(seen.has(`id${2 * MAX_SEEN + 1}`)).toBe(true);
		expect(seen.has(`id${2 * MAX_SEEN}`)).toBe(false);
	});

	it('forgets triggers that have not been called for long', () => {
		SeenIds.of('w old', {}).add('a');
		for (let n = 0; n < 200; n++) SeenIds.of(`w ${n}`, {});
		expect(SeenIds.of('w old', {}).has('a')).toBe(false);
	});
});
