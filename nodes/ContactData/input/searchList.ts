import type { IDataObject } from 'n8n-workflow';
import type { Problem } from '../common/itemErrors';
import { isRecord } from '../common/json';
import { describeType, quote } from '../lookups/fieldChecks';
import type { Lookup, Refuse, Search } from '../lookups/types';
import { isWritable, parseJson } from './parameters';
import { readSearch } from './search';

/** One entry of a list that the user wrote. */
interface ListedSearch {
	search: Search;
	custom?: IDataObject | string;
}

/** Reads the list of 'Input Mode' List in One Item: as the service takes it, checked like any other input. */
export function readSearchList(lookup: Lookup, value: unknown, refuse: Refuse): ListedSearch[] {
	const { displayName: label } = lookup.list;
	const list = typeof value === 'string' ? parseJson(value) : value;
	if (!Array.isArray(list)) {
		return refuse({
			message: `'${label}' must be a list, but is ${typeof list === 'string' ? 'not valid JSON' : describeType(list)}`,
			description: `Give a JSON array of ${lookup.noun.many}, as in the example of the field.`,
		});
	}
	if (list.length === 0) {
		return refuse({
			message: `'${label}' is an empty list`,
			description: 'Give the batch at least one entry.',
		});
	}
	if (list.length > lookup.batchLimit) {
		return refuse({
			message: `'${label}' has ${list.length} entries; one batch takes at most ${lookup.batchLimit}`,
			description:
				"Split the list, or set 'Input Mode' to One Search per Item: then batches are made for you.",
		});
	}
	return list.map((entry: unknown, position) => {
		const refuseEntry = ({ message, description }: Problem) =>
			refuse({ message: `${message} in entry ${position + 1} of '${label}'`, description });
		return readEntry(lookup, entry, refuseEntry);
	});
}

function readEntry(lookup: Lookup, entry: unknown, refuse: Refuse): ListedSearch {
	const parts = lookup.fromListEntry(entry);
	const names = lookup.fields.map(({ name }) => name);
	if (parts === undefined) {
		return refuse({
			message: `There is ${entry === null ? 'nothing' : describeType(entry)}`,
			description: `Each entry must be ${lookup.listEntry ?? `an object with ${names.join(', ')}`}.`,
		});
	}
	const unknown = Object.keys(parts.fields).find((key) => !names.includes(key));
	if (unknown !== undefined) {
		return refuse({
			message: `The service does not know the key ${quote(unknown)}`,
			description: `The keys of an entry are ${[...names, 'custom'].join(', ')}.`,
		});
	}
	// A table's empty cell.
	const custom = parts.custom ?? undefined;
	if (custom !== undefined && typeof custom !== 'string' && !isRecord(custom)) {
		return refuse({
			message: `'custom' must be text or an object, but is ${describeType(custom)}`,
			description: 'Correct the entry. Nothing of the list was sent.',
		});
	}
	if (!isWritable(custom)) {
		return refuse({
			message: "'custom' cannot be sent as JSON: it is nested too deeply",
			description: 'Correct the entry. Nothing of the list was sent.',
		});
	}
	const search = readSearch(lookup, lookup.fields, refuse, ({ name }) => parts.fields[name]);
	return { search: lookup.identity(search), custom };
}
