import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { includeInput } from '../../../nodes/ContactData/results/items.ts';
import { settingsFor } from '../../support/rows.mts';

const FORM = settingsFor(lookups.emailFinder, 'single', { includesInput: true });

const ANSWERS = ['email', 'email_2', 'found', 'error', 'fullname', 'input_found', 'custom'];
const OF_SEARCH = ['fullname', 'custom'];
const NAMES = ['email', 'found', 'fullname', 'row', 'email_2'].flatMap((name) => [
	name,
	`input_${name}`,
	`input_${name}_2`,
	`input_input_${name}`,
]);

/** Fields of an input item, each value unlike all others. */
const inputItem = fc
	.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 8 })
	.map((names) => Object.fromEntries(names.map((name) => [name, `old ${name}`])));
const answer: fc.Arbitrary<IDataObject> = fc
	.tuple(...ANSWERS.map((name) => fc.constantFrom(`new ${name}`, null)))
	.map((values) => Object.fromEntries(ANSWERS.map((name, index) => [name, values[index]])));
const run = fc.array(fc.tuple(inputItem, answer), { minLength: 1, maxLength: 4 });

function include(pairs: ReadonlyArray<[IDataObject, IDataObject]>): IDataObject[] {
	const given = pairs.map(([inputFields], item) => ({
		row: { item, search: {}, key: '', envelope: {}, inputFields },
		output: { kind: 'result' as const, json: {} },
	}));
	return [
		...includeInput(
			FORM,
			given,
			pairs.map(([, json]) => json),
		),
	];
}

it('every field of the input comes out, and every answer as it is', () => {
	fc.assert(
		fc.property(run, (pairs) => {
			for (const [index, item] of include(pairs).entries()) {
				const [fields, json] = pairs[index] ?? [{}, {}];
				expect(Object.values(item)).toEqual(expect.arrayContaining(Object.values(fields)));
				for (const name of ANSWERS) {
					const own = OF_SEARCH.includes(name) ? (fields[name] ?? null) : null;
					expect(item[name]).toBe(json[name] ?? own);
				}
			}
		}),
	);
});

it('under names that the input alone decides: a hidden one has `input_` before its own', () => {
	fc.assert(
		fc.property(run, run, (pairs, others) => {
			const columns = (items: IDataObject[]) => items.map((item) => Object.keys(item));
			const otherAnswers = pairs.map(([fields], index): [IDataObject, IDataObject] => {
				return [fields, others[index % others.length]?.[1] ?? {}];
			});
			expect(columns(include(pairs))).toEqual(columns(include(otherAnswers)));
			for (const item of include(pairs)) {
				for (const [name, value] of Object.entries(item)) {
					if (typeof value !== 'string' || !value.startsWith('old ')) continue;
					const own = value.slice('old '.length);
					const isOf = OF_SEARCH.includes(own) && name === own;
					const hidden = new RegExp(`^input_${own}(?:_\\d+)?$`);
					expect(isOf || (ANSWERS.includes(own) ? hidden.test(name) : name === own)).toBe(true);
				}
			}
		}),
	);
});

it('what has that name stays, and the hidden one gets the next', () => {
	const fields = { email: 'old', input_email: 'mine', input_email_2: 'mine too' };
	const [item] = include([[fields, { email: null }]]);
	// The answers come first.
	expect(Object.entries(item ?? {})).toEqual([
		['email', null],
		['input_email_3', 'old'],
		['input_email', 'mine'],
		['input_email_2', 'mine too'],
	]);
});

it('a column called __proto__ changes no item', () => {
	const fields = JSON.parse('{"__proto__": {"found": true}, "row": 7}') as IDataObject;
	const [item] = include([[fields, { email: null }]]);
	expect(item).toEqual({ email: null, row: 7 });
	expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
});

it.for(Object.values(lookups))(
	'what the input has under the name of what the $name finds is no part of the search',
	(lookup) => {
		const { found, about } = lookup.columns;
		// Another lookup may search by what this one finds.
		const finds = { ...lookup, columns: { ...lookup.columns, about: [...about, ...found] } };
		const form = settingsFor(finds, 'single', { includesInput: true });
		for (const name of found) {
			const inputFields = { [name]: 'old' };
			const row = { item: 0, search: {}, key: '', envelope: {}, inputFields };
			const [item] = includeInput(
				form,
				[{ row, output: { kind: 'result', json: {} } }],
				[{ [name]: null }],
			);
			expect(item).toEqual({ [name]: null, [`input_${name}`]: 'old' });
		}
	},
);
