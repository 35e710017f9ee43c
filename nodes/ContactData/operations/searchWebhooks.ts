import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { connect } from '../input/credential';
import { ACCOUNT_PATH, toAccountInfo } from '../service/accountInfo';
import { read } from '../service/reading';
import { toApiError } from '../service/refusals';

/** The webhook URLs that are registered in the account, for the 'Webhook' option's list. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const reading = await read(await connect(this), ACCOUNT_PATH);
	if (reading.kind === 'fault') throw toApiError(this.getNode(), reading.refusal);
	const wanted = (filter ?? '').toLowerCase();
	return {
		results: toAccountInfo(reading.body)
			.webhooks.filter((url) => url.toLowerCase().includes(wanted))
			.map((url) => ({ name: url, value: url })),
	};
}
