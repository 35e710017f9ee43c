import { LOOPBACK_HOST } from '../../../credentials/credentialChecks';
import { refuse } from '../common/errors';
import { asRecord, isBlank } from '../common/values';
import { EVENT_PARAMETER, eventName } from '../lookups';
import type { Lookup, Size } from '../lookups/types';
import { hasPrivateHost, hostOf } from './hosts';

const HTTP_URL = /^https?:\/\/[^\s/]+(\/\S*)?$/i;

/**
 * The URL that the service notifies when a submission is finished, from the 'Webhook' option.
 * @throws ProblemError when what the user chose is empty or no URL
 */
export function findWebhook(
	{ lookup, size, baseUrl }: { lookup: Lookup; size: Size; baseUrl: string },
	option: unknown,
	urlOfTrigger: () => string,
): string | undefined {
	if (option === undefined) return undefined;
	const locator = asRecord(option);
	if (locator?.mode === 'trigger') {
		return `${urlOfTrigger()}?${EVENT_PARAMETER}=${eventName(lookup, size)}`;
	}
	const value: unknown = locator === undefined ? option : locator.value;
	const url = typeof value === 'string' ? value.trim() : '';
	if (!HTTP_URL.test(url) || (/^http:/i.test(url) && !LOOPBACK_HOST.test(hostOf(url)))) {
		return refuse({
			message: `'Webhook' ${isBlank(value) ? 'is empty' : 'must be a URL that starts with https://'}`,
			description:
				"Choose one of the account's URLs, or enter one. If nobody is to be notified, remove 'Webhook' from Options.",
			remedy: 'again',
		});
	}
	if (hasPrivateHost(url) && !hasPrivateHost(baseUrl)) {
		return refuse({
			message: `The service cannot reach the 'Webhook' ${url}`,
			description:
				"Give an address that can be reached from the internet. If it is of this n8n, set n8n's webhook URL (WEBHOOK_URL, newer: N8N_WEBHOOK_URL) to a public address, and take the production URL that n8n shows then.",
			remedy: 'again',
		});
	}
	return url;
}
