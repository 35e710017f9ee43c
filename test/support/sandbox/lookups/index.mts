import type { Kind, LookupDefinition } from '../types.mts';
import { emailFinderBulk, emailFinderSingle } from './emailFinder.mts';
import { emailVerifierBulk, emailVerifierSingle } from './emailVerifier.mts';
import { phoneFinderBulk, phoneFinderSingle } from './phoneFinder.mts';

const BY_KIND: Readonly<Record<Kind, LookupDefinition>> = {
	emailFinderSingle,
	emailFinderBulk,
	emailVerifierSingle,
	emailVerifierBulk,
	phoneFinderSingle,
	phoneFinderBulk,
};

/** The kinds of lookup by the path of their POST and GET. */
export const LOOKUPS: ReadonlyMap<string, LookupDefinition> = new Map(
	Object.values(BY_KIND).map((definition) => [definition.path, definition]),
);

/** By kind. */
export const PRICES: Readonly<Record<string, number>> = Object.fromEntries(
	Object.values(BY_KIND).map(({ kind, price }) => [kind, price]),
);
