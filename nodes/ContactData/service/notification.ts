import { isRecord, parseJson } from '../common/values';
import type { LookupEvent } from '../lookups';
import { lookupEvents } from '../lookups';
import { asId } from './state';

/** One is meant; the other may be its namesake. */
const MAX_NOTIFIED_IDS = 2;
/** Levels below the outermost. */
const MAX_DEPTH = 3;
/** Fields and entries looked at, whatever the size of the body. */
const MAX_STEPS = 2_000;
/** Of JSON in a text that is parsed. */
export const MAX_JSON_TEXT_LENGTH = 100_000;

const ID_KEY = /^(id|uuid)$/i;
const NAMED_ID_KEY = /_(id|uuid)$|[a-z](Id|ID)$/;
/** What the user sent along, what was asked, and what was found may hold ids of their own. */
const FOREIGN_KEY = /^(custom.*|raw_?params|params|searches|settings|results|info|companyinfo)$/i;

/** What a notification says, though none of it is believed. */
export interface Notification {
	/** The ids that it may be about: what is named `id` first, and outer ones before inner ones. */
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
		for (const [key, value] of fieldsIn(place)) {
			if (key === 'event') event ??= findEvent(value);
			const id = asId(value);
			if (id !== undefined && ID_KEY.test(key)) plain.push(id);
			else if (id !== undefined && NAMED_ID_KEY.test(key)) named.push(id);
		}
		const ids = [...new Set([...plain, ...named])].slice(0, MAX_NOTIFIED_IDS);
		if (ids.length > 0) return { ids, event };
	}
	return { ids: [] };
}

/** All fields, outer before inner ones. */
function* fieldsIn(place: unknown): Generator<[key: string, value: unknown]> {
	let stepsLeft = MAX_STEPS;
	const queue = [{ value: place, depth: 0 }];
	// The queue grows while it is gone through.
	for (const { value, depth } of queue) {
		// The whole body, or a field of a form, may be JSON in a text.
		const isText = typeof value === 'string' && depth <= 1 && value.length <= MAX_JSON_TEXT_LENGTH;
		const parsed = isText ? parseJson(value) : value;
		const fields: unknown = Array.isArray(parsed) ? { ...parsed.slice(0, 1) } : parsed;
		if (!isRecord(fields)) continue;
		for (const key in fields) {
			if (stepsLeft-- <= 0) return;
			if (FOREIGN_KEY.test(key)) continue;
			yield [key, fields[key]];
			if (depth < MAX_DEPTH) queue.push({ value: fields[key], depth: depth + 1 });
		}
	}
}

function findEvent(word: unknown): LookupEvent | undefined {
	return lookupEvents.find(({ lookup, size }) => lookup.notifiedAs[size] === word);
}
