import type { IDataObject } from 'n8n-workflow';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import { asRecord, asText, excerpt, isRecord } from '../common/values';
import { readId } from './state';
import { readNotification } from './notification';
import { getPace, MAX_IDLE_MS, retryDelayMs } from './pace';
import type { Refusal } from './refusals';
import { readRefusal, unreachable } from './refusals';
import type { Connection, Exchange } from './request';
import { sendRequest } from './request';

const MAX_RETRY_MS = 20_000;
const MAX_QUOTE = 300;
/** 408, and the redirects that servers answer when they have taken a POST; 307 and 308 say to repeat it. */
const MAY_HAVE_TAKEN = new Set([301, 302, 303, 408]);

/** What became of one submission, seen from the user's credits. */
export type SubmissionOutcome =
	/** Charged; the id is in the answer. */
	| { kind: 'accepted'; id: string; answer: IDataObject }
	/** Not charged. */
	| { kind: 'refused'; refusal: Refusal }
	/**
	 * Nobody knows whether it was charged; never sent again by itself.
	 * `said` is what came instead of a receipt: where that was cut off, the id may still be in it.
	 */
	| { kind: 'unknown'; reason: string; said?: string }
	/** Not sent: at its turn, `claim` said no. */
	| { kind: 'notClaimed' }
	/** Cancelled before it was accepted; with the last refusal, if it had been sent. */
	| { kind: 'cancelled'; lastRefusal?: Refusal };

interface SubmitOptions {
	/** Ends the waiting for a turn; what has left is heard to its end. */
	signal?: AbortSignal;
	/** Asked when its turn comes, before it is sent for the first time: whether it is still wanted. */
	claim?: () => boolean;
	/** For the answer: without it nobody knows the id. */
	timeoutMs?: number;
	/** Told whenever a request leaves, and when it certainly was not accepted. */
	inFlight(now: boolean): void;
}

/**
 * Submits once, in the pace of the endpoint. This is the one place that decides what is sent
 * again: only what certainly was not accepted, which is a 429 and a connection never made.
 */
export async function submit(
	connection: Connection,
	path: string,
	body: IDataObject,
	{ signal, claim, inFlight, timeoutMs }: SubmitOptions,
): Promise<SubmissionOutcome> {
	const { account } = connection;
	const pace = getPace(account, path);
	let firstSentAt = Infinity;
	const send = async () => {
		firstSentAt = Math.min(firstSentAt, monotonicMs());
		inFlight(true);
		return await sendRequest(connection, { method: 'POST', path, body, timeoutMs });
	};
	let isUnwanted = false;
	const claims = () => {
		isUnwanted = claim?.() === false;
		return !isUnwanted;
	};
	let lastRefusal: Refusal | undefined;
	for (let attempt = 0; ; attempt++) {
		const exchange = await pace.schedule(send, { signal, claim: claims });
		if (exchange === undefined) {
			return isUnwanted ? { kind: 'notClaimed' } : { kind: 'cancelled', lastRefusal };
		}
		if (exchange.kind === 'unknown') {
			const { kind, reason, text = '' } = exchange;
			return { kind, reason, said: quoteAnswer(text) };
		}
		// As long as the service takes anything of this process, the turn of this one will come. How long
		// the first turn took depended on how many went before, and was no sign of trouble.
		const idleMs = pace.idleMs(firstSentAt);
		if (exchange.kind === 'unsent') {
			lastRefusal = { ...unreachable(account, exchange.reason), next: 'again' };
			const waitMs = retryDelayMs(attempt, MAX_RETRY_MS);
			// The balance was read from the same address a moment ago.
			const isOver = exchange.lasts || idleMs + waitMs > MAX_IDLE_MS;
			if (isOver) return { kind: 'refused', refusal: lastRefusal };
			inFlight(false);
			if (!(await sleepUnlessAborted(waitMs, signal))) return { kind: 'cancelled', lastRefusal };
			continue;
		}
		if (exchange.status !== 429) return judgeAnswer(exchange);
		// Whatever else is sent meets the same limit.
		lastRefusal = { ...readRefusal(exchange.status, exchange.body), scope: 'account' };
		const { retryAfterMs = 0 } = exchange;
		if (idleMs + retryAfterMs > MAX_IDLE_MS) {
			const description = lastRefusal.description + whyNotAgain(retryAfterMs);
			return { kind: 'refused', refusal: { ...lastRefusal, description } };
		}
		inFlight(false);
	}
}

/** A refusal by the service charges nothing; a fault of the service may come after the charge. */
function judgeAnswer({
	status,
	body,
	text,
	tooLarge,
}: Extract<Exchange, { kind: 'answer' }>): SubmissionOutcome {
	const quoted = quoteAnswer(text);
	if (status >= 200 && status < 300) {
		const id = readId(body);
		if (id !== undefined && isRecord(body))
			return { kind: 'accepted', id, answer: { ...body, id } };
		return { kind: 'unknown', reason: whyNoReceipt(body, tooLarge), said: quoted };
	}
	const refusal = readRefusal(status, body);
	// An id is shown, whatever it belongs to.
	const said = readNotification(body).ids.length > 0 ? quoted : undefined;
	if (status >= 500 || MAY_HAVE_TAKEN.has(status)) {
		return { kind: 'unknown', reason: `the service answered: ${refusal.message}`, said };
	}
	if (said === undefined) return { kind: 'refused', refusal };
	const description = `${refusal.description} The answer was: ${said}`;
	return { kind: 'refused', refusal: { ...refusal, description } };
}

function whyNoReceipt(body: unknown, tooLarge: string | undefined): string {
	if (tooLarge !== undefined) return `the answer of the service is ${tooLarge}`;
	const id = asRecord(body)?.id;
	return asText(id) === undefined && typeof id !== 'number'
		? 'the answer of the service had no ID in it'
		: 'the ID in the answer of the service cannot be used';
}

/** What is worth telling of an answer: from its id on, where it is long. */
function quoteAnswer(text: string): string | undefined {
	const clean = text.trim();
	const start = clean.length > MAX_QUOTE ? Math.max(0, clean.search(/"id"\s*:/)) : 0;
	return asText(excerpt(clean.slice(start), MAX_QUOTE));
}

function whyNotAgain(retryAfterMs: number): string {
	const minutes = Math.ceil(retryAfterMs / 60_000);
	// Shorter waits are over when this is read.
	return minutes > 1
		? ` The service asks to wait for ${minutes} minutes.`
		: ' For ten minutes the service took no request of this n8n.';
}
