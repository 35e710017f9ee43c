import type { IDataObject } from 'n8n-workflow';
import { asText } from '../common/values';
import { canonical, searchKey } from '../lookups/same';
import type { FieldKind, Lookup, Search } from '../lookups/types';
import { idIn, readOwnId } from '../service/state';

/** How some languages write a letter without its mark. */
const WITHOUT_MARKS: ReadonlyArray<[mark: RegExp, letters: string]> = [
	[/[äæ]/g, 'ae'],
	[/[öøœ]/g, 'oe'],
	[/ü/g, 'ue'],
	[/å/g, 'aa'],
	[/ß/g, 'ss'],
];
/** What LinkedIn calls people within its own programs. */
const OPAQUE_HANDLE = /^aco[\w-]{15,}$/i;

/** A search that waits for its result. */
export interface Sought {
	search: Search;
	key: string;
}

/** Whether a result is of a search: `perhaps` where it says nothing for it, and nothing against it. */
export type Belongs = 'yes' | 'perhaps' | 'no';

/** Whether what a result repeats is what was asked for; `unsaid` also where that cannot be compared. */
type Likeness = 'same' | 'other' | 'unsaid';

/**
 * What a result says itself of whose it is. People are found under other names, and at other companies,
 * than they were asked for; never both.
 * @param isDoubtful whether its id, or its place, may be that of another search: a different name is enough then
 */
export function belongsTo(
	lookup: Lookup,
	{ search, key }: Sought,
	result: IDataObject,
	isDoubtful: boolean,
): Belongs {
	const asked = lookup.identity(search);
	const repeated = lookup.echo(result);
	const found = lookup.about?.(result) ?? {};
	const compare = (values: IDataObject, ...kinds: FieldKind[]) =>
		compareWords(wordsIn(lookup, asked, kinds), wordsIn(lookup, values, kinds));
	const companyFound = compare(found, 'company', 'domain');
	const company = companyFound === 'unsaid' ? compare(repeated, 'company', 'domain') : companyFound;

	const name = compare(found, 'name');
	if (name === 'other' && company === 'other') return 'no';
	if (searchKey(lookup, echoedSearch(lookup, result)) === key) return 'yes';
	const likenesses = [compareProfile(lookup, asked, repeated), compare(repeated, 'name')];
	if (hasAddress(lookup, repeated) || likenesses.includes('other')) return 'no';
	if (name === 'other' && isDoubtful) return 'no';
	return [...likenesses, name].includes('same') && company !== 'other' ? 'yes' : 'perhaps';
}

/** The search that a result repeats, as far as it does. */
export function echoedSearch(lookup: Lookup, result: IDataObject): Search {
	const repeated = lookup.echo(result);
	const search: Record<string, string> = {};
	for (const { name } of lookup.fields) {
		const text = asText(repeated[name]);
		if (text !== undefined) search[name] = text;
	}
	return search;
}

/** Whether an answer says that it is of another lookup or batch than the one that was asked for. */
export function isOfAnotherId(id: string, body: unknown): boolean {
	const ownId = readOwnId(body) ?? idIn(body);
	return ownId !== undefined && ownId.trim().toLowerCase() !== id.trim().toLowerCase();
}

/** Whether it repeats an address that was to be verified. */
function hasAddress({ fields }: Lookup, repeated: IDataObject): boolean {
	return fields.some(({ name, kind }) => kind === 'email' && /.@./.test(textIn(repeated, name)));
}

/** A network may add to a person's name in an address, or write it in one word. */
function compareProfile({ fields }: Lookup, asked: IDataObject, repeated: IDataObject): Likeness {
	const { name = '' } = fields.find(({ kind }) => kind === 'url') ?? {};
	const [words, others] = [toHandle(textIn(asked, name)), toHandle(textIn(repeated, name))];
	if (words.length === 0 || others.length === 0) return 'unsaid';
	const isAnyIn = (some: string[], all: string[]) =>
		some.some((word) => all.join('').includes(word));
	return isAnyIn(words, others) || isAnyIn(others, words) ? 'same' : 'other';
}

/** The words of a person's name in an address of a network that is known; none where it has none. */
function toHandle(address: string): string[] {
	const page = canonical('url', address);
	if (page === '' || /^https?:/i.test(page)) return [];
	const handle = page.slice(page.lastIndexOf('/') + 1);
	return OPAQUE_HANDLE.test(handle) ? [] : (handle.match(/\p{L}{3,}/gu) ?? []);
}

function textIn(values: IDataObject, name: string): string {
	return asText(values[name]) ?? '';
}

function compareWords(words: Set<string>, others: Set<string>): Likeness {
	if (words.size === 0 || others.size === 0) return 'unsaid';
	return [...words].some((word) => others.has(word)) ? 'same' : 'other';
}

/** The words in the fields of these kinds, also as other languages write them; none in other letters. */
function wordsIn(lookup: Lookup, values: IDataObject, kinds: FieldKind[]): Set<string> {
	const text = lookup.fields
		.filter(({ kind }) => kinds.includes(kind))
		.map(({ name, kind }) => {
			const value = textIn(values, name);
			return kind === 'domain' ? canonical(kind, value).replace(/\.[^.]*$/, '') : value;
		})
		.join(' ')
		.normalize('NFC')
		.toLowerCase();
	const spelled = WITHOUT_MARKS.reduce((all, [mark, letters]) => all.replace(mark, letters), text);
	const words = [...new Set([text, spelled])].map((spelling) =>
		spelling.normalize('NFKD').replace(/\p{M}/gu, ''),
	);
	if (words.some((spelling) => /[^a-zæœøß\P{L}]/u.test(spelling))) return new Set();
	return new Set(words.flatMap((spelling) => spelling.match(/[\p{L}\p{N}]+/gu) ?? []));
}
