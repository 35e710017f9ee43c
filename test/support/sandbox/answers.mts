import { collapsed, domainOf, text } from './payload.mts';
import { hash32 } from './random.mts';
import type { JsonObject, Search } from './types.mts';

const FOUND_PERCENT = 70;

/**
 * Whether a job succeeds: decided by a hash of what is looked up, about 70 % do.
 * Anything with `notfound` in it (any letter case) never does; with `mustfind`, always.
 */
export function isFound(canonical: string): boolean {
	const search = canonical.toLowerCase();
	if (search.includes('notfound')) return false;
	if (search.includes('mustfind')) return true;
	return hash32(search) % 100 < FOUND_PERCENT;
}

const ASCII = /^[\x20-\x7e]*$/;

/** Latin letters and digits, joined by the separator; a hash where a script leaves none. */
function slug(value: string, separator: string): string {
	const plain = ASCII.test(value) ? value : value.normalize('NFKD').replace(/\p{Mark}/gu, '');
	const words = plain.toLowerCase().match(/[a-z0-9]+/g);
	return words?.join(separator) ?? `x${hash32(value).toString(36)}`;
}

/** `jean-pierre` → `Jean-Pierre` */
function capitalized(name: string): string {
	let result = '';
	let isStart = true;
	for (const letter of name.toLowerCase()) {
		result += isStart ? letter.toUpperCase() : letter;
		isStart = letter === ' ' || letter === '-' || letter === "'" || letter === '’';
	}
	return result;
}

/** What the finder knows of a person whom it found. */
export interface FoundPerson {
	readonly email: string;
	readonly domain: string;
	readonly fullname: string;
	readonly firstname: string;
	readonly lastname: string;
	readonly gender: 'female' | 'male';
}

/** `ada lovelace` at `https://acme.com` → `ada.lovelace@acme.com`; without a domain, slug.com. */
export function findPerson({ params, canonical }: Search): FoundPerson {
	const name = collapsed(params.fullname);
	const [first = '', ...others] = name.split(' ');
	const domain =
		domainOf(params.company_domain) || `${slug(collapsed(params.company_name), '-')}.com`;
	const firstname = capitalized(first);
	const lastname = capitalized(others.join(' '));
	return {
		email: `${slug(name, '.')}@${domain}`,
		domain,
		fullname: lastname ? `${firstname} ${lastname}` : firstname,
		firstname,
		lastname,
		gender: hash32(canonical) % 2 === 0 ? 'female' : 'male',
	};
}

export function companyNameOf({ params }: Search, domain: string): string {
	return collapsed(params.company_name) || capitalized(domain.replace(/\..*$/, ''));
}

/** What the finder knows of a company, beyond what the document promises (`name`). */
export function companyInfo(search: Search, domain: string): JsonObject {
	const hash = hash32(domain);
	return {
		name: companyNameOf(search, domain),
		siren: String(100_000_000 + (hash % 900_000_000)),
		city: ['Paris', 'Lyon', 'Nantes', 'Lille'][hash % 4],
	};
}

const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

export function isEmail(value: unknown): boolean {
	return EMAIL.test(text(value));
}

/** Mobile number ranges by country: prefix and how many digits follow. */
const NUMBERS = [
	{ country: 'FR', prefix: '+336', digits: 8 },
	{ country: 'US', prefix: '+1555', digits: 7 },
	{ country: 'GB', prefix: '+447', digits: 9 },
	{ country: 'DE', prefix: '+4915', digits: 9 },
] as const;

/** The number that belongs to a phone search, and its country (ISO 3166-1 alpha-2). */
export function phoneNumber(canonical: string): { number: string; country: string } {
	const hash = hash32(canonical);
	const range = NUMBERS[hash % NUMBERS.length] ?? NUMBERS[0];
	const digits = String(hash).padStart(range.digits, '2').slice(-range.digits);
	return { number: range.prefix + digits, country: range.country };
}
