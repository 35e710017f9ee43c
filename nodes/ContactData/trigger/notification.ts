import { isRecord } from '../service/wire';
import type { LookupEvent } from './events';
import { EVENT_PARAMETER } from './events';

/** Ids that are followed up at most: one is meant, the others are its namesakes in the same body. */
const MAX_IDS = 3;
/** Values looked at in a body, whatever its size. */
const MAX_VALUES = 500;
const MAX_ID_LENGTH = 200;
const MAX_JSON_TEXT_LENGTH = 100_000;

const ID_KEY = /^(_?id|[a-z]+[_-]?(id|uuid))$/i;
/** What the user sent along or what was found may hold ids of its own. */
const FOREIGN_KEYS = new Set(['custom', 'raw_params', 'params', 'info', 'results', 'companyinfo']);

/**
 * The ids that a notification may be about, the likeliest first. The shape of the body is not
 * documented (`service.md` section 6), so every plausible place is searched, outer ones first.
 */
export function findIds(...sources: unknown[]): string[] {
	const ids = new Set<string>();
	const queue: unknown[] = [...sources];
	for (let seen = 0; seen < MAX_VALUES && queue.length > 0 && ids.size < MAX_IDS; seen++) {
		const value = parseText(queue.shift());
		if (Array.isArray(value)) {
			queue.push(...value.slice(0, MAX_VALUES));
		} else if (isRecord(value)) {
			const entries = Object.entries(value).slice(0, MAX_VALUES);
			// `id` itself before `search_id` and its like.
			entries.sort(([a], [b]) => Number(b === 'id') - Number(a === 'id'));
			for (const [key, inner] of entries) {
				if (ID_KEY.test(key) && isId(inner) && ids.size < MAX_IDS) ids.add(String(inner));
				else if (!FOREIGN_KEYS.has(key.toLowerCase())) queue.push(inner);
			}
		}
	}
	return [...ids];
}

function isId(value: unknown): value is string | number {
	if (typeof value === 'number') return Number.isSafeInteger(value);
	return typeof value === 'string' && /^\S+$/.test(value) && value.length <= MAX_ID_LENGTH;
}

/** JSON in a form field or sent as plain text. */
function parseText(value: unknown): unknown {
	if (typeof value !== 'string' || value.length > MAX_JSON_TEXT_LENGTH) return value;
	if (!/^\s*[[{]/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

/** The event that our own mark in the URL names; `undefined` when there is none that we know. */
export function readMark(query: unknown, events: LookupEvent[]): LookupEvent | undefined {
	const mark = isRecord(query) ? query[EVENT_PARAMETER] : undefined;
	return events.find(({ name }) => name === mark);
}

/** The events in the order in which they are worth asking for, by what the body looks like. */
export function orderByLikelihood(body: unknown, events: LookupEvent[]): LookupEvent[] {
	const text = describeShape(body);
	const score = ({ lookup, size }: LookupEvent) => {
		const bulk = /general|stats|results|bulk|batch/.test(text);
		const named = new RegExp(SIGNS[lookup.name]).test(text);
		return (named ? 2 : 0) + ((size === 'bulk') === bulk ? 1 : 0);
	};
	return [...events].sort((a, b) => score(b) - score(a));
}

const SIGNS = {
	emailFinder: 'find|search|fullname|raw_params',
	emailVerifier: 'verif',
	phoneFinder: 'phone|number|country',
};

/** Keys and short texts of the outer two levels, which is where a shape shows. */
function describeShape(body: unknown): string {
	const words: string[] = [];
	const visit = (value: unknown, depth: number) => {
		if (typeof value === 'string') words.push(value.slice(0, 50));
		else if (typeof value === 'object' && value !== null && depth > 0) {
			for (const [key, inner] of Object.entries(value).slice(0, 50)) {
				words.push(key);
				visit(inner, depth - 1);
			}
		}
	};
	visit(parseText(body), 3);
	return words.join(' ').toLowerCase();
}
