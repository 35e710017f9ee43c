import { expect, it } from 'vitest';
import { RecentMap } from '../../../nodes/ContactData/common/bounds.ts';

// What the process remembers from run to run is in such maps, so its memory stays bounded.

it('keeps as many entries as it may, and forgets the one set longest ago', () => {
	const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});

it('goes by the sizes of the entries, where these are given', () => {
	const map = new RecentMap<string, string>(5, ({ length }) => length);
	map.set('a', 'xx').set('b', 'xxx');
	expect([...map.keys()]).toEqual(['a', 'b']);
	map.set('a', 'x').set('c', 'x').delete('b');
	expect([...map.set('d', 'xxx').keys()]).toEqual(['a', 'c', 'd']);
	expect([...map.set('too long', 'xxxxxx').keys()]).toEqual(['a', 'c', 'd']);
	expect([...map.set('a', 'xxxxxx').keys()]).toEqual(['c', 'd']);
	expect([...map.set('e', 'xxxx').keys()]).toEqual(['e']);
});
