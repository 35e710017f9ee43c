import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';

const { properties } = new ContactData().description;

it.for(Object.values(lookups))('the fields of $name are called as in the editor', (lookup) => {
	for (const { parameter, label, identifyBy } of lookup.fields) {
		const shown = properties.filter(
			({ name, displayOptions }) =>
				name === parameter && displayOptions?.show?.resource?.includes(lookup.name),
		);
		expect(shown, parameter).not.toEqual([]);
		for (const { displayName } of shown) expect(displayName).toBe(label);
		const values = shown.map(({ displayOptions }) => displayOptions?.show?.identifyBy?.[0]);
		expect(new Set(values)).toEqual(
			new Set(identifyBy === undefined ? [undefined] : [identifyBy, lookup.identifyBy?.either]),
		);
	}
});
