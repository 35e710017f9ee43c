import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Receipt } from './receive';
import { receive, UNREACHABLE } from './receive';

/** Answers the sender, always, and starts the workflow where there is something to start it with. */
export async function answer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const receipt = await receiveSafely(context);
	if ('items' in receipt) return { workflowData: [receipt.items] };
	const response = context.getResponseObject();
	response.status(receipt.status).json({ message: receipt.message });
	return { noWebhookResponse: true };
}

/** A fault of ours or of the credential: a sender that redelivers will be heard later. */
async function receiveSafely(context: IWebhookFunctions): Promise<Receipt> {
	try {
		return await receive(context);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.error(`A notification could not be judged: ${reason}`);
		return UNREACHABLE;
	}
}
