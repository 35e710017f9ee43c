import { isRecord } from '../common/json';
import type { LookupEvent } from '../lookups/events';
import { EVENT_PARAMETER } from '../lookups/events';
import {
	CUSTOM_KEY,
	entriesOf,
	MAX_KEY_LENGTH,
	MAX_LISTED,
	parseText,
} from '../service/notifiedIds';

/** The event that our own mark in the URL names; `undefined` when there is none that we know. */
export function readMark(query: unknown, events: readonly LookupEvent[]): LookupEvent | undefined {
	const mark = isRecord(query) ? query[EVENT_PARAMETER] : undefined;
	return events.find(({ name }) => name === mark);
}

/** The events in the order in which they are worth asking for, by what the body looks like. */
export function orderByLikelihood(body: unknown, events: readonly LookupEvent[]): LookupEvent[] {
	const text = describeShape(body);
	const bulk = /general|stats|results|bulk|batch/.test(text);
	const score = ({ lookup, size }: LookupEvent) =>
		(lookup.notificationSigns.test(text) ? 2 : 0) + ((size === 'bulk') === bulk ? 1 : 0);
	return [...events].sort((a, b) => score(b) - score(a));
}

/** Keys and short texts of the outer levels, which is where a shape shows. */
function describeShape(body: unknown): string {
	const words: string[] = [];
	const visit = (given: unknown, depth: number) => {
		const value = parseText(given);
		if (typeof value === 'string') words.push(value.slice(0, MAX_KEY_LENGTH));
		if (depth === 0) return;
		if (Array.isArray(value)) visit(value[0], depth - 1);
		else if (isRecord(value)) {
			for (const [key, inner] of entriesOf(value).slice(0, MAX_LISTED)) {
				words.push(key);
				if (!CUSTOM_KEY.test(key)) visit(inner, depth - 1);
			}
		}
	};
	visit(body, 5);
	return words.join(' ').toLowerCase();
}
