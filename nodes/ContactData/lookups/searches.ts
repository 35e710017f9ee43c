import { excerpt } from '../common/values';
import { canonical } from '../values/same';
import { companyDomain, companyName } from './people';
import type { Lookup, Search } from './types';

/** Equal keys are one search for the service, however it is spelled. */
export function searchKey(lookup: Lookup, search: Search): string {
	const identity = { ...lookup.identity(search) };
	// At one domain is one company, however its name is spelled.
	if (identity[companyDomain.name] !== undefined) delete identity[companyName.name];
	return lookup.fields.map(({ name, kind }) => canonical(kind, identity[name] ?? '')).join('\n');
}

/** Whom a search is about, in a few words; empty where nobody knows. */
export function tellWho(search: Search): string {
	const name = search.fullname ?? [search.firstname, search.lastname].filter(Boolean).join(' ');
	const [first = ''] = Object.values(search);
	return excerpt(name || first, 60);
}
