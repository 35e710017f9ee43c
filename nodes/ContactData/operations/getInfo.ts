import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../common/json';
import type { Run } from '../input/run';
import { readAccount, toAccountInfo } from '../service/accountInfo';
import { toApiError } from '../service/refusals';

/** Operation Get Info: what the account holds, with `webhooks` always a list. */
export async function getInfo({ connection, node, signal }: Run): Promise<IDataObject> {
	const reading = await readAccount(connection, signal);
	if (reading.kind === 'fault') throw toApiError(node, reading.refusal);
	return { ...asRecord(reading.body), webhooks: toAccountInfo(reading.body).webhooks };
}
