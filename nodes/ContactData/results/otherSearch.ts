import type { IDataObject } from 'n8n-workflow';
import { asText } from '../common/json';
import { contradicts } from '../lookups/contradictions';
import type { Lookup, Search } from '../lookups/types';

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
