import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { earlierIdProperties } from '../../../nodes/ContactData/input/searches.ts';
import { idsOf } from '../../../nodes/ContactData/results/items.ts';
import { optionsOf } from '../../support/docs/places.mts';

// What the editor makes of an option: a field of the right kind, with something to begin with.

const { description, methods } = new ContactData();
const options = description.properties.flatMap(optionsOf);

/** What a field of a type starts with. */
const DEFAULTS: Partial<Record<INodeProperties['type'], unknown>> = {
	string: expect.any(String),
	json: expect.any(String),
	number: expect.any(Number),
	boolean: expect.any(Boolean),
	options: expect.any(String),
	resourceLocator: { mode: 'list', value: '' },
};

it.for(options)('$displayName is a field of its type', ({ type, default: byDefault }) => {
	expect(Object.keys(DEFAULTS)).toContain(type);
	expect(byDefault).toEqual(DEFAULTS[type]);
});

it.for(options.filter(({ placeholder }) => placeholder !== undefined))(
	'$displayName: the example is one',
	({ placeholder }) => {
		expect(placeholder).toMatch(/^e\.g\. \S/);
	},
);

it('the examples of an earlier ID name the field that the items of such a search have', () => {
	const names = [idsOf('single', ''), idsOf('bulk', '')].flatMap((ids) => Object.keys(ids));
	expect(earlierIdProperties.map(({ placeholder }) => placeholder)).toEqual(
		names.map((name) => `e.g. {{ $json.${name} }}`),
	);
});

it.for(['timeout', 'onTimeout', 'waitForResult'])(
	'%s: what is about waiting is offered to who reads a result and waits for it',
	(option) => {
		const shown = options
			.filter(({ name }) => name === option)
			.map(({ displayOptions }) => displayOptions?.show ?? {})
			.filter((show) => JSON.stringify(show['/operation']).includes('get'));
		expect(shown.length).toBeGreaterThan(0);
		for (const show of shown) {
			expect(show.waitForResult).toEqual(option === 'waitForResult' ? undefined : [true]);
		}
	},
);

describe('a choice with several ways', () => {
	const ways = options.flatMap(({ modes = [] }) => modes);

	it.for(ways)('$displayName: is a field, and says what to do', ({ type, placeholder }) => {
		expect(['list', 'string']).toContain(type);
		expect(placeholder).toMatch(/^[A-Z]|^e\.g\. /);
	});

	it.for(ways.filter(({ type }) => type === 'list'))(
		'$displayName: the node has the list, which can be searched',
		({ typeOptions }) => {
			const { searchListMethod = '', searchable } = typeOptions ?? {};
			expect(Object.keys(methods.listSearch)).toContain(searchListMethod);
			expect(searchable).toBe(true);
		},
	);
});
