import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { inputsOf } from '../../../nodes/ContactData/input/fields.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';

const { properties } = new ContactData().description;

it.for(Object.values(lookups))('the fields of $name are called as in the editor', (lookup) => {
	for (const { parameter, label, shownFor } of inputsOf(lookup)) {
		const shown = properties.filter(
			({ name, displayOptions }) =>
				name === parameter && displayOptions?.show?.resource?.includes(lookup.name),
		);
		expect(shown, parameter).not.toEqual([]);
		for (const { displayName } of shown) expect(displayName).toBe(label);
		const values = shown.map(
			({ displayOptions }) => displayOptions?.show?.[lookup.choice?.property.name ?? '']?.[0],
		);
		expect(new Set(values)).toEqual(
			new Set(
				shownFor === undefined
					? [undefined]
					: [shownFor, ...(lookup.choice?.either ? [lookup.choice.either] : [])],
			),
		);
	}
});
