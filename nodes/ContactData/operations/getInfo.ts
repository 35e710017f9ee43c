import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Account, Caller } from '../service/account';
import { getAccount } from '../service/account';
import { read } from '../service/reading';
import type { Reading } from '../service/reading';
import type { Refusal } from '../service/refusals';
import { toApiError } from '../service/refusals';
import { asNumber, asRecord } from '../common/json';

export const ACCOUNT_PATH = '/account/info';

/** The account's credits and registered webhook URLs (`service-api.md` 4.13). */
export interface AccountInfo {
	credits: number | undefined;
	webhooks: string[];
}

export function readAccountInfo(body: unknown): AccountInfo {
	const record = asRecord(body);
	const webhooks = Array.isArray(record?.webhooks) ? record.webhooks : [];
	return {
		credits: asNumber(record?.credits),
		webhooks: webhooks.filter((url) => typeof url === 'string'),
	};
}

/** Operation Get Info: one item for each input item, all from one request. */
export async function getInfo(context: IExecuteFunctions): Promise<IDataObject> {
	const account = await getAccount(context);
	const reading = await readAccount(context, account, context.getExecutionCancelSignal());
	if (reading.kind === 'fault') throw toApiError(context.getNode(), reading.refusal);
	return { ...asRecord(reading.body), webhooks: readAccountInfo(reading.body).webhooks };
}

/**
 * The balance before a run starts to spend. It also shows, before money is at stake, that the key
 * is right and the service can be reached; any other fault leaves the balance unknown.
 * @returns a refusal when no submission could succeed either
 */
export async function readBalance(
	caller: Caller,
	account: Account,
	signal: AbortSignal | undefined,
): Promise<{ credits: number | undefined } | { refusal: Refusal }> {
	const reading = await readAccount(caller, account, signal);
	if (reading.kind === 'answer') return { credits: readAccountInfo(reading.body).credits };
	const { fault, refusal } = reading;
	// A server that says no to this, or is not the service, would take no submission either.
	return fault !== 'passing' || refusal.scope === 'account' ? { refusal } : { credits: undefined };
}

async function readAccount(
	caller: Caller,
	account: Account,
	signal: AbortSignal | undefined,
): Promise<Reading> {
	const reading = await read(caller, account, ACCOUNT_PATH, undefined, signal);
	if (reading.kind === 'fault' || asRecord(reading.body)?.credits !== undefined) return reading;
	return {
		kind: 'fault',
		fault: 'refused',
		refusal: {
			message: 'The answer of the service could not be understood',
			description:
				"There is a server at 'Base URL' of the Contact Data API credential, but it does not answer like the contact data service. Check the address.",
			scope: 'request',
		},
	};
}
