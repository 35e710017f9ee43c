import { DOMAIN } from './domains';
import { LITERAL, splitAddress } from './emailAddress';
import type { Flaw } from './types';

const FILE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|css)$/i;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;
/** The usual form of the part before the `@` (RFC 5321). */
const USUAL_NAME = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u;
const MAX_NAME = 64;
const MAX_ADDRESS = 254;

/** What is wrong with an address; `undefined` for one of the usual form. */
export function findFlaw(address: string): Flaw | undefined {
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
	if (address.length > MAX_ADDRESS) return `more than ${MAX_ADDRESS} characters`;
	if (FILE.test(host)) return 'the name of a file';
	const isQuoted = QUOTED.test(name);
	const parts = address.split(/[\s,;]+/).filter((part) => /.@./.test(part));
	if (!isQuoted && parts.length > 1) return 'more than one address';
	if (!isQuoted && /\s/.test(name)) return 'white space in it';
	if (!LITERAL.test(host) && /\s/.test(host)) return 'white space in it';
	if (!isQuoted && name.includes('@')) return 'more than one @';
	if (!isQuoted && /^\.|\.$/.test(name)) return 'a dot at the beginning or the end of its name';
	if (/\.\./.test(isQuoted ? host : address)) return 'two dots in a row';
	if (name.length > MAX_NAME) return `more than ${MAX_NAME} characters before the @`;
	return undefined;
}
