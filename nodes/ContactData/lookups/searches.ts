import { excerpt } from '../common/values';
import { canonical } from '../values/same';
import type { Lookup, Search } from './types';

/** Equal keys are one search for the service, however it is spelled. */
export function searchKey(lookup: Lookup, search: Search): string {
	const identity = lookup.identity(search);
	return lookup.fields.map(({ name, kind }) => canonical(kind, identity[name] ?? '')).join('\n');
}

/** Whom a search is about, in a few words; empty where nobody knows. */
export function tellWho(search: Search): string {
	const name = search.fullname ?? [search.firstname, search.lastname].filter(Boolean).join(' ');
	const [first = ''] = Object.values(search);
	return excerpt(name || first, 60);
}
