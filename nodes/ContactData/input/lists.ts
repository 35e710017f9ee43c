import { refuse } from '../common/errors';
import { describeType, excerpt, isBlank, parseJson } from '../common/values';
import { comparableHeading } from '../values/names';
import type { Lookup, SearchField } from '../lookups/types';
import { type Envelope, readItemCustom } from './envelope';
import { type FieldsRead, inputsOf, readFields } from './fields';

/** The list of 'Input Mode' List in One Item. It may be empty. */
export function readList(lookup: Lookup, value: unknown): unknown[] {
	const { displayName: label } = lookup.list;
	const list = parseJson(value);
	if (Array.isArray(list)) return list;
	const what = isBlank(list)
		? 'empty'
		: typeof list === 'string'
			? 'not valid JSON'
			: describeType(list);
	return refuse({
		message: `'${label}' must be a list, but is ${what}`,
		description: 'Give a JSON list, as in the example of the field.',
	});
}

/** One entry of a list: as the service takes it, checked like any other input. Other columns are left. */
export function readEntry(
	lookup: Lookup,
	entry: unknown,
	position: number,
): FieldsRead & Pick<Envelope, 'custom'> {
	const name = `Entry ${position + 1} of '${lookup.list.displayName}'`;
	const parts = lookup.fromListEntry(entry);
	const inputs = inputsOf(lookup);
	const takes = inputs.map((field) => field.otherName ?? field.name).join(', ');
	if (parts === undefined) {
		return refuse({
			message: `${name} is ${describeType(entry)}`,
			description: `Each entry must be an object with ${takes}.`,
		});
	}
	const { fields } = parts;
	const custom = readItemCustom(lookup, `${name}: 'custom'`, parts.custom);
	const read = { ...readFields(lookup, inputs, valuesIn(fields), fields), custom };
	if (read.problem === undefined) return read;
	const has = excerpt(Object.keys(fields).join(', '), 200);
	return {
		...read,
		problem: {
			...read.problem,
			message: `${name}: ${read.problem.message}`,
			...(read.problem.isOfNothing && {
				description: `An entry takes ${takes}. This one has ${has || 'no keys'}.`,
				isOfNothing: false,
			}),
		},
	};
}

/** The values of an entry by their fields: `company_domain` may also be written `Company Domain` or `companyDomain`. */
function valuesIn(fields: Readonly<Record<string, unknown>>): (field: SearchField) => unknown {
	const spelled = new Map(
		Object.entries(fields).map(([key, value]) => [comparableHeading(key), value]),
	);
	return ({ name, otherName = name, label }) => {
		const others = [name, otherName, label].map((key) => spelled.get(comparableHeading(key)));
		const values = [fields[name], fields[otherName], ...others];
		return values.find((value) => !isBlank(value)) ?? values.find((value) => value !== undefined);
	};
}
