import type { LookupEvent, LookupName } from '../../nodes/ContactData/lookups/index.ts';
import type { Search } from '../../nodes/ContactData/lookups/types.ts';

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

export function searchOf(lookup: string, word: string): Search {
	const searches = new Map<string, (word: string) => Search>(Object.entries(SEARCHES));
	const search = searches.get(lookup);
	if (search === undefined) throw new Error(`There is no search for ${lookup}`);
	return search(word);
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
