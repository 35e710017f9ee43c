import { quote } from '../common/values';
import { DOMAIN, toAscii } from './domains';
import { peel } from './text';
import type { Checked, Flaw } from './types';

/** Signs that stand around an address, or between two. */
const SEPARATORS = /[\s<>()[\]{}"“”„«»|,;:\\/?&=]+/u;
/** The usual form of the part before the `@` (RFC 5321), but for signs that separate. */
const USUAL_NAME = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_~.-]+$/u;
const MAX_ADDRESS_LENGTH = 254;

/** What a page behind Cloudflare gives instead of an address: its text, and its link. */
const HIDDEN_BY_PAGE = /\[email\s?protected\]|\/cdn-cgi\/l\/email-protection/i;
/** Before a part of an address that a sign in its name has parted. */
const MIDDLE_OF_NAME = /[\p{L}\p{N}]["“”„«»([{?=&\\]$/u;
/** What may be the beginning of an address: a word that a space, or a sign in place of a dot, parts from it, or brackets. */
const WORD_BEFORE = /[\p{L}\p{N}](?:[._-]?\s+|[,;|])$|[\])}]$/u;
const MASK = /[*•●…]/;
/** `email_not_unlocked@domain.com` (Apollo), `you@company.com`. */
const EXAMPLE_HOSTS = new Set(['domain.com', 'company.com', 'yourcompany.com', 'example.com']);

/** An empty cell, where an address was to be verified. */
export const EMPTY: Flaw = { reason: 'empty', isCertain: true };
/** A cell that is not even read. */
export const TOO_LONG: Flaw = {
	reason: `more than ${MAX_ADDRESS_LENGTH} characters`,
	isCertain: true,
};

/** The one address in a cell. What cannot be an address comes back as it was given, with the reason. */
export function checkEmail(text: string, given: string): Checked {
	const parts = text
		.split(SEPARATORS)
		.map((part) => part.replace(/(?<![.!])[.!]+$/, ''))
		.filter((part) => /.@./.test(part));
	if (new Set(parts.map(comparableEmail)).size > 1) {
		return {
			problem: `must be one email address, but is ${quote(text)}: that is more than one`,
			advice: 'Keep one of them, or give each an item of its own with a Split Out node before.',
		};
	}
	const peeled = toAddress(text);
	const textBefore = (part: string) => text.slice(0, text.indexOf(part));
	const isWhole = (part: string) => isUsual(part) && !MIDDLE_OF_NAME.test(textBefore(part));
	const part = isUsual(peeled) ? undefined : parts.find(isWhole);
	if (part !== undefined && WORD_BEFORE.test(textBefore(part))) {
		return {
			problem: `must be an email address, but is ${quote(text)}: something stands beside it`,
			advice: 'Keep the address alone.',
		};
	}
	const address = part === undefined ? peeled : toAddress(part);
	const reason = HIDDEN_BY_PAGE.test(text)
		? 'hidden by the web page that it was copied from'
		: findReason(address);
	if (reason !== undefined) return { text: given, flaw: { reason, isCertain: true } };
	const flaw = isUsual(address) ? undefined : { reason: 'not of the usual form', isCertain: false };
	return { text: address, flaw };
}

function isUsual(address: string): boolean {
	const [name, host] = splitAddress(address);
	return USUAL_NAME.test(name) && DOMAIN.test(host) && findReason(address) === undefined;
}

/** Without what stands around it; office programs make `’` of `'`. */
function toAddress(text: string): string {
	return peel(text).replace(/(?<=\p{L})’(?=\p{L})/gu, "'");
}

/** The form in which two addresses are the same; of any other text its small letters. */
export function comparableEmail(text: string): string {
	const address = toAddress(text).toLowerCase();
	const [name, host] = splitAddress(address);
	return name !== '' && DOMAIN.test(host) ? `${name}@${toAscii(host)}` : address;
}

/** Why no server could take an address, or nobody's is meant by it. */
function findReason(address: string): string | undefined {
	if (!address.includes('@')) return 'no @';
	const [name, host] = splitAddress(address);
	if (name === '') return 'nothing before the @';
	if (host === '') return 'nothing after the @';
	if (MASK.test(address)) return 'masked or cut off';
	if (EXAMPLE_HOSTS.has(host.toLowerCase())) return `only examples have addresses at ${host}`;
	if (address.length > MAX_ADDRESS_LENGTH) return TOO_LONG.reason;
	if (/\s/.test(address)) return 'white space in it';
	if (/^\.|\.$/.test(name)) return 'a dot at the beginning or the end of its name';
	return address.includes('..') ? 'two dots in a row' : undefined;
}

/** At the last `@`; what has none is all host. */
function splitAddress(address: string): [name: string, host: string] {
	const at = address.lastIndexOf('@');
	return [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
}
