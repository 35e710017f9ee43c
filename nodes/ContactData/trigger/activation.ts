import type { IHookFunctions } from 'n8n-workflow';
import { readAccountInfo, ACCOUNT_PATH } from '../operations/account';
import { getAccount } from '../service/account';
import { read } from '../service/reading';
import { toApiError } from '../service/refusals';
import { triggerUrl } from './triggerUrl';

/**
 * Checks the key, makes the trigger's URL known to the action nodes of this workflow, and tells
 * whether the account has the URL registered. The service has no call to register it.
 * @throws NodeApiError when the key is refused; a service that is down does not stop the activation
 */
export async function activate(context: IHookFunctions): Promise<boolean> {
	const account = await getAccount(context);
	const reading = await read(context, account, ACCOUNT_PATH);
	if (
		reading.kind === 'fault' &&
		reading.refusal.status !== undefined &&
		reading.refusal.scope === 'account'
	) {
		throw toApiError(context.getNode(), reading.refusal);
	}
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) return false;
	if (context.getActivationMode() !== 'manual') triggerUrl.remember(context, url);

	const registered =
		reading.kind === 'answer' && readAccountInfo(reading.body).webhooks.includes(url);
	context.logger.info(
		registered
			? `The account notifies ${url} of every finished lookup`
			: `The account does not have ${url} registered: only submissions that name it as their webhook notify it`,
	);
	return registered;
}

/** Takes the URL back from the action nodes of this workflow. */
export function deactivate(context: IHookFunctions): void {
	const url = context.getNodeWebhookUrl('default');
	if (url !== undefined && context.getActivationMode() !== 'manual')
		triggerUrl.forget(context, url);
}
