import type { IDataObject } from 'n8n-workflow';
import { asAmount, asRecord, asText, isRecord } from '../common/values';
import type { Lookup } from '../lookups/types';

/** The documented words of results that are there (`service-api.md` section 3). */
const FOUND: ReadonlySet<string> = new Set(['valid', 'found']);
const NOT_FOUND: ReadonlySet<string> = new Set(['invalid', 'not found']);
export const FAILED_WORDS: ReadonlySet<string> = new Set([
	'failed',
	'error',
	'cancelled',
	'canceled',
	'expired',
	'aborted',
]);
/** What may mean that it still runs, as a word or in a sentence. */
const STILL_RUNNING =
	/\b(?:ongoing|pending|process|processing|running|queued|started|waiting|created|scheduled|in ?progress|being|still|yet)\b/;

/** What a result says of its search: `unsaid` where it says nothing that can be read. */
export type Verdict = 'found' | 'notFound' | 'running' | 'failed' | 'unsaid';

/** A word of the service in one spelling: `IN_PROGRESS` is `in progress`. */
export function asWord(value: unknown): string | undefined {
	return asText(
		asText(value)
			?.toLowerCase()
			.replace(/[\s_-]+/g, ' ')
			.trim(),
	);
}

export function saysRunning(words: string | undefined): boolean {
	return STILL_RUNNING.test(asWord(words) ?? '');
}

/**
 * Reads a single result, or an entry of a batch. A word that nobody knows is a verdict of the service's
 * own, such as `risky`.
 */
export function verdictOf({ columns, fields }: Lookup, result: IDataObject): Verdict {
	const word = asWord(result.qualification);
	if (word === undefined) {
		// An address that was to be verified is no verdict on it.
		const value = columns.found.find((column) => fields.every(({ name }) => name !== column));
		return value === undefined || (result[value] ?? '') === '' ? 'unsaid' : 'found';
	}
	if (FOUND.has(word)) return 'found';
	if (saysRunning(word)) return 'running';
	return FAILED_WORDS.has(word) ? 'failed' : 'notFound';
}

/** Whether an entry of a batch has a documented end, or tells what was found. */
export function isEndedEntry(lookup: Lookup, entry: unknown): entry is IDataObject {
	if (!isRecord(entry)) return false;
	const word = asWord(entry.qualification) ?? '';
	return NOT_FOUND.has(word) || verdictOf(lookup, entry) === 'found';
}

/** What a batch counts (`service-api.md` 4.4, 4.8, 4.12). */
export interface Counts {
	finished?: number;
	requested?: number;
	found?: number;
}

export function readCounts(body: unknown): Counts {
	const stats = asRecord(asRecord(body)?.stats) ?? {};
	return {
		requested: asAmount(stats.requested),
		finished: asAmount(stats.finished),
		// Older answers of the phone finder say `valid`.
		found: asAmount(stats.found) ?? asAmount(stats.valid),
	};
}

/** Of how many searches a list tells: of one person it may list several numbers. */
export function countListed(results: readonly unknown[]): number {
	return new Set(results.map((result) => asRecord(result)?.index ?? result)).size;
}

/**
 * Whether those whom a finished batch does not list were not found. Only some lookups leave them out, and a
 * batch that counts more as found than it lists has left out others.
 * @param listed results
 */
export function areOthersNotFound(
	{ unlistedResult }: Lookup,
	{ found = 0 }: Counts,
	listed: number,
): boolean {
	return unlistedResult !== undefined && found <= listed;
}
