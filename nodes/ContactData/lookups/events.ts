import { lookups } from './index';
import type { Lookup, Size } from './types';

/** What the trigger can be notified of. */
export interface LookupEvent {
	/** E.g. `emailFinderBulk`. */
	name: string;
	lookup: Lookup;
	size: Size;
}

/** The query parameter of the trigger's URL by which a notification tells its event. */
export const EVENT_PARAMETER = 'event';

export const lookupEvents: readonly LookupEvent[] = Object.values(lookups).flatMap((lookup) =>
	(['single', 'bulk'] as const).map((size) => ({ name: eventName(lookup, size), lookup, size })),
);

export function eventName({ name }: Lookup, size: Size): string {
	return `${name}${size === 'single' ? 'Single' : 'Bulk'}`;
}
