import { UserError } from 'n8n-workflow';

// No error here shows the key or a login.

/**
 * The API key as a header carries it.
 *
 * @throws {UserError} if it is empty, or has characters that n8n would leave out of the header: the
 *   key that was sent could then not be found in the service's answers, to be taken out of them
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

export const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
export const SLASHES_AT_END = /(?<!\/)\/+$/;
/** A query or fragment would swallow the path; white space is dropped silently. */
const NOT_IN_BASE_URL = /[?#\s]/u;

/**
 * The base URL of the service, without trailing slashes.
 *
 * @throws {UserError} if it cannot take a path, or would send the API key unencrypted over a network
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

const MOST_DAYS = 90;

/**
 * How many days a Data Table remembers what was paid; `undefined` where this process alone does.
 *
 * @throws {UserError} for a number out of bounds
 */
export function normalizeMemoryDays(memory: unknown, value: unknown): number | undefined {
	if (memory !== 'dataTable') return undefined;
	const days = toNumber(value);
	if (days >= 1 && days <= MOST_DAYS) return days;
	throw new UserError(
		`'Days to Remember' of the credential must be a number from 1 to ${MOST_DAYS}`,
	);
}

/**
 * What may be spent in 24 hours; `undefined` for no limit.
 *
 * @throws {UserError} for what is no number: a limit that comes to nothing must not become none
 */
export function normalizeMaxCreditsPerDay(isLimited: unknown, value: unknown): number | undefined {
	if (isLimited !== true) return undefined;
	const credits = toNumber(value);
	if (credits >= 0 && credits < Infinity) return credits;
	throw new UserError("'Max Credits per Day' of the credential must be a number of at least 0");
}

/** `NaN` for what is no number; a blank text is none. */
function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}

function refusal(reason: string): UserError {
	return new UserError(`The 'Base URL' of the credential ${reason}`);
}

/** Not by `URL.canParse`, which in Node 20 and 22 refuses umlauts once it has been optimized. */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** A character, by its Unicode number where it may be invisible. */
function nameOf(character: string): string {
	if (/^[!-~]$/.test(character)) return `"${character}"`;
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	return `the character U+${code}`;
}
