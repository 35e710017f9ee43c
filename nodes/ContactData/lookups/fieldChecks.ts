import { comparableProfileUrl, withoutPorts } from './profileUrl';

/** How a value is checked, cleaned, and compared. */
export type FieldKind = 'name' | 'company' | 'domain' | 'email' | 'url';

type Checked = { text: string | undefined } | { problem: string };

const MAX_LENGTH = 500;
/** Invisible, and in no name: zero-width spaces and joins, soft hyphens, marks of direction. */
const INVISIBLE =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
/** Letters and signs that show nothing. */
const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]/u;
/** In some scripts a name needs them between its letters; an address never does. */
const JOINERS = /[\u200c\u200d]/gu;
/** Control characters but for white space. */
const CONTROLS = /[^\P{Cc}\s]/gu;

const EMAIL = /^[^\s@<>,;]+@([^\s@<>,;]+)$/u;
const NOT_IN_EMAIL = /[\s<>,;]/u;
/**
 * A host may have underscores, though not in the domain that was registered, and the dots that Catalan
 * and Japanese have between letters. None ends in a number.
 */
const DOMAIN =
	/^(?![-\p{M}])([\p{L}\p{M}\p{N}·・_-]+\.)*[\p{L}\p{M}\p{N}·・-]+\.(?=.*\p{L})[\p{L}\p{M}\p{N}-]{2,}$/u;
const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}·・._-]/u;
const PROFILE_URL = /^(https?:\/\/)?[^\s/?#@][^\s/?#@.]*\.[^\s/?#@]+\/\S+$/i;
/** What lists have where a name must be filled in and nobody knows it. */
const PLACEHOLDER = /^[\s\p{Pd}.?/_*]+$/u;
/** What an expression leaves of a network's address where it has no name to put at its end. */
const NO_PROFILE = /^(linkedin|xing)\.com\/((in|pub|profile)\/?)?([?#].*)?$/i;

/** A company's page there is at the network's domain, not at the company's. */
const SOCIAL_NETWORKS = [
	'facebook.com',
	'instagram.com',
	'linkedin.com',
	'tiktok.com',
	'twitter.com',
	'x.com',
	'xing.com',
	'youtube.com',
];

/**
 * Checks a value that the user gave and cleans it as far as the service surely does too.
 * Absent, empty and blank values come back as `undefined`.
 */
export function checkField(kind: FieldKind, value: unknown): Checked {
	if (value === undefined || value === null) return { text: undefined };
	// A company may be called 1912; nobody's name, address or profile is a number.
	const given = typeof value === 'number' && kind === 'company' ? String(value) : value;
	if (typeof given !== 'string') return { problem: `must be text, but is ${describeType(value)}` };
	const text = tidy(kind, given);
	const isName = kind === 'name' || kind === 'company';
	if (text === '' || (isName && PLACEHOLDER.test(text))) return { text: undefined };
	if (text.length > MAX_LENGTH) {
		return { problem: `must be at most ${MAX_LENGTH} characters long, but has ${text.length}` };
	}
	switch (kind) {
		case 'email':
			return checkEmail(text);
		case 'domain':
			return checkDomain(text);
		case 'url':
			return PROFILE_URL.test(text) && !NO_PROFILE.test(canonical('url', text))
				? { text }
				: { problem: `must be the address of a profile page, but is ${quote(text)}` };
		default:
			return { text };
	}
}

/** The form in which two values are the same for the service. No search has a longer one. */
export function canonical(kind: FieldKind, text: string): string {
	const clean = tidy(kind, text);
	if (clean.length > MAX_LENGTH) return clean;
	switch (kind) {
		case 'email': {
			const address = clean.toLowerCase();
			const at = address.lastIndexOf('@') + 1;
			return address.slice(0, at) + asciiHost(address.slice(at));
		}
		case 'domain':
			return toDomain(asciiHost(toDomain(clean)));
		case 'url':
			return tidy(kind, comparableProfileUrl(clean));
		default:
			return clean;
	}
}

/** An international domain in the form that the wire knows. */
function asciiHost(domain: string): string {
	if (!/[^ -~]/.test(domain)) return domain;
	// After some thousand calls `URL.canParse` says no to an umlaut, in Node 20 and 22.
	try {
		return new URL(`http://${domain}`).hostname;
	} catch {
		return domain;
	}
}

/** Takes out what nobody sees and no service needs. */
function tidy(kind: FieldKind, text: string): string {
	const visible = text.replace(INVISIBLE, '').replace(CONTROLS, '').normalize('NFC');
	const mayJoin = (kind === 'name' || kind === 'company') && /[^\s\u200c\u200d]/u.test(visible);
	const joined = mayJoin ? visible : visible.replace(JOINERS, '');
	const clean = joined.trim().replace(/\s+/gu, ' ');
	const [link, address = ''] =
		kind === 'email' ? (/^(?:mailto:\s*)+([^?]*)/i.exec(clean) ?? []) : [];
	return link === undefined ? clean : address.trim();
}

function checkEmail(text: string): Checked {
	const [, host] = EMAIL.exec(text) ?? [];
	if (host !== undefined && DOMAIN.test(host)) return { text };
	const notInHost = NOT_IN_DOMAIN.exec(host ?? '')?.[0];
	const wrong = text.split('@').length > 2 ? '@' : (NOT_IN_EMAIL.exec(text)?.[0] ?? notInHost);
	const reason =
		wrong === undefined ? '' : `: ${wrong === '@' ? 'it has more than one @' : notAllowed(wrong)}`;
	return {
		problem: `must be one email address such as ada@example.com, but is ${quote(text)}${reason}`,
	};
}

function checkDomain(text: string): Checked {
	const domain = toDomain(text);
	const network = SOCIAL_NETWORKS.find((name) => domain === name || domain.endsWith(`.${name}`));
	if (network !== undefined && hasPath(text)) {
		return {
			problem: `must be the company's own domain or website, but ${quote(text)} is a page at ${network}`,
		};
	}
	if (DOMAIN.test(domain)) return { text: domain };
	const registered = domain.split('.').slice(-2).join('.');
	const [wrong] = NOT_IN_DOMAIN.exec(domain) ?? /_/.exec(registered) ?? [];
	const reason = wrong === undefined ? '' : `: ${notAllowed(wrong)}`;
	return {
		problem: `must be a domain or website such as example.com, but is ${quote(text)}${reason}`,
	};
}

function hasPath(text: string): boolean {
	return /^[^/?#]*\/+[^/?#]/.test(text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ''));
}

/** `https://www.Example.com:8080/about` and `example.com` are the same company. */
function toDomain(text: string): string {
	let domain = text;
	for (let before = ''; before !== domain;) {
		before = domain;
		const host = domain
			.trim()
			.toLowerCase()
			.normalize('NFC')
			.replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
			.replace(/[/?#].*/, '')
			.replace(/^.*@/, '');
		domain = withoutPorts(host, /^\d*$/)
			.replace(/(?<!\.)\.+$/, '')
			.replace(/^(www\.)+(?=.*\.)/, '');
	}
	return domain;
}

/** Names a character, also one that cannot be seen. */
function notAllowed(character: string): string {
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	if (character === ' ') return 'a space is not allowed';
	return /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character) && !BLANK.test(character)
		? `"${character}" is not allowed`
		: `an invisible character (U+${code}) is not allowed`;
}

export function describeType(value: unknown): string {
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

export function quote(text: string): string {
	return `"${text.length > 60 ? `${text.slice(0, 57)}...` : text}"`;
}
