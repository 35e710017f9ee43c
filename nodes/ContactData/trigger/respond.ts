import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { ensureError } from '../common/itemErrors';
import type { NotificationAnswer } from './receive';
import { receive, UNREACHABLE } from './receive';

/**
 * Answers the sender, always, and starts the workflow where there is something to start it with.
 * n8n would answer by itself only after the start, and then it does not save the static data.
 */
export async function respond(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { status, message, items } = await receiveSafely(context);
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true, ...(items !== undefined && { workflowData: [items] }) };
}

/** A fault of ours or of the credential: a sender that redelivers will be heard later. */
async function receiveSafely(context: IWebhookFunctions): Promise<NotificationAnswer> {
	try {
		return await receive(context);
	} catch (error) {
		context.logger.error(`A notification could not be judged: ${ensureError(error).message}`);
		return UNREACHABLE;
	}
}
