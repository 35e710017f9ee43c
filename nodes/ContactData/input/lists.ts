import { refuse } from '../common/errors';
import { describeType, isBlank, isRecord, parseJson } from '../common/values';
import type { Lookup } from '../lookups/types';
import type { Envelope } from './envelope';
import type { FieldsRead } from './fields';
import { inputsOf, readFields } from './fields';

const CORRECT_ENTRY = 'Correct the entry. It was not started.';

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
	const parts = lookup.fromListEntry(entry);
	const inputs = inputsOf(lookup);
	const names = inputs.map(({ name }) => name);
	if (parts === undefined) {
		return refuse({
			message: `${entryName(lookup, position)} is ${describeType(entry)}`,
			description: `Each entry must be an object with ${names.join(', ')}.`,
		});
	}
	// A table's empty cell.
	const custom = parts.custom ?? undefined;
	if (custom !== undefined && typeof custom !== 'string' && !isRecord(custom)) {
		return refuse({
			message: `${entryName(lookup, position)}: 'custom' must be text or an object, but is ${describeType(custom)}`,
			description: CORRECT_ENTRY,
		});
	}
	const read = readFields(lookup, inputs, ({ name }) => parts.fields[name], parts.fields);
	if (read.problem === undefined) return { ...read, custom };
	const message = `${entryName(lookup, position)}: ${read.problem.message}`;
	return { ...read, custom, problem: { ...read.problem, message } };
}

function entryName({ list }: Lookup, position: number): string {
	return `Entry ${position + 1} of '${list.displayName}'`;
}
