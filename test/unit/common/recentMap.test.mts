import { expect, it } from 'vitest';
import { RecentMap } from '../../../nodes/ContactData/common/bounds.ts';

it('keeps as many entries as it may, and forgets the one set longest ago', () => {
	const map = new RecentMap<string, number>(2);
	map.set('a', 1).set('b', 2);
	expect([...map]).toEqual([
		['a', 1],
		['b', 2],
	]);
	map.set('c', 3);
	expect([...map.keys()]).toEqual(['b', 'c']);
});

it('takes an entry that is set again for a new one', () => {
	const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});

it('keeps nothing where it may keep nothing', () => {
	expect(new RecentMap<string, number>(0).set('a', 1).size).toBe(0);
});

it('goes by the sizes of the entries, where these are given', () => {
	const map = new RecentMap<string, string>(5, ({ length }) => length);
	map.set('a', 'xx').set('b', 'xxx');
	expect([...map.keys()]).toEqual(['a', 'b']);
	map.set('a', 'x').set('c', 'x');
	expect([...map.keys()]).toEqual(['b', 'a', 'c']);
	expect([map.delete('b'), map.delete('b')]).toEqual([true, false]);
	expect([...map.set('d', 'xxx').keys()]).toEqual(['a', 'c', 'd']);
	map.clear();
	expect(map.size).toBe(0);
	expect([...map.set('e', 'xx').set('f', 'xxx').keys()]).toEqual(['e', 'f']);
	map.clear();
	expect([...map.set('e', 'xxxxx').keys()]).toEqual(['e']);
	expect([...map.set('f', 'xxxxxx').keys()]).toEqual(['e']);
	expect([...map.set('e', 'xxxxxx').keys()]).toEqual([]);
});
