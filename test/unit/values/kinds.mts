import type { FieldKind } from '../../../nodes/ContactData/values/types.ts';

export const KINDS: FieldKind[] = ['name', 'company', 'domain', 'email', 'url'];

/** Characters that nobody sees, by what they are. */
export const INVISIBLE: Array<[name: string, character: string]> = [
	['a soft hyphen', '\u00ad'],
	['an Arabic letter mark', '\u061c'],
	['a zero-width space', '\u200b'],
	['a left-to-right mark', '\u200e'],
	['a right-to-left mark', '\u200f'],
	['an embedding', '\u202a'],
	['an override', '\u202e'],
	['the end of an embedding', '\u202c'],
	['a word joiner', '\u2060'],
	['an isolate', '\u2066'],
	['the end of an isolate', '\u2069'],
	['a byte order mark', '\ufeff'],
	...['\u0000', '\u0007', '\u001b', '\u001f', '\u007f', '\u009f'].map(
		(character): [string, string] => ['a control character', character],
	),
];
