import { asAmount, asRecord, asText, isRecord } from '../common/values';
import type { Reading } from './reading';
import { read } from './reading';
import type { Refusal } from './refusals';
import { UNREADABLE_ANSWER, unreachable } from './refusals';
import type { Connection } from './request';

export const ACCOUNT_PATH = '/account/info';

/** The account's credits and registered webhook URLs (`service-api.md` 4.13). */
interface AccountInfo {
	credits: number | undefined;
	webhooks: string[];
}

export function toAccountInfo(body: unknown): AccountInfo {
	const { credits, webhooks } = asRecord(body) ?? {};
	const listed: unknown[] = Array.isArray(webhooks) ? webhooks : [webhooks];
	return {
		credits: asAmount(credits),
		webhooks: listed.flatMap((webhook) => asText(asRecord(webhook)?.url ?? webhook) ?? []),
	};
}

/** Reads the account; an answer that is no JSON object is a fault, as it is not the service's. */
export async function readAccount(connection: Connection, signal?: AbortSignal): Promise<Reading> {
	const reading = await read(connection, ACCOUNT_PATH, undefined, signal);
	if (reading.kind === 'fault' || isRecord(reading.body)) return reading;
	return {
		kind: 'fault',
		fault: 'lasting',
		refusal: {
			message: UNREADABLE_ANSWER,
			description:
				"There is a server at 'Base URL' of the Contact Data API credential, but it does not answer like the contact data service: check the address.",
			status: reading.status,
			scope: 'request',
		},
	};
}

/** `undefined`: not told for now. `isUnreachable`: nobody has answered, so it may be there later. */
export type Balance =
	{ credits: number | undefined } | { refusal: Refusal; isUnreachable: boolean };

/**
 * The balance before a run starts to spend. It also shows, before money is at stake, that the key
 * is right and the service can be reached; any other fault leaves the balance unknown.
 * @returns a refusal when no submission could succeed either
 */
export async function readBalance(
	connection: Connection,
	signal: AbortSignal | undefined,
): Promise<Balance> {
	const reading = await readAccount(connection, signal);
	if (reading.kind === 'answer') return { credits: toAccountInfo(reading.body).credits };
	const { fault, refusal, unanswered } = reading;
	if (unanswered !== undefined) {
		// Where there was no time for an answer, there is none for a submission either.
		return signal?.aborted === true
			? { credits: undefined }
			: {
					refusal: { ...unreachable(connection.account, unanswered), next: 'again' },
					isUnreachable: true,
				};
	}
	// A key may be allowed to search, and not to see the account.
	if (fault !== 'lasting' && refusal.scope !== 'account') return { credits: undefined };
	const isOfServer = refusal.status !== undefined && refusal.status >= 300;
	return { refusal: isOfServer ? refusal : { ...refusal, next: 'again' }, isUnreachable: false };
}
