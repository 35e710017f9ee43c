import type { IHookFunctions } from 'n8n-workflow';
import { connect } from '../input/credential';
import { hasPrivateHost, triggerUrl } from '../input/webhook';
import { ACCOUNT_PATH, toAccountInfo } from '../service/accountInfo';
import { readOnce } from '../service/reading';
import { toApiError } from '../service/refusals';

/** n8n's start waits for the activation of its workflows. */
const ACCOUNT_TIMEOUT_MS = 5_000;

/** What is known of a trigger before it listens. */
interface Registration {
	url: string;
	/** Whether the service could reach it at all. */
	reachable: boolean;
	/** Whether the account notifies it by itself; `unknown` when the service is down. */
	registered: 'yes' | 'no' | 'unknown';
}

/**
 * Whether the account has the trigger's URL registered. n8n calls `create` when not.
 * @throws NodeApiError when the key is refused; a service that is down does not stop the activation
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	const registration = await findRegistration(context);
	if (registration.registered !== 'yes') return false;
	listen(context, registration);
	return true;
}

/**
 * Checks the key. The service has no call that registers a URL: searches can name it from now on.
 * @throws NodeApiError when the key is refused; a service that is down does not stop the activation
 */
export async function create(context: IHookFunctions): Promise<void> {
	listen(context, await findRegistration(context));
}

/** Takes the URL back from the action nodes of this workflow. The one for test events is another. */
export function forget(context: IHookFunctions): void {
	triggerUrl.forget(context, context.getNodeWebhookUrl('default'));
}

async function findRegistration(context: IHookFunctions): Promise<Registration> {
	const connection = await connect(context);
	const reading = await readOnce(connection, ACCOUNT_PATH, { timeoutMs: ACCOUNT_TIMEOUT_MS });
	if (reading.kind === 'fault') {
		const { status, scope } = reading.refusal;
		if (status !== undefined && scope === 'account') {
			throw toApiError(context.getNode(), reading.refusal);
		}
	}
	// The description declares this webhook, so there is a URL.
	const url = context.getNodeWebhookUrl('default') ?? '';
	const reachable = !hasPrivateHost(url) || hasPrivateHost(connection.account.baseUrl);
	if (reading.kind === 'fault') return { url, reachable, registered: 'unknown' };
	const { webhooks } = toAccountInfo(reading.body);
	const isRegistered = webhooks.some((webhook) => withoutQuery(webhook) === withoutQuery(url));
	return { url, reachable, registered: isRegistered ? 'yes' : 'no' };
}

function withoutQuery(url: string): string {
	const [address = ''] = url.split('?', 1);
	return address.endsWith('/') ? address.slice(0, -1) : address;
}

/** Makes the URL known to the action nodes of this workflow, and tells how it will be notified. */
function listen(context: IHookFunctions, { url, reachable, registered }: Registration): void {
	if (!reachable) {
		triggerUrl.forget(context);
		context.logger.warn(`The service cannot reach ${url}: set n8n's WEBHOOK_URL`);
		return;
	}
	if (context.getActivationMode() !== 'manual') triggerUrl.remember(context, url);
	const ways = {
		yes: `The account notifies ${url} of every finished search`,
		no: `The account does not have ${url} registered: it is notified of the searches that name it as their webhook`,
		unknown: `The service could not be asked whether ${url} is registered: it is notified at least of the searches that name it as their webhook`,
	};
	context.logger.info(ways[registered]);
}
