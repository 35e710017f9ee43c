import { MAX_LENGTH, tidy, toDomain } from './same';
import type { FieldKind, Refuse } from './types';

type Checked = { text: string | undefined } | { problem: string };

const EMAIL = /^[^\s\p{Cf}@<>,;]+@([^\s@<>,;]+)$/u;
const NOT_IN_EMAIL = /[\s\p{Cf}<>,;]/u;
/**
 * A host may have underscores, though not in the domain that was registered, and the dots that Catalan
 * and Japanese have between letters. None ends in a number.
 */
const DOMAIN =
	/^(?![-\p{M}])([\p{L}\p{M}\p{N}·・_-]+\.)*[\p{L}\p{M}\p{N}·・-]+\.(?=.*\p{L})[\p{L}\p{M}\p{N}-]{2,}$/u;
const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}·・._-]/u;
const PROFILE_URL = /^(https?:\/\/)?[^\s/?#@][^\s/?#@.]*\.[^\s/?#@]+\/\S+$/i;
/** What lists have where a name must be filled in and nobody knows it. */
const PLACEHOLDER = /^[\s\p{Cf}\p{Pd}.?/_*]+$/u;
/** What an expression leaves of a network's address where it has no name to put at its end. */
const NO_PROFILE =
	/^(https?:\/\/)?([a-z]+\.)?(linkedin|xing)\.com\/+((in|pub|profile)\/*)?([?#].*)?$/i;

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
			return PROFILE_URL.test(text) && !NO_PROFILE.test(text)
				? { text }
				: { problem: `must be the address of a profile page, but is ${quote(text)}` };
		default:
			return { text };
	}
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

/** Names a character, also one that cannot be seen. */
function notAllowed(character: string): string {
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	if (character === ' ') return 'a space is not allowed';
	return /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)
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

/** A switch of the editor. Its expression may give what a table holds: the text `true`, or 1. */
export function readSwitch(label: string, given: unknown, refuse: Refuse): boolean {
	const value = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (value === true || value === 'true' || value === 1 || value === '1') return true;
	if (value === undefined || value === null || value === '') return false;
	if (value === false || value === 'false' || value === 0 || value === '0') return false;
	return refuse({
		message: `'${label}' must be true or false, but is ${typeof given === 'string' ? quote(given) : describeType(given)}`,
		description: `Correct the expression of '${label}'.`,
	});
}
