import type { IDataObject } from 'n8n-workflow';
import { excerpt } from '../common/excerpt';
import { asNumber, asRecord, asText, isRecord } from '../common/json';

/** How far a batch is: `stats.finished` of `stats.requested`. */
export interface Progress {
	finished: number;
	requested: number;
}

/** The state of one lookup or batch, read from a GET (`service-api.md` sections 3 and 4). */
export type LookupState =
	| { kind: 'ongoing'; body: unknown; progress?: Progress }
	| { kind: 'completed'; body: IDataObject }
	| { kind: 'failed'; body: IDataObject }
	/** An answer of which nobody can say what it means. */
	| { kind: 'unreadable' };

const DONE_WORDS = new Set(['completed', 'complete', 'finished', 'done']);
const FAILED_WORDS = new Set(['failed', 'error', 'cancelled', 'canceled']);

/**
 * Reads a GET of a single lookup. In progress is HTTP 202 with the word `ongoing` under a field
 * name that is not documented; finished is HTTP 200 with a `qualification`.
 */
export function readSingleState(status: number, body: unknown): LookupState {
	if (status === 202) return { kind: 'ongoing', body };
	if (isRecord(body)) {
		const qualification = asText(body.qualification);
		if (qualification !== undefined && !isOngoing(qualification))
			return { kind: 'completed', body };
	}
	return saysOngoing(body) ? { kind: 'ongoing', body } : { kind: 'unreadable' };
}

/**
 * Reads a GET of a batch. Finished is `general.status` = `completed` with `results`; in progress
 * comes with `general.status` = `ongoing`, or for the verifier in a shape that is not documented.
 */
export function readBulkState(status: number, body: unknown): LookupState {
	if (status === 202 || saysOngoing(body))
		return { kind: 'ongoing', body, progress: readProgress(body) };
	if (!isRecord(body)) return { kind: 'unreadable' };
	const progress = readProgress(body);
	const word = asText(asRecord(body.general)?.status) ?? asText(body.status) ?? asText(body.state);
	const results = listOfResults(body);

	if (word !== undefined) {
		const state = word.toLowerCase();
		if (FAILED_WORDS.has(state)) return { kind: 'failed', body };
		if (!DONE_WORDS.has(state)) return { kind: 'ongoing', body, progress };
		if (results === undefined) return { kind: 'unreadable' };
		return { kind: 'completed', body: results === body.results ? body : { ...body, results } };
	}
	const unfinished = progress !== undefined && progress.finished < progress.requested;
	if (Array.isArray(body.results) && body.results.length > 0 && !unfinished) {
		return { kind: 'completed', body };
	}
	const looksLikeBatch = results !== undefined || isRecord(body.general) || isRecord(body.stats);
	return looksLikeBatch || progress !== undefined || asText(body.message) !== undefined
		? { kind: 'ongoing', body, progress }
		: { kind: 'unreadable' };
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

function readProgress(body: unknown): Progress | undefined {
	const record = asRecord(body);
	const stats = asRecord(record?.stats) ?? record;
	const finished = asNumber(stats?.finished);
	const requested = asNumber(stats?.requested);
	return finished === undefined || requested === undefined ? undefined : { finished, requested };
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
	const isPrintable = text.trim() !== '' && excerpt(text, MAX_ID_LENGTH) === text;
	return isPrintable ? text : undefined;
}
