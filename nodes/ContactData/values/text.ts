import type { ValueKind } from './types';

/** No value of a search is longer. */
export const MAX_VALUE_LENGTH = 500;
/** A longer text is not looked at: some steps take the square of its length. `&` escapes have 8 characters a letter. */
export const MAX_CELL_LENGTH = 2_000;

/** Invisible, and in no name: zero-width spaces, soft hyphens, marks of direction. */
const INVISIBLE =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
/** Control characters but for white space. */
const CONTROLS = /[^\P{Cc}\s]/gu;
/** What is left of a letter that was read in the wrong encoding, or is still as a web page writes it. */
const BROKEN_LETTER = /\ufffd|&[a-z]{3,8};/iu;

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const CHARACTERS: ReadonlyMap<string, string> = new Map(
	Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

/** `ａ＠ｂ．ｃｏｍ`, as a Japanese keyboard writes it: an address is the same in narrow letters. */
const FULL_WIDTH = /[\uff01-\uff5e]/gu;
const TO_NARROW = 0xfee0;

/** A text of up to `MAX_CELL_LENGTH` characters as people read it: in one line, without invisible characters. */
export function tidy(kind: ValueKind, text: string): string {
	let plain = text;
	// `&amp;` may itself be written `&amp;amp;`.
	for (let before = ''; before !== plain;) {
		before = plain;
		plain = toPlain(kind, plain);
	}
	return plain.normalize('NFC').trim().replace(/\s+/gu, ' ');
}

function toPlain(kind: ValueKind, text: string): string {
	const decoded = text.replace(ENTITY, toCharacter);
	const shown = decoded.replace(INVISIBLE, '').replace(CONTROLS, '');
	if (kind === 'name' || kind === 'company') return shown;
	const narrow = shown.replace(FULL_WIDTH, (letter) =>
		String.fromCharCode(letter.charCodeAt(0) - TO_NARROW),
	);
	return kind === 'email' ? decodeEscapes(narrow) : narrow;
}

function toCharacter(entity: string, decimal?: string, hex?: string, name = ''): string {
	if (decimal === undefined && hex === undefined)
		return CHARACTERS.get(name.toLowerCase()) ?? entity;
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	return isCharacter ? String.fromCodePoint(code) : entity;
}

/** Browsers copy `josé` as `jos%C3%A9`. */
export function decodeEscapes(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
		try {
			return decodeURIComponent(escapes);
		} catch {
			return escapes;
		}
	});
}

/** The first broken letter in a text, as the user can find it. */
export function findBrokenLetter(text: string): string | undefined {
	const [letter] = BROKEN_LETTER.exec(text) ?? [];
	return letter === '\ufffd' ? 'U+FFFD' : letter;
}

/** A link as web pages, Markdown, chats, sheets and mail programs write it: the address that it leads to. */
const LINKS = [
	/^<a\s[^<>]*href=["']?([^"'\s<>]+)(?:["'\s][^<>]*)?>.*<\/a>$/is,
	/^\[[^[\]]*\]\(([^\s()]+)\)$/,
	/^<([^\s<>|]+)\|[^<>]*>$/,
	/^=[A-Z_]+\(\s*"([^"\s]+)".*\)$/i,
	/^mailto:([^?]+)(?:\?.*)?$/i,
	/^[^<>]*<([^\s<>@]+@[^\s<>]+)>$/,
];
const QUOTED =
	/^(?:"([^"]*)"|'([^']*)'|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|‹([^‹›]*)›|‘([^‘’]*)’|\x60([^\x60]*)\x60|\*{1,2}([^*]*)\*{1,2})$/;
const IN_BRACKETS = /^(?:<([^<>]*)>|\(([^()]*)\)|\[([^[\]]*)\])$/;
const WRAPPINGS = [...LINKS, QUOTED, IN_BRACKETS];
const BULLET = /^[*•·▪●‣◦–—-]\s+/u;
/** `Website: https://acme.com`. What follows ends it, as `acme:80.com` has no label. */
const LABEL = /^[\p{L} -]{1,30}:(?:\s+|(?=https?:\/\/|www\.|[^\s:@/]+@))/iu;
/** `acme.com (work)`, and the sign of a list or a sentence. */
const BEHIND = / \([^()]*\)$|[ ,;]$|(?<!\.)\.$/;

/** A value without what stands around it in a cell: an address of a person, of a page, or of a host. */
export function peel(text: string): string {
	let inner = text;
	for (let before = ''; before !== inner;) {
		before = inner;
		for (const form of WRAPPINGS) {
			const [, ...parts] = form.exec(inner) ?? [];
			inner = parts.find((part) => part !== undefined && part !== '') ?? inner;
		}
		inner = inner.replace(BULLET, '').replace(LABEL, '').replace(BEHIND, '').trim();
		if (!inner.includes('(')) inner = inner.replace(/\)$/, '');
	}
	return inner;
}
