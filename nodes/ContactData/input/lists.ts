import { refuse } from '../common/errors';
import { describeType, isBlank, parseJson } from '../common/values';
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
	if (parts === undefined) {
		return refuse({
			message: `${name} is ${describeType(entry)}`,
			description: `Each entry must be an object with ${inputs.map((field) => field.name).join(', ')}.`,
		});
	}
	const custom = readItemCustom(lookup, `${name}: 'custom'`, parts.custom);
	const { fields } = parts;
	const valueOf = ({ name, otherName = name }: SearchField) =>
		isBlank(fields[name]) ? fields[otherName] : fields[name];
	const read = readFields(lookup, inputs, valueOf, fields);
	if (read.problem === undefined) return { ...read, custom };
	return {
		...read,
		custom,
		problem: { ...read.problem, message: `${name}: ${read.problem.message}` },
	};
}
