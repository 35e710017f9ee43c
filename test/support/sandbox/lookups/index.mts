import type { LookupDefinition } from '../types.mts';
import { emailFinderBulk, emailFinderSingle } from './emailFinder.mts';
import { emailVerifierBulk, emailVerifierSingle } from './emailVerifier.mts';
import { phoneFinderBulk, phoneFinderSingle } from './phoneFinder.mts';

/** The kinds of lookup by the path of their POST and GET. */
export const LOOKUPS: ReadonlyMap<string, LookupDefinition> = new Map(
	[
		emailFinderSingle,
		emailFinderBulk,
		emailVerifierSingle,
		emailVerifierBulk,
		phoneFinderSingle,
		phoneFinderBulk,
	].map((definition) => [definition.path, definition]),
);
