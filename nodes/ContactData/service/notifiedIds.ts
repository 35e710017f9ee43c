import { isRecord } from '../common/json';

/** Ids that are followed up at most: one is meant, the others are its namesakes in the same body. */
const MAX_IDS = 6;
/** Fields and entries looked at, whatever the size of what came. */
const MAX_STEPS = 2_000;
/** Entries of a list looked at. */
const MAX_LISTED = 20;
const MAX_KEY_LENGTH = 50;
const MAX_ID_LENGTH = 200;
/** Of all JSON in texts that is parsed. */
const MAX_JSON_TEXT_LENGTH = 100_000;

const LOOKUP_ID = /^(search|verif|verification|lookup|batch|bulk)[_-]?id$/i;
const PLAIN_ID = /^_?(id|uuid)$/i;
const ANY_ID = /[_-](id|uuid)$|[a-z](Id|ID|Uuid|UUID)$/;
/** What wraps the subject of a notification, so that its id goes before one of the notification. */
const WRAPPER =
	/^(data|payload|body|object|resource|result|general|search|batch|bulk|verification|lookup|message)$/i;
/** What the user sent along. */
const CUSTOM_KEY = /^custom/i;
/** What was asked or found. Like custom data it may hold ids of its own. */
const CONTENT_KEY = /^(raw_?params|params|settings|searches|info|companyinfo|results)$/i;

/** What a notification says, though none of it is believed. */
export interface Notified {
	/** The ids that it may be about, the likeliest first. */
	ids: string[];
	/** The names of its fields and its short texts in lower case, as far as they tell of its kind. */
	words: string;
}

/** Where something stands in a notification. */
interface Location {
	isWrapped: boolean;
	mayHoldIds: boolean;
	hasWords: boolean;
}

/**
 * Searches every plausible place, outer ones first, since the shape of the body is not documented
 * (`service-api.md` section 6). Anybody may send anything: the work is bounded, not by its size.
 */
export function readNotified(body: unknown, query?: unknown): Notified {
	const ranked: string[][] = [[], [], []];
	const words: string[] = [];
	const queue: Array<Location & { value: object }> = [];
	let textLeft = MAX_JSON_TEXT_LENGTH;
	const enqueue = (given: unknown, place: Location) => {
		let value = given;
		if (typeof given === 'string' && given.length <= textLeft && /^\s{0,9}[[{]/.test(given)) {
			textLeft -= given.length;
			value = parseNested(given);
		}
		if (typeof value === 'object' && value !== null) queue.push({ ...place, value });
		else if (typeof value === 'string' && place.hasWords)
			words.push(value.slice(0, MAX_KEY_LENGTH));
	};
	enqueue(body, { isWrapped: false, mayHoldIds: true, hasWords: true });
	// What is in the URL is the user's.
	enqueue(query, { isWrapped: false, mayHoldIds: true, hasWords: false });

	let steps = 0;
	// The queue grows while it is gone through.
	for (const { value, ...place } of queue) {
		for (const [key, inner] of fieldsOf(value)) {
			if (++steps > MAX_STEPS) break;
			if (typeof key === 'number') {
				// The others are like the first.
				enqueue(inner, { ...place, hasWords: place.hasWords && key === 0 });
				continue;
			}
			if (key.length > MAX_KEY_LENGTH) continue;
			if (place.hasWords) words.push(key);
			if (CUSTOM_KEY.test(key)) continue;
			const mayHoldIds = place.mayHoldIds && !CONTENT_KEY.test(key);
			const rank = mayHoldIds ? rankOf(key, place.isWrapped) : undefined;
			if (rank !== undefined && isIdValue(inner)) ranked[rank]?.push(String(inner));
			enqueue(inner, { ...place, mayHoldIds, isWrapped: WRAPPER.test(key) });
		}
		if (steps > MAX_STEPS) break;
	}
	return {
		ids: [...new Set(ranked.flat())].slice(0, MAX_IDS),
		words: words.join(' ').toLowerCase(),
	};
}

/** The fields of an object or the first entries of a list, one by one. */
function* fieldsOf(value: object): Generator<[key: string | number, value: unknown]> {
	if (isRecord(value)) {
		// Unlike `Object.entries`, this takes up no field that is not asked for.
		for (const key in value) yield [key, value[key]];
	} else if (Array.isArray(value)) yield* value.slice(0, MAX_LISTED).entries();
}

/** 0 for the name of a lookup's id, 1 for a bare `id`, 2 for the id of something else. */
function rankOf(key: string, isWrapped: boolean): number | undefined {
	if (LOOKUP_ID.test(key)) return 0;
	if (PLAIN_ID.test(key)) return isWrapped ? 0 : 1;
	return ANY_ID.test(key) ? 2 : undefined;
}

/** Visible ASCII: anything can be in a body, and not everything can be in a URL. */
function isIdValue(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isSafeInteger(value);
	return typeof value === 'string' && value.length <= MAX_ID_LENGTH && /^[!-~]+$/.test(value);
}

/** JSON in a form field or sent as plain text, or else the text. */
function parseNested(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
