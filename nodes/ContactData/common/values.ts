import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';

/** A plain JSON object, as opposed to an array, null or a scalar. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): IDataObject | undefined {
	return isRecord(value) ? value : undefined;
}

/** Whether a value is missing, or a text of white space alone. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

export function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Parses a text that is JSON; any other value comes back as it is. */
export function parseJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

export function asNumber(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A number, also one that is written as text. */
export function asAmount(value: unknown): number | undefined {
	const isNumeric = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim());
	return asNumber(isNumeric ? Number(value) : value);
}

/** 0.1 and 0.2 come to a little more than 0.3 in a computer. */
export function addCredits(one: number, other: number): number {
	return Number((one + other).toFixed(6));
}

/** With its unit, as a user reads it. */
export function tellCredits(credits: number): string {
	return `${tellAmount(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}

export function tellAmount(credits: number): string {
	return Number(credits.toFixed(2)).toLocaleString('en');
}

export function counted(count: number, one: string, many: string): string {
	return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Shows nothing, breaks the line, turns the direction, or is half a character. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The beginning of a text from outside, printable. It is a copy: a slice would keep all of the text. */
export function excerpt(text: string, maxLength: number): string {
	return Array.from(text.slice(0, maxLength), (letter) =>
		NOT_SHOWN.test(letter) ? ' ' : letter,
	).join('');
}

/** In one sentence, at most. */
const MAX_IDS_SHOWN = 20;

/** @param where the others can be found, as the end of the sentence */
export function tellIds(ids: readonly string[], where = ''): string {
	const shown = ids.slice(0, MAX_IDS_SHOWN).join(', ');
	const more = ids.length - MAX_IDS_SHOWN;
	return more > 0 ? `${shown} and ${more} more${where}` : shown;
}

/** A hash that names a value: equal JSON has equal names. The longer it is (up to 43), the fewer collide. */
export function shortHash(value: unknown, length: number): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}

/** The kind of a value, for the message that it should be another. */
export function describeType(value: unknown): string {
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (isRecord(value)) {
		const names = Object.keys(value).slice(0, 3).join(', ');
		return `an object with ${names === '' ? 'no field' : excerpt(names, 60)}`;
	}
	return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

export function quote(text: string): string {
	return `"${text.length > 60 ? `${text.slice(0, 57)}...` : text}"`;
}

/** Groups of those with equal names, in the order of their first ones. */
export function groupBy<T>(list: readonly T[], nameOf: (one: T) => unknown): Array<[T, ...T[]]> {
	const groups = new Map<unknown, [T, ...T[]]>();
	for (const one of list) {
		const name = nameOf(one);
		const group = groups.get(name);
		if (group === undefined) groups.set(name, [one]);
		else group.push(one);
	}
	return [...groups.values()];
}
