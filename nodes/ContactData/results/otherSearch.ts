import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/json';
import { contradicts } from '../lookups/contradictions';
import type { Lookup, Search } from '../lookups/types';

/** Results of a batch that are compared with each of its searches. */
const MAX_COMPARED = 20;

/** Whether the results of a batch, all that are looked at, clearly are of other searches than its own. */
export function isOfOtherSearches(
	lookup: Lookup,
	searches: readonly Search[],
	listed: readonly unknown[],
): boolean {
	const compared = listed.filter(isRecord).slice(0, MAX_COMPARED);
	const isOfOthers = (result: IDataObject) =>
		searches.every((search) => isOfAnotherSearch(lookup, search, result));
	return compared.length > 0 && compared.every(isOfOthers);
}

/** Whether what a result repeats, or says of the person, clearly is of another search. */
export function isOfAnotherSearch(lookup: Lookup, search: Search, result: IDataObject): boolean {
	const asked = lookup.identity(search);
	const sources = [lookup.echo(result), lookup.about?.(result) ?? {}];
	return sources.some((told) => {
		const [name, toldName] = [nameIn(lookup, asked), nameIn(lookup, told)];
		if (contradicts('name', name, toldName)) return true;
		return lookup.fields.some((field) => {
			const [value, other] = [asText(asked[field.name]), asText(told[field.name])];
			if (field.kind === 'name' || value === undefined || other === undefined) return false;
			return contradicts(field.kind, value, other);
		});
	});
}

/** All parts of the person's name: the service may have parted it otherwise. */
function nameIn(lookup: Lookup, values: IDataObject): string {
	return lookup.fields
		.flatMap(({ name, kind }) => (kind === 'name' ? (asText(values[name]) ?? []) : []))
		.join(' ');
}
