import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../common/values';
import { describeType, quote } from '../lookups/checks';
import type { Lookup, Refuse, Search } from '../lookups/types';
import { parseJson } from './parameters';
import { readSearch } from './search';

const CORRECT_ENTRY = 'Correct the entry. Nothing of the list was started.';

/** One entry of a list that the user wrote. */
interface ListedSearch {
	search: Search;
	custom?: IDataObject | string;
}

/** Reads the list of 'Input Mode' List in One Item: as the service takes it, checked like any other input. */
export function readSearchList(lookup: Lookup, value: unknown, refuse: Refuse): ListedSearch[] {
	const { displayName: label } = lookup.list;
	const list = parseJson(value);
	if (!Array.isArray(list)) {
		return refuse({
			message: `'${label}' must be a list, but is ${typeof list === 'string' ? 'not valid JSON' : describeType(list)}`,
			description: 'Give a JSON list, as in the example of the field.',
		});
	}
	if (list.length === 0) {
		return refuse({
			message: `'${label}' is an empty list`,
			description: 'Add at least one entry.',
		});
	}
	if (list.length > lookup.batchLimit) {
		return refuse({
			message: `'${label}' has ${list.length} entries; one batch takes at most ${lookup.batchLimit}`,
			description: `Split the list, or set 'Input Mode' to ${lookup.words.perItem}: then batches are made for you.`,
		});
	}
	return list.map((entry: unknown, position) => readEntry(lookup, entry, position, refuse));
}

function readEntry(lookup: Lookup, entry: unknown, position: number, refuse: Refuse): ListedSearch {
	const parts = lookup.fromListEntry(entry);
	const names = lookup.fields.map(({ name }) => name);
	if (parts === undefined) {
		return refuse({
			message: `${entryName(lookup, position)} is ${describeType(entry)}`,
			description: `Each entry must be ${lookup.listEntry ?? `an object with ${names.join(', ')}`}.`,
		});
	}
	const unknown = Object.keys(parts.fields).find((key) => !names.includes(key));
	if (unknown !== undefined) {
		return refuse({
			message: `${entryName(lookup, position)} has the unknown field ${quote(unknown)}`,
			description: `The fields of an entry are ${[...names, 'custom'].join(', ')}.`,
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
	const refuseEntry: Refuse = ({ message, description }) =>
		refuse({ message: `${entryName(lookup, position)}: ${message}`, description });
	const search = readSearch(lookup, lookup.fields, refuseEntry, ({ name }) => parts.fields[name]);
	return { search: lookup.identity(search), custom };
}

function entryName({ list }: Lookup, position: number): string {
	return `Entry ${position + 1} of '${list.displayName}'`;
}
