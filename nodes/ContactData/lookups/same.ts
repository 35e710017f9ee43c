import { comparableEmail } from './emails';
import { toAscii, toDomain } from './domains';
import { comparableProfile } from './profiles';
import { peel } from './peel';
import { MAX_VALUE_LENGTH, tidy } from './text';
import type { FieldKind, Lookup, Search } from './types';

/** The form in which two values are the same for the service. No search has a longer one. */
export function canonical(kind: FieldKind, text: string): string {
	if (text.length > MAX_VALUE_LENGTH) return text;
	const clean = tidy(kind, text);
	switch (kind) {
		case 'email':
			return comparableEmail(clean);
		case 'domain':
			return toDomain(toAscii(toDomain(peel(clean))));
		case 'url':
			return comparableProfile(clean);
		default:
			// Some letters are one only when they are small, as ΐ and ẖ.
			return clean.toLowerCase().normalize('NFC');
	}
}

/** Equal keys are one search for the service, however it is spelled. */
export function searchKey(lookup: Lookup, search: Search): string {
	const identity = lookup.identity(search);
	return lookup.fields.map(({ name, kind }) => canonical(kind, identity[name] ?? '')).join('\n');
}
