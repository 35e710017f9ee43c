import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { getAccount } from '../service/account';
import { read } from '../service/reading';
import { toApiError } from '../service/refusals';
import { ACCOUNT_PATH, readAccountInfo } from './getInfo';

/** The webhook URLs that are registered in the account, for the 'Webhook' option's list. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const account = await getAccount(this);
	const reading = await read(this, account, ACCOUNT_PATH);
	if (reading.kind === 'fault') throw toApiError(this.getNode(), reading.refusal);
	const wanted = (filter ?? '').toLowerCase();
	return {
		results: readAccountInfo(reading.body)
			.webhooks.filter((url) => url.toLowerCase().includes(wanted))
			.map((url) => ({ name: url, value: url })),
	};
}
