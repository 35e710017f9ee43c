import type { IDataObject } from 'n8n-workflow';
import { isBlank, isRecord, parseJson } from '../common/values';
import { comparableEmail } from './emails';
import { toAscii, toDomain } from './domains';
import { comparableProfile } from './profiles';
import { MAX_CELL_LENGTH, MAX_VALUE_LENGTH, peel, tidy } from './text';
import type { ValueKind, Unfit } from './types';

/** The form in which two values are the same for the service. No search has a longer one. */
export function canonical(kind: ValueKind, text: string): string {
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

/** An id is none of the values by which the service looks. */
type Kind = ValueKind | 'id';

/** A list's column in the advice, and what tables and CRMs call the value in an object, the best one first. */
const FORMS: Readonly<Record<Kind, { column: string; keys: readonly string[] }>> = {
	name: { column: 'names', keys: ['text', 'value'] },
	company: { column: 'companies', keys: ['name', 'text', 'value'] },
	domain: { column: 'domains', keys: ['domain', 'url', 'value', 'text'] },
	email: { column: 'emails', keys: ['email', 'address', 'value', 'text'] },
	url: { column: 'urls', keys: ['url', 'linkedin_url', 'value', 'text'] },
	country: { column: 'countries', keys: ['code', 'name', 'value', 'text'] },
	id: { column: 'ids', keys: [] },
};
/** Lists and objects in each other that are read. */
const MAX_DEPTH = 4;

/** The one value in a list or object, nested or JSON text; other values as they are. `null` where it is blank. */
export function toOneValue(kind: Kind, given: unknown): { value: unknown } | Unfit {
	const values = valuesIn(kind, given, MAX_DEPTH).filter((value) => !isBlank(value));
	const [first] = values;
	if (values.every((other) => isSame(kind, first, other))) return { value: first ?? null };
	const list = `$json.${FORMS[kind].column}`;
	const parsed = typeof given === 'string' ? `JSON.parse(${list})` : list;
	return {
		problem: `must be one value, but is a list of ${values.length}`,
		advice: `Take one of them, for example the first with {{ ${parsed}[0] }}, or all of them with a Split Out node before.`,
	};
}

function valuesIn(kind: Kind, given: unknown, depth: number): unknown[] {
	const value = typeof given === 'string' ? fromJson(kind, given) : given;
	if (depth === 0) return [value];
	if (Array.isArray(value)) return value.flatMap((entry) => valuesIn(kind, entry, depth - 1));
	if (!isRecord(value)) return [value];
	const { keys } = FORMS[kind];
	// An id that is lost is no empty one: a new search would be paid for.
	if (kind !== 'id' && isEmptyCell(keys, value)) return [];
	const key = keys.find((name) => !isBlank(value[name]));
	return key === undefined ? [value] : valuesIn(kind, value[key], depth - 1);
}

/** Text stays text where it is no JSON, or JSON without a value of this kind. */
function fromJson(kind: Kind, text: string): unknown {
	if (text.length > MAX_CELL_LENGTH || !/^\s*[[{]/.test(text)) return text;
	const value = parseJson(text);
	const isOfKind = isRecord(value) && FORMS[kind].keys.some((key) => key in value);
	return Array.isArray(value) || isOfKind ? value : text;
}

/** A cell without fields or with a blank value, and Airtable's of failed formulas and unfinished AI fields. */
function isEmptyCell(keys: readonly string[], cell: IDataObject): boolean {
	if ('error' in cell || 'specialValue' in cell || cell.state === 'error') return true;
	const names = Object.keys(cell);
	const isKnown = names.length === 0 || 'state' in cell || keys.some((key) => key in cell);
	return isKnown && keys.every((key) => isBlank(cell[key]));
}

function isSame(kind: Kind, first: unknown, other: unknown): boolean {
	const areFields = kind !== 'id' && typeof first === 'string' && typeof other === 'string';
	return areFields ? canonical(kind, first) === canonical(kind, other) : first === other;
}
