import { toAddress } from './emailAddress';
import { decodeEntities } from './entities';
import type { FieldKind, Lookup, Search } from './types';

/** No value of a search is longer. */
export const MAX_LENGTH = 500;
/** Invisible, and in no name: zero-width spaces, soft hyphens, marks of direction. */
const INVISIBLE =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
/** Control characters but for white space. */
const CONTROLS = /[^\P{Cc}\s]/gu;

/** A LinkedIn profile by its name; what follows the name says where a link was clicked. */
const LINKEDIN_PROFILE =
	/^(?:https?:\/\/)?(?:(?:www|m|[a-z]{2})\.)?linkedin\.com\/in\/([^/?#]+)\/*(?:[?#].*)?$/i;

/** The address of a page at a host, as people copy it. */
export const PAGE = /^(https?:\/\/|\/\/)?[^\s/?#@][^\s/?#@.]*\.[^\s/?#@]+\/\S+$/i;
/** A person's page at a network that is known to name the person in the path. */
const PATH_NAMES_PERSON =
	/^https?:\/\/(?:[\w-]+\.)*(?:linkedin\.com\/+(?:in|pub)|xing\.com\/+profile)\/+[^/?#]/i;

/** The form in which two values are the same for the service. No search has a longer one. */
export function canonical(kind: FieldKind, text: string): string {
	const clean = tidy(kind, text);
	const sent = kind === 'url' ? toPage(clean) : clean;
	if (sent.length > MAX_LENGTH) return clean;
	switch (kind) {
		case 'email': {
			const address = clean.toLowerCase();
			const at = address.lastIndexOf('@') + 1;
			return address.slice(0, at) + asciiHost(address.slice(at));
		}
		case 'domain':
			return toDomain(asciiHost(toDomain(clean)));
		case 'url':
			return tidy(kind, comparableProfile(sent));
		default:
			return clean.toLowerCase().normalize('NFC');
	}
}

/** Equal keys are one search for the service, however it is spelled: `canonical`. */
export function searchKey(lookup: Lookup, search: Search): string {
	const identity = lookup.identity(search);
	return lookup.fields.map(({ name, kind }) => canonical(kind, identity[name] ?? '')).join('\n');
}

/** Takes out what nobody sees and no service needs. */
export function tidy(kind: FieldKind, text: string): string {
	const visible = decodeEntities(text)
		.replace(INVISIBLE, '')
		.replace(CONTROLS, '')
		.normalize('NFC');
	const clean = visible.trim().replace(/\s+/gu, ' ');
	return kind === 'email' ? toAddress(clean) : clean;
}

/** The address of a page with its scheme, and without tracking that makes it too long. */
export function toPage(text: string): string {
	if (!PAGE.test(text)) return text;
	const address = text.replace(/^(?!https?:\/\/)(\/\/)?/i, 'https://');
	return address.length > MAX_LENGTH && PATH_NAMES_PERSON.test(address)
		? address.replace(/[?#].*/, '')
		: address;
}

/** `https://www.Example.com:8080/about` and `example.com` are the same company. */
export function toDomain(text: string): string {
	let domain = text;
	for (let before = ''; before !== domain;) {
		before = domain;
		domain = domain
			.trim()
			.toLowerCase()
			.normalize('NFC')
			.replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
			.replace(/[/?#].*/, '')
			.replace(/^.*@/, '')
			.replace(/:\d*$/, '')
			.replace(/(?<!\.)\.+$/, '')
			.replace(/^(www\.)+(?=.*\.)/, '');
	}
	return domain;
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

/** Only of a LinkedIn profile is it known what else names the same person. */
function comparableProfile(address: string): string {
	const [, name] = LINKEDIN_PROFILE.exec(address) ?? [];
	if (name === undefined) return address;
	return `linkedin.com/in/${readable(name).toLowerCase().normalize('NFC')}`;
}

/** Browsers copy `josé` as `jos%C3%A9`. */
function readable(name: string): string {
	return name.replace(/(%[89a-f][0-9a-f])+/gi, (escapes) => {
		try {
			return decodeURIComponent(escapes);
		} catch {
			return escapes;
		}
	});
}
