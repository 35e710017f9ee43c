import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import { canonical, searchKey } from '../lookups/same';
import type { FieldKind, Lookup, Search } from '../lookups/types';
import { readId, readOwnId } from '../service/state';

/** Nothing that is asked for is longer; to compare takes many times the memory of what is told. */
const MAX_TOLD_LENGTH = 2_000;
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

/** Whether what a result tells is what was asked for; `unsaid` also where that cannot be compared. */
type Likeness = 'same' | 'other' | 'unsaid';

/**
 * What a result says of whose it is; where it stands in its batch is judged in `match.ts`. People are found
 * under other names, and at other companies, than they were asked for; never both.
 * @param isDoubtful whether the id, or the place in its batch, may be that of another search
 */
export function belongsTo(
	lookup: Lookup,
	{ search, key }: Sought,
	result: IDataObject,
	isDoubtful: boolean,
): Belongs {
	const asked = lookup.identity(search);
	const repeated = lookup.echo(result);
	const told = lookup.about?.(result) ?? {};
	const alike = (other: IDataObject, kinds: FieldKind[]) =>
		compareWords(wordsIn(lookup, asked, kinds), wordsIn(lookup, other, kinds));
	const compareCompany = () => {
		const company = alike(told, ['company', 'domain']);
		return company === 'unsaid' ? alike(repeated, ['company', 'domain']) : company;
	};

	const name = alike(told, ['name']);
	if (name === 'other' && compareCompany() === 'other') return 'no';
	if (searchKey(lookup, echoedSearch(lookup, result)) === key) return 'yes';
	const address = compareAddress(lookup, asked, repeated);
	if (address === 'same') return 'yes';
	const profile = compareProfile(lookup, asked, repeated);
	const repeatedName = alike(repeated, ['name']);
	if ([address, profile, repeatedName].includes('other')) return 'no';
	if (name === 'other' && isDoubtful) return 'no';
	const isSame = [profile, repeatedName, name].includes('same') && compareCompany() !== 'other';
	return isSame ? 'yes' : 'perhaps';
}

/** The search that a result or a waiting item repeats, as far as it does. */
export function echoedSearch(lookup: Lookup, json: IDataObject): Search {
	return searchIn(lookup, lookup.echo(json));
}

/** The search whose fields stand beside others. */
export function searchIn(lookup: Lookup, values: IDataObject): Search {
	const search: Record<string, string> = {};
	for (const { name } of lookup.fields) {
		const text = asText(values[name]);
		if (text !== undefined) search[name] = text;
	}
	return search;
}

/** Whether an answer says that it is of another lookup or batch than the one that was asked for. */
export function isOfAnotherId(id: string, body: unknown): boolean {
	const own = readOwnId(body) ?? readId(body);
	return own !== undefined && own.trim().toLowerCase() !== id.trim().toLowerCase();
}

/** Whether all results of a batch, as far as is looked, are of other searches than these. */
export function isOfOthers(
	lookup: Lookup,
	searches: readonly Sought[],
	listed: readonly unknown[],
	isDoubtful: boolean,
): boolean {
	const compared = listed.filter(isRecord).slice(0, 20);
	const isOther = (result: IDataObject) => (sought: Sought) =>
		belongsTo(lookup, sought, result, isDoubtful) === 'no';
	return compared.length > 0 && compared.every((result) => searches.every(isOther(result)));
}

function compareAddress(lookup: Lookup, asked: IDataObject, told: IDataObject): Likeness {
	const { name } = lookup.fields.find(({ kind }) => kind === 'email') ?? { name: '' };
	const [one, other] = [toAddress(asked[name]), toAddress(told[name])];
	if (one === undefined || other === undefined) return 'unsaid';
	return one === other ? 'same' : 'other';
}

/** Without what a provider may ignore; `undefined` for what is no address. */
function toAddress(value: unknown): string | undefined {
	const text = textOf(value);
	if (!/.@./.test(text)) return undefined;
	const [mailbox = '', host = ''] = canonical('email', text).split(/@(?=[^@]*$)/);
	return `${mailbox.replace(/\+.*|\./g, '')}@${host}`;
}

/** A network may add to a person's name in an address, or write it in one word. */
function compareProfile(lookup: Lookup, asked: IDataObject, told: IDataObject): Likeness {
	const { name } = lookup.fields.find(({ kind }) => kind === 'url') ?? { name: '' };
	const [one, other] = [toHandle(asked[name]), toHandle(told[name])];
	if (one.length === 0 || other.length === 0) return 'unsaid';
	const isIn = (words: string[], others: string[]) =>
		words.some((word) => others.join('').includes(word));
	return isIn(one, other) || isIn(other, one) ? 'same' : 'other';
}

/** The words of a person's name in an address of a network that is known; none where it tells none. */
function toHandle(value: unknown): string[] {
	const page = canonical('url', textOf(value));
	if (page === '' || /^https?:/i.test(page)) return [];
	const handle = page.slice(page.lastIndexOf('/') + 1);
	return OPAQUE_HANDLE.test(handle) ? [] : (handle.match(/\p{L}{3,}/gu) ?? []);
}

function textOf(value: unknown): string {
	const text = asText(value) ?? '';
	return text.length > MAX_TOLD_LENGTH ? '' : text;
}

function compareWords(words: Set<string>, others: Set<string>): Likeness {
	if (words.size === 0 || others.size === 0) return 'unsaid';
	return [...words].some((word) => others.has(word)) ? 'same' : 'other';
}

/** The words in the fields of these kinds, also as other languages write them; none in other letters. */
function wordsIn(lookup: Lookup, values: IDataObject, kinds: FieldKind[]): Set<string> {
	const text = lookup.fields
		.flatMap(({ name, kind }) => {
			const value = kinds.includes(kind) ? textOf(values[name]) : '';
			return kind === 'domain' ? canonical(kind, value).replace(/\.[^.]*$/, '') : value;
		})
		.join(' ')
		.normalize('NFC')
		.toLowerCase();
	const spelled = WITHOUT_MARKS.reduce((all, [mark, letters]) => all.replace(mark, letters), text);
	const words = [...new Set([text, spelled])].map((one) =>
		one.normalize('NFKD').replace(/\p{M}/gu, ''),
	);
	if (words.some((one) => /[^a-zæœøß\P{L}]/u.test(one))) return new Set();
	return new Set(words.flatMap((one) => one.match(/[\p{L}\p{N}]+/gu) ?? []));
}
