import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Receipt } from './receive';
import { receive, UNREACHABLE } from './receive';

/**
 * Answers the sender, always, and starts the workflow where there is something to start it with.
 * n8n would answer by itself only after the start, and then it does not save the static data.
 */
export async function answer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { status, message, items } = await receiveSafely(context);
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true, ...(items !== undefined && { workflowData: [items] }) };
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
