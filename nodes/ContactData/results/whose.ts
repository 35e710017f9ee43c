import type { IDataObject } from 'n8n-workflow';
import { asText, isBlank } from '../common/values';
import { hasInternalId } from '../values/profiles';
import { canonical } from '../values/same';
import type { Lookup, Search } from '../lookups/types';
import type { FieldKind } from '../values/types';
import { ownIdIn } from '../service/state';

/** Letters that are not a letter and its mark to Unicode. */
const LETTERS: ReadonlyArray<[letter: RegExp, spelling: string]> = [
	[/ß/g, 'ss'],
	[/æ/g, 'ae'],
	[/œ/g, 'oe'],
];
/** How some languages write a letter without its mark. */
const WITHOUT_MARKS: ReadonlyArray<[letter: RegExp, spelling: string]> = [
	[/ä/g, 'ae'],
	[/[öø]/g, 'oe'],
	[/ü/g, 'ue'],
	[/å/g, 'aa'],
];
/** A handle is a name that LinkedIn gives to one person. */
const PERSON_AT_LINKEDIN = /^linkedin\.com\/in\//;

/** The search that a result repeats, as far as it does. */
export function repeatedSearch(lookup: Lookup, result: IDataObject): Search {
	const repeated = lookup.echo(result);
	const search: Record<string, string> = {};
	for (const { name } of lookup.fields) {
		const text = asText(repeated[name]);
		if (text !== undefined) search[name] = text;
	}
	return search;
}

/** The whole name that a result tells: the one that it repeats, or else that of the person whom it found. */
export function nameTold(lookup: Lookup, result: IDataObject): string {
	const repeated = wholeName(lookup, lookup.echo(result));
	return repeated === '' ? wholeName(lookup, lookup.about?.(result) ?? {}) : repeated;
}

export function wholeName({ fields }: Lookup, values: IDataObject): string {
	const parts = fields.filter(({ kind }) => kind === 'name').map(({ name }) => values[name]);
	return parts.every(isBlank) ? '' : parts.flatMap((part) => asText(part) ?? []).join(' ');
}

/** A whole name in the forms that are compared: its words in one order, `ö` as `oe` and as `o`. */
export function formsOf(name: string): string[] {
	const spell = (text: string, spellings: typeof LETTERS) =>
		spellings.reduce((all, [letter, spelling]) => all.replace(letter, spelling), text);
	const text = spell(name.normalize('NFC').toLowerCase().replace(/['’]/g, ''), LETTERS);
	return [...new Set([spell(text, WITHOUT_MARKS), text.replaceAll('ø', 'o')])]
		.map((spelled) => spelled.normalize('NFKD').replace(/\p{M}/gu, ''))
		.map((plain) => [...new Set(plain.match(/[\p{L}\p{N}]+/gu))].sort().join(' '))
		.filter((form) => form !== '');
}

/** Whether a result repeats another name, profile or address than was asked for. Whom it found may have another name. */
export function contradicts(lookup: Lookup, asked: Search, result: IDataObject): boolean {
	const told = repeatedSearch(lookup, result);
	return (
		isOtherName(wholeName(lookup, asked), wholeName(lookup, told)) ||
		lookup.fields.some(({ name, kind }) => {
			const identifies = lookup.identifiedBy?.includes(name) === true;
			return isOtherValue(kind, identifies, asked[name], told[name]);
		})
	);
}

/** Whether a result repeats a whole search, and nothing but the name in it is what was asked for. */
export function mayBeOfOther(lookup: Lookup, asked: Search, result: IDataObject): boolean {
	const told = repeatedSearch(lookup, result);
	if (lookup.missing(told, () => true) !== undefined) return false;
	const values = lookup.fields.filter(
		({ name, kind }) => told[name] !== undefined && kind !== 'name',
	);
	return (
		values.length > 0 &&
		!values.some(({ name, kind }) => isSameValue(kind, asked[name], told[name]))
	);
}

function isSameValue(kind: FieldKind, asked = '', told = ''): boolean {
	if (canonical(kind, asked) === canonical(kind, told)) return true;
	// An internal ID may be repeated as the page.
	if (kind === 'url') return hasInternalId(asked) || hasInternalId(told);
	return kind === 'company' && haveSameWords(formsOf(asked), formsOf(told));
}

/** Whether the person whom a result names has no word of the name that was asked for. */
export function isStranger(lookup: Lookup, asked: Search, result: IDataObject): boolean {
	const [forms, others] = [
		wholeName(lookup, asked),
		wholeName(lookup, lookup.about?.(result) ?? {}),
	].map(formsOf);
	if (!forms?.length || !others?.length || !areComparable([...forms, ...others])) return false;
	const words = new Set(others.flatMap((form) => form.split(' ')));
	return !forms.some((form) => form.split(' ').some((word) => words.has(word)));
}

/** What is written in other letters cannot be compared. */
function areComparable(forms: readonly string[]): boolean {
	return forms.every((form) => /^[a-z\d ]+$/.test(form));
}

/** Two names are the same where all words of one are among those of the other. */
function isOtherName(asked: string, told: string): boolean {
	const [forms, others] = [formsOf(asked), formsOf(told)];
	if (!areComparable([...forms, ...others])) return false;
	if (forms.length === 0 || others.length === 0) return false;
	return !haveSameWords(forms, others);
}

function haveSameWords(forms: readonly string[], others: readonly string[]): boolean {
	return forms.some((form) =>
		others.some((other) => areAmong(form, other) || areAmong(other, form)),
	);
}

function areAmong(form: string, other: string): boolean {
	const words = new Set(other.split(' '));
	return form.split(' ').every((word) => words.has(word));
}

function isOtherValue(kind: FieldKind, identifies: boolean, asked = '', told = ''): boolean {
	const [one, other] = [canonical(kind, asked), canonical(kind, told)];
	if (identifies) return one !== '' && other !== '' && one !== other;
	if (kind === 'email') return one !== other && /.@./.test(told);
	if (kind !== 'url' || hasInternalId(asked) || hasInternalId(told)) return false;
	return one !== other && PERSON_AT_LINKEDIN.test(one) && PERSON_AT_LINKEDIN.test(other);
}

/** Whether a batch says that it is another one than was asked for. */
export function isOfAnotherId(id: string, body: unknown): boolean {
	const ownId = ownIdIn(body);
	return ownId !== undefined && ownId.trim().toLowerCase() !== id.trim().toLowerCase();
}
