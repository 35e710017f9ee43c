import type { IDataObject } from 'n8n-workflow';
import { asAmount, asRecord, asText, isBlank, isRecord } from '../common/values';
import type { Lookup } from '../lookups/types';

/** What a result says of its search: `empty` is found without a value, `unsaid` has no documented word. */
type Verdict = 'found' | 'notFound' | 'empty' | 'unsaid';

/** `service-api.md` section 3. */
const VERDICTS: ReadonlyMap<unknown, Verdict> = new Map([
	['valid', 'found'],
	['found', 'found'],
	['invalid', 'notFound'],
	['not found', 'notFound'],
]);

/** A word of the service in one spelling: `NOT_FOUND` is `not found`. */
export function asWord(value: unknown): string | undefined {
	return asText(value)?.toLowerCase().replaceAll('_', ' ').trim();
}

/** Reads a single result, or an entry of a batch. */
export function verdictOf({ columns, fields }: Lookup, result: IDataObject): Verdict {
	const verdict = VERDICTS.get(asWord(result.qualification)) ?? 'unsaid';
	// An address that was to be verified is not what is found.
	const value = columns.found.find((column) => fields.every(({ name }) => name !== column));
	const isEmpty = value !== undefined && isBlank(result[value]);
	return verdict === 'found' && isEmpty ? 'empty' : verdict;
}

/** Whether an entry of a batch has a documented end. */
export function isEndedEntry(lookup: Lookup, entry: unknown): entry is IDataObject {
	return isRecord(entry) && verdictOf(lookup, entry) !== 'unsaid';
}

/** What a batch counts (`service-api.md` 4.4, 4.8, 4.12). */
export interface Counts {
	finished?: number;
	requested?: number;
	found?: number;
}

export function countsIn(body: unknown): Counts {
	const stats = asRecord(asRecord(body)?.stats) ?? {};
	return {
		requested: asAmount(stats.requested),
		finished: asAmount(stats.finished),
		// Older answers of the phone finder say `valid`.
		found: asAmount(stats.found) ?? asAmount(stats.valid),
	};
}

/** Of how many searches a list tells: an entry may be listed twice. */
export function countListed(results: readonly unknown[]): number {
	return new Set(results.map((result) => asRecord(result)?.index ?? result)).size;
}

/**
 * Whether a finished batch says "not found" by leaving a search out: only some lookups do, and not where the
 * batch counts more as found than it lists as that.
 * @param listed results
 */
export function areOthersNotFound(
	lookup: Lookup,
	{ found = 0 }: Counts,
	listed: readonly IDataObject[],
): boolean {
	const isNotFound = (result: IDataObject) => verdictOf(lookup, result) === 'notFound';
	return (
		lookup.unlistedResult !== undefined &&
		found <= listed.filter((result) => !isNotFound(result)).length
	);
}
