import { emailFinder } from './emailFinder';
import { emailVerifier } from './emailVerifier';
import { phoneFinder } from './phoneFinder';
import type { Lookup, Size } from './types';

/** All lookups by their `resource` value, in the order of the editor. To add one, add it here. */
export const lookups = { emailFinder, emailVerifier, phoneFinder } satisfies Record<string, Lookup>;

export type LookupName = keyof typeof lookups;

/** @param resource the value of the parameter 'Resource' */
export function findLookup(resource: unknown): Lookup | undefined {
	return Object.values(lookups).find(({ name }) => name === resource);
}

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
