import { quote } from '../common/values';
import { toDomain } from './same';
import type { Checked } from './types';

/**
 * A host may have underscores, though not in the domain that was registered, and the dots that Catalan
 * and Japanese have between letters. None ends in a number.
 */
export const DOMAIN =
	/^(?![-\p{M}])([\p{L}\p{M}\p{N}·・_-]+\.)*[\p{L}\p{M}\p{N}·・-]+\.(?=.*\p{L})[\p{L}\p{M}\p{N}-]{2,}$/u;
export const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}·・._-]/u;

/** Hosts of other people's pages: a company's page there is not at the company's domain. */
const HOSTS_OF_OTHERS = [
	...['facebook.com', 'fb.com', 'fb.me', 'instagram.com', 'linkedin.com', 'linktr.ee', 'pin.it'],
	...['threads.com', 'threads.net', 'tiktok.com', 'twitter.com', 'x.com', 'xing.com'],
	...['youtu.be', 'youtube.com', 't.me', 'wa.me'],
	...['crunchbase.com', 'github.com', 'sites.google.com', 'wikipedia.org'],
	...['bit.ly', 'goo.gl', 'lnkd.in'],
];
/** The same in each country, by host and path; Google's other pages are its own. */
const BY_COUNTRY =
	/^(?:[^/]*\.)?(pinterest(?:\.[a-z]{2,3}){1,2}(?=\/)|google(?:\.[a-z]{2,3}){1,2}(?=\/+(?:maps|search|url)(?:[/?#]|$)))/i;

/** The domain of a company, of whatever page of its website. */
export function checkDomain(text: string): Checked {
	const domain = toDomain(text);
	const host = hostOfOthers(domain, pathOf(text));
	if (host !== undefined) {
		return {
			problem: `must be the company's own domain or website, but ${quote(text)} is a page at ${host}`,
		};
	}
	const problem = `must be a domain or website such as example.com, but is ${quote(text)}`;
	const isSeveral = text.split(' ').filter(isDomain).length > 1;
	if (isSeveral) return { problem: `${problem}: that is more than one` };
	if (DOMAIN.test(domain) && !/\.(undefined|null)$/.test(domain)) return { text: domain };
	const registered = domain.split('.').slice(-2).join('.');
	const [wrong] = NOT_IN_DOMAIN.exec(domain) ?? /_/.exec(registered) ?? [];
	return { problem: wrong === undefined ? problem : `${problem}: ${notAllowed(wrong)}` };
}

function isDomain(text: string): boolean {
	return DOMAIN.test(toDomain(text.replace(/^\/+|[,;|]{1,9}$/g, '')));
}

function pathOf(text: string): string {
	const address = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
	const [, path = ''] = /^[^/?#]*(\/+[^/?#].*)/.exec(address) ?? [];
	return path;
}

/** The host of a page that is not the company's own. */
function hostOfOthers(domain: string, path: string): string | undefined {
	if (path === '') return undefined;
	const [, byCountry] = BY_COUNTRY.exec(domain + path) ?? [];
	return (
		byCountry ?? HOSTS_OF_OTHERS.find((name) => domain === name || domain.endsWith(`.${name}`))
	);
}

/** Names a character, also one that cannot be seen. */
export function notAllowed(character: string): string {
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	if (character === ' ') return 'a space is not allowed';
	return /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)
		? `"${character}" is not allowed`
		: `an invisible character (U+${code}) is not allowed`;
}
