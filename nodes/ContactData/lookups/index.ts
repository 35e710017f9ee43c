import { emailFinder } from './emailFinder';
import { emailVerifier } from './emailVerifier';
import { phoneFinder } from './phoneFinder';
import type { Lookup, LookupName } from './types';

/** All lookups by their `resource` value; to add one, add it here and in the description. */
export const lookups: Record<LookupName, Lookup> = { emailFinder, emailVerifier, phoneFinder };
