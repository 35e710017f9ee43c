import type { IHookFunctions } from 'n8n-workflow';
import { hasPrivateHost } from '../input/hosts';
import { connect } from '../run/credential';
import { triggerUrl } from '../run/triggerUrl';
import { ACCOUNT_PATH } from '../service/account';
import { askOnce } from '../service/reading';
import { toApiError } from '../service/refusals';

/** n8n's start waits for the activation of its workflows. */
const ACCOUNT_TIMEOUT_MS = 5_000;

/**
 * Checks the key, and makes the URL known to the action nodes of this workflow; the one for test events
 * is another.
 * @throws NodeApiError when the key is refused; a service that is down does not stop the activation
 */
export async function listen(context: IHookFunctions): Promise<void> {
	const connection = await connect(context);
	const reading = await askOnce(connection, ACCOUNT_PATH, { timeoutMs: ACCOUNT_TIMEOUT_MS });
	if (reading.kind === 'fault') {
		const { status, affects } = reading.refusal;
		if (status !== undefined && affects === 'account') {
			throw toApiError(context.getNode(), reading.refusal);
		}
	}
	// The description declares this webhook, so there is a URL.
	const url = context.getNodeWebhookUrl('default') ?? '';
	if (hasPrivateHost(url) && !hasPrivateHost(connection.account.baseUrl)) {
		triggerUrl.forget(context);
		context.logger.warn(
			`The service cannot reach ${url}: set n8n's WEBHOOK_URL (newer: N8N_WEBHOOK_URL)`,
		);
	} else if (context.getActivationMode() !== 'manual') {
		triggerUrl.remember(context, url);
	}
}

/** Takes the URL back from the action nodes of this workflow. The one for test events is another. */
export function forget(context: IHookFunctions): void {
	triggerUrl.forget(context, context.getNodeWebhookUrl('default'));
}
