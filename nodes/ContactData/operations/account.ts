import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';
import { ProblemError } from '../common/errors';
import { asRecord } from '../common/values';
import { connect } from '../run/credential';
import { patienceOf } from '../run/run';
import type { ToolCall } from '../run/toolCall';
import { ACCOUNT_PATH, askAccount, toAccountInfo } from '../service/account';
import { ask } from '../service/reading';
import { toApiError } from '../service/refusals';

/** Operation Get Info: what the account holds, with `webhooks` always a list. */
export async function getInfo(
	context: IExecuteFunctions,
	call: ToolCall | undefined,
): Promise<IDataObject> {
	const connection = { ...(await connect(context)), readsEndAt: call?.readsEndAt };
	const signal = context.getExecutionCancelSignal();
	const reading = await askAccount(connection, patienceOf({ signal, call }));
	if (reading.kind === 'fault') throw new ProblemError({ problem: reading.refusal });
	return { ...asRecord(reading.body), webhooks: toAccountInfo(reading.body).webhooks };
}

/** The webhook URLs that are registered in the account, for the 'Webhook' option's list. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const reading = await ask(await connect(this), ACCOUNT_PATH);
	if (reading.kind === 'fault') throw toApiError(this.getNode(), reading.refusal);
	const wanted = (filter ?? '').toLowerCase();
	return {
		results: toAccountInfo(reading.body)
			.webhooks.filter((url) => url.toLowerCase().includes(wanted))
			.map((url) => ({ name: url, value: url })),
	};
}
