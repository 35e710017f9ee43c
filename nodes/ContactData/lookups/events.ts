import { lookups } from '.';
import type { Lookup, LookupName, Size } from './types';

/** What the trigger can be notified of, e.g. `emailFinderBulk`. */
export type EventName = `${LookupName}${'Single' | 'Bulk'}`;

export interface LookupEvent {
	name: EventName;
	lookup: Lookup;
	size: Size;
}

/** The query parameter of the trigger's URL by which a notification tells its event. */
export const EVENT_PARAMETER = 'event';

export const lookupEvents: LookupEvent[] = Object.values(lookups).flatMap((lookup) => [
	{ name: `${lookup.name}Single`, lookup, size: 'single' },
	{ name: `${lookup.name}Bulk`, lookup, size: 'bulk' },
]);

export function eventOf(lookup: Lookup, size: Size): EventName {
	return `${lookup.name}${size === 'single' ? 'Single' : 'Bulk'}`;
}
