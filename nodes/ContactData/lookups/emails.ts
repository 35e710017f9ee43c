import { quote } from '../common/values';
import { DOMAIN, toAscii } from './domains';
import type { Checked, Flaw } from './types';

/** What lies between the signs that stand around an address and are no part of one. */
const PIECE = /[^\s<>()[\]{}"“”„«»‹›|,;:\\\x60]+/gu;
/** What an address can begin behind. Other signs, as in `[name]hart@acme.com`, tore it apart. */
const BEGINS_BEHIND = /[\s<([,;:|]/;
const BEGINS_BEHIND_TAG = /[\s<([,;:|>]/;
const IS_HTML = /<\/|<br/i;
/** What office programs make of `'`, and the backslashes of JSON and of Markdown. */
const APOSTROPHE = /(?<=\p{L})’(?=\p{L})/gu;
const LINE_BREAK = /\\[nrt]/g;
const ESCAPE = /\\(?=[\p{P}\p{S}])/gu;
/** What stands before an address in a list or a form, also without a colon. */
const LABEL = /^(?:e?-?mail|\d+\.)$/i;
/** `*ada@acme.com*`, as chats write bold. */
const IN_STARS = /^([*_]{1,3})([^*_].*)\1$/;
const BEFORE = /^(?:['‘’‚/]|\??(?:e?-?mail|to)=|[•·▪●‣◦–—](?=[^•●*…]+$))+/iu;
const AFTER = /(?:['‘’!]|(?<!\*)\*|(?<!\.)\.)$/;
/** What is behind the address in a link. */
const QUERY = /(@[^@/?]*)\?.*$/;
const PATH = /(@[^@/]*)\//g;
/** `ada [at] acme [dot] com`, as web sites hide it from robots. */
const WRITTEN_AT = / ?[[({] ?at ?[\])}] ?/gi;
const WRITTEN_DOT = / ?[[({] ?(?:dot|punkt|\.) ?[\])}] ?/gi;

const FILE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|css)$/i;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;
/** The usual form of the part before the `@` (RFC 5321), but for signs that separate. */
const USUAL_NAME = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_~.-]+$/u;
const MAX_NAME = 64;
const MAX_ADDRESS = 254;
const MASKED = /[*•●…]/;
/** `email_not_unlocked@domain.com` (Apollo), `noemail@acme.com`, `you@company.com`, `ada@acme.com.invalid`. */
const PLACEHOLDER =
	/^(?:e?mail[._-]?not|(?:no|your)[._-]?e?mail)(?:[._-].*)?@|^(?:you|name|user|someone|example)@(?:your)?(?:company|domain|example)\.\w+$|\.invalid$/i;
/** What an expression writes for a value that it does not have, or is where it was not resolved. */
const NO_VALUE = /(?:^|[.@_-])undefined(?:[.@_-]|$)/;
const UNRESOLVED = /\{\{|\}\}|\[object \w+\]/;
/** `ada@acme.comCopy`: the word of a button stood behind it. */
const GLUED = /\.[a-z]{2,}[A-Z][a-z]+$/;

/** An empty cell, where an address was to be verified. */
export const EMPTY: Flaw = { reason: 'empty', isCertain: true };
/** A cell that is not even read. */
export const TOO_LONG: Flaw = { reason: `more than ${MAX_ADDRESS} characters`, isCertain: true };

/** What a cell, or a part of it, can be read as. */
interface Reading {
	address: string;
	flaw?: Flaw;
}

/**
 * The one address in a cell, whatever stands around it. What cannot be an address comes back as it was
 * given, with the reason.
 */
export function checkEmail(text: string, given: string): Checked {
	const readings = readingsOf(text);
	if (readings.length > 1) {
		return {
			problem: `must be one email address, but is ${quote(text)}: that is more than one`,
			advice: 'Keep one of them, or give each an item of its own with a Split Out node before.',
		};
	}
	const { address, flaw } = readings[0] ?? { address: text, flaw: findFlaw(text) };
	return { text: flaw?.isCertain === true ? given : address, flaw };
}

/** The form in which two addresses are the same; of any other text its small letters. */
export function comparableEmail(text: string): string {
	const readings = readingsOf(text);
	return readings.length === 1 ? comparable(readings[0]?.address ?? '') : text.toLowerCase();
}

function comparable(address: string): string {
	const [name, host] = splitAddress(address.toLowerCase());
	return host === '' ? name : `${name}@${toAscii(host)}`;
}

/** What can be an address in a text; where nothing can, the one that is meant to be. */
function readingsOf(text: string): Reading[] {
	const plain = text.replace(APOSTROPHE, "'").replace(LINE_BREAK, ' ').replace(ESCAPE, '');
	if (UNRESOLVED.test(plain)) return [];
	if (!plain.includes('@')) {
		const written = plain.replace(WRITTEN_AT, '@').replace(WRITTEN_DOT, '.');
		return written === plain ? [] : readingsOf(written).filter(({ flaw }) => flaw === undefined);
	}
	const readings = new Map<string, Reading>();
	for (const piece of wholePieces(plain)) {
		for (const part of piece.replace(QUERY, '$1').replace(PATH, '$1 ').split(' ')) {
			const address = trimmed(part);
			const key = comparable(address);
			if (/.@./.test(address) && !readings.has(key)) {
				readings.set(key, { address, flaw: findFlaw(address) });
			}
		}
	}
	const all = [...readings.values()];
	const possible = all.filter(({ flaw }) => flaw?.isCertain !== true);
	const [one] = possible;
	// Of `ada@acme,com` a part is no address of the usual form, and not what was meant.
	if (one?.flaw !== undefined && possible.length === 1 && !isAllOf(one.address, plain)) return [];
	return possible.length === 0 && all.length === 1 ? all : possible;
}

function isAllOf(address: string, text: string): boolean {
	const [letters, all] = [address, text].map((one) => one.replace(/[^\p{L}\p{N}]/gu, ''));
	return letters === all;
}

/** The pieces of a text that may hold an address and are no part of a longer one. */
function wholePieces(text: string): string[] {
	const pieces = [...text.matchAll(PIECE)];
	const between = (from: RegExpExecArray | undefined, to: RegExpExecArray | undefined) =>
		from && text.slice(from.index + from[0].length, to?.index);
	const words = pieces.filter(([piece]) => /[\p{L}\p{N}]/u.test(piece));
	// Beside one word alone nobody knows: `ada hart@acme.com` may be one address, and `ada@acme.co uk`.
	if (words.length === 2 && /^[\s._+]*$/.test(between(words[0], words[1]) ?? '')) {
		const [[one = ''] = [], [other = ''] = []] = words;
		if (!isApart(one, other) || !isApart(other, one)) return [];
	}
	const begins = IS_HTML.test(text) ? BEGINS_BEHIND_TAG : BEGINS_BEHIND;
	return pieces.flatMap((piece, n) => {
		const before = between(pieces[n - 1], piece);
		return before === undefined || begins.test(before) ? piece[0] : [];
	});
}

/** Whether a word is plainly no part of the address beside it: an address, a handle, a label, or whose it is. */
function isApart(word: string, address: string): boolean {
	const [name] = splitAddress(address.toLowerCase());
	const isName = word.length > 2 && name.includes(word.toLowerCase());
	return /^@|.@./.test(word) || LABEL.test(word) || isName;
}

function trimmed(piece: string): string {
	let inner = piece;
	for (let before = ''; before !== inner;) {
		before = inner;
		inner = inner.replace(IN_STARS, '$2').replace(BEFORE, '').replace(AFTER, '');
	}
	return inner;
}

/** What is wrong with an address; `undefined` for one of the usual form. */
function findFlaw(address: string): Flaw | undefined {
	const certain = findCertainFlaw(address);
	if (certain !== undefined) return { reason: certain, isCertain: true };
	const [name, host] = splitAddress(address);
	return USUAL_NAME.test(name) && DOMAIN.test(host)
		? undefined
		: { reason: 'not of the usual form', isCertain: false };
}

function findCertainFlaw(address: string): string | undefined {
	if (!address.includes('@')) return 'no @';
	const [name, host] = splitAddress(address);
	if (name === '') return 'nothing before the @';
	if (host === '') return 'nothing after the @';
	if (UNRESOLVED.test(address) || NO_VALUE.test(address)) return 'a value is missing in it';
	if (MASKED.test(address)) return 'masked or cut off';
	if (PLACEHOLDER.test(address)) return 'a placeholder of another tool';
	if (address.length > MAX_ADDRESS) return TOO_LONG.reason;
	if (FILE.test(host)) return 'the name of a file';
	const isQuoted = QUOTED.test(name);
	if (/\s/.test(isQuoted ? host : address)) return 'white space in it';
	if (!isQuoted && name.includes('@')) return 'more than one @';
	if (!isQuoted && /^\.|\.$/.test(name)) return 'a dot at the beginning or the end of its name';
	if (/\.\./.test(isQuoted ? host : address)) return 'two dots in a row';
	if (name.length > MAX_NAME) return `more than ${MAX_NAME} characters before the @`;
	return GLUED.test(host) ? 'a word is glued to its end' : undefined;
}

/** At the last `@`; what has none is all host. */
function splitAddress(address: string): [name: string, host: string] {
	const at = address.lastIndexOf('@');
	return [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
}
