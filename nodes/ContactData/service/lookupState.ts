import type { IDataObject } from 'n8n-workflow';
import { excerpt } from '../common/excerpt';
import { asNumber, asRecord, asText, isRecord } from '../common/json';
import { lookups } from '../lookups';

/** How far a batch is: `stats.finished` of `stats.requested`. */
export interface Progress {
	finished: number;
	requested: number;
}

/** The state of one lookup or batch, read from a GET (`service-api.md` sections 3 and 4). */
export type LookupState =
	| { kind: 'ongoing'; body: unknown; progress?: Progress }
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'failed'; body: unknown }
	/** An answer of which nobody can say what it means. */
	| { kind: 'unreadable' };

/** In the largest of all batches. */
const MAX_SEARCHES = Object.values(lookups).reduce(
	(most, { batchLimit }) => Math.max(most, batchLimit),
	0,
);
const MAX_ESTIMATE_MINUTES = 24 * 60;

const DONE_WORDS = new Set(['completed', 'complete', 'finished', 'done']);
/**
 * May be said of the answer itself, or of a step. The words of a verifier or phone batch are not
 * documented.
 */
const VAGUE_WORDS = new Set([
	...['ok', 'success', 'succeeded', 'successful', 'processed', 'ended'],
	...['ready', 'available', 'delivered', 'fulfilled', 'final', 'finalized'],
]);
/** Of results that are there (`service-api.md` section 3). */
const QUALIFICATIONS = new Set(['valid', 'invalid', 'found', 'not_found']);
const FAILED_WORDS = new Set(['failed', 'error', 'cancelled', 'canceled']);

/**
 * Reads a GET of a single lookup. In progress is HTTP 202 with the word `ongoing` under a field
 * name that is not documented; finished is HTTP 200 with a `qualification`. That it has failed is not
 * documented for a single one.
 */
export function readSingleState(status: number, body: unknown): LookupState {
	if (status === 202) return { kind: saysFailed(body) ? 'failed' : 'ongoing', body };
	if (isRecord(body)) {
		const qualification = asText(body.qualification);
		if (qualification !== undefined && !isOngoing(qualification))
			return { kind: 'completed', body };
	}
	if (saysOngoing(body)) return { kind: 'ongoing', body };
	return saysFailed(body) ? { kind: 'failed', body } : { kind: 'unreadable' };
}

/**
 * Reads a GET of a batch. Finished is `general.status` = `completed` with `results`; in progress
 * comes with `general.status` = `ongoing`, or for the verifier in a shape that is not documented.
 */
export function readBulkState(status: number, body: unknown): LookupState {
	const word = statusWord(body);
	if (FAILED_WORDS.has(word ?? '')) return { kind: 'failed', body };
	const progress = readProgress(body);
	if (status === 202 || saysOngoing(body)) return { kind: 'ongoing', body, progress };
	if (!isRecord(body)) return { kind: 'unreadable' };
	const results = listOfResults(body);

	if (word !== undefined && !(VAGUE_WORDS.has(word) && isWhole(body))) {
		if (!DONE_WORDS.has(word)) return { kind: 'ongoing', body, progress };
		if (results === undefined) return { kind: 'unreadable' };
		return { kind: 'completed', body: { ...body, results } };
	}
	// What a verifier batch in progress lists is not documented.
	const unfinished =
		(progress !== undefined && progress.finished < progress.requested) ||
		results?.some((result) => isOngoing(asRecord(result)?.qualification));
	if (Array.isArray(body.results) && body.results.length > 0 && !unfinished) {
		return { kind: 'completed', body };
	}
	const looksLikeBatch = results !== undefined || isRecord(body.general) || isRecord(body.stats);
	return looksLikeBatch || progress !== undefined || asText(body.message) !== undefined
		? { kind: 'ongoing', body, progress }
		: { kind: 'unreadable' };
}

/** Whether it lists its cost and all results that it counts, each with a documented end. */
function isWhole({ results, stats }: IDataObject): boolean {
	const { credits_cost: cost, credits_to_refund, requested, found } = asRecord(stats) ?? {};
	// A phone batch lists only what it has found, and refunds the others.
	const listed = asCount((asNumber(credits_to_refund) ?? 0) > 0 ? found : requested) ?? Infinity;
	return (
		(isRecord(cost) || asNumber(cost) !== undefined) &&
		Array.isArray(results) &&
		results.length >= listed &&
		results.every((result) => QUALIFICATIONS.has(asText(asRecord(result)?.qualification) ?? ''))
	);
}

/** A list with gaps may be written as an object, and one of nothing as nothing. */
function listOfResults({ results, stats }: IDataObject): unknown[] | undefined {
	if (Array.isArray(results)) return results;
	const entries = isRecord(results) ? Object.values(results) : [];
	if (entries.length > 0) return entries.every(isRecord) ? entries : undefined;
	return asNumber(asRecord(stats)?.found) === 0 ? [] : undefined;
}

/** The documented word as the whole body, or as any top-level value (`general.status` apart). */
function saysOngoing(body: unknown): boolean {
	return isOngoing(body) || (isRecord(body) && Object.values(body).some(isOngoing));
}

function isOngoing(value: unknown): boolean {
	return typeof value === 'string' && value.trim().toLowerCase() === 'ongoing';
}

/** Whether an answer says that the lookup is over, even if it does not give the result. */
export function saysDone(body: unknown): boolean {
	return DONE_WORDS.has(statusWord(body) ?? '');
}

function saysFailed(body: unknown): boolean {
	const words = [body, asRecord(body)?.message, statusWord(body)];
	return words.some((word) => FAILED_WORDS.has(asText(word)?.toLowerCase() ?? ''));
}

function statusWord(body: unknown): string | undefined {
	const record = asRecord(body);
	const ofBatch = asText(asRecord(record?.general)?.status);
	const places = ofBatch === undefined ? [record?.status, record?.state] : [ofBatch];
	const words = places.flatMap((place) => asText(place)?.toLowerCase() ?? []);
	return words.find((word) => !VAGUE_WORDS.has(word)) ?? words[0];
}

/** The counters of a batch, where they can be true. */
function readProgress(body: unknown): Progress | undefined {
	const record = asRecord(body);
	const stats = asRecord(record?.stats) ?? record;
	const finished = asCount(stats?.finished);
	const requested = asCount(stats?.requested);
	if (finished === undefined || requested === undefined || finished > requested) return undefined;
	return { finished, requested };
}

function asCount(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= MAX_SEARCHES && Number.isInteger(value)
		? value
		: undefined;
}

/** `estimated_duration` in milliseconds: it is in minutes, and not guaranteed (`service-api.md` 4.3). */
export function readEstimateMs(answer: IDataObject): number | undefined {
	const minutes = asNumber(answer.estimated_duration);
	return minutes !== undefined && minutes >= 0 && minutes <= MAX_ESTIMATE_MINUTES
		? minutes * 60_000
		: undefined;
}

const MAX_ID_LENGTH = 500;

/**
 * The id in the answer to a submission; without one it is unknown whether it was charged. What would
 * not come back as it came cannot be asked for: a number that loses digits, or what is not printable.
 */
export function readId(body: unknown): string | undefined {
	const id = asRecord(body)?.id;
	if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined;
	const text = asText(id) ?? '';
	return isId(text) ? text : undefined;
}

/** Whether a text can be an id: printable, and not too long. */
export function isId(text: string): boolean {
	return text.trim() !== '' && excerpt(text, MAX_ID_LENGTH) === text;
}

/** The id that a finished batch gives itself (`service-api.md` 4.4, 4.8, 4.12). */
export function readOwnId(body: unknown): string | undefined {
	return readId(asRecord(body)?.general);
}
