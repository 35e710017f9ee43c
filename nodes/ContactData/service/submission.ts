import type { IDataObject } from 'n8n-workflow';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import { asRecord, asText, excerpt } from '../common/values';
import { idIn } from './state';
import { getPace, MAX_IDLE_MS, retryDelayMs } from './pace';
import { refusalIn, type Refusal, unreachable } from './refusals';
import { type Connection, type Exchange, sendRequest } from './request';

const MAX_RECONNECT_MS = 20_000;
const MAX_QUOTE_LENGTH = 300;
/** The id of a search may have any name. */
const ID_FIELD = /"(?:(?:\w+_)?(?:id|uuid)|\w*[a-z]I[dD])"\s*:/;
/** 408, and the redirects that follow a POST that was taken; 307 and 308 ask to repeat it. */
const MAY_HAVE_TAKEN = new Set([301, 302, 303, 408]);

/** What became of one submission, seen from the user's credits. */
export type SubmissionOutcome =
	/** Charged; the id is in the answer. */
	| { kind: 'accepted'; id: string; answer: IDataObject }
	/** Not charged. */
	| { kind: 'refused'; refusal: Refusal }
	/** Nobody knows whether it was charged; never sent again. `quote` is from its answer, and may hold the id. */
	| { kind: 'unknown'; reason: string; quote?: string }
	/** Cancelled before it was accepted, with the last refusal. */
	| { kind: 'cancelled'; lastRefusal: Refusal };

interface SubmitOptions {
	/** Ends the waiting for a turn; what has left is heard to its end. */
	signal?: AbortSignal;
	/** For the answer, which has the id. */
	timeoutMs?: number;
	/** Called when its turn has come, each time; where it says `false`, nothing is sent. */
	leave(): boolean;
	/** Called when it was certainly not accepted, and waits for another turn. */
	comeBack(): void;
}

/**
 * Submits once, in the pace of the endpoint. This is the one place that decides what is sent
 * again: only what certainly was not accepted, which is a 429 and a connection never made.
 * @returns `undefined` where nothing was sent: cancelled before its turn, or `leave` said no
 */
export async function submit(
	connection: Connection,
	path: string,
	body: IDataObject,
	{ signal, timeoutMs, leave, comeBack }: SubmitOptions,
): Promise<SubmissionOutcome | undefined> {
	const { account } = connection;
	const pace = getPace(account, path);
	let firstSentAt = Infinity;
	const send = () => {
		if (!leave()) return undefined;
		firstSentAt = Math.min(firstSentAt, monotonicMs());
		return sendRequest(connection, { method: 'POST', path, body, timeoutMs });
	};
	let lastRefusal: Refusal | undefined;
	for (let attempt = 0; ; attempt++) {
		const exchange = await pace.schedule(send, { signal });
		if (exchange === undefined) return lastRefusal && { kind: 'cancelled', lastRefusal };
		if (exchange.kind === 'unknown') {
			const { kind, reason, text = '' } = exchange;
			return { kind, reason, quote: quoteAnswer(text) };
		}
		// As long as the service takes anything of this process, the turn of this one will come.
		const idleMs = pace.idleMs(firstSentAt);
		if (exchange.kind === 'unsent') {
			lastRefusal = { ...unreachable(account, exchange), remedy: 'again' };
			const waitMs = retryDelayMs(attempt, MAX_RECONNECT_MS);
			// The balance was read from the same address a moment ago.
			const isOver = exchange.lasts || idleMs + waitMs > MAX_IDLE_MS;
			if (isOver) return { kind: 'refused', refusal: lastRefusal };
			comeBack();
			if (!(await sleepUnlessAborted(waitMs, signal))) return { kind: 'cancelled', lastRefusal };
			continue;
		}
		if (exchange.status !== 429) return judgeAnswer(exchange);
		// Whatever else is sent meets the same limit.
		lastRefusal = { ...refusalIn(exchange.status, exchange.body), affects: 'account' };
		const { retryAfterMs = 0 } = exchange;
		if (idleMs + retryAfterMs > MAX_IDLE_MS) {
			const description = lastRefusal.description + whyNotAgain(retryAfterMs);
			return { kind: 'refused', refusal: { ...lastRefusal, description } };
		}
		comeBack();
	}
}

/** A refusal by the service charges nothing; a fault of the service may come after the charge. */
function judgeAnswer({
	status,
	body,
	text,
	location,
}: Extract<Exchange, { kind: 'answer' }>): SubmissionOutcome {
	const quote = quoteAnswer(text);
	if (status >= 200 && status < 300) {
		const id = idIn(body);
		if (id !== undefined) return { kind: 'accepted', id, answer: { ...asRecord(body), id } };
		return { kind: 'unknown', reason: 'the answer of the service had no ID in it', quote };
	}
	const refusal = refusalIn(status, body, location);
	const hasId = ID_FIELD.test(text);
	if (status >= 500 || MAY_HAVE_TAKEN.has(status)) {
		const reason = `the service answered: ${refusal.message}`;
		return { kind: 'unknown', reason, ...(hasId && { quote }) };
	}
	if (!hasId) return { kind: 'refused', refusal };
	const description = `${refusal.description} The answer was: ${quote}`;
	return { kind: 'refused', refusal: { ...refusal, description } };
}

/** The beginning of an answer; of a long one, from its id on. */
function quoteAnswer(text: string): string | undefined {
	const answer = text.trim();
	const from = answer.length > MAX_QUOTE_LENGTH ? Math.max(0, answer.search(ID_FIELD)) : 0;
	return asText(excerpt(answer.slice(from), MAX_QUOTE_LENGTH));
}

function whyNotAgain(retryAfterMs: number): string {
	const minutes = Math.ceil(retryAfterMs / 60_000);
	return minutes > 1
		? ` The service asks to wait for ${minutes} minutes.`
		: ' For ten minutes the service took no request of this n8n.';
}
