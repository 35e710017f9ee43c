import type { IDataObject } from 'n8n-workflow';
import { isBlank, isRecord, parseJson } from '../common/values';
import { comparableEmail } from './emails';
import { toAscii, toDomain } from './domains';
import { comparableProfile } from './profiles';
import { MAX_CELL_LENGTH, MAX_VALUE_LENGTH, peel, tidy } from './text';
import type { FieldKind, Lookup, Search, Unfit } from './types';

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

/** An id is none of the values by which the service looks. */
type Kind = FieldKind | 'id';

/** A list's column in the advice, and what tables and CRMs call the value in an object. */
const FORMS: Readonly<Record<Kind, { column: string; keys: readonly string[] }>> = {
	name: { column: 'names', keys: ['value'] },
	company: { column: 'companies', keys: ['name', 'value'] },
	domain: { column: 'domains', keys: ['domain', 'value'] },
	email: { column: 'emails', keys: ['email', 'address', 'value'] },
	url: { column: 'urls', keys: ['url', 'value'] },
	id: { column: 'ids', keys: [] },
};

/** The one value of a list or an object, also where it is written as JSON; any other value as it is. */
export function toOneValue(kind: Kind, given: unknown): { value: unknown } | Unfit {
	const value = typeof given === 'string' ? fromJson(kind, given) : given;
	if (!Array.isArray(value)) return { value: inObject(kind, value) };
	const values = value.map((entry) => inObject(kind, entry)).filter((entry) => !isBlank(entry));
	const [first] = values;
	if (values.every((other) => isSame(kind, first, other))) return { value: first ?? null };
	const list = `$json.${FORMS[kind].column}`;
	const parsed = typeof given === 'string' ? `JSON.parse(${list})` : list;
	return {
		problem: `must be one value, but is a list of ${values.length}`,
		advice: `Take one of them, for example the first with {{ ${parsed}[0] }}, or all of them with a Split Out node before.`,
	};
}

/** Text stays text where it is no JSON, or JSON without a value of this kind. */
function fromJson(kind: Kind, text: string): unknown {
	if (text.length > MAX_CELL_LENGTH || !/^\s*[[{]/.test(text)) return text;
	const value = parseJson(text);
	return Array.isArray(value) || keysIn(kind, value).length > 0 ? value : text;
}

function inObject(kind: Kind, value: unknown): unknown {
	if (!isRecord(value)) return value;
	const [key] = keysIn(kind, value);
	if (key !== undefined) return value[key];
	// An id that is lost is no empty one: a new search would be paid for.
	return kind !== 'id' && hasFailed(value) ? null : value;
}

/** Airtable's cell of a formula that fails, of a number that is none, and of an AI field in error. */
function hasFailed(cell: IDataObject): boolean {
	return 'error' in cell || 'specialValue' in cell || cell.state === 'error';
}

function keysIn(kind: Kind, value: unknown): string[] {
	return isRecord(value) ? FORMS[kind].keys.filter((key) => !isBlank(value[key])) : [];
}

function isSame(kind: Kind, first: unknown, other: unknown): boolean {
	const areFields = kind !== 'id' && typeof first === 'string' && typeof other === 'string';
	return areFields ? canonical(kind, first) === canonical(kind, other) : first === other;
}
