import { DOMAIN } from './domains';

/** Why a text is no email address that can be verified. */
export interface Flaw {
	reason: string;
	/** Whether no server could take it; else the service decides. */
	isCertain: boolean;
}

const NAMED = /^[^<>]*<\s*([^<>\s]+@[^<>\s]+)\s*>$/;
const ENCODED_SPACE = /%(?:20|09|0a|0d)/gi;
const FILE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|css)$/i;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;
const LITERAL = /^\[[^\]]*\]$/;
/** The usual form of the part before the `@` (RFC 5321). */
const USUAL_NAME = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u;
const MAX_NAME = 64;
const MAX_ADDRESS = 254;

/** What stands around an address that was copied from a sentence or a list. */
const BEFORE = /^[\s<('"]+(?=[^\s"]+$)/;
const AFTER = /[\s,;.:>)'"\]/]{1,9}$/;
/** A longer text is no address, and nothing is looked for in it. */
const MAX_CELL = 1_000;

/** The address in what a cell of a list holds. */
export function toAddress(text: string): string {
	if (text.length > MAX_CELL) return text;
	const decoded = text.replace(ENCODED_SPACE, ' ').trim();
	const address = NAMED.exec(decoded)?.[1] ?? decoded;
	return LITERAL.test(split(address)[1]) ? address : address.replace(AFTER, '').replace(BEFORE, '');
}

/** What is wrong with an address; `undefined` for one of the usual form. */
export function findFlaw(address: string): Flaw | undefined {
	const certain = findCertainFlaw(address);
	if (certain !== undefined) return { reason: certain, isCertain: true };
	const [name, host] = split(address);
	return USUAL_NAME.test(name) && DOMAIN.test(host)
		? undefined
		: { reason: 'not of the usual form', isCertain: false };
}

function split(address: string): [name: string, host: string] {
	const at = address.lastIndexOf('@');
	return [address.slice(0, at), address.slice(at + 1)];
}

function findCertainFlaw(address: string): string | undefined {
	if (!address.includes('@')) return 'no @';
	const [name, host] = split(address);
	if (name === '') return 'nothing before the @';
	if (host === '') return 'nothing after the @';
	if (address.length > MAX_ADDRESS) return `more than ${MAX_ADDRESS} characters`;
	if (FILE.test(host)) return 'the name of a file';
	const isQuoted = QUOTED.test(name);
	if (/[^\s"@]@[^\s"@]+[\s,;]+[^\s"@]+@/.test(address)) return 'more than one address';
	if (!isQuoted && /\s/.test(name)) return 'white space in it';
	if (!LITERAL.test(host) && /\s/.test(host)) return 'white space in it';
	if (!isQuoted && name.includes('@')) return 'more than one @';
	if (!isQuoted && /^\.|\.$/.test(name)) return 'a dot at the beginning or the end of its name';
	if (/\.\./.test(isQuoted ? host : address)) return 'two dots in a row';
	if (name.length > MAX_NAME) return `more than ${MAX_NAME} characters before the @`;
	return undefined;
}
