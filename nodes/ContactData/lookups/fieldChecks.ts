/** How a value is checked, cleaned, and compared. */
export type FieldKind = 'name' | 'company' | 'domain' | 'email' | 'url';

export type Checked = { text: string | undefined } | { problem: string };

const MAX_LENGTH = 500;
const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+$/u;
const DOMAIN = /^(?!-)[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.[\p{L}\p{N}-]{2,}$/u;
const PROFILE_URL = /^(https?:\/\/)?[^\s/?#@]+\.[^\s/?#@]+\/\S+$/i;

/**
 * Checks a value that the user gave and cleans it as far as the service surely does too.
 * Absent, empty and blank values come back as `undefined`.
 */
export function checkField(kind: FieldKind, value: unknown): Checked {
	if (value === undefined || value === null) return { text: undefined };
	// A company may be called 1912; nobody's name, address or profile is a number.
	const given = typeof value === 'number' && kind === 'company' ? String(value) : value;
	if (typeof given !== 'string') return { problem: `must be text, but is ${describeType(value)}` };
	const text = given.trim().replace(/\s+/gu, ' ');
	if (text === '') return { text: undefined };
	if (text.length > MAX_LENGTH) {
		return { problem: `must be at most ${MAX_LENGTH} characters long, but has ${text.length}` };
	}
	switch (kind) {
		case 'email':
			return EMAIL.test(text)
				? { text }
				: { problem: `must be one email address such as ada@example.com, but is ${quote(text)}` };
		case 'domain': {
			const domain = toDomain(text);
			return DOMAIN.test(domain)
				? { text: domain }
				: { problem: `must be a domain or website such as example.com, but is ${quote(text)}` };
		}
		case 'url':
			return PROFILE_URL.test(text)
				? { text }
				: { problem: `must be the address of a profile page, but is ${quote(text)}` };
		default:
			return { text };
	}
}

/** The form in which two values are the same for the service. */
export function canonical(kind: FieldKind, text: string): string {
	const clean = text.trim().replace(/\s+/gu, ' ').normalize('NFC');
	switch (kind) {
		case 'email':
			return clean.toLowerCase();
		case 'domain':
			return toDomain(clean);
		default:
			return clean;
	}
}

/** `https://www.Example.com:8080/about` and `example.com` are the same company. */
function toDomain(text: string): string {
	return text
		.toLowerCase()
		.replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
		.replace(/^[^/?#@]*@/, '')
		.replace(/[/?#].*/, '')
		.replace(/:\d*$/, '')
		.replace(/\.$/, '')
		.replace(/^www\.(?=.*\.)/, '')
		.trim();
}

export function describeType(value: unknown): string {
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return `a ${typeof value}`;
}

export function quote(text: string): string {
	return `"${text.length > 60 ? `${text.slice(0, 57)}...` : text}"`;
}
