import type { IHookFunctions } from 'n8n-workflow';
import { readAccountInfo, ACCOUNT_PATH } from '../operations/getInfo';
import { getAccount } from '../service/account';
import { hasPrivateHost } from '../service/privateHost';
import { readOnce } from '../service/reading';
import { toApiError } from '../service/refusals';
import { triggerUrl } from '../input/triggerUrl';

/** n8n's start waits for the activation of its workflows. */
const ACCOUNT_TIMEOUT_MS = 5_000;

/** What is known of a trigger before it listens. */
interface Standing {
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
	const standing = await askAccount(context);
	if (standing?.registered !== 'yes') return false;
	listen(context, standing);
	return true;
}

/**
 * Checks the key. The service has no call that registers a URL: searches can name it from now on.
 * @throws NodeApiError when the key is refused; a service that is down does not stop the activation
 */
export async function create(context: IHookFunctions): Promise<void> {
	const standing = await askAccount(context);
	if (standing !== undefined) listen(context, standing);
}

/** Takes the URL back from the action nodes of this workflow. */
export function forget(context: IHookFunctions): void {
	const url = context.getNodeWebhookUrl('default');
	if (url !== undefined && !isTest(context)) triggerUrl.forget(context, url);
}

async function askAccount(context: IHookFunctions): Promise<Standing | undefined> {
	const account = await getAccount(context);
	const reading = await readOnce(context, account, ACCOUNT_PATH, undefined, ACCOUNT_TIMEOUT_MS);
	if (reading.kind === 'fault') {
		const { status, scope } = reading.refusal;
		if (status !== undefined && scope === 'account') {
			throw toApiError(context.getNode(), reading.refusal);
		}
	}
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) return undefined;
	const reachable = !hasPrivateHost(url) || hasPrivateHost(account.baseUrl);
	if (reading.kind === 'fault') return { url, reachable, registered: 'unknown' };
	const { webhooks } = readAccountInfo(reading.body);
	const isRegistered = webhooks.some((webhook) => withoutQuery(webhook) === withoutQuery(url));
	return { url, reachable, registered: isRegistered ? 'yes' : 'no' };
}

function withoutQuery(url: string): string {
	return url.replace(/\/?(\?.*)?$/, '');
}

/** Makes the URL known to the action nodes of this workflow, and tells how it will be notified. */
function listen(context: IHookFunctions, { url, reachable, registered }: Standing): void {
	if (!reachable) {
		triggerUrl.forget(context);
		context.logger.warn(`The service cannot reach ${url}: set n8n's WEBHOOK_URL`);
		return;
	}
	if (!isTest(context)) triggerUrl.remember(context, url);
	const ways = {
		yes: `The account notifies ${url} of every finished lookup`,
		no: `The account does not have ${url} registered: it is notified of the searches that name it as their webhook`,
		unknown: `The service could not be asked whether ${url} is registered: it is notified at least of the searches that name it as their webhook`,
	};
	context.logger.info(ways[registered]);
}

function isTest(context: IHookFunctions): boolean {
	return context.getActivationMode() === 'manual';
}
