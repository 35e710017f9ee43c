import {
	lookups,
	type LookupEvent,
	type LookupName,
} from '../../nodes/ContactData/lookups/index.ts';
import type { Search } from '../../nodes/ContactData/lookups/types.ts';

/** The lookups' values of 'Resource'. */
export const LOOKUP_NAMES: readonly LookupName[] = Object.keys(lookups).filter(isLookupName);

function isLookupName(name: string): name is LookupName {
	return Object.hasOwn(lookups, name);
}

/** The name of a lookup, for a list that has all of them. */
export function toLookupName(name: string): LookupName {
	if (!isLookupName(name)) throw new Error(`There is no lookup ${name}`);
	return name;
}

/** What a test has for each lookup, for `it.for`. */
export function eachLookup<T extends Partial<Record<LookupName, object>>>(
	cases: T & Record<LookupName, object>,
): Array<{ resource: LookupName } & T[LookupName & keyof T]> {
	return LOOKUP_NAMES.map((resource) => ({ resource, ...cases[resource] }));
}

/** A complete search of each lookup. The sandbox finds the word `mustfind`, and never `notfound`. */
const SEARCHES = {
	emailFinder: (word) => ({ fullname: `${word} person`, company_domain: 'acme.example' }),
	emailVerifier: (word) => ({ email: `${word}@acme.example` }),
	phoneFinder: (word) => ({
		firstname: word,
		lastname: 'person',
		company_domain: 'acme.example',
	}),
} satisfies Record<LookupName, (word: string) => Search>;

/** As the package sends it: a profile under both of its names. */
export function asSent<T extends object>(search: T): T & { linkedin_url?: unknown } {
	return 'socialprofile_url' in search
		? { ...search, linkedin_url: search.socialprofile_url }
		: search;
}

export function searchOf(lookup: string, word: string): Search {
	return SEARCHES[toLookupName(lookup)](word);
}

/** The body of a POST that asks for these words. */
export function bodyOf(
	{ lookup, size }: Pick<LookupEvent, 'lookup' | 'size'>,
	words: readonly string[],
): object {
	const searches = words.map((word) => searchOf(lookup.name, word));
	return size === 'single'
		? (searches[0] ?? {})
		: { [lookup.listField]: searches.map((search) => lookup.toListEntry(search, undefined)) };
}
