import type { IDataObject } from 'n8n-workflow';
import { asAmount, asRecord, asText, excerpt, isRecord } from '../common/values';
import { lookups } from '../lookups';
import { findMessage } from './body';
import type { Fault } from './reading';
import type { Refusal } from './refusals';
import { CHECK_ANSWERS, UNREADABLE_ANSWER } from './refusals';

/** How far a batch is: `stats.finished` of `stats.requested`. */
export interface Progress {
	finished: number;
	requested: number;
}

/** What a look at a lookup or a batch shows. */
export type Shown =
	| { kind: 'ongoing'; body: unknown; progress?: Progress }
	| { kind: 'completed'; body: IDataObject }
	/** It has ended without a result, the service says; a batch may list some all the same. */
	| { kind: 'failed'; refusal: Refusal; body: IDataObject }
	/** It could not be told; `lasting` where to ask again does not help. */
	| Fault;

/** What it shows when nothing more is to come. */
export type Ended = Extract<Shown, { kind: 'completed' | 'failed' }>;

export function hasEnded<T extends Pick<Shown, 'kind'>>(shown: T): shown is T & Ended {
	return shown.kind === 'completed' || shown.kind === 'failed';
}

/** Whether it may still end: it is not over, or could not be asked for a while. */
export function isOpen(shown: Shown): boolean {
	return shown.kind === 'ongoing' || (shown.kind === 'fault' && shown.fault === 'passing');
}

/** In the largest of all batches. */
const MAX_SEARCHES = Object.values(lookups).reduce(
	(most, { batchLimit }) => Math.max(most, batchLimit),
	0,
);
const MAX_ESTIMATE_MINUTES = 24 * 60;

const DONE_WORDS = new Set(['completed', 'complete', 'finished', 'done']);
const FAILED_WORDS = new Set(['failed', 'error', 'cancelled', 'canceled', 'expired', 'aborted']);
/** Of results that are there (`service-api.md` section 3). */
const QUALIFICATIONS = new Set(['valid', 'invalid', 'found', 'not_found']);

/**
 * Reads a GET of a single lookup. In progress is HTTP 202 with the word `ongoing` under a field
 * name that is not documented; finished is HTTP 200 with a `qualification`. That it has failed is not
 * documented for a single one.
 * @param name what the user reads of it, with its id
 */
export function readSingleState(status: number, body: unknown, name: string): Shown {
	const isOver = status !== 202;
	if (isOver && isRecord(body)) {
		const qualification = asText(body.qualification);
		if (qualification !== undefined && !isOngoing(qualification)) {
			return { kind: 'completed', body };
		}
	}
	if (isOver ? saysOngoing(body) : !saysFailed(body)) return { kind: 'ongoing', body };
	if (saysFailed(body)) return failed(name, body);
	return DONE_WORDS.has(statusWord(body) ?? '') ? WITHOUT_RESULTS : UNREADABLE;
}

/**
 * Reads a GET of a batch. Its status word decides: `completed` with a list ends it, whatever is in the
 * list. Without a word, or with one that is not documented, the entries do.
 * @param name what the user reads of it, with its id
 */
export function readBulkState(status: number, body: unknown, name: string): Shown {
	const word = statusWord(body);
	if (FAILED_WORDS.has(word ?? '')) return failed(name, body);
	const progress = readProgress(body);
	if (status === 202 || isOngoing(word) || saysOngoing(body)) {
		return { kind: 'ongoing', body, progress };
	}
	if (!isRecord(body)) return UNREADABLE;
	const results = listOfResults(body);
	if (DONE_WORDS.has(word ?? '')) {
		if (results === undefined || (results.length === 0 && (countFound(body) ?? 0) > 0))
			return WITHOUT_RESULTS;
		return { kind: 'completed', body: { ...body, results } };
	}
	if (isWhole(body, results) && (word === undefined || hasCost(body))) {
		return { kind: 'completed', body };
	}
	const looksLikeBatch = results !== undefined || isRecord(body.general) || isRecord(body.stats);
	return looksLikeBatch ||
		word !== undefined ||
		progress !== undefined ||
		asText(body.message) !== undefined
		? { kind: 'ongoing', body, progress }
		: UNREADABLE;
}

const UNREADABLE: Fault = {
	kind: 'fault',
	fault: 'passing',
	refusal: {
		message: UNREADABLE_ANSWER,
		description: `${CHECK_ANSWERS}.`,
		scope: 'request',
	},
};
/** Results may be there a moment later; it is believed when it is said again and again. */
const WITHOUT_RESULTS: Fault = {
	kind: 'fault',
	fault: 'refused',
	refusal: {
		message: 'The service says that the search is finished, but gives no result',
		description: 'Ask the provider about this ID.',
		scope: 'request',
		status: 200,
	},
};

function failed(name: string, body: unknown): Shown {
	const record = asRecord(body) ?? {};
	const said = [findMessage(record), findMessage(record.general)].find(
		(message) => message !== undefined && !FAILED_WORDS.has(message.toLowerCase()),
	);
	const why = said === undefined ? '' : `: ${excerpt(said, 300)}`;
	const refusal: Refusal = {
		message: `The service could not process the ${name}${why}`,
		description: `Its status is "failed"${tellStats(record)}: ask the provider about this ID, and whether its credits are refunded.`,
		scope: 'request',
	};
	return { kind: 'failed', refusal, body: record };
}

function tellStats({ stats }: IDataObject): string {
	const { requested, finished, valid, found } = asRecord(stats) ?? {};
	const counts = Object.entries({ requested, finished, valid, found }).flatMap(([name, value]) =>
		asCount(value) === undefined ? [] : `${name}: ${asCount(value)}`,
	);
	return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

/** Whether an entry of a batch has a documented end. */
export function isEndedEntry(entry: unknown): entry is IDataObject {
	return isRecord(entry) && QUALIFICATIONS.has(asWord(entry.qualification) ?? '');
}

/** Whether it lists all results that it counts, each with a documented end. */
function isWhole(body: IDataObject, results: unknown[] = []): boolean {
	const { credits_to_refund: refund, requested, finished } = asRecord(body.stats) ?? {};
	// A phone batch lists only what it has found, and refunds the others.
	const counted = (asAmount(refund) ?? 0) > 0 ? countFound(body) : (requested ?? 1);
	return (
		results.length >= (asCount(counted) ?? Infinity) &&
		results.every(isEndedEntry) &&
		(asCount(finished) ?? Infinity) >= (asCount(requested) ?? 0)
	);
}

function hasCost({ stats }: IDataObject): boolean {
	const { credits_cost: cost } = asRecord(stats) ?? {};
	return isRecord(cost) || asAmount(cost) !== undefined;
}

/** A list with gaps may be written as an object, and one of nothing as nothing. */
function listOfResults(body: IDataObject): unknown[] | undefined {
	const { results } = body;
	if (Array.isArray(results)) return results;
	const entries = isRecord(results) ? Object.values(results) : [];
	if (entries.length > 0) return entries.every(isRecord) ? entries : undefined;
	return countFound(body) === 0 ? [] : undefined;
}

/** How many were found, by the service's count; older answers of the phone finder say `valid`. */
export function countFound({ stats }: IDataObject): number | undefined {
	const { found, valid } = asRecord(stats) ?? {};
	return asCount(found) ?? asCount(valid);
}

/** The documented word as the whole body, or as any top-level value (`general.status` apart); or nothing. */
function saysOngoing(body: unknown): boolean {
	return isOngoing(body) || body === '' || (isRecord(body) && Object.values(body).some(isOngoing));
}

function isOngoing(value: unknown): boolean {
	return asWord(value) === 'ongoing';
}

function asWord(value: unknown): string | undefined {
	return asText(value)?.trim().toLowerCase();
}

function saysFailed(body: unknown): boolean {
	const words = [body, asRecord(body)?.message, statusWord(body)];
	return words.some((word) => FAILED_WORDS.has(asWord(word) ?? ''));
}

/** What the answer says of the batch; `status` may also be said of the answer itself. */
function statusWord(body: unknown): string | undefined {
	const record = asRecord(body);
	const words = [asRecord(record?.general)?.status, record?.state, record?.status];
	return words.flatMap((word) => asWord(word) ?? [])[0];
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
	const count = asAmount(value);
	return count !== undefined && count >= 0 && count <= MAX_SEARCHES && Number.isInteger(count)
		? count
		: undefined;
}

/** `estimated_duration` in milliseconds: it is in minutes, and not guaranteed (`service-api.md` 4.3). */
export function readEstimateMs(answer: IDataObject): number | undefined {
	const minutes = asAmount(answer.estimated_duration);
	return minutes !== undefined && minutes >= 0 && minutes <= MAX_ESTIMATE_MINUTES
		? minutes * 60_000
		: undefined;
}

const MAX_ID_LENGTH = 500;

/** The id in the answer to a submission; without one it is unknown whether it was charged. */
export function readId(body: unknown): string | undefined {
	return asId(asRecord(body)?.id);
}

/**
 * A value as the id that it can be. What would not come back as it came cannot be asked for: a number
 * that loses digits, or what is not printable.
 */
export function asId(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return typeof value === 'string' && isId(value) ? value : undefined;
}

/** Whether a text can be an id, wherever it is from: not too long, printable, and no markup. */
export function isId(text: string): boolean {
	return (
		text.length <= MAX_ID_LENGTH &&
		text.trim() !== '' &&
		excerpt(text, MAX_ID_LENGTH) === text &&
		!/[<>]/.test(text)
	);
}

/** The id that a finished batch gives itself (`service-api.md` 4.4, 4.8, 4.12). */
export function readOwnId(body: unknown): string | undefined {
	return readId(asRecord(body)?.general);
}
