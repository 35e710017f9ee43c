import { isRecord, parseJson } from '../common/values';
import type { LookupEvent } from '../lookups';
import { lookupEvents } from '../lookups';
import { asId } from './state';

/** Ids that are followed up: one is meant, the others are its namesakes in the same body. */
const MAX_IDS = 6;
/** Levels below the outermost. */
const MAX_DEPTH = 3;
/** Fields and entries looked at, whatever the size of the body. */
const MAX_STEPS = 2_000;
/** Entries of a list that are looked at. */
const MAX_LISTED = 20;
const MAX_KEY_LENGTH = 50;
/** Of all JSON in texts that is parsed. */
export const MAX_JSON_TEXT_LENGTH = 100_000;

/** `id` itself; and the names under which it or the id of something else may be. */
const ID_KEY = /^(id|uuid)s?$/i;
const NAMED_ID_KEY = /(^|[_-])(id|uuid)s?([_-]|$)|^(search|reference|identifier|key)$/i;
const CAMEL_CASE_ID_KEY = /[a-z](Id|ID|Uuid|UUID)$/;
/** What the user sent along, what was asked, and what was found may hold ids of their own. */
const FOREIGN_KEY = /^(custom.*|raw_?params|params|searches|settings|results|info|companyinfo)$/i;

/** What a notification says, though none of it is believed. */
export interface Notification {
	/** The ids that it may be about: those named `id`, then the others, outer ones first. */
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
		const plain: string[] = [];
		const named: string[] = [];
		let event: LookupEvent | undefined;
		for (const { key, value } of fieldsIn(place)) {
			if (key === 'event') event ??= findEvent(value);
			const isPlain = ID_KEY.test(key);
			if (!isPlain && !NAMED_ID_KEY.test(key) && !CAMEL_CASE_ID_KEY.test(key)) continue;
			const id = asId(value);
			if (id !== undefined) (isPlain ? plain : named).push(id);
		}
		const ids = [...new Set([...plain, ...named])].slice(0, MAX_IDS);
		if (ids.length > 0) return { ids, event };
	}
	return { ids: [] };
}

/** All fields, outer before inner ones. */
function* fieldsIn(place: unknown): Generator<{ key: string; value: unknown }> {
	let stepsLeft = MAX_STEPS;
	let textLeft = MAX_JSON_TEXT_LENGTH;
	const queue = [{ called: 'id', value: place, depth: 0 }];
	// The queue grows while it is gone through.
	for (const { called, value, depth } of queue) {
		// The whole body, or a field of a form, may be JSON in a text.
		const isText = typeof value === 'string' && depth <= 1 && value.length <= textLeft;
		if (isText) textLeft -= value.length;
		const parsed = isText ? parseJson(value) : value;
		const outer: unknown = Array.isArray(parsed) ? { ...parsed.slice(0, MAX_LISTED) } : parsed;
		if (!isRecord(outer)) continue;
		for (const field in outer) {
			if (stepsLeft-- <= 0) return;
			if (field.length > MAX_KEY_LENGTH || FOREIGN_KEY.test(field)) continue;
			// An entry of a list is called as the list is.
			const key = Array.isArray(parsed) ? called : field;
			yield { key, value: outer[field] };
			if (depth < MAX_DEPTH) queue.push({ called: key, value: outer[field], depth: depth + 1 });
		}
	}
}

function findEvent(word: unknown): LookupEvent | undefined {
	return lookupEvents.find(({ lookup, size }) => lookup.notifiedAs[size] === word);
}
