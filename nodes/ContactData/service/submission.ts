import type { IDataObject } from 'n8n-workflow';
import { monotonicMs } from '../common/clock';
import { excerpt } from '../common/excerpt';
import { asNumber, asRecord, asText, isRecord } from '../common/json';
import { pause } from '../common/pause';
import type { Account } from './account';
import { readId } from './state';
import { readNotified } from './notifiedIds';
import { getPace } from './pace';
import type { Refusal } from './refusals';
import { checkNetwork, readRefusal, UNREACHABLE_SERVICE } from './refusals';
import type { Connection, Exchange } from './request';
import { sendRequest } from './request';

/** How long a submission is sent again whose connection is not made. */
const PATIENCE_MS = 120_000;
/** How long, where the service refuses all that this process sends: many others may have their turn. */
const LIMIT_PATIENCE_MS = 600_000;
/** More is no figure that helps. */
const MAX_OTHERS = 100;
const FIRST_RETRY_MS = 500;
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
	/** Not sent, or not accepted when it was: `met` says why. */
	| { kind: 'cancelled'; met?: Refusal };

interface SubmitOptions {
	/** Ends the waiting for a turn; what has left is heard to its end. */
	signal?: AbortSignal;
	/** For the answer: without it nobody knows the id. */
	timeoutMs?: number;
	/** Told whenever a request leaves, and when it certainly was not accepted. */
	inFlight(now: boolean): void;
	/** Told of each 429 after which it is to be sent again. */
	limited?(): void;
}

/**
 * Submits once, in the pace of the endpoint. This is the one place that decides what is sent
 * again: only what certainly was not accepted, which is a 429 and a connection never made.
 */
export async function submit(
	connection: Connection,
	path: string,
	body: IDataObject,
	{ signal, inFlight, limited, timeoutMs }: SubmitOptions,
): Promise<SubmissionOutcome> {
	const { account } = connection;
	const pace = getPace(account, path);
	let startedAt = Infinity;
	let tooMany: Refusal | undefined;
	let met: Refusal | undefined;
	/** In a row, without the waiting for turns. */
	let unsent = { times: 0, forMs: 0 };
	for (let attempt = 0; ; attempt++) {
		const turn = await pace.turn(signal, attempt);
		if (turn === undefined) return { kind: 'cancelled', met };
		// How long the first turn takes depends on how many go before, and is no sign of trouble.
		startedAt = Math.min(startedAt, turn.at);
		// As long as the service takes anything of this process, the turn of this one will come.
		const limitedForMs = () => monotonicMs() - Math.max(startedAt, pace.takenAt, pace.awakeSince);
		if (tooMany !== undefined && limitedForMs() > LIMIT_PATIENCE_MS) {
			return { kind: 'refused', refusal: limitRefusal(tooMany, limitedForMs(), pace.others) };
		}
		inFlight(true);
		const exchange = await sendRequest(connection, { method: 'POST', path, body, timeoutMs });
		if (exchange.kind === 'unknown') {
			const { kind, reason, text = '' } = exchange;
			return { kind, reason, said: quoteAnswer(account, text) };
		}
		if (exchange.kind === 'unsent') {
			const refusal = describeUnsent(account, exchange.reason);
			const waitMs = retryDelayMs(unsent.times);
			const forMs = unsent.forMs + monotonicMs() - turn.at + waitMs;
			// The balance was read from the same address a moment ago.
			const isOver = exchange.lasts === 'yes' || forMs > PATIENCE_MS;
			if (isOver) return { kind: 'refused', refusal };
			unsent = { times: unsent.times + 1, forMs };
			met = refusal;
			inFlight(false);
			if (!(await pause(waitMs, signal))) return { kind: 'cancelled', met };
			continue;
		}
		const isLimited = exchange.status === 429 && !isReceipt(exchange.body);
		pace.answered(turn, isLimited);
		if (!isLimited) return judgeAnswer(account, exchange);

		unsent = { times: 0, forMs: 0 };
		// Whatever else is sent meets the same limit.
		tooMany = { ...readRefusal(account, exchange.status, exchange.body), scope: 'account' };
		const waitMs = exchange.retryAfterMs ?? 0;
		pace.refused(turn, waitMs > LIMIT_PATIENCE_MS ? 0 : waitMs);
		if (limitedForMs() + waitMs > LIMIT_PATIENCE_MS) {
			const { description, ...refusal } = limitRefusal(tooMany, limitedForMs(), pace.others);
			return {
				kind: 'refused',
				refusal: { ...refusal, description: description + tellOfWait(waitMs) },
			};
		}
		limited?.();
		met = tooMany;
		inFlight(false);
	}
}

/** A refusal by the service charges nothing; a fault of the service may come after the charge. */
function judgeAnswer(
	account: Account,
	{ status, body, text, tooLarge }: Extract<Exchange, { kind: 'answer' }>,
): SubmissionOutcome {
	const quoted = quoteAnswer(account, text);
	if (status >= 200 && status < 300) {
		const id = readId(body);
		if (id !== undefined && isRecord(body))
			return { kind: 'accepted', id, answer: { ...body, id } };
		return { kind: 'unknown', reason: whyNoReceipt(body, tooLarge), said: quoted };
	}
	const refusal = readRefusal(account, status, body);
	// An id is shown, whatever it belongs to.
	const said = readNotified(body).ids.length > 0 ? quoted : undefined;
	if (status >= 500 || MAY_HAVE_TAKEN.has(status) || isReceipt(body)) {
		return { kind: 'unknown', reason: `the service answered: ${refusal.message}`, said };
	}
	if (said === undefined) return { kind: 'refused', refusal };
	const description = `${refusal.description} The answer was: ${said}`;
	return { kind: 'refused', refusal: { ...refusal, description } };
}

/** Whether it names an id and a charge, whatever its status says. */
function isReceipt(body: unknown): boolean {
	return readId(body) !== undefined && (asNumber(asRecord(body)?.credits_used) ?? 0) > 0;
}

function whyNoReceipt(body: unknown, tooLarge: string | undefined): string {
	if (tooLarge !== undefined) return `the answer of the service is ${tooLarge}`;
	const id = asRecord(body)?.id;
	return asText(id) === undefined && typeof id !== 'number'
		? 'the answer of the service had no ID in it'
		: 'the ID in the answer of the service cannot be used';
}

/** What is worth telling of an answer: from its id on, where it is long. */
function quoteAnswer(account: Account, text: string): string | undefined {
	const clean = account.redact(text).trim();
	const start = clean.length > MAX_QUOTE ? Math.max(0, clean.search(/"id"\s*:/)) : 0;
	return asText(excerpt(clean.slice(start), MAX_QUOTE));
}

/** Exponential with jitter, so that several senders do not come back at the same moment. */
function retryDelayMs(attempt: number): number {
	const ceiling = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);
	return ceiling * (0.5 + Math.random() / 2);
}

/** A limit that was met for minutes is one that others use up. */
function limitRefusal(tooMany: Refusal, limitedForMs: number, others: number): Refusal {
	const minutes = Math.round(limitedForMs / 60_000);
	if (minutes < 2) return tooMany;
	const many = others > MAX_OTHERS ? `more than ${MAX_OTHERS}` : `about ${others}`;
	const programs = others === 1 ? 'one other program' : `${many} other programs`;
	const description = `For ${minutes} minutes the service took no request of this n8n, as if ${programs} used the same API key. Run them one after another, or ask the provider for a higher limit.`;
	return { ...tooMany, description };
}

/** Shorter waits are over when this is read. */
function tellOfWait(waitMs: number): string {
	if (waitMs <= 60_000) return '';
	return ` The service asks to wait for ${Math.ceil(waitMs / 60_000)} minutes.`;
}

/** The refusal for a submission that never reached the service. */
function describeUnsent(account: Account, reason: string): Refusal {
	return {
		message: `${UNREACHABLE_SERVICE}: ${reason}`,
		description: `${checkNetwork(account)}.`,
		next: 'again',
		scope: 'account',
	};
}
