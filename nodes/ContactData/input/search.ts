import { checkField } from '../lookups/checks';
import type { Lookup, Refuse, Search, SearchField } from '../lookups/types';

/** Checks the fields of one search and cleans them. */
export function readSearch(
	lookup: Lookup,
	fields: readonly SearchField[],
	refuse: Refuse,
	valueOf: (field: SearchField) => unknown,
): Search {
	const search: Record<string, string> = {};
	for (const field of fields) {
		const checked = checkField(field.kind, valueOf(field));
		if ('problem' in checked) {
			return refuse({
				message: `'${field.label}' ${checked.problem}`,
				description: `Correct the value of '${field.label}', or take it out of the input. Nothing was started for it.`,
			});
		}
		if (checked.text !== undefined) search[field.name] = checked.text;
	}
	const missing = lookup.missing(search);
	return missing === undefined ? search : refuse(missing);
}
