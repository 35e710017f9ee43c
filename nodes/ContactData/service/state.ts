import type { IDataObject } from 'n8n-workflow';
import { asAmount, asRecord, asText, excerpt, isRecord } from '../common/values';
import type { Lookup } from '../lookups/types';
import type { Fault } from './reading';
import { CHECK_ANSWERS, findMessage, type Refusal, UNREADABLE_ANSWER } from './refusals';
import { asWord, countListed, type Counts, isEndedEntry, countsIn, verdictOf } from './verdict';

/** What a look at a lookup or a batch shows. */
export type Shown =
	/** `lastAnswer` is what the service says of it, where that is more than the documented word. */
	| { kind: 'ongoing'; body: unknown; progress?: Counts; lastAnswer?: string }
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

/** Of what the service says of a lookup that is shown. */
const MAX_WORDS = 400;

/** The documented words of a batch (`service-api.md` section 3). */
const STATES: ReadonlyMap<unknown, 'running' | 'done' | 'failed'> = new Map([
	['ongoing', 'running'],
	['completed', 'done'],
	['failed', 'failed'],
]);

/** What is asked for. */
export interface Asked {
	lookup: Lookup;
	id: string;
}

/** What an answer says in words of whether something is over. */
interface Wording {
	/** `unknown` where it has a word that nobody knows. */
	state: 'running' | 'done' | 'failed' | 'unknown' | undefined;
	message: string | undefined;
	/** All of it, for the user, where it is more than the documented word. */
	text: string | undefined;
}

function wordingIn(body: unknown): Wording {
	// What the user sent along says nothing.
	const record = { ...asRecord(body), custom: undefined };
	const { general, status, qualification }: IDataObject = record;
	const ofBatch = asRecord(general)?.status;
	// A service may repeat the qualification, or say of its answer that it is one.
	const words = [ofBatch, status]
		.flatMap((text) => asText(text) ?? [])
		.filter((text) => !['success', 'ok', asWord(qualification)].includes(asWord(text)));
	const word = words.find((text) => !STATES.has(asWord(text))) ?? words[0];
	const message = findMessage(record) ?? findMessage(general) ?? findMessage(body);
	const told = [word, asText(qualification), message].filter(
		(text) => text !== undefined && asWord(text) !== 'ongoing',
	);
	// The word of what is in progress is documented for single lookups, the name of its field is not.
	const saysOngoing = [body, ofBatch, ...Object.values(record)].some(
		(value) => asWord(value) === 'ongoing',
	);
	const state = word === undefined ? undefined : (STATES.get(asWord(word)) ?? 'unknown');
	return {
		state: saysOngoing ? 'running' : state,
		message,
		text: told.length === 0 ? undefined : excerpt([...new Set(told)].join(': '), MAX_WORDS),
	};
}

/**
 * Reads a GET of a single lookup. In progress is HTTP 202 with the word `ongoing` under a field name that
 * is not documented; finished is HTTP 200 with a `qualification`. That it has failed is documented for
 * batches alone.
 */
export function singleStateIn(status: number, body: unknown, { lookup, id }: Asked): Shown {
	const wording = wordingIn(body);
	const verdict = isRecord(body) ? verdictOf(lookup, body) : 'unsaid';
	const isFound = verdict === 'found';
	if (wording.state === 'failed' && !isFound) {
		return failed(`${lookup.noun.one} ${id}`, body, wording);
	}
	const isRunning = wording.state === 'running' || (wording.state === 'unknown' && !isFound);
	if (status === 202 || isRunning) return ongoing(body, wording);
	if (isRecord(body) && verdict !== 'unsaid') return { kind: 'completed', body };
	return wording.state === 'done' ? WITHOUT_RESULTS : unsaid(body, wording);
}

/** Reads a GET of a batch. It ends with the documented word and a list; without a word, by what it counts and lists. */
export function bulkStateIn(status: number, body: unknown, { lookup, id }: Asked): Shown {
	const wording = wordingIn(body);
	const counts = countsIn(body);
	if (wording.state === 'failed') return failed(`batch ${id}`, body, wording);
	if (status === 202 || wording.state === 'running') return ongoing(body, wording, counts);
	if (!isRecord(body)) return unsaid(body, wording);
	// A list of nothing may be written as nothing.
	const results = Array.isArray(body.results) ? body.results : counts.found === 0 ? [] : undefined;
	if (wording.state === 'done') {
		const isMissing = results === undefined || (results.length === 0 && (counts.found ?? 0) > 0);
		return isMissing ? WITHOUT_RESULTS : { kind: 'completed', body: { ...body, results } };
	}
	if (wording.state === undefined && tellsAll(lookup, counts, results)) {
		return { kind: 'completed', body };
	}
	const isOfBatch = results !== undefined || isRecord(body.general) || isRecord(body.stats);
	return isOfBatch ? ongoing(body, wording, counts) : unsaid(body, wording);
}

function ongoing(body: unknown, { text: lastAnswer }: Wording, progress?: Counts): Shown {
	return { kind: 'ongoing', body, progress, lastAnswer };
}

/** Whether a batch without a word counts its requests, and lists what became of them all. */
function tellsAll(
	lookup: Lookup,
	{ requested = 0, finished = requested }: Counts,
	results: unknown[] = [],
): boolean {
	const isOver = requested > 0 && finished >= requested && countListed(results) >= requested;
	return isOver && results.every((entry) => isEndedEntry(lookup, entry));
}

/** An answer that tells no state: it is waited for, and its words are told at the Timeout. */
function unsaid(body: unknown, wording: Wording): Shown {
	return body === '' || wording.text !== undefined ? ongoing(body, wording) : UNREADABLE;
}

const UNREADABLE: Fault = {
	kind: 'fault',
	fault: 'passing',
	refusal: {
		message: UNREADABLE_ANSWER,
		description: `${CHECK_ANSWERS}.`,
		affects: 'request',
	},
};
/** Results may be there a moment later; it is believed when it is said again and again. */
const WITHOUT_RESULTS: Fault = {
	kind: 'fault',
	fault: 'refused',
	refusal: {
		message: 'The service says that the search is finished, but gives no result',
		description: 'Ask the provider about this ID.',
		affects: 'request',
		status: 200,
	},
};

function failed(name: string, body: unknown, { message }: Wording): Shown {
	const why = message === undefined ? '' : `: ${message}`;
	const refusal: Refusal = {
		message: `The service could not process the ${name}${why}`,
		description:
			'Its status is "failed": ask the provider about this ID, and whether its credits are refunded.',
		affects: 'request',
	};
	return { kind: 'failed', refusal, body: asRecord(body) ?? {} };
}

/** `estimated_duration` in milliseconds: it is in minutes, and not guaranteed (`service-api.md` 4.3). */
export function estimateMsIn(answer: IDataObject): number | undefined {
	const minutes = asAmount(answer.estimated_duration);
	return minutes === undefined ? undefined : minutes * 60_000;
}

const MAX_ID_LENGTH = 500;

/** The id in the answer to a submission; without one it is unknown whether it was charged. */
export function idIn(body: unknown): string | undefined {
	const { id, batch_id } = asRecord(body) ?? {};
	return asId(id) ?? asId(batch_id);
}

/** A value as an id, if it can be one: a number that loses digits, or an unprintable text, cannot be asked for. */
export function asId(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return typeof value === 'string' && isId(value) ? value : undefined;
}

/** Whether a text can be an id, wherever it is from: not too long, printable, and no markup. */
function isId(text: string): boolean {
	return text.trim() !== '' && excerpt(text, MAX_ID_LENGTH) === text && !/[<>]/.test(text);
}

/** The id that a finished batch gives itself (`service-api.md` 4.4, 4.8, 4.12). */
export function ownIdIn(body: unknown): string | undefined {
	return idIn(asRecord(body)?.general);
}
