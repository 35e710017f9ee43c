import { isRecord, parseJson } from '../common/values';
import type { LookupEvent } from '../lookups';
import { lookupEvents } from '../lookups';

/** Ids that are followed up: one is meant, the others are its namesakes in the same body. */
const MAX_IDS = 6;
/** Levels below the outermost. */
const MAX_DEPTH = 3;
/** Fields and entries looked at, whatever the size of the body. */
const MAX_STEPS = 2_000;
/** Entries of a list that are looked at. */
const MAX_LISTED = 20;
const MAX_KEY_LENGTH = 50;
const MAX_ID_LENGTH = 200;
/** Of all JSON in texts that is parsed. */
export const MAX_JSON_TEXT_LENGTH = 100_000;

const ID_KEY =
	/^(ids?|uuid|search|reference|identifier|key|id[_-]?(search|verif|verification|lookup|batch|bulk))$|[_-](id|uuid)s?$/i;
const CAMEL_CASE_ID_KEY = /[a-z](Id|ID|Uuid|UUID)$/;
/** The id of a lookup by its name, or of what an envelope holds: the envelope may have one of its own. */
const LOOKUP_ID =
	/\.(search|verif|verification|lookup|batch|bulk)[_-]?(id|uuid)$|^(data|payload|body|message|object|general|search|verification|lookup|batch|bulk)\.(id|uuid)$/i;
/** What the user sent along, what was asked, and what was found may hold ids of their own. */
const FOREIGN_KEY = /^(custom.*|raw_?params|params|searches|settings|results|info|companyinfo)$/i;

/** What a notification says, though none of it is believed. */
export interface Notification {
	/** The ids that it may be about: those by the name of a lookup, then the others, outer ones first. */
	ids: string[];
	/** What has happened, where it is said in the service's words. */
	event?: LookupEvent;
}

/**
 * Reads a notification, whose shape is not documented (`service-api.md` section 6). Anybody may send
 * anything: the work is bounded, not by its size.
 * @param places where the notification may be; the first one with an id is taken
 */
export function readNotification(...places: unknown[]): Notification {
	for (const place of places) {
		const lookupIds: string[] = [];
		const otherIds: string[] = [];
		let event: LookupEvent | undefined;
		for (const { parent, key, value } of fieldsIn(place)) {
			if (key === 'event') event ??= findEvent(value);
			if (!isIdValue(value)) continue;
			if (LOOKUP_ID.test(`${parent}.${key}`)) lookupIds.push(String(value));
			else if (ID_KEY.test(key) || CAMEL_CASE_ID_KEY.test(key)) otherIds.push(String(value));
		}
		const ids = [...new Set([...lookupIds, ...otherIds])].slice(0, MAX_IDS);
		if (ids.length > 0) return { ids, event };
	}
	return { ids: [] };
}

/** A field of an object, or an entry of a list. */
interface Field {
	/** The name of the field that holds the object. */
	parent: string;
	key: string;
	value: unknown;
}

/** All fields, outer before inner ones. */
function* fieldsIn(place: unknown): Generator<Field> {
	let stepsLeft = MAX_STEPS;
	let textLeft = MAX_JSON_TEXT_LENGTH;
	const queue = [{ name: '', value: place, depth: 0 }];
	// The queue grows while it is gone through.
	for (const { name: parent, value, depth } of queue) {
		// The whole body, or a field of a form, may be JSON in a text.
		const isText = typeof value === 'string' && depth <= 1 && value.length <= textLeft;
		if (isText) textLeft -= value.length;
		const parsed = isText ? parseJson(value) : value;
		const outer: unknown = Array.isArray(parsed) ? { ...parsed.slice(0, MAX_LISTED) } : parsed;
		if (!isRecord(outer)) continue;
		for (const key in outer) {
			if (stepsLeft-- <= 0) return;
			if (key.length > MAX_KEY_LENGTH || FOREIGN_KEY.test(key)) continue;
			// An entry of a list is called as the list is.
			const name = Array.isArray(parsed) ? parent : key;
			const field = { parent, key: name === '' ? 'id' : name, value: outer[key] };
			yield field;
			if (depth < MAX_DEPTH) queue.push({ name, value: field.value, depth: depth + 1 });
		}
	}
}

function findEvent(word: unknown): LookupEvent | undefined {
	return lookupEvents.find(({ lookup, size }) => lookup.notifiedAs[size] === word);
}

/** Visible ASCII: anything can be in a body, and not everything can be in a URL. */
function isIdValue(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isSafeInteger(value);
	return typeof value === 'string' && value.length <= MAX_ID_LENGTH && /^[!-~]+$/.test(value);
}
