import { isRecord } from '../common/json';
import type { LookupEvent } from '../lookups';
import { EVENT_PARAMETER } from '../lookups';

/** The event that our own mark in the URL names; `undefined` when there is none that we know. */
export function readMark(query: unknown, events: readonly LookupEvent[]): LookupEvent | undefined {
	const mark = isRecord(query) ? query[EVENT_PARAMETER] : undefined;
	return events.find(({ name }) => name === mark);
}

/** The events in the order in which they are worth asking for, by the words of the notification. */
export function orderByLikelihood(words: string, events: readonly LookupEvent[]): LookupEvent[] {
	const bulk = /general|stats|results|bulk|batch/.test(words);
	const score = ({ lookup, size }: LookupEvent) =>
		(lookup.notificationSigns.test(words) ? 2 : 0) + ((size === 'bulk') === bulk ? 1 : 0);
	return [...events].sort((a, b) => score(b) - score(a));
}
