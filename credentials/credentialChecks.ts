import { UserError } from 'n8n-workflow';

// What is thrown here shows neither the key nor a login.

/**
 * The API key as a header carries it.
 *
 * @throws {UserError} if there is none, or n8n would leave characters out, as what is sent would
 *   not be what is looked for where the key has to be taken out of a text
 */
export function normalizeApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') throw new UserError("The 'API Key' of the credential is empty");
	const [wrong] = /[^ -~]/u.exec(key) ?? [];
	if (wrong === undefined) return key;
	throw new UserError(
		`The 'API Key' of the credential must not contain ${nameOf(wrong)}: paste the key again`,
	);
}

const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** Begins where the slashes do, or each of many would be tried. */
export const SLASHES_AT_END = /(?<!\/)\/+$/;
/** What follows would not be a path, or is dropped without a word. */
const NOT_IN_BASE_URL = /[?#\s]/u;

/**
 * The base URL of the service as a request needs it, without trailing slashes.
 *
 * @throws {UserError} if a path after it would not be asked of the host that it names, or the
 *   API key would go unencrypted over a network: http is for a service on this machine only
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const url = parseUrl(text);
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		throw refusal('must be a URL that starts with https://');
	}
	if (url.username !== '' || url.password !== '') {
		throw refusal('must not contain a user name or a password');
	}
	const [wrong] = NOT_IN_BASE_URL.exec(text) ?? [];
	if (wrong !== undefined) throw refusal(`must not contain ${nameOf(wrong)}`);
	if (url.protocol === 'http:' && !LOOPBACK_HOST.test(url.hostname)) {
		throw refusal('must start with https://, because http would send the API key unencrypted');
	}
	return url.origin + url.pathname.replace(SLASHES_AT_END, '');
}

function refusal(says: string): UserError {
	return new UserError(`The 'Base URL' of the credential ${says}`);
}

/** No server takes a longer one, and Node needs seconds for a host of 100,000 combining marks. */
const MAX_URL_LENGTH = 8_000;

/**
 * A URL, or nothing where a text is none. Not by `URL.canParse`: in Node 20 and 22 it says no to an
 * umlaut after some thousand calls, when it has been compiled.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	if (text.length > MAX_URL_LENGTH) return undefined;
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** A character by its number in Unicode where it may show nothing itself. */
function nameOf(character: string): string {
	if (/^[!-~]$/.test(character)) return `"${character}"`;
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	return `the character U+${code}`;
}
