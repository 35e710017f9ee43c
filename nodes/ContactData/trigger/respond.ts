import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CallLimit, TOO_MANY_CALLS } from '../common/callLimit';
import { ensureError } from '../common/itemErrors';
import type { NotificationAnswer } from './receive';
import { receive, triggerName, UNREACHABLE } from './receive';

/** Anybody may know the URL of a trigger. */
const notifications = new CallLimit({ ofOne: 12, inProcess: 24 });
/** How long the service may be asked while the sender waits. */
const READING_MS = 5_000;
/** The same where others may soon be refused. */
const HURRIED_READING_MS = 2_000;

const TOO_MANY: NotificationAnswer = { status: 503, message: TOO_MANY_CALLS };

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
	const call = notifications.begin(triggerName(context));
	if (call === undefined) return TOO_MANY;
	try {
		return await receive(context, call.isCrowded ? HURRIED_READING_MS : READING_MS);
	} catch (error) {
		context.logger.error(`A notification could not be judged: ${ensureError(error).message}`);
		return UNREACHABLE;
	} finally {
		call.end();
	}
}
