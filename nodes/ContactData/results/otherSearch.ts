import type { IDataObject } from 'n8n-workflow';
import { asText, isRecord } from '../common/values';
import { canonical } from '../lookups/same';
import type { Lookup, Search } from '../lookups/types';

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

/** Whether a result is of another address than the one that was to be verified. */
export function isOfAnotherAddress(lookup: Lookup, search: Search, result: IDataObject): boolean {
	const echo = lookup.echo(result);
	return lookup.fields.some(({ name, kind }) => {
		const [asked, told] = [toAddress(search[name]), toAddress(echo[name])];
		return kind === 'email' && asked !== undefined && told !== undefined && asked !== told;
	});
}

/** Without what a provider may ignore; `undefined` for what is no address. */
function toAddress(value: unknown): string | undefined {
	const text = asText(value) ?? '';
	if (text.length > MAX_TOLD_LENGTH || !/.@./.test(text)) return undefined;
	const [mailbox = '', host = ''] = canonical('email', text).split(/@(?=[^@]*$)/);
	return `${mailbox.replace(/\+.*|\./g, '')}@${host}`;
}

/** Whether all results of a batch, as far as is looked, are of other addresses than these. */
export function isOfOtherAddresses(
	lookup: Lookup,
	searches: readonly Search[],
	listed: readonly unknown[],
): boolean {
	const compared = listed.filter(isRecord).slice(0, 20);
	return (
		compared.length > 0 &&
		compared.every((result) =>
			searches.every((search) => isOfAnotherAddress(lookup, search, result)),
		)
	);
}

/** Whether a result tells of a person and a company, and neither can be the one that was asked for. */
export function isOfAnotherPerson(lookup: Lookup, search: Search, result: IDataObject): boolean {
	const asked = lookup.identity(search);
	return [lookup.echo(result), lookup.about?.(result) ?? {}].some((told) => {
		const differ = (kinds: string[]) =>
			haveNothingInCommon(
				comparableWords(lookup, asked, kinds),
				comparableWords(lookup, told, kinds),
			);
		return differ(['name']) && differ(['company', 'domain']);
	});
}

function haveNothingInCommon(words: Set<string>, others: Set<string>): boolean {
	return words.size > 0 && others.size > 0 && ![...words].some((word) => others.has(word));
}

/** The words in the fields of these kinds, also as other languages write them; none in other letters. */
function comparableWords(lookup: Lookup, values: IDataObject, kinds: string[]): Set<string> {
	const text = lookup.fields
		.flatMap(({ name, kind }) => {
			const value = kinds.includes(kind) ? (asText(values[name]) ?? '') : '';
			if (value.length > MAX_TOLD_LENGTH) return [];
			return kind === 'domain' ? canonical(kind, value).replace(/\.[^.]*$/, '') : value;
		})
		.join(' ')
		.normalize('NFC')
		.toLowerCase();
	const spelled = WITHOUT_MARKS.reduce((all, [mark, letters]) => all.replace(mark, letters), text);
	const words = [text, spelled].map((one) => one.normalize('NFKD').replace(/\p{M}/gu, ''));
	if (words.some((one) => /[^a-zæœøß\P{L}]/u.test(one))) return new Set();
	return new Set(words.flatMap((one) => one.match(/[\p{L}\p{N}]+/gu) ?? []));
}
