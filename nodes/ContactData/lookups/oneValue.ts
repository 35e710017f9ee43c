import { isBlank, isRecord, parseJson } from '../common/values';
import { canonical } from './same';
import { MAX_GIVEN } from './text';
import type { FieldKind, Unfit } from './types';

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
	const [key] = keysIn(
		kind,
		value.find((entry) => !isBlank(entry)),
	);
	const one = `${list}[0]${key === undefined ? '' : `.${key}`}`;
	return {
		problem: `must be one value, but is a list of ${values.length}`,
		advice: `Take one of them, for example the first with {{ ${typeof given === 'string' ? one.replace(list, `JSON.parse(${list})`) : one} }}, or all of them with a Split Out node before.`,
	};
}

/** Text stays text where it is no JSON, or JSON without a value of this kind. */
function fromJson(kind: Kind, text: string): unknown {
	if (text.length > MAX_GIVEN || !/^\s*[[{]/.test(text)) return text;
	const value = parseJson(text);
	return Array.isArray(value) || keysIn(kind, value).length > 0 ? value : text;
}

function inObject(kind: Kind, value: unknown): unknown {
	const [key] = keysIn(kind, value);
	return isRecord(value) && key !== undefined ? value[key] : value;
}

function keysIn(kind: Kind, value: unknown): string[] {
	return isRecord(value) ? FORMS[kind].keys.filter((key) => !isBlank(value[key])) : [];
}

function isSame(kind: Kind, one: unknown, other: unknown): boolean {
	const areFields = kind !== 'id' && typeof one === 'string' && typeof other === 'string';
	return areFields ? canonical(kind, one) === canonical(kind, other) : one === other;
}
