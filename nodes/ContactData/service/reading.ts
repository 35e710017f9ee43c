import type { IDataObject } from 'n8n-workflow';
import { sleepUnlessAborted } from '../common/time';
import { NOT_ASKED, refusalIn, type Refusal, unreachable } from './refusals';
import { type Connection, sendRequest, type ServiceRequest, type Unsent } from './request';

/** What came of one attempt to read. */
export type ReadOutcome = { kind: 'answer'; status: number; body: unknown } | Fault;

/** Why nothing could be read: `lasting` where another try does not help, `refused` where the service says no. */
export interface Fault {
	kind: 'fault';
	fault: 'passing' | 'refused' | 'lasting';
	refusal: Refusal;
	/** Why nobody has answered, where that is so. */
	unanswered?: Pick<Unsent, 'reason' | 'isUntrusted'>;
}

/** Statuses of an id that the service does not know. */
export const UNKNOWN_ID = new Set([404, 410]);
/** The documented words for a result that cannot be read. */
export const NOT_RETRIEVED = /could not retrieve/i;

/** Between the tries of a read whose fault is not believed yet. */
export const READ_RETRY_DELAYS_MS = [500, 1500];

/** One GET. A 2xx is an answer, everything else a fault with the user's words for it. */
export async function askOnce(
	connection: Connection,
	path: string,
	more: Pick<ServiceRequest, 'query' | 'timeoutMs'> = {},
): Promise<ReadOutcome> {
	const exchange = await sendRequest(connection, { method: 'GET', path, ...more });
	if (exchange.kind !== 'answer') {
		const { kind, reason } = exchange;
		const isLasting = kind === 'unsent' && exchange.lasts;
		const refusal: Refusal =
			kind === 'unsent'
				? unreachable(connection.account, exchange)
				: {
						message: `${NOT_ASKED}: ${reason}`,
						description: 'Reading costs no credits, now or later.',
						affects: 'request',
					};
		return {
			kind: 'fault',
			fault: isLasting ? 'lasting' : 'passing',
			refusal,
			unanswered: exchange,
		};
	}
	const { status, body, location } = exchange;
	if (status >= 200 && status < 300) return { kind: 'answer', status, body };

	const refusal = refusalIn(status, body, location);
	// A proxy, or a server that is not the service, answers with a web page.
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const isElsewhere = status < 500 && (isPage || (status >= 300 && status < 400));
	// The service says it in JSON; a text or a page is of a gateway, which may find its way again.
	const isOfGateway = UNKNOWN_ID.has(status) && typeof body === 'string';
	if (refusal.affects === 'account' || (isElsewhere && !isOfGateway)) {
		return { kind: 'fault', fault: 'lasting', refusal };
	}
	const isRefused =
		NOT_RETRIEVED.test(refusal.message) || (status < 500 && status !== 408 && status !== 429);
	return { kind: 'fault', fault: isRefused && !isOfGateway ? 'refused' : 'passing', refusal };
}

/** A GET that is tried three times before its fault is believed. */
export async function ask(
	connection: Connection,
	path: string,
	query?: IDataObject,
	signal?: AbortSignal,
): Promise<ReadOutcome> {
	let outcome = await askOnce(connection, path, { query });
	for (const delayMs of READ_RETRY_DELAYS_MS) {
		if (outcome.kind === 'answer' || outcome.fault === 'lasting') break;
		if (!(await sleepUnlessAborted(delayMs, signal))) break;
		outcome = await askOnce(connection, path, { query });
	}
	return outcome;
}
