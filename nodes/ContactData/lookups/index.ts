import { emailFinder } from './emailFinder';
import { emailVerifier } from './emailVerifier';
import { phoneFinder } from './phoneFinder';
import type { Lookup } from './types';

/** All lookups by their `resource` value, in the order of the editor. To add one, add it here. */
export const lookups = { emailFinder, emailVerifier, phoneFinder } satisfies Record<string, Lookup>;

export type LookupName = keyof typeof lookups;

/** @param resource the value of the parameter 'Resource' */
export function findLookup(resource: unknown): Lookup | undefined {
	return Object.values(lookups).find(({ name }) => name === resource);
}
