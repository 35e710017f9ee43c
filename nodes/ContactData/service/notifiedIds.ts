import { isRecord } from '../common/json';

/** Ids that are followed up at most: one is meant, the others are its namesakes in the same body. */
const MAX_IDS = 6;
/** Values looked at in a body, whatever its size. */
const MAX_VALUES = 500;
/** Entries of a list looked at. */
export const MAX_LISTED = 20;
export const MAX_KEY_LENGTH = 50;
const MAX_ID_LENGTH = 200;
const MAX_JSON_TEXT_LENGTH = 100_000;

const LOOKUP_ID = /^(search|verif|verification|lookup|batch|bulk)[_-]?id$/i;
const PLAIN_ID = /^_?(id|uuid)$/i;
const ANY_ID = /[_-](id|uuid)$|[a-z](Id|ID|Uuid|UUID)$/;
/** What wraps the subject of a notification, so that its id goes before one of the notification. */
const WRAPPER =
	/^(data|payload|body|object|resource|result|general|search|batch|bulk|verification|lookup|message)$/i;
/** What the user sent along. */
export const CUSTOM_KEY = /^custom/i;
/** What was asked or found. Like custom data it may hold ids of its own. */
const CONTENT_KEY = /^(raw_?params|params|settings|searches|info|companyinfo|results)$/i;

/**
 * The ids that a notification may be about, the likeliest first. The shape of the body is not
 * documented (`service-api.md` section 6), so every plausible place is searched, outer ones first.
 */
export function findIds(...sources: unknown[]): string[] {
	const ranked: string[][] = [[], [], []];
	const queue = sources.map((value) => ({ value, wrapped: false }));
	// The queue grows while it is gone through.
	for (const { value: given, wrapped } of queue) {
		const enqueue = (value: unknown, inWrapper: boolean) => {
			if (queue.length < MAX_VALUES && canHold(value)) queue.push({ value, wrapped: inWrapper });
		};
		const value = parseText(given);
		if (Array.isArray(value)) {
			for (const entry of value.slice(0, MAX_LISTED)) enqueue(entry, wrapped);
		} else if (isRecord(value)) {
			for (const [key, inner] of entriesOf(value)) {
				if (CUSTOM_KEY.test(key) || CONTENT_KEY.test(key)) continue;
				const rank = rankOf(key, wrapped);
				if (rank !== undefined && isId(inner)) ranked[rank]?.push(String(inner));
				enqueue(inner, WRAPPER.test(key));
			}
		}
	}
	return [...new Set(ranked.flat())].slice(0, MAX_IDS);
}

/** 0 for the name of a lookup's id, 1 for a bare `id`, 2 for the id of something else. */
function rankOf(key: string, wrapped: boolean): number | undefined {
	if (LOOKUP_ID.test(key)) return 0;
	if (PLAIN_ID.test(key)) return wrapped ? 0 : 1;
	return ANY_ID.test(key) ? 2 : undefined;
}

export function entriesOf(value: object): Array<[string, unknown]> {
	return Object.entries(value)
		.slice(0, MAX_VALUES)
		.filter(([key]) => key.length <= MAX_KEY_LENGTH);
}

function canHold(value: unknown): boolean {
	return typeof value === 'string' ? looksLikeJson(value) : typeof value === 'object';
}

/** Visible ASCII: anything can be in a body, and not everything can be in a URL. */
function isId(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isSafeInteger(value);
	return typeof value === 'string' && value.length <= MAX_ID_LENGTH && /^[!-~]+$/.test(value);
}

function looksLikeJson(text: string): boolean {
	return text.length <= MAX_JSON_TEXT_LENGTH && /^\s*[[{]/.test(text);
}

/** JSON in a form field or sent as plain text. */
export function parseText(value: unknown): unknown {
	if (typeof value !== 'string' || !looksLikeJson(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}
